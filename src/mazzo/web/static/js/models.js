// One tree of a model as a nested list that opens.
import { ask, byId, el, refuse, t } from "./dom.js";

function branches(n, title, depth) {
  return el("details", { open: depth < 2 }, title, el("ul", {}, el("li", {}, el("span", { class: "tag" }, t("models.yes")), " ", node(n.low, depth + 1)), el("li", {}, el("span", { class: "tag" }, t("models.no")), " ", node(n.high, depth + 1))));
}

// A clone's tree asks in words and says an action; a forest's compares a number and says one.
function node(n, depth) {
  if (n.says !== undefined) return el("span", { class: "leaf" }, n.says);
  if (n.question !== undefined) return branches(n, el("summary", {}, el("strong", {}, t("models.question", { question: n.question }))), depth);
  const value = n.value.toPrecision(4);
  if (n.input === undefined) return el("span", { class: "leaf" }, t("models.leaf", { value }));
  const title = el("summary", {}, el("strong", {}, t("models.node", { input: n.input, threshold: +n.threshold.toPrecision(5) })), " ", el("span", { class: "mean" }, t("models.mean", { value })));
  if (n.cut) return el("span", {}, title.textContent, " ", t("models.cut"));
  return branches(n, title, depth);
}

byId("tree")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  refuse("");
  try {
    const found = await ask(`/api/model?name=${encodeURIComponent(byId("model").value)}&tree=${Number(byId("number").value)}`);
    byId("number").max = found.trees - 1;
    byId("shown").replaceChildren(el("p", { class: "lead" }, t("models.about", found)), el("div", { class: "treeview" }, node(found.root, 0)), el("details", { class: "panel" }, el("summary", {}, t("models.settings")), el("dl", { class: "settings" }, Object.entries(found.settings).map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, String(v)))))));
  } catch (wrong) { refuse(wrong.message); }
});
