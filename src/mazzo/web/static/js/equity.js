// The equity calculator with its 13 x 13 grid.
import { ask, byId, el, refuse, t } from "./dom.js";
import { cardImage } from "./cards.js";

const RANKS = "AKQJT98765432";
const cells = [];
let painting = null;
let typed = 0;
let touched = false;

function name(r, c) { return r === c ? RANKS[r] + RANKS[c] : r < c ? `${RANKS[r]}${RANKS[c]}s` : `${RANKS[c]}${RANKS[r]}o`; }
function combos(r, c) { return r === c ? 6 : r < c ? 4 : 12; }

function paint(cell, on) { cell.setAttribute("aria-selected", on); cell.classList.remove("part"); typed++; update(); }

function update() {
  const chosen = cells.filter((c) => c.getAttribute("aria-selected") === "true");
  const total = chosen.reduce((sum, c) => sum + Number(c.dataset.combos), 0);
  byId("range").value = chosen.map((c) => c.dataset.hand).join(",");
  byId("share").textContent = total ? t("equity.share", { share: ((100 * total) / 1326).toFixed(1) }) : "";
  byId("opponents").disabled = total > 0;
}

function build() {
  const grid = byId("grid");
  for (let r = 0; r < 13; r++) {
    const row = el("div", { role: "row", class: "gridrow" });
    for (let c = 0; c < 13; c++) {
      const hand = name(r, c);
      const cell = el("button", { type: "button", role: "gridcell", class: r === c ? "pair" : r < c ? "suited" : "off", "aria-selected": "false", tabindex: r + c === 0 ? "0" : "-1", "data-hand": hand, "data-combos": combos(r, c), "data-at": 13 * r + c }, hand);
      row.append(cell);
      cells.push(cell);
    }
    grid.append(row);
  }
  grid.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[data-hand]");
    touched = event.pointerType === "touch";
    if (!cell || touched) return; // a finger scrolls the grid, and taps a cell
    painting = cell.getAttribute("aria-selected") !== "true";
    paint(cell, painting);
    if (cell.hasPointerCapture?.(event.pointerId)) cell.releasePointerCapture(event.pointerId);
  });
  grid.addEventListener("pointerover", (event) => { const cell = event.target.closest("[data-hand]"); if (cell && painting !== null) paint(cell, painting); });
  grid.addEventListener("click", (event) => { const cell = event.target.closest("[data-hand]"); if (cell && touched) paint(cell, cell.getAttribute("aria-selected") !== "true"); });
  addEventListener("pointerup", () => { painting = null; });
  grid.addEventListener("keydown", (event) => {
    const at = Number(event.target.dataset.at);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + 13, ArrowUp: at - 13 }[event.key];
    if (event.key === " " || event.key === "Enter") { event.preventDefault(); paint(event.target, event.target.getAttribute("aria-selected") !== "true"); }
    if (to !== undefined && cells[to]) { event.preventDefault(); event.target.tabIndex = -1; cells[to].tabIndex = 0; cells[to].focus(); }
  });
}

function showCards() {
  const found = [...(byId("cards").value + " " + byId("board").value).matchAll(/(10|[2-9tjqka])([cdhs])/gi)].map((m) => (m[1] === "10" ? "T" : m[1].toUpperCase()) + m[2].toLowerCase());
  byId("shown").replaceChildren(...found.slice(0, 7).map((card) => cardImage(card, "french", false)));
}

function result(found) {
  const percent = (v) => `${(100 * v).toFixed(3)} %`;
  const how = found.exact ? t("equity.exact", { numerator: BigInt(found.numerator).toLocaleString(), denominator: BigInt(found.denominator).toLocaleString() }) : t("equity.sampled", { samples: found.samples.toLocaleString(), error: percent(found.standard_error) });
  const rows = [[t("equity.win"), percent(found.win)], [t("equity.tie"), percent(found.tie)], ...(found.now ? [[t("equity.now"), found.now]] : [])];
  byId("result").hidden = false;
  byId("result").replaceChildren(el("h2", {}, t("equity.equity")), el("p", { class: "figure" }, percent(found.equity)), el("p", { class: "hint" }, how), el("dl", { class: "tablefacts plain" }, rows.map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v)))));
}

byId("equity").addEventListener("submit", async (event) => {
  event.preventDefault();
  refuse("");
  try {
    result(await ask("/api/equity", { hand: byId("cards").value, board: byId("board").value, against: byId("range").value, opponents: Number(byId("opponents").value) }));
  } catch (wrong) { byId("result").hidden = true; refuse(wrong.message); }
});
byId("clear").addEventListener("click", () => { cells.forEach((c) => c.setAttribute("aria-selected", "false")); update(); });

// A typed range is read by the server, which knows how ranges are written, and painted on the grid.
async function paintTyped() {
  const text = byId("range").value.trim(), mine = ++typed;
  byId("opponents").disabled = Boolean(text);
  let found = { hands: {}, share: 0 };
  try { if (text) found = await ask("/api/range", { range: text }); refuse(""); }
  catch (wrong) { if (mine === typed) refuse(wrong.message); }
  if (mine !== typed) return;
  for (const cell of cells) {
    const share = found.hands[cell.dataset.hand] || 0;
    cell.setAttribute("aria-selected", share > 0);
    cell.classList.toggle("part", share > 0 && share < 1);
  }
  byId("share").textContent = found.share ? t("equity.share", { share: (100 * found.share).toFixed(1) }) : "";
}
byId("range").addEventListener("change", paintTyped);
byId("range").addEventListener("input", () => { clearTimeout(paintTyped.soon); paintTyped.soon = setTimeout(paintTyped, 250); });
for (const id of ["cards", "board"]) byId(id).addEventListener("input", showCards);
build();
showCards();
