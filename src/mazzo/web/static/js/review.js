// The hands of a session, priced one decision after the other and sorted by what they cost; each opens with the coach.
import { ask, byId, el, t } from "./dom.js";

const hands = JSON.parse(byId("review").textContent).hands.map((hand) => ({ ...hand, priced: 0, cost: 0, mistakes: 0, unit: "", dearest: null }));
const total = hands.reduce((sum, hand) => sum + hand.steps.length, 0);
let asked = null;

function draw() {
  const order = [...hands].sort((a, b) => b.cost - a.cost || (b.dearest?.cost ?? 0) - (a.dearest?.cost ?? 0) || b.number - a.number);
  byId("hands").querySelector("tbody").replaceChildren(...order.map((hand) => {
    const worst = hand.dearest, step = worst ? worst.step : hand.steps[0] ?? 0;
    const cost = hand.priced < hand.steps.length ? "" : hand.steps.length ? `${hand.cost.toFixed(2)} ${hand.unit}` : "";
    return el("tr", {}, el("th", { scope: "row" }, String(hand.number)), el("td", {}, cost), el("td", {}, worst ? `${worst.played}: ${worst.said}` : ""), el("td", {}, hand.what), el("td", {}, el("a", { href: `/replay/hand?h=${hand.link}#step=${step}`, "data-hand": hand.number }, t("review.replay"))));
  }));
}

function note(hand, step, found) {
  hand.priced += 1;
  hand.unit = found.unit;
  if (found.mistake) { hand.cost += found.cost ?? 0; hand.mistakes += 1; }
  if (!hand.dearest || Number(Boolean(found.mistake)) > Number(Boolean(hand.dearest.mistake)) || (Boolean(found.mistake) === Boolean(hand.dearest.mistake) && (found.cost ?? 0) > hand.dearest.cost)) {
    hand.dearest = { step, played: found.played, said: found.said ?? "", cost: found.cost ?? 0, mistake: found.mistake };
  }
}

function say() {
  const done = hands.reduce((sum, hand) => sum + hand.priced, 0), mistakes = hands.reduce((sum, hand) => sum + hand.mistakes, 0);
  const cost = hands.reduce((sum, hand) => sum + hand.cost, 0), unit = hands.find((hand) => hand.unit)?.unit ?? "";
  byId("state").textContent = t("review.state", { done, decisions: total, mistakes, cost: cost.toFixed(2), unit });
}

async function start() {
  const mine = (asked = {});
  const adviser = byId("adviser").value;
  for (const hand of hands) Object.assign(hand, { priced: 0, cost: 0, mistakes: 0, dearest: null });
  byId("stop").hidden = false;
  for (const hand of [...hands].reverse()) {
    for (const step of hand.steps) {
      try {
        const found = await ask(`/api/advice?h=${hand.link}&step=${step}&adviser=${encodeURIComponent(adviser)}`);
        if (asked !== mine) return;
        note(hand, step, found);
      } catch (wrong) { if (asked !== mine) return; hand.priced += 1; }
      say();
    }
    draw();
  }
  byId("stop").hidden = true;
}

byId("start").onclick = start;
byId("stop").onclick = () => { asked = null; byId("stop").hidden = true; };
draw();
