// The seats this browser has taken.
import { byId, el, remember, t } from "./dom.js";

const kept = remember("mazzo-tables") || [];
if (kept.length) {
  byId("mine").replaceChildren(...kept.map((k) => el("li", {}, el("span", {}, el("strong", {}, t(`game.${k.game}`)), " ", k.names.join(", ")), el("a", { class: "button", href: `/table/${encodeURIComponent(k.table)}/${encodeURIComponent(k.token)}` }, t("lobby.back"), el("span", { class: "hidden" }, ` ${k.names.join(", ")}`)))));
}
