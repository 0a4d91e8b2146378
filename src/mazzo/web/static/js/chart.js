// The blackjack chart of any rules; every cell says what every play is worth.
import { ask, byId, el, refuse, signed, t } from "./dom.js";

function show(found) {
  byId("ev").textContent = t("chart.ev", { ev: signed(found.ev, 5), percent: (100 * found.ev).toFixed(3), exact: signed(found.ev_exact, 5) });
  const tables = found.sections.map((section) => el("table", { class: "bj" }, el("caption", {}, section.title), el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("chart.hand")), found.heads.map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, section.rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.row), row.cells.map((cell) => el("td", { class: `play-${cell.code}` }, el("button", { type: "button", tabindex: "-1", "aria-label": t("chart.cell", { hand: row.row, up: cell.up, play: cell.play }), onfocus: () => tell(row, cell), onmouseenter: () => tell(row, cell) }, cell.code))))))));
  byId("chart").replaceChildren(el("p", { class: "hint" }, t("chart.hint")), ...tables);
  const buttons = [...document.querySelectorAll(".bj button")];
  buttons[0].tabIndex = 0;
}

function tell(row, cell) {
  const entries = Object.entries(cell.values);
  const best = Math.max(...entries.map(([, v]) => v));
  byId("cell").hidden = false;
  byId("cell").replaceChildren(el("h2", {}, t("chart.cell", { hand: row.hand, up: cell.up, play: cell.play })), el("table", { class: "worths" }, el("tbody", {}, entries.map(([play, value]) => el("tr", { class: value === best ? "best" : "" }, el("th", { scope: "row" }, play), el("td", {}, signed(value, 4)))))));
}

byId("chart").addEventListener("keydown", (event) => {
  const buttons = [...document.querySelectorAll(".bj button")];
  const at = buttons.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + 10, ArrowUp: at - 10 }[event.key];
  if (at < 0 || to === undefined || !buttons[to]) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  buttons[to].tabIndex = 0;
  buttons[to].focus();
});

async function draw() {
  refuse("");
  byId("ev").textContent = t("chart.counting");
  try { show(await ask("/api/blackjack", Object.fromEntries(new FormData(byId("rules"))))); }
  catch (wrong) { byId("ev").textContent = ""; refuse(wrong.message); }
}
byId("rules").addEventListener("submit", (event) => { event.preventDefault(); draw(); });
draw();
