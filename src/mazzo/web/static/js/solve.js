// Lab -> Solve: a spot by painting and clicking, its solution as a path of buttons and a grid of mixes.
import { ask, byId, el, refuse, remember, t } from "./dom.js";
import { cardImage, cardName } from "./cards.js";
import { plot } from "./plot.js";
import { mixBar } from "./mix.js";

const RANKS = "AKQJT98765432", SUITS = "shdc";
const INKS = ["--line6", "--line1", "--line2", "--line3", "--line4", "--line5"];
const board = [], locks = [], cells = { oop: [], ip: [] };
let job = "", last = "", path = [], node = null, lock = null, painting = null, typed = { oop: 0, ip: 0 };

const handName = (r, c) => (r === c ? RANKS[r] + RANKS[c] : r < c ? `${RANKS[r]}${RANKS[c]}s` : `${RANKS[c]}${RANKS[r]}o`);
const percent = (share, digits = 1) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`);
const chips = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));

function grid(place, make) {
  byId(place).replaceChildren(...[...RANKS].map((_, r) => el("div", { role: "row", class: "gridrow" }, [...RANKS].map((__, c) => make(handName(r, c), 13 * r + c)))));
}

function arrows(list, event) {
  const at = Number(event.target.dataset.at);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + 13, ArrowUp: at - 13 }[event.key];
  if (to === undefined || !list[to]) return;
  event.preventDefault();
  event.target.tabIndex = -1; list[to].tabIndex = 0; list[to].focus();
}

// Ranges: painted, or typed and then read by the server.
function paint(player, cell, on) {
  cell.setAttribute("aria-selected", on); cell.classList.remove("part"); typed[player]++;
  byId(player).value = cells[player].filter((c) => c.getAttribute("aria-selected") === "true").map((c) => c.dataset.hand).join(",");
}
function buildRange(player) {
  grid(`${player}-grid`, (hand, at) => { const cell = el("button", { type: "button", role: "gridcell", "aria-selected": "false", tabindex: at ? "-1" : "0", "data-hand": hand, "data-at": at }, hand); cells[player].push(cell); return cell; });
  const place = byId(`${player}-grid`);
  place.addEventListener("pointerdown", (event) => { const cell = event.target.closest("[data-hand]"); if (!cell) return; painting = cell.getAttribute("aria-selected") !== "true"; paint(player, cell, painting); if (cell.hasPointerCapture?.(event.pointerId)) cell.releasePointerCapture(event.pointerId); });
  place.addEventListener("pointerover", (event) => { const cell = event.target.closest("[data-hand]"); if (cell && painting !== null) paint(player, cell, painting); });
  place.addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); paint(player, event.target, event.target.getAttribute("aria-selected") !== "true"); } arrows(cells[player], event); });
  byId(player).addEventListener("change", () => read(player));
}
async function read(player) {
  const mine = ++typed[player], words = byId(player).value.trim();
  let found = { hands: {} };
  try { if (words) found = await ask("/api/range", { range: words }); refuse(""); } catch (wrong) { refuse(wrong.message); }
  if (mine !== typed[player]) return;
  for (const cell of cells[player]) { const share = found.hands[cell.dataset.hand] || 0; cell.setAttribute("aria-selected", share > 0); cell.classList.toggle("part", share > 0 && share < 1); cell.style.setProperty("--share", share); }
}
addEventListener("pointerup", () => { painting = null; });

// The board, by clicking cards.
function buildDeck() {
  byId("deck").replaceChildren(...[...SUITS].flatMap((s) => [...RANKS].map((r) => el("button", { type: "button", class: "tiny", "data-card": r + s, "aria-pressed": "false", "aria-label": cardName(r + s, "french"), onclick: () => toggle(r + s) }, r + s))));
}
function toggle(card) {
  const at = board.indexOf(card);
  if (at >= 0) board.splice(at, 1); else if (board.length < 5) board.push(card);
  showBoard();
}
function showBoard() {
  for (const button of byId("deck").children) button.setAttribute("aria-pressed", board.includes(button.dataset.card));
  byId("board").replaceChildren(...board.map((card) => cardImage(card, "french")));
}

function buildChips() {
  byId("chips").replaceChildren(...["33%", "50%", "75%", "100%", "150%", "a", "e"].map((size) => el("button", { type: "button", onclick: () => {
    const sizes = byId("bets").value.split(",").map((s) => s.trim()).filter(Boolean);
    byId("bets").value = (sizes.includes(size) ? sizes.filter((s) => s !== size) : [...sizes, size]).join(",");
  } }, size)));
}

function described() {
  const given = { board: board.join(""), oop: byId("oop").value, ip: byId("ip").value, bets: byId("bets").value, raises: byId("raises").value, others: byId("others").value, locks };
  for (const key of ["pot", "stack", "to"]) given[key] = Number(byId(key).value);
  return given;
}

// Solving: the server works; a reload finds the work again by its name in the address.
byId("spot").addEventListener("submit", async (event) => {
  event.preventDefault();
  refuse("");
  const given = described();
  remember("mazzo.spot", given);
  try { const { id } = await ask("/api/solve", given); last = job && byId("found").hidden === false ? job : last; start(id); } catch (wrong) { refuse(wrong.message); }
});
byId("stop").addEventListener("click", () => ask(`/api/solve/${job}/stop`, {}).catch((wrong) => refuse(wrong.message)));
// The address holds the work and the place looked at: a reload finds both.
function keep() { history.replaceState(null, "", job ? `#${job}${path.length ? `/${path.join("/")}` : ""}` : location.pathname + location.search); }
function start(id, at = []) { job = id; path = at; keep(); byId("found").hidden = true; follow(id); }
async function follow(id) {
  let found;
  try { found = await ask(`/api/solve/${id}`); } catch (wrong) { refuse(wrong.message); job = ""; keep(); return; }
  if (id !== job) return;
  byId("progress").hidden = false;
  const working = found.state === "waiting" || found.state === "solving", now = found.curve.at(-1);
  byId("go").disabled = working; byId("stop").hidden = !working;
  byId("state").textContent = found.problem || (now ? t("solve.state", { rounds: now[0], seconds: now[1].toFixed(2), percent: now[2].toFixed(4) }) : found.estimate || t("solve.waiting"));
  const points = found.curve.filter((c) => c[2] > 0);
  if (points.length > 1) byId("curve").replaceChildren(plot({ title: t("solve.curve"), kind: "line", x_label: t("solve.seconds"), y_label: t("solve.log"), series: [{ label: t("solve.curve"), x: points.map((c) => c[1]), y: points.map((c) => Math.log10(c[2])) }] }));
  if (working) { setTimeout(() => follow(id), 400); return; }
  if (found.problem) refuse(found.problem);
  if (found.spot) { byId("found").hidden = false; const looked = path.length; await price(!looked); show(); }
}

