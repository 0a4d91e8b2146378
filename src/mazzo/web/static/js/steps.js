// A table of agents with all cards open: one move at a time, and why each was made.
import { byId, el, t } from "./dom.js";

export function showSteps(message, send) {
  const one = el("button", { type: "button", class: "primary", "data-key": "step", "data-hot": "n", "aria-keyshortcuts": "N", disabled: !message.by_hand || message.view.over, onclick: () => send({ do: "step" }) }, el("span", { class: "words" }, t("why.step")), el("kbd", { "aria-hidden": "true" }, "N"));
  const run = el("button", { type: "button", "data-key": "run", "data-hot": "p", "aria-keyshortcuts": "P", onclick: () => send({ do: "speed", value: message.by_hand ? "normal" : "step" }) }, el("span", { class: "words" }, t(message.by_hand ? "why.run" : "why.stop")), el("kbd", { "aria-hidden": "true" }, "P"));
  byId("actions").replaceChildren(el("div", { class: "more" }, one, run));
  const place = byId("why");
  place.hidden = !message.why;
  if (message.why) byId("why-text").replaceChildren(...explained(message.why));
}

const number = (value) => (typeof value === "number" ? String(+value.toPrecision(4)) : String(value ?? ""));

function explained(why) {
  const parts = [el("p", {}, el("strong", {}, why.name), " ", el("small", {}, why.agent)), el("p", { class: "why", lang: "en" }, why.reason)];
  if (why.options.length) {
    const rows = why.options.map((o) => el("tr", {}, el("th", { scope: "row" }, o.label), el("td", {}, number(o.value)), el("td", {}, Object.entries(o.terms).map(([k, v]) => `${k} ${number(v)}`).join(", "))));
    parts.push(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("why.weighed") }, el("table", { lang: "en" }, el("thead", {}, el("tr", {}, ["why.play", "why.value", "why.from"].map((k) => el("th", { scope: "col" }, t(k))))), el("tbody", {}, rows))));
  }
  if (why.facts.length) parts.push(el("dl", { class: "tablefacts plain", lang: "en" }, why.facts.map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, number(v))))));
  return parts;
}
