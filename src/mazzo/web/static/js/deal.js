// The seals of the decks, shown before they are dealt, and the command that checks a deck afterwards.
import { copy, el, remember, t } from "./dom.js";

const KEPT = 20;

// What was shown before the deal is kept here: a seal that is told only afterwards would prove nothing.
function keep(table, deal) {
  const all = remember("mazzo-seals") || {};
  const seals = { ...(all[table] || {}) };
  seals[deal.number] ??= deal.seal;
  seals[deal.number + 1] ??= deal.next;
  for (const number of Object.keys(seals)) if (number < deal.number - KEPT) delete seals[number];
  const others = Object.entries(all).filter(([name]) => name !== table).slice(-KEPT);
  remember("mazzo-seals", Object.fromEntries([...others, [table, seals]]));
  return seals;
}

export function showDeal(place, table, token, deal) {
  const seals = keep(table, deal);
  place.hidden = false;
  const rows = [el("p", {}, t("deal.what")), seal("deal.now", seals[deal.number]), seal("deal.next", seals[deal.number + 1])];
  if (deal.checked === null) rows.push(el("p", {}, t("deal.none")));
  else {
    rows.push(...check(table, token, deal.checked, seals[deal.checked]));
    if (deal.key) rows.push(el("p", {}, t("deal.key", { number: deal.checked + 1 }), " ", el("code", { class: "seal", id: "deal-key" }, deal.key)));
    else rows.push(el("p", { class: "hint", id: "deal-closed" }, t("deal.closed")));
  }
  place.replaceChildren(place.querySelector("summary"), ...rows);
}

function seal(words, hash) {
  return el("p", {}, t(words), " ", el("code", { class: "seal" }, hash));
}

function check(table, token, number, hash) {
  const file = `deal-${table}-${number}.json`;
  const command = `mazzo verify-deal ${file}${hash ? ` --seal ${hash}` : ""}`;
  const path = token ? `/table/${table}/${token}/deal/${number}` : `/table/${table}/deal/${number}`;
  return [
    el("p", {}, el("a", { href: path, download: file }, t("deal.save", { number: number + 1 }))),
    el("p", {}, el("code", { class: "seal", id: "deal-command" }, command), " ", el("button", { type: "button", onclick: (e) => copy(command, e.target) }, t("deal.copy"))),
  ];
}
