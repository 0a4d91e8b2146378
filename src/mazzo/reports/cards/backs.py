"""The backs of both decks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mazzo.reports.cards import french, italian

__all__ = ["BACKS"]


def _french() -> str:
    lines = "".join(
        f'<path d="M{x} 22L{x + 306} 328M{x + 306} 22L{x} 328" stroke="#5f86c4" stroke-width="2.5"/>'
        for x in range(-300, 250, 34)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {french.WIDTH} {french.HEIGHT}" role="img"><title>card back</title>'
        f'<defs><clipPath id="c"><rect x="20" y="20" width="210" height="310" rx="10"/></clipPath></defs>'
        f'<rect x="2" y="2" width="{french.WIDTH - 4}" height="{french.HEIGHT - 4}" rx="18" fill="#fffdf8" stroke="#b9b3a5" '
        f'stroke-width="3"/><rect x="20" y="20" width="210" height="310" rx="10" fill="#23467f"/>'
        f'<g clip-path="url(#c)">{lines}</g><circle cx="125" cy="175" r="44" fill="#23467f" stroke="#fffdf8" '
        f'stroke-width="5"/><text x="125" y="194" font-family="{french.FONT}" font-size="56" font-style="italic" '
        f'font-weight="700" text-anchor="middle" fill="#fffdf8">m</text></svg>'
    )


def _italian() -> str:
    ring = '<circle r="7" fill="none" stroke="#f2e3c2" stroke-width="2.5" cx="{}" cy="{}"/>'
    rings = ring.format(13, 13) + ring.format(26, 39) + ring.format(0, 39)
    return italian.sheet(
        f'<defs><pattern id="p" x="18" y="18" width="26" height="52" patternUnits="userSpaceOnUse">{rings}</pattern>'
        f'</defs><rect x="18" y="18" width="204" height="348" rx="9" fill="#8c2f1f"/>'
        f'<rect x="18" y="18" width="204" height="348" rx="9" fill="url(#p)" stroke="#8c2f1f" stroke-width="6"/>',
        "card back",
    )


BACKS: Mapping[str, Callable[[], str]] = {"french": _french, "italian": _italian}
"""By deck what draws its back."""
