// A face for everybody at the table: drawn from the name, so that the same name always has the same face.
import { svg } from "./dom.js";

const BACKS = ["#f2b84b", "#6fb7a8", "#e58c6f", "#8fa8dd", "#c79bd6", "#9fc46b", "#e59ab0", "#7cc0d8"];
const SKINS = ["#f6d3b3", "#eab98f", "#c98e62", "#a36a43", "#7a4b2e"];
const HAIRS = ["#2a1d16", "#5a3a22", "#8a5a2b", "#c98a3a", "#b7b2a8", "#7a2e1f"];

function numbers(name) {
  let h = 2166136261;
  for (const c of name) { h ^= c.codePointAt(0); h = Math.imul(h, 16777619); }
  return (count) => { h ^= h << 13; h ^= h >>> 17; h ^= h << 5; return (h >>> 0) % count; };
}

const TOPS = [
  (c) => svg("path", { d: "M9 18C8 6 32 6 31 18C27 12 14 12 9 18Z", fill: c }),
  (c) => svg("path", { d: "M8 24C4 4 36 4 32 24C31 14 26 13 20 13C14 13 9 14 8 24Z", fill: c }),
  (c) => svg("path", { d: "M10 16C10 7 30 7 30 16L27 13L24 16L20 12L16 16L13 13Z", fill: c }),
  (c) => [svg("circle", { cx: 20, cy: 6.5, r: 4, fill: c }), svg("path", { d: "M9 19C9 7 31 7 31 19C26 12 14 12 9 19Z", fill: c })],
  (c) => svg("path", { d: "M8 34C2 8 12 5 20 6C28 5 38 8 32 34C31 28 31 16 27 14C22 16 16 12 13 14C9 17 9 28 8 34Z", fill: c }),
  (c) => [svg("rect", { x: 11, y: 4, width: 18, height: 8, rx: 2, fill: c }), svg("rect", { x: 7, y: 11, width: 26, height: 3, rx: 1.5, fill: c })],
];
const EYES = [
  () => [14.5, 25.5].map((x) => svg("circle", { cx: x, cy: 21, r: 1.7, fill: "#1c1c1c" })),
  () => [14.5, 25.5].map((x) => svg("path", { d: `M${x - 2.2} 21q2.2 -2.6 4.4 0`, stroke: "#1c1c1c", "stroke-width": 1.5, fill: "none", "stroke-linecap": "round" })),
  () => [14.5, 25.5].map((x) => [svg("circle", { cx: x, cy: 21, r: 3.6, fill: "#ffffff88", stroke: "#2b2b2b", "stroke-width": 1.2 }), svg("circle", { cx: x, cy: 21, r: 1.4, fill: "#1c1c1c" })]).flat().concat(svg("path", { d: "M18 20.6h4", stroke: "#2b2b2b", "stroke-width": 1.2 })),
  () => [svg("rect", { x: 10, y: 18.5, width: 8.6, height: 5, rx: 2, fill: "#20242a" }), svg("rect", { x: 21.4, y: 18.5, width: 8.6, height: 5, rx: 2, fill: "#20242a" }), svg("path", { d: "M18 20h4", stroke: "#20242a", "stroke-width": 1.4 })],
];
const MOUTHS = ["M15.5 28q4.5 3.6 9 0", "M16 29h8", "M16 29.5q4 -2.4 8 0", "M15.5 28.2q5 1.6 9 -1"];

export function face(name) {
  const pick = numbers(name);
  const [back, skin, hair] = [BACKS[pick(BACKS.length)], SKINS[pick(SKINS.length)], HAIRS[pick(HAIRS.length)]];
  const [top, eyes, mouth, more] = [pick(TOPS.length), pick(EYES.length), pick(MOUTHS.length), pick(4)];
  const extras = [];
  if (more === 1) extras.push(svg("path", { d: "M14.5 26.6q5.5 -3 11 0q-5.5 1 -11 0Z", fill: hair }));
  if (more === 2) extras.push(svg("path", { d: "M11 25C11 37 29 37 29 25C27 33 13 33 11 25Z", fill: hair }));
  return svg("svg", { class: "face", viewBox: "0 0 40 40", width: 36, height: 36, "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 20, cy: 20, r: 20, fill: back }),
    svg("path", { d: "M7 40C8 33 13 32 20 32C27 32 32 33 33 40Z", fill: hair, opacity: 0.55 }),
    svg("ellipse", { cx: 20, cy: 21.5, rx: 10.5, ry: 11.5, fill: skin }),
    TOPS[top](hair), EYES[eyes](), svg("path", { d: MOUTHS[mouth], stroke: "#6b2b22", "stroke-width": 1.5, fill: "none", "stroke-linecap": "round" }), extras);
}

// People are a letter, not a drawing: nobody's face is made up.
export function letter(name) {
  return svg("svg", { class: "face", viewBox: "0 0 40 40", width: 36, height: 36, "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 20, cy: 20, r: 19, fill: "#ffffff", stroke: "#1b6045", "stroke-width": 2 }),
    svg("text", { x: 20, y: 27, "text-anchor": "middle", "font-size": 20, "font-weight": 700, fill: "#1b6045" }, [...(name || "?")][0].toUpperCase()));
}

export function portrait(seat) { return seat.kind === "agent" ? face(seat.name) : letter(seat.name); }
