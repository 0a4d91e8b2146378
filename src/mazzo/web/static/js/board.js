// Draws the table of any game from a view: seats around it, what lies in the middle.
import { el, t, signed } from "./dom.js";
import { cardImage, cardName, emptyPlace } from "./cards.js";
import { portrait } from "./faces.js";
import { animate, snapshot } from "./motion.js";

let drawn = null;

export function drawTable(root, view, play) {
  const order = around(view), before = snapshot(root, drawn);
  root.replaceChildren(centre(view, order), el("ol", { class: `seats n${view.seats.length}` }, order.map((seat, k) => seatNode(view, seat, k, order.length, play))));
  root.dataset.deck = view.deck;
  root.classList.toggle("many", view.seats.length > 6);
  root.classList.toggle("packed", view.seats.length > (view.centre.places ? 4 : 6)); // on a phone: in two columns, so that all is seen
  root.classList.toggle("decided", view.seats.some((s) => s.best));
  animate(root, before, view);
  drawn = view;
}

// You sit at the bottom, the others follow in order of play; the house is at the top.
function around(view) {
  const house = view.seats.findIndex((s) => s.kind === "house");
  const players = view.seats.map((_, k) => k).filter((k) => k !== house);
  const start = view.you === null ? 0 : players.indexOf(view.you);
  const turned = players.map((_, k) => players[(k + start) % players.length]);
  return house < 0 ? turned : [...turned, house];
}

function seatNode(view, seat, k, count, play) {
  const s = view.seats[seat];
  const node = el("li", { "data-seat": seat, class: ["seat", s.kind, s.status, s.taken && "winner", seat === view.turn && "turn", seat === view.you && "you", s.side !== undefined && `side${s.side}`].filter(Boolean).join(" ") });
  place(node, k, count, s.kind === "house", view);
  const badges = (s.badges || []).map((b) => el("span", { class: `badge ${b}`, title: t(b === "dealer" ? "table.button" : `table.${b}`) }, b === "dealer" ? "D" : t(`table.${b}`)));
  const name = s.kind === "house" ? t("table.dealer") : s.name;
  if (s.did && !view.hand_over) node.append(el("div", { class: "bubble" }, s.did));
  const known = s.kind === "house" ? null : portrait(s);
  const agent = s.agent ? el("small", { class: "agent" }, s.agent) : null;
  const away = s.away ? el("span", { class: "tag" }, t(`table.${s.away}`)) : null;
  node.append(el("div", { class: "who", title: s.style || null }, known, el("span", { class: "id" }, el("strong", {}, name), agent), s.kind === "you" ? el("span", { class: "tag" }, t("table.you")) : null, away, badges));
  const facts = [];
  if (s.chips !== undefined && s.chips !== null) facts.push(el("span", { class: "chips" }, t("table.chips", { amount: s.chips })));
  if (s.bet && !view.hand_over) facts.push(el("span", { class: "bet" }, el("span", { class: "chip", "aria-hidden": "true" }), t("table.bet", { amount: s.bet })));
  if (s.status) facts.push(el("span", { class: "state" }, t(`table.${s.status}`)));
  if (s.note) facts.push(el("span", { class: "note" }, s.note));
  if (s.taken) facts.push(el("span", { class: "won" }, t("table.wins", { amount: s.taken })));
  else if (s.result !== undefined && s.result !== 0) facts.push(el("span", { class: s.result > 0 ? "won" : "lost" }, signed(s.result, Number.isInteger(s.result) ? 0 : 1)));
  if (facts.length) node.append(el("div", { class: "facts" }, facts));
  node.append(el("div", { class: "hands" }, s.hands.map((h, at) => handNode(view, seat, h, at, play))));
  return node;
}

// Where a card lies and which it is, so that it can move; the cards of the hand that wins are raised.
function placed(image, place, card, view) {
  image.dataset.place = place;
  image.dataset.card = card || "";
  const winners = view.seats.filter((s) => s.best);
  if (card && winners.length) image.classList.add(winners.some((s) => s.best.includes(card)) ? "best" : "rest");
  return image;
}

function handNode(view, seat, hand, at, play) {
  const choices = seat === view.you ? new Map(view.choices.filter((c) => c.card).map((c) => [c.card, c])) : new Map();
  const mine = seat === view.you && view.choices.some((c) => c.card);
  const cards = hand.cards.map((card, k) => {
    const image = placed(cardImage(card, view.deck), `${seat}-${at}-${k}`, card, view);
    if (!mine) return image;
    const choice = choices.get(card);
    return el("button", { type: "button", class: "pick", disabled: !choice, "data-key": `card-${card}`, "data-number": (k + 1) % 10, "aria-label": cardName(card, view.deck), onclick: () => play(choice) }, placed(cardImage(card, view.deck, false), `${seat}-${at}-${k}`, card, view));
  });
  const hidden = hand.cards.length > 3 && hand.cards.every((c) => c === null);
  const node = el("div", { class: `hand${hand.active ? " active" : ""}${hidden ? " fan" : ""}${hand.cards.length > 5 ? " long" : ""}` }, el("div", { class: "cards" }, hidden ? [cardImage(null, view.deck), el("span", { class: "count" }, `× ${hand.cards.length}`)] : cards));
  if (hand.label) node.append(el("span", { class: "label" }, hand.label + (hand.doubled ? " ×2" : "")));
  return node;
}

function centre(view, order) {
  const middle = el("div", { class: "centre" });
  if (view.centre.places) {
    const cards = Array.from({ length: view.centre.places }, (_, k) => view.centre.cards[k] ? placed(cardImage(view.centre.cards[k], view.deck), `board${k}`, view.centre.cards[k], view) : emptyPlace(view.deck));
    middle.append(el("div", { class: "board", role: "group", "aria-label": t("table.board") }, cards));
  }
  if (view.seats.some((s) => s.played) || view.deck === "italian") {
    const trick = el("div", { class: "trick" });
    order.forEach((seat, k) => {
      const s = view.seats[seat];
      if (!s.played) return;
      const image = placed(cardImage(s.played, view.deck, false), `trick${seat}`, s.played, view);
      image.alt = t("table.played", { name: s.name, card: cardName(s.played, view.deck) });
      image.classList.add(`slot${k}`);
      if (s.old) image.classList.add("old");
      trick.append(image);
    });
    middle.append(trick);
  }
  const facts = [...(view.pot !== undefined && !view.hand_over ? [[t("table.pot"), view.pot]] : []), ...view.facts];
  if (facts.length) middle.append(el("dl", { class: "tablefacts" }, facts.map(([name, value], k) => el("div", { class: k === 0 && view.pot !== undefined && !view.hand_over ? "pot" : null }, el("dt", {}, name), el("dd", {}, value)))));
  return middle;
}

function place(node, k, count, house, view) {
  const players = view.seats.some((s) => s.kind === "house") ? count - 1 : count;
  let angle = (2 * Math.PI * k) / players;
  if (house) angle = Math.PI;
  else if (players < count) angle = players === 1 ? 0 : ((k / (players - 1)) - 0.5) * 2.4;
  if (players < count && k < players && players > 1 && view.you !== null) angle = spread(k, players);
  // Seats follow the order of play: to the right of the first for Italian cards (counter-clockwise), to the left else.
  const side = view.deck === "italian" ? 1 : -1;
  node.style.setProperty("--x", `${50 + side * 40 * Math.sin(angle)}%`);
  node.style.setProperty("--y", `${50 + 36 * Math.cos(angle)}%`);
}

function spread(k, players) {
  const steps = [0, 0.75, -0.75, 1.35, -1.35];
  return steps[k] ?? (k / players) * 2;
}
