// A seat at a table: shows the state the server sends, sends what the person does.
import { byId, copy, el, fill, refuse, remember, t } from "./dom.js";
import { drawTable } from "./board.js";
import { forgetAdvice, showAdvice, showTotal } from "./coach.js";
import { watchPreparing } from "./preparing.js";
import { showDeal } from "./deal.js";
import { showSteps } from "./steps.js";
import { keepTime, showBot, showCompany, showTime } from "./company.js";
import { connect } from "./socket.js";

const root = byId("table");
const { table, token, game } = root.dataset;
const seated = "seated" in root.dataset;
let state = null;
let waiting = false;
let signal = "";
let byHand = false; // the focus was on an action that is grey now: it comes back with the next one

const socket = connect({
  open: () => { byId("connection").textContent = ""; waiting = false; socket.send({ do: "sit", table, token }); sendCoach(); },
  lost: () => { byId("connection").textContent = t("table.offline"); },
  message: receive,
});

function receive(message) {
  if (message.type === "state") { waiting = false; show(message); }
  else if (message.type === "refused") { waiting = false; refuse(message.reason); if (state) drawActions(state.view); }
  else if (message.type === "bot") showBot(message);
  else if (message.type === "moved") location.href = message.path;
  else if (message.type === "coach") {
    if (message.when === "before" && state && message.at !== state.at) return;
    showAdvice(message, byId("adviser").value, byId("mode").value === "before");
    showTotal(message.total);
  }
}

function show(message) {
  const focused = document.activeElement?.dataset?.key;
  const inActions = byId("actions").contains(document.activeElement);
  const first = state === null;
  state = message;
  root.dataset.at = message.at;
  refuse("");
  const view = message.view;
  drawTable(byId("felt"), view, play);
  drawActions(view);
  forgetAdvice(message.at);
  if (message.by_hand !== undefined) showSteps(message, (what) => socket.send(what));
  byId("status").textContent = status(message);
  showCompany({ ...message, over: view.over }, (what) => socket.send(what));
  showTime(message);
  if (first && !message.ready) watchPreparing(byId("status"), () => state.ready || state.trouble);
  root.classList.toggle("myturn", view.you !== null && view.turn === view.you);
  const log = byId("log");
  if (first || message.said.length >= 60) log.replaceChildren();
  for (const line of message.said) log.append(el("p", {}, line));
  while (log.children.length > 200) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
  drawInvites(message.invites || {});
  showTotal(message.total);
  if (message.deal) showDeal(byId("deal"), table, token, message.deal);
  if (byId("saved")) byId("saved").hidden = !message.hands;
  if (inActions) byHand = true;
  if (focused || inActions || (byHand && document.activeElement === document.body)) restoreFocus(focused);
  if (seated) rememberSeat(view);
}

function status(message) {
  const view = message.view;
  if (message.trouble) return message.trouble;
  if (!message.company.started) return t("company.waiting");
  if (!message.ready) return t("table.preparing");
  if (view.over) return t("table.over");
  const won = view.seats.filter((s) => s.taken);
  if (view.hand_over && won.length) return won.map((s) => (s.hands[0]?.label && s.best ? t("table.won.with", { name: s.name, amount: s.taken, made: s.hands[0].label }) : t("wins", { name: s.name, amount: s.taken }))).join(" ");
  if (view.hand_over) return t("table.hand_over");
  if (view.you !== null && view.turn === view.you) return t("table.your_turn");
  const who = view.turn === null ? "" : t("table.waits", { name: view.seats[view.turn].name });
  return view.you === null ? `${t("table.watching")} ${who}` : who;
}

function restoreFocus(key) {
  const again = key && document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  const target = again || byId("actions").querySelector("button:not(:disabled)") || document.querySelector(".pick:not(:disabled)");
  target?.focus({ preventScroll: true });
}

function play(choice, action = choice.action) {
  if (waiting || !state) return;
  if (signal && choice.signals?.includes(signal)) action = `${action}:${signal}`;
  waiting = socket.send({ do: "act", action, at: state.at });
  signal = "";
}

function actionButton(choice) {
  if (choice.amount) return amountForm(choice);
  return el("button", { type: "button", "data-key": choice.action, "data-hot": choice.key, "aria-keyshortcuts": choice.key?.toUpperCase(), onclick: () => play(choice) }, el("span", { class: "words" }, choice.label), el("kbd", { "aria-hidden": "true" }, choice.key?.toUpperCase()));
}

// What is always there keeps its place and is grey when it cannot be done; what comes and goes stands after it.
function drawActions(view) {
  const place = byId("actions");
  const left = view.choices.filter((c) => !c.card);
  const fixed = (view.you === null ? [] : view.places || []).map(([action, label, amount]) => {
    const at = left.findIndex((c) => c.action === action || (c.key === action && c.action !== "next"));
    if (at >= 0) return actionButton(left.splice(at, 1)[0]);
    return amount ? amountForm({ label: `${label} {amount}`, amount: { low: 0, high: 0 }, presets: amount.map((name) => [name, 0]) }, true) : el("button", { type: "button", disabled: true, "data-place": action }, label, el("kbd", { "aria-hidden": "true" }, action[0].toUpperCase()));
  });
  const nodes = [...(fixed.length ? [el("div", { class: "places" }, fixed)] : []), ...left.filter((c) => c.amount).map(actionButton), ...(left.length || fixed.length ? [el("div", { class: "more" }, left.filter((c) => !c.amount).map(actionButton))] : [])];
  const signals = new Set(view.choices.flatMap((c) => c.signals || []));
  if (signals.size) {
    nodes.push(el("div", { class: "field inline" }, el("label", { for: "signal" }, t("table.signal")), el("select", { id: "signal", "data-key": "signal", onchange: (e) => { signal = e.target.value; } }, el("option", { value: "" }, t("table.signal.none")), [...signals].map((s) => el("option", { value: s }, s)))));
  }
  place.replaceChildren(...nodes);
}

