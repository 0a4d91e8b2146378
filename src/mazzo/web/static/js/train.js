// Practice for somebody who counts. The server keeps the practice; the count comes only when it is asked for.
import { ask, byId, el, refuse, signed, svg, t } from "./dom.js";
import { cardImage } from "./cards.js";

const KEYS = { stand: "s", hit: "h", double: "d", split: "p", surrender: "r", insure: "i", "even money": "e", leave: "l" };
const SAID = { stand: "stand", hit: "hit", double: "double", split: "split", surrender: "surrender", insure: "insurance", "even money": "even_money", leave: "no_insurance" };
let id = "", found = null, busy = false, timer = null, bet = 10;

function plain(value) { return value === null ? "" : String(Math.round(value * 100) / 100); }
function said(play) { return t(`blackjack.do.${SAID[play]}`); }
function cards(list) { return el("div", { class: "cards" }, list.map((card) => cardImage(card, "french"))); }
function button(label, key, act, primary = false) {
  return el("button", { type: "button", class: primary ? "primary" : "", "data-hot": key, "aria-keyshortcuts": key.toUpperCase(), onclick: act }, label, el("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
}
function entry(label, value, attributes, act) {
  const input = el("input", { id: "given", type: "number", value, inputmode: "decimal", required: true, autocomplete: "off", ...attributes });
  return el("form", { class: "pair", onsubmit: (event) => { event.preventDefault(); act(input.value); } }, el("label", { for: "given" }, label), input, el("button", { type: "submit", class: "primary" }, t("train.give")));
}

async function send(what) {
  if (busy) return;
  busy = true;
  refuse("");
  if (found?.marks === "exact" && what.do === "play") byId("verdict").textContent = t("chart.counting");
  try { show(await ask(`/api/train/${id}`, what)); }
  catch (wrong) { byId("verdict").textContent = ""; refuse(wrong.message); }
  finally { busy = false; }
}

function verdict(view, text) {
  byId("verdict").textContent = view.verdict ? text(view.verdict) : "";
  byId("verdict").className = view.verdict ? (view.verdict.good ? "verdict good" : "verdict bad") : "verdict";
}

function boxOf(hand, view) {
  const name = t("train.box", { n: hand.box + 1 }), won = view.won?.length && !hand.split ? signed(view.won[hand.box], 2) : "";
  return el("div", { class: hand.active ? "hand active" : "hand" }, cards(hand.cards), el("span", { class: "label" }, [name, plain(hand.bet), won].filter(Boolean).join(" · ")));
}

function table(view) {
  byId("facts").textContent = t("train.facts", { bankroll: plain(view.bankroll), rounds: view.rounds, right: view.right, asked: view.asked, mark: t(`train.mark.${view.marks}`) });
  const dealer = view.dealer.length ? [el("div", { class: "hand" }, cards(view.dealer), el("span", { class: "label" }, t("table.dealer")))] : [];
  byId("cards").replaceChildren(el("div", { class: "green" }, el("div", { class: "hands" }, dealer), el("div", { class: "hands" }, view.hands.map((hand) => boxOf(hand, view)))));
  const mark = t(`train.mark.${view.marks}`);
  const told = view.verdict ? [t(view.verdict.good ? "train.right" : "train.wrong", { mark, play: said(view.verdict.wanted) })] : [];
  if (view.result !== null) told.push(t("train.result", { won: signed(view.result, 2) }));
  if (view.shuffles && view.rounds) told.push(t("train.shuffled"));
  verdict(view, () => "");
  byId("verdict").textContent = told.join(" ");
  const count = button(t("train.count"), "c", () => send({ do: "count" }));
  if (view.choices.length) { byId("choices").replaceChildren(...view.choices.map((play) => button(said(play), KEYS[play], () => send({ do: "play", play }))), count); return; }
  byId("choices").replaceChildren(entry(t("train.bet", { boxes: view.boxes }), bet, { min: "0.01", step: "any" }, (value) => { bet = value; send({ do: "bet", bet: value }); }), count);
}

function deviations(view) {
  const hand = view.row === "insurance" ? t("train.insurance") : view.row;
  byId("facts").textContent = t("train.score", { right: view.right, asked: view.asked });
  byId("cards").replaceChildren(el("div", { class: "green" }, el("div", { class: "hands" }, el("div", { class: "hand" }, cards([view.upcard]), el("span", { class: "label" }, t("table.dealer")))), el("div", { class: "hands" }, el("div", { class: "hand" }, cards(view.cards), el("span", { class: "label" }, hand)))), el("p", { class: "question" }, t("train.question", { hand, up: view.up, running: signed(view.running, 0), decks: view.decks, play: said(view.play) })));
  verdict(view, (v) => t(v.good ? "train.deviation.right" : "train.deviation.wrong", { hand: v.row === "insurance" ? t("train.insurance") : v.row, up: v.up, true: signed(v.true, 0), play: said(v.play), index: signed(v.index, 0) }));
  byId("choices").replaceChildren(button(t("train.yes"), "y", () => send({ given: "y" })), button(t("train.no"), "n", () => send({ given: "n" })));
}

function tray(share) {
  const high = 220, full = high * share, edges = [];
  for (let y = 4; y < full; y += 4) edges.push(svg("path", { d: `M24 ${high + 10 - y}h152`, class: "edge" }));
  return svg("svg", { class: "tray", viewBox: "0 0 200 240", role: "img", "aria-label": t("train.tray") }, svg("rect", { x: 24, y: high + 10 - full, width: 152, height: full, class: "pile" }), edges, svg("path", { d: `M16 10V${high + 14}H184V10`, class: "wall" }));
}

function decks(view) {
  byId("facts").textContent = t("train.score", { right: view.right, asked: view.asked });
  byId("cards").replaceChildren(tray(view.share));
  verdict(view, (v) => t(v.good ? "train.decks.right" : "train.decks.wrong", { decks: v.decks.toFixed(2) }));
  byId("choices").replaceChildren(entry(t("train.decks", { decks: view.decks }), "", { min: "0", max: view.decks, step: "any" }, (given) => send({ given })));
}

function countdown(view) {
  const size = Number(byId("size").value), pace = Number(byId("pace").value);
  let at = 0, began = 0;
  byId("facts").textContent = t("train.countdown");
  verdict(view, () => "");
  const step = () => {
    if (!began) began = performance.now();
    if (at >= view.cards.length) return last();
    byId("cards").replaceChildren(el("div", { class: "green" }, cards(view.cards.slice(at, at + size))));
    at += size;
    byId("facts").textContent = t("train.gone", { n: Math.min(at, view.cards.length), all: view.cards.length });
    if (pace) timer = setTimeout(step, 1000 * pace);
    return undefined;
  };
  const last = () => {
    const seconds = (performance.now() - began) / 1000;
    clearTimeout(timer);
    byId("cards").replaceChildren();
    byId("choices").replaceChildren(entry(t("train.running"), "", { step: "any" }, async (given) => {
      try { tell(await ask(`/api/train/${id}`, { given }), seconds); } catch (wrong) { refuse(wrong.message); }
    }));
    byId("given").focus();
  };
  const tell = (answer, seconds) => {
    refuse("");
    verdict(answer, (v) => t(v.good ? "train.countdown.right" : "train.countdown.wrong", { running: signed(v.running, Number.isInteger(v.running) ? 0 : 1), seconds: seconds.toFixed(1), n: answer.cards.length }));
    byId("choices").replaceChildren(button(t("train.again"), "n", begin, true));
    byId("choices").firstChild.focus();
  };
  byId("cards").replaceChildren();
  byId("choices").replaceChildren(button(t("train.next"), "n", () => { if (!pace || !began) step(); }, true));
}

function show(view) {
  const key = document.activeElement?.dataset?.hot, typed = document.activeElement?.id === "given";
  found = view;
  byId("practice").hidden = false;
  byId("count").hidden = !view.count;
  if (view.count) byId("count").textContent = t("train.counts", { running: signed(view.count.running, Number.isInteger(view.count.running) ? 0 : 1), true: signed(view.count.true, 1) });
  ({ table, deviations, decks, countdown })[view.drill](view);
  const again = (typed && byId("given")) || (key && document.querySelector(`#choices [data-hot="${key}"]`)) || byId("choices").querySelector("input, button");
  again?.focus({ preventScroll: true });
}

function choose() {
  const drill = byId("drill").value;
  for (const part of document.querySelectorAll("[data-of]")) part.hidden = !part.dataset.of.split(" ").includes(drill);
}

async function begin() {
  clearTimeout(timer);
  refuse("");
  byId("begin").disabled = true;
  try {
    const view = await ask("/api/train", Object.fromEntries(new FormData(byId("setting"))));
    id = view.id;
    byId("chosen").open = false; // the cards come to the top of the window
    show(view);
  } catch (wrong) { refuse(wrong.message); }
  finally { byId("begin").disabled = false; }
}

byId("drill").addEventListener("change", choose);
byId("setting").addEventListener("submit", (event) => { event.preventDefault(); begin(); });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const key = event.key.toLowerCase(), typing = event.target.matches("select, textarea, input:not(#given)");
  if (typing || (event.target.id === "given" && !/^[a-z]$/.test(key))) return; // a number is typed on, a letter is a play
  const hot = document.querySelector(`#choices [data-hot="${CSS.escape(key)}"]`);
  if (!hot) return;
  event.preventDefault();
  hot.focus();
  hot.click();
});
choose();
