// At a real table of tressette: ten cards are chosen, then cards are clicked as they fall. The address keeps the round.
import { ask, byId, el, refuse, signed, t } from "./dom.js";
import { cardImage, cardName } from "./cards.js";

const RANKS = ["3", "2", "A", "10", "9", "8", "7", "6", "5", "4"], OTHERS = ["avv1", "compagno", "avv2"];
const ALL = [..."dcsb"].flatMap((suit) => RANKS.map((rank) => rank + suit));
const buttons = new Map();
let hand = new Set(), plays = [], begun = false, asked = 0, found = null, before = null;

const declared = () => OTHERS.map((place) => [place, byId(`told-${place}`).value.trim()]).filter(([, said]) => said);
const later = () => ["tressette-after", "tressette-coda", "tressette-stakes"].includes(byId("rules").value);

function roundText() {
  const parts = [`me ${[...hand].join(" ")}`];
  if (!later() || plays.length >= 4) parts.push(...declared().map(([place, said]) => `${place} ${said}`));
  const score = byId("score").value.trim();
  if (score) parts.push(`score ${score.replace("-", " ")}`);
  parts.push(`lead ${byId("leader").value}`);
  if (plays.length) parts.push(`play ${plays.join(" ")}`);
  return parts.join("; ");
}

function keep() {
  const fields = { rules: byId("rules").value, leader: byId("leader").value, score: byId("score").value, hand: [...hand].join(" "), play: plays.join(" "), ...(begun ? { begun: "1" } : {}) };
  for (const place of OTHERS) fields[place] = byId(`told-${place}`).value;
  history.replaceState(null, "", `#${new URLSearchParams(fields)}`);
}

function recall() {
  const fields = new URLSearchParams(location.hash.slice(1));
  for (const name of ["rules", "leader", "score"]) if (fields.get(name)) byId(name).value = fields.get(name);
  for (const place of OTHERS) byId(`told-${place}`).value = fields.get(place) ?? "";
  const cards = (name) => (fields.get(name) ?? "").split(" ").filter((card) => ALL.includes(card));
  hand = new Set(cards("hand").slice(0, 10));
  plays = cards("play");
  begun = fields.has("begun") && hand.size === 10;
}

function build() {
  for (const card of ALL) {
    const button = el("button", { type: "button", class: "pick", "data-card": card, "aria-label": cardName(card, "italian"), onclick: () => clicked(card) }, cardImage(card, "italian", false));
    buttons.set(card, button);
    byId("forty").append(button);
  }
}

function clicked(card) {
  if (!begun) {
    if (hand.has(card)) hand.delete(card);
    else if (hand.size < 10) hand.add(card);
    draw();
    keep();
    return;
  }
  plays.push(card);
  look();
}

async function look() {
  const mine = ++asked;
  refuse("");
  if (!begun) { found = null; draw(); return; }
  try {
    const now = await ask("/api/tressette/look", { round: roundText(), rules: byId("rules").value });
    if (mine !== asked) return;
    found = now;
    before = plays.length;
  } catch (wrong) {
    if (mine !== asked) return;
    refuse(wrong.message);
    if (before !== null && plays.length > before) plays.length = before; // what cannot have fallen did not
    if (before === null) begun = false;
  }
  keep();
  draw();
  if (found) advise(mine);
}

async function advise(mine) {
  const place = byId("advice");
  if (found.turn !== "me") { place.replaceChildren(el("p", {}, found.over ? "" : t("assistant.waits", { who: t(`assistant.place.${found.turn}`) }))); return; }
  place.replaceChildren(el("p", {}, t("assistant.thinks")));
  const given = { round: roundText(), rules: byId("rules").value }, shown = [];
  for (const adviser of ["search", byId("second").value]) {
    try {
      const advice = await ask("/api/tressette/advice", { ...given, adviser });
      if (mine !== asked) return;
      if (!shown.length) buttons.forEach((button, card) => button.classList.toggle("advised", card === advice.card));
      shown.push(section(advice));
    } catch (wrong) { if (mine !== asked) return; shown.push(el("p", {}, `${adviser}: ${wrong.message}`)); }
    place.replaceChildren(...shown);
  }
}