function amountForm(choice, off = false) {
  // The server counts from the start of the hand, people from the start of the street.
  const before = choice.amount.before || 0;
  const [low, high] = [choice.amount.low - before, choice.amount.high - before];
  const hot = choice.key || "r";
  const usual = choice.amount.usual ?? low;
  const number = el("input", { type: "number", id: "amount", min: low, max: high, value: usual, inputmode: "numeric", "data-key": "amount", "data-hot": hot, "aria-label": t("table.amount") });
  const slider = el("input", { type: "range", min: low, max: high, value: usual, "aria-label": t("table.amount"), "data-key": "slider" });
  const label = el("span", {});
  const set = (amount, from) => {
    if (from !== number) number.value = amount;
    if (from !== slider) slider.value = amount;
    label.textContent = off ? fill(choice.label, { amount: "" }).trim() : fill(choice.label, { amount: number.value || "…" });
  };
  number.addEventListener("input", () => set(number.value, number));
  slider.addEventListener("input", () => set(slider.value, slider));
  set(usual);
  const presets = choice.presets.map(([name, amount]) => el("button", { type: "button", class: "preset", "data-key": `preset-${name}`, onclick: () => { set(amount - before); number.focus(); } }, name));
  const form = el("form", { class: choice.amount.usual === undefined ? "raise" : "raise bet", novalidate: true }, el("div", { class: "presets" }, presets), el("div", { class: "pair" }, slider, number, el("button", { type: "submit", class: "primary", "data-key": "raise" }, label, el("kbd", { "aria-hidden": "true" }, hot.toUpperCase()))));
  if (off) form.querySelectorAll("input, button").forEach((part) => { part.disabled = true; delete part.dataset.key; delete part.dataset.hot; });
  form.addEventListener("submit", (event) => { event.preventDefault(); play(choice, `${choice.action}${before + Math.round(Number(number.value))}`); });
  return form;
}

// Where a guest finds this server: a page opened on the machine itself says "localhost", which is nobody else's.
function origins() {
  const known = (root.dataset.addresses || "").split(" ").filter(Boolean);
  const here = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  return known.length && here ? known : [location.origin, ...known.filter((o) => o !== location.origin)];
}

function drawInvites(invites) {
  const place = byId("invites");
  place.hidden = !Object.keys(invites).length;
  place.querySelector("ul").replaceChildren(...Object.entries(invites).map(([name, path]) => {
    const links = origins().map((origin) => el("button", { type: "button", title: origin + path, onclick: (e) => copy(origin + path, e.target) }, origins().length > 1 ? t("table.copy.at", { address: new URL(origin).host }) : t("table.copy")));
    return el("li", {}, el("a", { href: path, class: "invite" }, t("table.invite", { name })), ...links);
  }));
}

function rememberSeat(view) {
  const kept = (remember("mazzo-tables") || []).filter((k) => k.table !== table);
  kept.unshift({ table, token, game, names: view.seats.map((s) => s.name).filter(Boolean) });
  remember("mazzo-tables", kept.slice(0, 12));
}

function sendCoach() {
  if (!seated) return;
  remember(`mazzo-coach-${game}`, { mode: byId("mode").value, adviser: byId("adviser").value });
  socket.send({ do: "coach", mode: byId("mode").value, adviser: byId("adviser").value });
}

if (seated) {
  const kept = remember(`mazzo-coach-${game}`);
  if (kept) {
    byId("mode").value = kept.mode;
    if ([...byId("adviser").options].some((o) => o.value === kept.adviser)) byId("adviser").value = kept.adviser;
  }
  byId("mode").addEventListener("change", sendCoach);
  byId("adviser").addEventListener("change", sendCoach);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A key that is held down plays once.
  if (event.repeat && (event.key.length === 1 || event.key === "Enter") && !event.target.matches("input, textarea")) { event.preventDefault(); return; }
  const typing = event.target.matches("input:not([type=range]), select, textarea");
  const key = event.key.toLowerCase();
  if (key === "?") { byId("keys").open = !byId("keys").open; byId("keys").querySelector("summary").focus(); event.preventDefault(); return; }
  if (typing && key !== "escape") return;
  const hot = document.querySelector(`[data-hot="${CSS.escape(key)}"]`);
  if (hot) { event.preventDefault(); if (hot.matches("input")) { hot.focus(); hot.select(); } else { hot.focus(); hot.click(); } return; }
  const picks = [...document.querySelectorAll(".pick")];
  if (!picks.length) return;
  if (/^[0-9]$/.test(key)) { picks.find((p) => p.dataset.number === key && !p.disabled)?.focus(); event.preventDefault(); }
  if (key === "arrowright" || key === "arrowleft") {
    const open = picks.filter((p) => !p.disabled);
    const at = open.indexOf(document.activeElement);
    open[(at + (key === "arrowright" ? 1 : -1) + open.length) % open.length]?.focus();
    event.preventDefault();
  }
});

// One's own cards stay above the bar of actions where that bar stays at the foot of the window.
new ResizeObserver(() => root.style.setProperty("--bar", `${byId("actions").offsetHeight}px`)).observe(byId("actions"));
keepTime(() => state);
