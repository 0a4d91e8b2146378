// What a player of a replayed hand may hold: 13 x 13 classes, darker where one holding of the class is likelier.
import { ask, byId, el, t } from "./dom.js";

const hand = JSON.parse(byId("hand").textContent);
const RANKS = "AKQJT98765432";
let step = 0;
let asked = 0;

function kind(row, column) {
  const [high, low] = [Math.min(row, column), Math.max(row, column)];
  return `${RANKS[high]}${RANKS[low]}${row === column ? "" : row < column ? "s" : "o"}`;
}

function draw(classes) {
  const holdings = (name) => (name.length === 2 ? 6 : name[2] === "s" ? 4 : 12);
  const dense = (name) => classes[name] / holdings(name);
  const most = Math.max(...Object.keys(classes).map(dense));
  byId("held-grid").replaceChildren(...[...RANKS].map((_, row) => el("div", { class: "gridrow", role: "row" }, [...RANKS].map((_, column) => {
    const name = kind(row, column), share = most ? dense(name) / most : 0;
    const label = `${name}: ${(100 * classes[name]).toFixed(2)} %`;
    const cell = el("span", { class: "heldcell", role: "cell", title: label, "aria-label": label }, name);
    cell.style.background = `color-mix(in srgb, var(--card), var(--accent) ${Math.round(100 * share)}%)`;
    if (share > 0.55) cell.style.color = "var(--accent-ink)";
    return cell;
  }))));
}

async function show() {
  const mine = ++asked;
  const model = byId("held-model").value;
  const url = `/api/held?h=${hand.link}&step=${step}&seat=${byId("held-seat").value}&model=${encodeURIComponent(model)}`;
  try {
    const found = await ask(url);
    if (mine !== asked) return;
    if (byId("held-model").options.length === 1) byId("held-model").append(...found.models.map((name) => el("option", {}, name)));
    byId("held-said").replaceChildren(...found.said.map((line) => el("p", { class: "hint" }, line)));
    draw(found.classes);
  } catch (wrong) {
    if (mine !== asked) return;
    byId("held-said").replaceChildren(el("p", { class: "problem" }, wrong.message));
    byId("held-grid").replaceChildren();
  }
}

if (hand.of === "holdem") {
  byId("held").hidden = false;
  byId("held-seat").append(...hand.frames[0].view.seats.map((seat, k) => el("option", { value: k }, seat.name || t("table.seat"))));
  for (const id of ["held-seat", "held-model"]) byId(id).addEventListener("change", show);
  document.addEventListener("step", (event) => { step = event.detail; show(); });
  step = Number(new URLSearchParams(location.hash.slice(1)).get("step")) || 0;
  show();
}
