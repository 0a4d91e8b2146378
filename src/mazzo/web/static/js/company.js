// Who plays: people with their presence, bots with their style and what they have learned, and what people agree on.
import { byId, el, t } from "./dom.js";
import { portrait } from "./faces.js";

let drawn = "";
let ends = null;

// Redrawn only when somebody comes, goes or is renamed: what was opened stays open.
export function showCompany(message, send) {
  const { view, company } = message;
  const people = new Map(company.people.map((p) => [p.seat, p]));
  const now = JSON.stringify([view.seats.map((s) => [s.name, s.agent]), company, message.over]);
  if (now === drawn) return;
  const open = new Set([...document.querySelectorAll("#people details[open]")].map((d) => Number(d.dataset.seat)));
  drawn = now;
  byId("people").replaceChildren(...view.seats.map((s, seat) => (s.kind === "house" ? null : row(s, seat, people.get(seat), open, send))).filter(Boolean));
  byId("agreed").replaceChildren(...agreed(message, send));
  byId("score").replaceChildren(...scores(view, company.score));
}

function row(s, seat, person, open, send) {
  if (!s.agent) {
    const state = person?.away ? t(`company.${person.away}`) : person?.here ? t("company.here") : t("company.not_here");
    return el("li", { class: person?.here ? "here" : "absent" }, portrait(s), el("span", {}, el("strong", {}, s.name), " ", person ? el("span", { class: "presence" }, state, person.ready ? `, ${t("company.ready")}` : "") : null));
  }
  const details = el("details", { "data-seat": seat, open: open.has(seat) }, el("summary", {}, portrait(s), el("span", { class: "id" }, el("strong", {}, s.name), el("small", {}, s.agent))), el("p", { class: "hint" }, s.style), el("div", { class: "about", id: `about-${seat}` }));
  details.addEventListener("toggle", () => { if (details.open) send({ do: "bot", seat }); });
  if (open.has(seat)) send({ do: "bot", seat });
  return el("li", {}, details);
}

export function showBot(message) {
  const place = byId(`about-${message.seat}`);
  if (!place) return;
  const pairs = (about) => el("dl", { class: "tablefacts plain" }, Object.entries(about).map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, typeof v === "number" ? String(+v.toPrecision(4)) : String(v)))));
  const parts = [el("p", { class: "why", lang: "en" }, message.what)];
  if (message.parameters.length) parts.push(el("h3", {}, t("bot.parameters")), el("dl", { class: "meanings" }, message.parameters.map((p) => el("div", {}, el("dt", {}, `${p.name} = ${typeof p.value === "number" ? +p.value.toPrecision(4) : p.value}`), el("dd", { lang: "en" }, p.means)))));
  if (!message.learned) parts.push(el("p", { class: "hint" }, t("bot.nothing")));
  else {
    const { table, rivals, ...rest } = message.learned;
    const words = { raise: "bot.raise", fold: "bot.fold", hands: "bot.hands", net: "bot.net" };
    const plain = Object.entries(rest).filter(([, v]) => typeof v !== "object").map(([k, v]) => [words[k] ? t(words[k]) : k, v]);
    if (plain.length) parts.push(el("h3", {}, t("bot.learned")), pairs(Object.fromEntries(plain)));
    if (rivals) parts.push(...profiles(rivals));
    const used = (table || []).filter((r) => r.times);
    if (used.length) parts.push(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("bot.learned") }, el("table", {}, el("thead", {}, el("tr", {}, ["bot.street", "bot.action", "bot.times", "bot.net"].map((k) => el("th", { scope: "col" }, t(k))))), el("tbody", {}, used.map((r) => el("tr", {}, [r.street, r.action, r.times, r.net].map((v) => el("td", {}, String(v)))))))));
  }
  place.replaceChildren(...parts);
}

// What it makes of each rival: a row each, with the columns that this agent keeps.
function profiles(rivals) {
  if (!rivals.length) return [el("h3", {}, t("bot.rivals")), el("p", { class: "hint" }, t("bot.rivals.none"))];
  const columns = Object.keys(rivals[0]).filter((k) => k !== "player");
  const head = el("tr", {}, el("th", { scope: "col" }, t("bot.rival")), columns.map((k) => el("th", { scope: "col", lang: "en" }, k)));
  const rows = rivals.map((r) => el("tr", {}, el("th", { scope: "row" }, r.player), columns.map((k) => el("td", {}, String(r[k])))));
  return [el("h3", {}, t("bot.rivals")), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("bot.rivals") }, el("table", {}, el("thead", {}, head), el("tbody", {}, rows)))];
}

function agreed(message, send) {
  const { company, view } = message, out = [];
  if (view.you === null) return out;
  const me = company.people.find((p) => p.seat === view.you);
  const button = (key, words, value, extra = "") => el("button", { type: "button", "data-key": key, class: extra, onclick: () => send({ do: key, value }) }, t(words));
  if (!company.started) {
    out.push(el("p", { class: "hint" }, t("company.waiting")));
    if (!me?.ready) out.push(button("ready", "company.do.ready", true, "primary"));
    if (company.host) out.push(button("start", "company.do.start", true));
  } else if (view.over) out.push(button("rematch", "company.do.rematch", true, "primary"));
  else {
    const choose = el("select", { id: "pause", "data-key": "pause", onchange: (e) => send({ do: "pause", value: Number(e.target.value) }) }, [0, 4, 8].map((n) => el("option", { value: n, selected: n === company.pause }, t(`company.pause.${n}`))));
    out.push(el("div", { class: "field" }, el("label", { for: "pause" }, t("company.pause")), choose));
    if (company.people.length > 1) out.push(company.out ? button("sit_out", "company.do.back", false, "primary") : button("sit_out", "company.do.out", true));
  }
  return out;
}

function scores(view, score) {
  if (!score) return [];
  return view.seats.filter((s) => s.kind !== "house").map((s, seat) => el("li", { class: seat === view.you ? "mine" : "" }, t(seat === view.you ? "company.score" : "company.scores", { name: s.name, won: score.won[seat] || 0, played: score.played })));
}

// Seconds that run down: of the clock, and until the next hand is dealt. They are for the eye; what happens is told in words.
export function showTime(message) {
  const { clock, deal_in: dealIn } = message.company, now = performance.now();
  ends = clock ? { clock: now + 1000 * clock.left, bank: clock.bank } : dealIn !== undefined ? { deal: now + 1000 * dealIn } : { since: now };
  tick(message.view);
}

function tick(view) {
  const place = byId("time");
  if (!ends || !place) return;
  const now = performance.now(), seconds = (until) => Math.max(0, Math.ceil((until - now) / 1000));
  if (ends.deal !== undefined) {
    const next = document.querySelector("[data-key=next] .words");
    if (next) next.textContent = t("do.deal_now", { seconds: seconds(ends.deal) });
    place.textContent = "";
  } else if (ends.clock !== undefined) {
    const over = Math.max(0, (now - ends.clock) / 1000);
    place.textContent = t("table.bank", { seconds: seconds(ends.clock), bank: Math.max(0, Math.ceil(ends.bank - over)) });
  } else {
    const waited = Math.floor((now - ends.since) / 1000);
    place.textContent = view && view.turn !== null && waited >= 2 ? t("table.time", { seconds: waited }) : "";
  }
}

export function keepTime(current) { setInterval(() => { const state = current(); if (state) tick(state.view); }, 500); }
