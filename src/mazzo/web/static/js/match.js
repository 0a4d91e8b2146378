// A match that draws itself.
import { byId, el, refuse, signed, t } from "./dom.js";
import { connect } from "./socket.js";
import { plot } from "./plot.js";

const contests = JSON.parse(byId("contests").textContent);
const models = JSON.parse(byId("models").textContent);
let history = [];
let asked = null;

let unsent = null; // asked for before the connection was there
const socket = connect({ message: receive, open: () => { if (unsent && socket.send(unsent)) unsent = null; }, lost: () => { if (unsent) return; if (byId("play").disabled) byId("status").textContent = t("table.offline"); stopped(); } });

function agentsFor() {
  const contest = contests.find((c) => c.name === byId("game").value);
  const usual = ["utility", "rich", "decision-improved", "greedy", "random", "call"].filter((a) => contest.agents.includes(a));
  const names = [...contest.agents.filter((a) => a !== "hero"), ...(contest.name === "holdem-limit-2p" ? models : [])];
  const preferred = contest.agents.includes("utility") ? ["utility", "random"] : usual;
  byId("agents").replaceChildren(...Array.from({ length: contest.seats }, (_, k) => {
    const chosen = preferred[k % preferred.length] || names[0];
    return el("div", { class: "field" }, el("label", { for: `agent${k}` }, t("match.agent", { number: k + 1 })), el("select", { id: `agent${k}`, class: "agent" }, names.map((n) => el("option", { selected: n === chosen }, n))));
  }));
}

function stopped() { byId("play").disabled = false; byId("stop").disabled = true; }

function receive(message) {
  if (message.type === "refused") { refuse(message.reason); stopped(); return; }
  if (message.type !== "match") return;
  if (message.failed) { refuse(message.failed); byId("status").textContent = ""; stopped(); return; }
  history.push(message);
  const first = message.players[0];
  const points = thin(history);
  byId("status").textContent = t(message.done ? "match.done" : "match.running", { hands: message.hands.toLocaleString(), deals: message.deals.toLocaleString() });
  const series = message.players.map((p, k) => ({ label: p.name, x: points.map((h) => h.hands), y: points.map((h) => h.players[k].mean), low: points.map((h) => h.players[k].low), high: points.map((h) => h.players[k].high) }));
  byId("plot").replaceChildren(plot({ title: t("match.curve", { name: first.name, unit: message.unit }), x_label: t("match.hands"), y_label: message.unit, series: series.slice(0, message.players.length === 2 ? 1 : 6), kind: "line", references: [["0", 0]] }));
  byId("standing").replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, [t("match.agent.head"), `${t("match.mean")} (${message.unit})`, t("match.interval")].map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, message.players.map((p) => el("tr", {}, el("th", { scope: "row" }, p.name), el("td", {}, signed(p.mean, 4)), el("td", {}, `${signed(p.low, 4)} … ${signed(p.high, 4)}`))))));
  if (message.done) { stopped(); offer(message); }
}

// The result with the command that gives it again, and a file of it that needs nothing else to be looked at.
function offer(message) {
  const command = `mazzo match ${asked.game} ${asked.agents.join(" ")} --hands ${asked.hands} --seed ${asked.seed}`;
  byId("command").hidden = byId("save").hidden = false;
  byId("command").firstChild.textContent = command;
  byId("save").onclick = () => {
    const style = "body{font:16px system-ui;max-width:60rem;margin:2rem auto;--line1:#1b6045;--line2:#a8430f;--line3:#2457a6;--line4:#7a3e9d;--line5:#8a6a00;--line6:#44505a}svg{max-width:100%}td,th{padding:.3rem .8rem;text-align:left}.gridline{stroke:#ccc}.reference{stroke:#000;stroke-dasharray:5 4}";
    const body = [byId("plot"), byId("standing"), byId("command")].map((part) => part.innerHTML).join("");
    const page = `<!doctype html><meta charset="utf-8"><title>${asked.game}</title><style>${style}</style>${body}`;
    const link = el("a", { href: URL.createObjectURL(new Blob([page], { type: "text/html" })), download: `match-${asked.game}-${asked.seed}.html` });
    link.click();
    URL.revokeObjectURL(link.href);
  };
}

function thin(all) {
  const step = Math.max(1, Math.floor(all.length / 300));
  return all.filter((_, k) => k % step === 0 || k === all.length - 1);
}

byId("game").addEventListener("change", agentsFor);
byId("match").addEventListener("submit", (event) => {
  event.preventDefault();
  refuse("");
  history = [];
  byId("play").disabled = true; byId("stop").disabled = false;
  byId("status").textContent = t("match.preparing");
  const agents = [...document.querySelectorAll(".agent")].map((a) => a.value);
  asked = { game: byId("game").value, agents, hands: Number(byId("count").value), seed: Number(byId("seed").value) };
  byId("command").hidden = byId("save").hidden = true;
  unsent = { do: "match", ...asked };
  if (socket.send(unsent)) unsent = null;
});
byId("stop").addEventListener("click", () => { unsent = null; socket.send({ do: "stop" }); stopped(); });
agentsFor();
