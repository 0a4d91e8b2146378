// What moves when the table changes: cards that are dealt, turned or played, chips that go to the pot and to who wins.
// Whoever asked the system for less motion sees the table as it stands, at once.
import { el } from "./dom.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2, .8, .3, 1)";

function box(node) { const b = node?.getBoundingClientRect(); return b && b.width ? b : null; }

// How the table lies before it is drawn again.
export function snapshot(root, view) {
  if (still.matches || !view) return null;
  const cards = new Map(), places = new Map(), bets = new Map();
  for (const node of root.querySelectorAll(".card[data-place]")) {
    places.set(node.dataset.place, node.dataset.card);
    if (node.dataset.card) cards.set(node.dataset.card, box(node));
  }
  for (const node of root.querySelectorAll(".seat")) {
    const bet = box(node.querySelector(".bet"));
    if (bet) bets.set(node.dataset.seat, bet);
  }
  return { view, cards, places, bets, pot: box(root.querySelector(".pot")) };
}

export function animate(root, before, view) {
  if (!before || still.matches) return;
  const middle = box(root.querySelector(".centre"));
  if (!middle) return;
  let dealt = 0;
  for (const node of root.querySelectorAll(".card[data-place]")) {
    const { place, card } = node.dataset;
    const here = box(node);
    if (!here) continue;
    if (card && before.cards.has(card)) slide(node, before.cards.get(card), here, 0);
    else if (before.places.get(place) === "" && card) turn(node);
    else if (!before.places.has(place) || card !== before.places.get(place)) slide(node, origin(root, place, middle), here, Math.min(dealt++, 12) * 55);
  }
  chips(root, before, view);
}

// A card comes from the hand of who played it, else from the middle of the table.
function origin(root, place, middle) {
  const seat = place.startsWith("trick") ? box(root.querySelector(`.seat[data-seat="${place.slice(5)}"] .hands`)) : null;
  return seat || { left: middle.left + middle.width / 2, top: middle.top, width: 0, height: 0 };
}

function slide(node, from, here, delay) {
  if (!from) return;
  const [dx, dy] = [from.left + from.width / 2 - here.left - here.width / 2, from.top + from.height / 2 - here.top - here.height / 2];
  if (Math.abs(dx) < 3 && Math.abs(dy) < 3) return;
  node.animate([{ translate: `${dx}px ${dy}px`, opacity: from.width ? 1 : 0.2 }, { translate: "0 0", opacity: 1 }], { duration: 320, delay, easing: EASE, fill: "backwards" });
}

function turn(node) { node.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: 260, easing: EASE }); }

function chips(root, before, view) {
  const pot = box(root.querySelector(".pot")) || before.pot || box(root.querySelector(".centre"));
  for (const node of root.querySelectorAll(".seat")) {
    const seat = Number(node.dataset.seat), now = view.seats[seat], old = before.view.seats[seat] || {};
    const who = box(node.querySelector(".who")), lay = before.bets.get(node.dataset.seat);
    if (Number(now.bet) > Number(old.bet || 0) && !view.hand_over) fly(who, box(node.querySelector(".bet")), 0);
    else if (lay && (!Number(now.bet) || view.hand_over)) fly(lay, pot, 0);
    if (now.taken && view.hand_over && !before.view.hand_over) for (let k = 0; k < 3; k++) fly(pot, who, 350 + 90 * k);
  }
}

function fly(from, to, delay) {
  if (!from || !to) return;
  const chip = el("span", { class: "chip flying", "aria-hidden": "true" });
  document.body.append(chip);
  const at = (b) => `${b.left + b.width / 2 - 9}px ${b.top + b.height / 2 - 9}px`;
  const moving = chip.animate([{ translate: at(from), opacity: 1 }, { translate: at(to), opacity: 1, offset: 0.9 }, { translate: at(to), opacity: 0 }], { duration: 420, delay, easing: EASE, fill: "both" });
  moving.onfinish = moving.oncancel = () => chip.remove();
}
