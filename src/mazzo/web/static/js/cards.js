// A card as a picture with its name.
import { el, t } from "./dom.js";

export function cardName(card, deck) {
  if (!card) return t("table.hidden");
  return t("card", { rank: t(`rank.${deck}.${card.slice(0, -1)}`), suit: t(`suit.${deck}.${card.slice(-1)}`) });
}

export function cardImage(card, deck, named = true) {
  return el("img", { class: `card ${deck}`, src: `/cards/${deck}/${card || "back"}.svg`, alt: named ? cardName(card, deck) : "", draggable: "false" });
}

export function emptyPlace(deck) { return el("span", { class: `card place ${deck}`, "aria-hidden": "true" }); }