function section(advice) {
  const row = (o) => el("tr", { class: o.card === advice.card ? "chosen" : null }, el("th", { scope: "row" }, o.label), el("td", {}, o.value === null ? "" : advice.unit === t("unit.match") ? o.value.toFixed(1) : signed(o.value, 2)), el("td", {}, o.behind ? `${o.behind[0].toFixed(2)} ± ${o.behind[1].toFixed(2)}` : Object.entries(o.terms).slice(0, 3).map(([name, value]) => `${name} ${signed(value, 2)}`).join(", ")));
  return el("div", {}, el("h3", {}, `${advice.adviser}: ${advice.advised}`), el("p", {}, advice.reason), el("div", { class: "wide" }, el("table", { class: "rows" }, el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, advice.unit), el("th", { scope: "col" }, t("assistant.behind")))), el("tbody", {}, advice.options.map(row)))));
}

function draw() {
  const fallen = new Set(found?.played ?? []);
  for (const [card, button] of buttons) {
    button.disabled = begun ? !found || !found.legal.includes(card) : false;
    button.setAttribute("aria-pressed", hand.has(card));
    button.classList.toggle("mine", hand.has(card) && !fallen.has(card));
    button.classList.toggle("fallen", fallen.has(card));
    button.classList.remove("advised");
  }
  byId("begin").disabled = begun || hand.size !== 10;
  byId("found").hidden = !found;
  byId("state").textContent = stands();
  byId("text").textContent = found?.text ?? "";
  if (!found) return;
  byId("deals").textContent = t("assistant.deals", { n: BigInt(found.deals).toLocaleString() });
  byId("known").replaceChildren(...(found.known.length ? found.known.map((one) => el("li", {}, one.said)) : [el("li", {}, t("tressette.nothing_known"))]));
  byId("chances").replaceChildren(...ALL.filter((card) => card in found.chances).map((card) => el("tr", {}, el("th", { scope: "row" }, cardName(card, "italian")), found.chances[card].map((p, k) => el("td", { class: p === 0 ? "cannot" : p === 1 ? "holds" : null, title: why(card, OTHERS[k]) }, p === 0 ? "–" : `${(100 * p).toFixed(p === 1 ? 0 : 1)} %`)))));
}

const why = (card, place) => found.known.find((one) => one.place === place && one.cards.includes(card))?.said ?? null;

function stands() {
  if (!begun) return t("assistant.chosen", { n: hand.size });
  if (!found) return "";
  const table = found.table.map((one) => `${t(`assistant.place.${one.place}`)} ${cardName(one.card, "italian")}`).join(", ");
  const points = `${found.points[0].toFixed(1)}–${found.points[1].toFixed(1)}`;
  if (found.over) return t("assistant.over", { points });
  const ask = found.ask_declarations && !declared().length ? ` ${t("assistant.ask")}` : "";
  return t("assistant.state", { trick: found.trick, who: t(`assistant.place.${found.turn}`), table: table || "–", points }) + ask;
}

byId("begin").onclick = () => { begun = true; before = null; look(); };
byId("back").onclick = () => { if (plays.length) plays.pop(); else begun = false; before = null; look(); keep(); };
byId("again").onclick = () => { hand.clear(); plays = []; begun = false; before = null; for (const place of OTHERS) byId(`told-${place}`).value = ""; look(); keep(); };
byId("second").onchange = () => { if (found) advise(++asked); };
byId("setup").addEventListener("submit", (event) => event.preventDefault());
byId("setup").addEventListener("change", () => { keep(); before = null; look(); });
build();
recall();
look();
