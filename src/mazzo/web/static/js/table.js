// A seat at a table: shows the state the server sends, sends what the person does.
import { byId, copy, el, refuse, remember, t } from "./dom.js";
import { drawTable } from "./board.js";
import { showAdvice, showTotal } from "./coach.js";
import { connect } from "./socket.js";

const root = byId("table");
const { table, token, game } = root.dataset;
const seated = "seated" in root.dataset;
let state = null;
let waiting = false;
let signal = "";

const socket = connect({
  open: () => { byId("connection").textContent = ""; waiting = false; socket.send({ do: "sit", table, token }); sendCoach(); },
  lost: () => { byId("connection").textContent = t("table.offline"); },
  message: receive,
});

function receive(message) {
  if (message.type === "state") { waiting = false; show(message); }
  else if (message.type === "refused") { waiting = false; refuse(message.reason); if (state) drawActions(state.view); }
  else if (message.type === "coach") {
    if (message.when === "before" && state && message.at !== state.at) return;
    showAdvice(message, byId("adviser").value);
    showTotal(message.total);
  }
}

function show(message) {
  const focused = document.activeElement?.dataset?.key;
  const inActions = byId("actions").contains(document.activeElement);
  const first = state === null;
  state = message;
  refuse("");
  const view = message.view;
  drawTable(byId("felt"), view, play);
  drawActions(view);
  byId("status").textContent = status(message);
  root.classList.toggle("myturn", view.you !== null && view.turn === view.you);
  const log = byId("log");
  if (first || message.said.length >= 60) log.replaceChildren();
  for (const line of message.said) log.append(el("p", {}, line));
  while (log.children.length > 200) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
  drawInvites(message.invites || {});
  showTotal(message.total);
  if (byId("saved")) byId("saved").hidden = !message.hands;
  if (focused || inActions) restoreFocus(focused);
  if (seated) rememberSeat(view);
}

function status(message) {
  const view = message.view;
  if (message.trouble) return message.trouble;
  if (!message.ready) return t("table.preparing");
  if (view.over) return t("table.over");
  if (view.hand_over) return t("table.hand_over");
  if (view.you !== null && view.turn === view.you) return t("table.your_turn");
  const who = view.turn === null ? "" : t("table.waits", { name: view.seats[view.turn].name });
  return view.you === null ? `${t("table.watching")} ${who}` : who;
}

function restoreFocus(key) {
  const again = key && document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  const target = again || byId("actions").querySelector("button:not(:disabled)") || document.querySelector(".pick:not(:disabled)");
  target?.focus({ preventScroll: true });
}

function play(choice, action = choice.action) {
  if (waiting || !state) return;
  if (signal && choice.signals?.includes(signal)) action = `${action}:${signal}`;
  waiting = socket.send({ do: "act", action, at: state.at });
  signal = "";
}

function drawActions(view) {
  const place = byId("actions");
  const nodes = [];
  for (const choice of view.choices) {
    if (choice.amount) nodes.push(amountForm(choice));
    else if (!choice.card) nodes.push(el("button", { type: "button", class: nodes.length ? "" : "", "data-key": choice.action, "data-hot": choice.key, "aria-keyshortcuts": choice.key?.toUpperCase(), onclick: () => play(choice) }, choice.label, el("kbd", { "aria-hidden": "true" }, choice.key?.toUpperCase())));
  }
  const signals = new Set(view.choices.flatMap((c) => c.signals || []));
  if (signals.size) {
    nodes.push(el("div", { class: "field inline" }, el("label", { for: "signal" }, t("table.signal")), el("select", { id: "signal", "data-key": "signal", onchange: (e) => { signal = e.target.value; } }, el("option", { value: "" }, t("table.signal.none")), [...signals].map((s) => el("option", { value: s }, s)))));
  }
  place.replaceChildren(...nodes);
}

function amountForm(choice) {
  const { low, high } = choice.amount;
  const number = el("input", { type: "number", id: "amount", min: low, max: high, value: low, inputmode: "numeric", "data-key": "amount", "data-hot": "r", "aria-label": t("table.amount") });
  const slider = el("input", { type: "range", min: low, max: high, value: low, "aria-label": t("table.amount"), "data-key": "slider" });
  number.addEventListener("input", () => { slider.value = number.value; });
  slider.addEventListener("input", () => { number.value = slider.value; });
  const presets = choice.presets.map(([label, amount]) => el("button", { type: "button", class: "preset", "data-key": `preset-${label}`, onclick: () => { number.value = amount; slider.value = amount; number.focus(); } }, label));
  const form = el("form", { class: "raise", novalidate: true }, el("div", { class: "presets" }, presets), el("div", { class: "pair" }, slider, number, el("button", { type: "submit", class: "primary", "data-key": "raise" }, choice.label, el("kbd", { "aria-hidden": "true" }, "R"))));
  form.addEventListener("submit", (event) => { event.preventDefault(); play(choice, `r${Math.round(Number(number.value))}`); });
  return form;
}

function drawInvites(invites) {
  const place = byId("invites");
  place.hidden = !Object.keys(invites).length;
  place.querySelector("ul").replaceChildren(...Object.entries(invites).map(([name, path]) => {
    const link = location.origin + path;
    return el("li", {}, el("a", { href: path, class: "invite" }, t("table.invite", { name })), el("button", { type: "button", onclick: (e) => copy(link, e.target) }, t("table.copy")));
  }));
}

function rememberSeat(view) {
  const kept = (remember("mazzo-tables") || []).filter((k) => k.table !== table);
  kept.unshift({ table, token, game, names: view.seats.map((s) => s.name).filter(Boolean) });
  remember("mazzo-tables", kept.slice(0, 12));
}

function sendCoach() {
  if (!seated) return;
  remember(`mazzo-coach-${game}`, { mode: byId("mode").value, adviser: byId("adviser").value });
  socket.send({ do: "coach", mode: byId("mode").value, adviser: byId("adviser").value });
}

if (seated) {
  const kept = remember(`mazzo-coach-${game}`);
  if (kept) {
    byId("mode").value = kept.mode;
    if ([...byId("adviser").options].some((o) => o.value === kept.adviser)) byId("adviser").value = kept.adviser;
  }
  byId("mode").addEventListener("change", sendCoach);
  byId("adviser").addEventListener("change", sendCoach);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input:not([type=range]), select, textarea");
  const key = event.key.toLowerCase();
  if (key === "?") { byId("keys").open = !byId("keys").open; byId("keys").querySelector("summary").focus(); event.preventDefault(); return; }
  if (typing && key !== "escape") return;
  const hot = document.querySelector(`[data-hot="${CSS.escape(key)}"]`);
  if (hot) { event.preventDefault(); if (hot.matches("input")) { hot.focus(); hot.select(); } else { hot.focus(); hot.click(); } return; }
  const picks = [...document.querySelectorAll(".pick")];
  if (!picks.length) return;
  if (/^[0-9]$/.test(key)) { picks.find((p) => p.dataset.number === key && !p.disabled)?.focus(); event.preventDefault(); }
  if (key === "arrowright" || key === "arrowleft") {
    const open = picks.filter((p) => !p.disabled);
    const at = open.indexOf(document.activeElement);
    open[(at + (key === "arrowright" ? 1 : -1) + open.length) % open.length]?.focus();
    event.preventDefault();
  }
});