// The solution: a place, its mix, its hands.
async function show() {
  try { node = await ask(`/api/solve/${job}/at`, { at: path.join(" ") }); } catch (wrong) { refuse(wrong.message); path.pop(); keep(); return; }
  keep();
  byId("place").textContent = `${node.board.match(/../g).join(" ")} · ${t("solve.potnow", { pot: node.pot })}`;
  const crumb = (label, length) => el("button", { type: "button", class: "quiet", onclick: () => { path = path.slice(0, length); show(); } }, label);
  byId("path").replaceChildren(crumb(t("solve.start"), 0), ...path.map((step, k) => crumb(step, k + 1)));
  byId("actions").replaceChildren(...(node.chance ? deckLeft() : node.actions.map((name, k) => el("button", { type: "button", onclick: () => go(name) }, `${node.words[k]} ${percent(node.totals[name])}`))));
  drawGrid(); drawFigures(); drawHands(); drawLock();
  byId("compare").hidden = !last || last === job || !node.actor; byId("compared").replaceChildren();
}
function go(step) { path.push(step); show(); byId("place").focus(); }
function deckLeft() {
  const used = node.board.match(/../g);
  return [...SUITS].flatMap((s) => [...RANKS].map((r) => r + s)).filter((card) => !used.includes(card)).map((card) => el("button", { type: "button", class: "tiny", "aria-label": cardName(card, "french"), onclick: () => go(card) }, card));
}
const ink = (k) => `var(${INKS[k % INKS.length]})`;
function drawGrid() {
  const classes = node.actor ? node[node.actor].classes : {};
  const made = [];
  grid("mix", (hand, at) => {
    const found = classes[hand], cell = el("button", { type: "button", role: "gridcell", tabindex: at ? "-1" : "0", "data-at": at, "aria-disabled": found ? null : "true", onclick: () => found && lockOnly(hand, found.mix) }, hand);
    made.push(cell);
    if (found?.mix) {
      let from = 0;
      const parts = node.actions.map((name, k) => { const to = from + 100 * (found.mix[name] || 0), part = `color-mix(in srgb, var(--card), ${ink(k)} 55%) ${from}% ${to}%`; from = to; return part; });
      cell.style.setProperty("background", `linear-gradient(to right, ${parts.join(", ")})`);
      cell.title = `${hand}: EV ${chips(found.ev)}, ${percent(found.equity)}; ${node.actions.map((name, k) => `${node.words[k]} ${percent(found.mix[name])}`).join(", ")}`;
      cell.setAttribute("aria-label", cell.title);
    }
    return cell;
  });
  byId("mix").onkeydown = (event) => arrows(made, event);
  byId("legend").replaceChildren(...node.actions.map((name, k) => { const mark = el("span", { class: "mark", "aria-hidden": "true" }); mark.style.setProperty("background", ink(k)); return el("li", {}, mark, ` ${node.words[k]} ${percent(node.totals[name])}`); }));
}
function drawFigures() {
  const rows = ["oop", "ip"].map((p) => el("tr", {}, el("th", { scope: "row" }, t(`solve.${p}`)), [chips(node[p].ev), percent(node[p].equity), percent(node[p].realised)].map((cell) => el("td", {}, cell))));
  const bet = node.bet && el("p", { class: "hint" }, t("solve.defence", { minimum: percent(node.bet.minimum), actual: percent(node.bet.actual), bluffs: node.bet.bluffs.toFixed(2) }));
  byId("figures").replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ["", "EV", t("equity.equity"), t("solve.realised")].map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, rows)), ...(bet ? [bet] : []));
}
function drawHands() {
  const hands = node.actor ? Object.entries(node[node.actor].hands) : [];
  byId("hands").replaceChildren(el("thead", {}, el("tr", {}, [t("equity.hand"), "EV", t("equity.equity"), ...node.words].map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, hands.map(([hand, row]) => el("tr", {}, [hand, chips(row.ev), percent(row.equity), ...node.actions.map((name) => percent(node.mix[hand]?.[name]))].map((cell) => el("td", {}, cell))))));
}
// A mix is locked by dragging the marks of its bar; the spot is then solved around it. A class of the grid that is
// clicked is locked alone.
function drawLock() {
  lock = null;
  if (!node.actor) { byId("lock").replaceChildren(); return; }
  const which = el("input", { id: "lock-hands", value: "all", maxlength: 4000, spellcheck: "false" });
  const mix = mixBar(node.words, node.actions.map((_, k) => ink(k)), node.actions.map((name) => node.totals[name] || 0));
  lock = { which, mix };
  byId("lock").replaceChildren(el("p", { class: "hint" }, t("solve.lock.drag")), mix.bar, mix.told, el("div", { class: "field" }, el("label", { for: "lock-hands" }, t("solve.lock.hands")), which), el("button", {}, t("solve.lock.do")));
  byId("lock").onsubmit = (event) => {
    event.preventDefault();
    const shares = mix.shares(), mixed = Object.fromEntries(node.actions.map((name, k) => [name, shares[k]]));
    locks.push({ at: path.join(" "), hands: which.value, mix: mixed });
    showLocks(); remember("mazzo.spot", described());
  };
}
function lockOnly(hand, mix) {
  if (!lock || !mix) return;
  lock.which.value = hand;
  lock.mix.set(node.actions.map((name) => mix[name] || 0));
  byId("lock").parentElement.open = true;
}
function showLocks() {
  byId("locks").hidden = !locks.length;
  byId("locks").replaceChildren(...locks.map((lock, k) => el("li", {}, `${lock.at || t("solve.start")} · ${lock.hands} · ${Object.entries(lock.mix).map(([n, s]) => `${n} ${s}`).join(", ")}`, el("button", { type: "button", class: "quiet", onclick: () => { locks.splice(k, 1); showLocks(); remember("mazzo.spot", described()); } }, t("solve.unlock")))));
}
byId("compare").addEventListener("click", async () => {
  try {
    const found = await ask(`/api/solve/${last}/compare/${job}`, { at: path.join(" ") });
    byId("compared").replaceChildren(el("p", {}, t("solve.differs", { share: percent(found.distance) })), el("ul", {}, Object.entries(found.hands).slice(0, 8).map(([hand, share]) => el("li", {}, `${hand} ${percent(share)}`))));
  } catch (wrong) { refuse(wrong.message); }
});

function fill(given) {
  board.splice(0, 5, ...(given.board.match(/../g) || [])); showBoard();
  for (const key of ["oop", "ip", "pot", "stack", "bets", "raises", "to"]) if (given[key] !== undefined) byId(key).value = given[key];
  byId("others").value = given.others || ""; if (given.others) byId("more").open = true;
  locks.splice(0, locks.length, ...(given.locks || [])); showLocks();
  byId("ranges-said").textContent = given.said || "";
  read("oop"); read("ip");
}

buildDeck(); buildRange("oop"); buildRange("ip"); buildChips();
fill(remember("mazzo.spot") || { board: "Td9d6hQc3s", oop: "66+,A8s+,AJo+,K9s+,KQo,QTs+,JTs", ip: "QQ-22,AQs-A2s,ATo+,K9s+,KJo+,Q9s+,J9s+,T9s" });

// From a hand as text or from a replay: the spot is filled in, ranges by the models that were chosen; once it is solved,
// what was played in the replay is priced.
let played = null;
const wanted = new URLSearchParams(location.search);
const found = location.hash.match(/^#([0-9a-f]{16})((?:\/[0-9A-Za-z.]+)*)$/);
const isReplay = () => wanted.get("h") && !byId("hand").value.trim();
async function fromHand(fills = true) {
  const what = isReplay() ? { h: wanted.get("h"), step: Number(wanted.get("step")) } : { hand: byId("hand").value };
  const models = { oop_model: byId("oop-model").value, ip_model: byId("ip-model").value, preflop: byId("preflop").checked };
  const answer = await ask("/api/spot", { ...what, ...models });
  played = answer.hole ? answer : null;
  if (fills) { fill(answer); refuse(""); }
}
const tried = (work) => work.catch((wrong) => refuse(wrong.message));
function rememberModels() { remember("mazzo.models", { oop_model: byId("oop-model").value, ip_model: byId("ip-model").value, preflop: byId("preflop").checked }); }
const chosen = remember("mazzo.models") || {};
for (const [id, key] of [["oop-model", "oop_model"], ["ip-model", "ip_model"]]) if ([...byId(id).options].some((o) => o.value === chosen[key])) byId(id).value = chosen[key];
byId("preflop").checked = chosen.preflop === true;
for (const id of ["oop-model", "ip-model", "preflop"]) byId(id).addEventListener("change", () => { rememberModels(); if (isReplay() || byId("hand").value.trim()) tried(fromHand()); });
byId("fill").addEventListener("click", () => tried(fromHand()));
async function price(goes) {
  if (!played?.hole) return;
  const mine = played;
  if (goes) path = mine.at.split(" ").filter(Boolean);
  try { const { costs } = await ask(`/api/solve/${job}/costs`, mine); byId("state").append(" · ", t("solve.cost", { action: mine.played, hand: mine.hole, cost: chips(costs[mine.played]) })); } catch (wrong) { refuse(wrong.message); }
}
if (wanted.get("hand")) byId("hand").value = wanted.get("hand");
if (wanted.get("h") || wanted.get("hand")) byId("from-hand").open = true;
if (isReplay() || byId("hand").value) await tried(fromHand(!found));
if (found) start(found[1], found[2].split("/").filter(Boolean));
