// A mix of actions as a bar: the marks between its parts are dragged, or moved with the arrow keys.
import { el, t } from "./dom.js";

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -100, End: 100 };

// Whole per cent that add up to 100, each share as near as that allows.
export function whole(shares) {
  const total = shares.reduce((a, b) => a + b, 0) || 1, exact = shares.map((s) => (100 * s) / total);
  const out = exact.map(Math.floor), rest = exact.map((x, k) => [x - out[k], k]).sort((a, b) => b[0] - a[0]);
  for (let left = 100 - out.reduce((a, b) => a + b, 0), k = 0; left > 0; left--, k++) out[rest[k % rest.length][1]]++;
  return out;
}

// The bar of these actions; `shares()` gives their per cent, `set` takes others.
export function mixBar(words, inks, given) {
  let edges = [];
  const parts = words.map((word, k) => { const part = el("span", { class: "part" }); part.style.setProperty("--part", inks[k]); return part; });
  const marks = words.slice(1).map((word, k) => el("span", { class: "edge", role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "100", "aria-label": t("solve.lock.between", { left: words[k], right: word }) }));
  const bar = el("div", { class: "mixbar" }, parts, marks);
  const told = el("ul", { class: "legend", "aria-live": "polite" });
  const shares = () => words.map((_, k) => (edges[k] ?? 100) - (edges[k - 1] ?? 0));

  function draw() {
    const now = shares();
    parts.forEach((part, k) => { part.style.setProperty("left", `${edges[k - 1] ?? 0}%`); part.style.setProperty("width", `${now[k]}%`); const label = `${words[k]} ${now[k]} %`; part.textContent = (now[k] / 100) * (bar.clientWidth || 400) > 9 * label.length ? label : ""; });
    marks.forEach((mark, k) => { mark.style.setProperty("left", `${edges[k]}%`); mark.setAttribute("aria-valuenow", edges[k]); mark.setAttribute("aria-valuetext", `${words[k]} ${now[k]} %, ${words[k + 1]} ${now[k + 1]} %`); });
    told.replaceChildren(...words.map((word, k) => { const mark = el("span", { class: "mark", "aria-hidden": "true" }); mark.style.setProperty("background", inks[k]); return el("li", {}, mark, ` ${word} ${now[k]} %`); }));
  }
  new ResizeObserver(draw).observe(bar); // it may be folded away at first
  function move(k, to) { edges[k] = Math.round(Math.min(edges[k + 1] ?? 100, Math.max(edges[k - 1] ?? 0, to))); draw(); }
  function set(mix) { let sum = 0; edges = whole(mix).slice(0, -1).map((share) => (sum += share)); draw(); }

  // Marks may lie on one another: the one that can go where the pointer goes is taken.
  let held = null;
  const at = (event) => { const box = bar.getBoundingClientRect(); return (100 * (event.clientX - box.left)) / box.width; };
  bar.addEventListener("pointerdown", (event) => {
    if (!marks.length || event.button) return;
    const x = at(event), near = edges.map((edge) => Math.abs(edge - x)), least = Math.min(...near), same = near.flatMap((d, k) => (d === least ? [k] : []));
    held = x > edges[same[0]] ? same.at(-1) : same[0];
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
    marks[held].focus();
    move(held, x);
  });
  bar.addEventListener("pointermove", (event) => { if (held !== null) move(held, at(event)); });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) bar.addEventListener(end, () => { held = null; });
  marks.forEach((mark, k) => mark.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    move(k, edges[k] + STEPS[event.key]);
  }));
  set(given);
  return { bar, told, shares, set };
}
