// As many seats as wanted; names only for people; of agents those that can play what is chosen, with their parameters.
import { byId, el, refuse, t } from "./dom.js";
import { watchPreparing } from "./preparing.js";

const form = byId("new"), count = byId("count");
const given = JSON.parse(form.dataset.given); // what was chosen before the server refused something
let agents = new Map(), models = [], asked = "";

const seats = () => [...document.querySelectorAll("[data-seat]")];
const choice = (seat) => seat.querySelector("select");

function update() {
  for (const seat of seats()) {
    const used = Number(seat.dataset.seat) < Number(count.value);
    seat.hidden = !used;
    seat.querySelectorAll("select, input").forEach((field) => { field.disabled = !used; });
    seat.querySelector(`[name=name${seat.dataset.seat}]`).hidden = choice(seat).value !== "me";
    showParameters(seat);
  }
  ask();
}

// Which agents can play depends on the number of seats and on the rules: the server knows.
async function ask() {
  const fields = new URLSearchParams([...new FormData(form)].filter(([name]) => !/^(seat|name|p)\d|^seed$/.test(name)));
  if (fields.toString() === asked) return;
  asked = fields.toString();
  const answer = await fetch(`/api/agents/${form.dataset.game}?${fields}`);
  if (!answer.ok || fields.toString() !== asked) return; // what cannot be played is said when the table is opened
  const found = await answer.json();
  agents = new Map(found.agents.map((a) => [a.name, a]));
  models = found.models;
  seats().forEach(offer);
}

function offer(seat) {
  const select = choice(seat), before = select.value, names = [...agents.keys(), ...models];
  if (!names.length) return;
  select.querySelector("optgroup").replaceChildren(...names.map((name) => el("option", { value: name }, name)));
  select.value = before === "me" || names.includes(before) ? before : names[0];
  showParameters(seat);
}

function showParameters(seat) {
  const place = seat.querySelector("[data-parameters]"), agent = agents.get(choice(seat).value);
  place.hidden = !agent?.parameters.length;
  if (place.dataset.agent === (agent?.name || "")) return;
  place.dataset.agent = agent?.name || "";
  place.querySelector(".hint").textContent = agent?.what || "";
  place.querySelector(".fields").replaceChildren(...(agent?.parameters || []).map((p) => field(seat.dataset.seat, p)));
  place.querySelectorAll(".fields input, .fields select").forEach((f) => { f.disabled = seat.hidden; });
  place.open = [...place.querySelectorAll(".fields input, .fields select")].some((f) => f.value !== f.dataset.usual);
}

function field(seat, p) {
  const name = `p${seat}.${p.name}`, id = `${name}-field`, means = `${id}-means`;
  const common = { id, name, "data-usual": String(p.usual), "aria-describedby": means };
  const value = given[name] ?? String(p.usual);
  const input = p.words
    ? el("select", common, p.words.map((w) => el("option", { value: w, selected: w === value }, w)))
    : el("input", { ...common, type: "number", min: p.low, max: p.high, step: p.whole ? 1 : "any", value });
  return el("div", { class: "field" }, el("label", { for: id }, p.name), input, el("p", { class: "hint", id: means, lang: "en" }, p.means));
}

form.addEventListener("input", update);
update();
form.addEventListener("submit", () => {
  refuse("");
  // What is as usual need not be said.
  form.querySelectorAll("[data-usual]").forEach((f) => { if (f.value === f.dataset.usual) f.disabled = true; });
  const status = byId("opening");
  status.textContent = t("table.preparing");
  watchPreparing(status, () => false);
});
window.addEventListener("pageshow", update); // back from a table: what was not said can be chosen again
