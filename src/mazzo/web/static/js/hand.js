// A hand step by step, with the coach, and a link to every moment.
import { ask, byId, copy, el, t } from "./dom.js";
import { drawTable } from "./board.js";
import { cardImage } from "./cards.js";
import { showAdvice } from "./coach.js";

const hand = JSON.parse(byId("hand").textContent);
const last = hand.frames.length - 1;
let step = Math.min(last, Math.max(0, Number(new URLSearchParams(location.hash.slice(1)).get("step")) || 0));

function show() {
  const frame = hand.frames[step];
  drawTable(byId("felt"), frame.view, () => {});
  byId("status").textContent = `${t("replay.step", { step: step + 1, steps: last + 1 })}: ${frame.said.join(" ")}`;
  byId("log").replaceChildren(...hand.frames.slice(0, step + 1).flatMap((f) => f.said.map((line) => el("p", {}, line))));
  byId("log").scrollTop = byId("log").scrollHeight;
  for (const [id, off] of [["first", step === 0], ["back", step === 0], ["forward", step === last], ["last", step === last]]) byId(id).setAttribute("aria-disabled", off);
  byId("strip").querySelectorAll("button").forEach((b, k) => (k === step ? b.setAttribute("aria-current", "step") : b.removeAttribute("aria-current")));
  history.replaceState(null, "", `#step=${step}`);
  const board = frame.view.centre?.cards?.length ?? 0, begun = hand.frames.find((f) => (f.view.centre?.cards?.length ?? 0) === board);
  const left = begun.view.seats?.filter((seat) => seat.status !== "folded").length;
  const open = frame.view.deck === "french" && left === 2 && board >= 3 && step < last && frame.view.turn !== null;
  byId("solve").hidden = !open;
  byId("solve").href = `/lab/solve?h=${hand.link}&step=${step}`;
  advise(frame);
  document.dispatchEvent(new CustomEvent("step", { detail: step }));
}

// The hand as a film strip: every moment in words, with the cards of who decided, and the board where it changed.
function drawStrip() {
  byId("strip").replaceChildren(...hand.frames.map((frame, k) => {
    const before = hand.frames[k - 1]?.view, view = frame.view;
    const own = before && before.turn !== null ? before.seats[before.turn].hands.flatMap((h) => h.cards).slice(0, 3) : [];
    const fresh = before ? view.centre.cards.slice(before.centre.cards.length) : [];
    const played = before && before.turn !== null ? view.seats[before.turn].played : null;
    const cards = (played ? [played] : [...(own.length < 4 && own.every(Boolean) ? own : []), ...fresh]).map((card) => cardImage(card, view.deck, false));
    return el("li", {}, el("button", { type: "button", "data-step": k, onclick: () => go(k) }, el("span", { class: "frames", "aria-hidden": "true" }, cards), el("span", {}, frame.said.join(" "))));
  }));
}

async function advise(frame) {
  byId("verdict").replaceChildren();
  if (!frame.coach) { byId("advice").replaceChildren(el("p", { class: "none" }, t("coach.none"))); return; }
  const asked = step;
  byId("advice").replaceChildren(el("p", { class: "none" }, t("coach.thinking")));
  try {
    const found = await ask(`/api/advice?h=${hand.link}&step=${step}&adviser=${encodeURIComponent(byId("adviser").value)}`);
    if (asked === step) showAdvice({ ...found, you: true }, byId("adviser").value);
  } catch (wrong) { if (asked === step) byId("advice").replaceChildren(el("p", { class: "problem" }, wrong.message)); }
}

function go(to) { const next = Math.min(last, Math.max(0, to)); if (next !== step) { step = next; show(); } }
byId("first").onclick = () => go(0);
byId("back").onclick = () => go(step - 1);
byId("forward").onclick = () => go(step + 1);
byId("last").onclick = () => go(last);
byId("link").onclick = (event) => copy(location.href, event.target);
byId("adviser").addEventListener("change", () => advise(hand.frames[step]));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("select, input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const moves = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last };
  if (event.key in moves) { event.preventDefault(); go(moves[event.key]); }
});
drawStrip();
show();
