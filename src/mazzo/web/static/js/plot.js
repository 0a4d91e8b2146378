// A chart as SVG: lines with their intervals, points or bars, reference lines.
import { el, svg } from "./dom.js";

const COLOURS = ["var(--line1)", "var(--line2)", "var(--line3)", "var(--line4)", "var(--line5)", "var(--line6)"];
const W = 720, H = 340, L = 64, R = 16, T = 14, B = 44;

export function plot(chart) {
  const named = chart.series.some((s) => s.x.some((x) => typeof x === "string"));
  const names = named ? [...new Set(chart.series.flatMap((s) => s.x.map(String)))] : null;
  const xs = chart.series.flatMap((s) => s.x.map((x) => (named ? names.indexOf(String(x)) : x)));
  const ys = [...chart.series.flatMap((s) => [...s.y, ...(s.low || []), ...(s.high || [])]), ...(chart.references || []).map((r) => r[1])].filter((y) => Number.isFinite(y));
  if (chart.kind === "bars") ys.push(0);
  const log = chart.log_x && xs.every((x) => x > 0);
  const f = log ? Math.log10 : (x) => x;
  let [x0, x1] = [Math.min(...xs.map(f)), Math.max(...xs.map(f))];
  if (named) { x0 -= 0.5; x1 += 0.5; }
  if (x0 === x1) { x0 -= 1; x1 += 1; }
  let [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  if (y0 === y1) { y0 -= 1; y1 += 1; }
  const pad = (y1 - y0) * 0.06;
  y0 -= pad; y1 += pad;
  const X = (x) => L + ((f(x) - x0) / (x1 - x0)) * (W - L - R);
  const Y = (y) => H - B - ((y - y0) / (y1 - y0)) * (H - T - B);
  const parts = [];
  for (const y of ticks(y0, y1, 5)) parts.push(svg("line", { x1: L, x2: W - R, y1: Y(y), y2: Y(y), class: "gridline" }), svg("text", { x: L - 8, y: Y(y) + 4, "text-anchor": "end" }, short(y)));
  if (named) names.forEach((n, k) => parts.push(svg("text", { x: X(k), y: H - B + 18, "text-anchor": "middle" }, n.length > 14 ? `${n.slice(0, 13)}…` : n)));
  else for (const x of log ? range(Math.ceil(x0), Math.floor(x1)).map((k) => 10 ** k) : ticks(x0, x1, 6)) parts.push(svg("text", { x: X(x), y: H - B + 18, "text-anchor": "middle" }, short(x)));
  for (const [label, y] of chart.references || []) parts.push(svg("line", { x1: L, x2: W - R, y1: Y(y), y2: Y(y), class: "reference" }), svg("text", { x: W - R, y: Y(y) - 4, "text-anchor": "end", class: "reflabel" }, label));
  chart.series.forEach((s, k) => {
    const colour = COLOURS[k % COLOURS.length];
    const px = s.x.map((x) => X(named ? names.indexOf(String(x)) : x));
    if (chart.kind === "bars") {
      const wide = Math.max(4, ((W - L - R) / (names ? names.length : s.x.length)) * 0.7 / chart.series.length);
      s.y.forEach((y, i) => parts.push(svg("rect", { x: px[i] - (wide * chart.series.length) / 2 + k * wide, y: Math.min(Y(y), Y(0)), width: wide - 2, height: Math.abs(Y(y) - Y(0)), fill: colour })));
    } else {
      if (s.low && s.high) {
        const ok = s.low.map((v, i) => [px[i], v, s.high[i]]).filter(([, a, b]) => Number.isFinite(a) && Number.isFinite(b) && a !== null && b !== null);
        if (chart.kind === "points") ok.forEach(([x, a, b]) => parts.push(svg("line", { x1: x, x2: x, y1: Y(a), y2: Y(b), stroke: colour, "stroke-width": 2 })));
        else if (ok.length) parts.push(svg("path", { d: `M${ok.map(([x, , b]) => `${x},${Y(b)}`).join("L")}L${[...ok].reverse().map(([x, a]) => `${x},${Y(a)}`).join("L")}Z`, fill: colour, opacity: 0.18 }));
      }
      if (chart.kind === "points") s.y.forEach((y, i) => parts.push(svg("circle", { cx: px[i], cy: Y(y), r: 4, fill: colour })));
      else parts.push(svg("path", { d: `M${s.y.map((y, i) => `${px[i]},${Y(y)}`).join("L")}`, fill: "none", stroke: colour, "stroke-width": 2.5 }));
    }
  });
  parts.push(svg("text", { x: (L + W) / 2, y: H - 6, "text-anchor": "middle", class: "axis" }, chart.x_label));
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${chart.title}. ${chart.y_label}` }, parts);
  const legend = el("ul", { class: "legend" }, chart.series.map((s, k) => el("li", {}, svg("svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, svg("rect", { width: 12, height: 12, rx: 3, fill: COLOURS[k % COLOURS.length] })), ` ${s.label}`)));
  return el("div", {}, el("p", { class: "axis" }, chart.y_label), picture, legend);
}

function range(a, b) { return Array.from({ length: Math.max(0, b - a + 1) }, (_, k) => a + k); }
function ticks(a, b, n) {
  const raw = (b - a) / n;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((s) => s >= raw) || raw;
  const out = [];
  for (let v = Math.ceil(a / step) * step; v <= b + step * 1e-9; v += step) out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  return out;
}
function short(v) {
  if (Math.abs(v) >= 1e6) return `${+(v / 1e6).toPrecision(3)}M`;
  if (Math.abs(v) >= 1e4) return `${+(v / 1e3).toPrecision(3)}k`;
  return String(+v.toPrecision(3));
}
