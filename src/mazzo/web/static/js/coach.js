// What the adviser thinks, as a small table; what the play made gave away.
import { byId, el, signed, t } from "./dom.js";

let adviceAt = null;

// A verdict is about a play that was made; beside advice for the play to come it is a line and replaces nothing.
export function showAdvice(message, adviser, lineOnly = false) {
  const place = byId("advice");
  if (message.when === "failed") { place.replaceChildren(el("p", { class: "problem" }, message.reason)); return; }
  const played = message.played !== undefined && message.played !== null;
  byId("verdict").replaceChildren(...(played ? [el("p", { class: "verdict" }, t(message.you ? "coach.they_played" : "coach.you_played", { action: message.played }) + ". ", verdict(message))] : [...byId("verdict").childNodes]));
  if (played && lineOnly) return;
  adviceAt = message.when === "before" ? message.at : null;
  const parts = [el("p", {}, el("strong", {}, t("coach.advises", { adviser: message.adviser || adviser, action: message.advised })), ".")];
  const valued = message.options.filter((o) => o.value !== null && o.value !== undefined);
  if (valued.length) {
    const best = Math.max(...valued.map((o) => o.value));
    const worst = Math.min(...valued.map((o) => o.value));
    const rows = message.options.map((o) => {
      const bar = el("meter", { min: 0, max: 1, value: best > worst && message.weighed ? (o.value - worst) / (best - worst) : 1, "aria-hidden": "true" });
      return el("tr", { class: message.weighed && o.value === best ? "best" : "" }, el("th", { scope: "row" }, o.label), el("td", {}, signed(o.value, o.error === null || o.error === undefined ? 3 : 2) + (o.error ? ` ± ${o.error.toFixed(2)}` : "")), el("td", { class: "bar" }, message.weighed ? bar : ""));
    });
    parts.push(el("table", { class: "worths" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("coach.play")), el("th", { scope: "col" }, `${t("coach.worth")} (${message.unit})`), el("td", {}))), el("tbody", {}, rows)));
  }
  parts.push(el("p", { class: "why" }, message.reason.charAt(0).toUpperCase() + message.reason.slice(1) + "."));
  place.replaceChildren(...parts);
}

// Advice for a decision that has been taken is no advice.
export function forgetAdvice(at) {
  if (adviceAt === null || adviceAt === at) return;
  adviceAt = null;
  byId("advice").replaceChildren(el("p", { class: "none" }, t("coach.none")));
}

function verdict(message) {
  if (message.said) return message.said;
  if (message.cost === null || message.cost === undefined) return t(message.agrees ? "coach.agrees" : "coach.differs");
  if (message.cost < 1e-9) return t("coach.right");
  return t("coach.cost", { cost: message.cost.toFixed(3), unit: message.unit });
}

export function showTotal(total) {
  if (!total || !total.decisions) return;
  byId("total").textContent = t("coach.total", { ...total, cost: total.cost.toFixed(3) });
}
