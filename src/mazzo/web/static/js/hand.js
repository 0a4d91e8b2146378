// A hand step by step, with the coach, and a link to every moment.
import { ask, byId, copy, el, t } from "./dom.js";
import { drawTable } from "./board.js";
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
  history.replaceState(null, "", `#step=${step}`);
  advise(frame);
}

async function advise(frame) {
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
show();
