"""The French deck: four colours, large indices, pips where they have always been, plain court figures."""

from __future__ import annotations

__all__ = ["COLOURS", "FONT", "french_face"]

WIDTH, HEIGHT = 250, 350
COLOURS = {"c": "#0a6b35", "d": "#1557b5", "h": "#c1121f", "s": "#16181d"}
_SHAPES = {
    "h": "M0 40C-14 22-44 4-44-20-44-38-30-48-18-48-8-48-2-42 0-34 2-42 8-48 18-48 30-48 44-38 44-20 44 4 14 22 0 40Z",
    "d": "M0-52C10-32 22-14 38 0 22 14 10 32 0 52-10 32-22 14-38 0-22-14-10-32 0-52Z",
    "s": "M0-50C12-30 46-12 46 14 46 30 34 38 22 38 14 38 7 34 4 28 5 38 10 46 18 52H-18C-10 46-5 38-4 28-7 34-14 38-22 38"
    "-34 38-46 30-46 14-46-12-12-30 0-50Z",
    "c": "M0-50C14-50 24-40 24-27 24-20 21-14 16-9 19-10 22-11 26-11 39-11 49-1 49 12 49 25 39 35 26 35 16 35 8 30 4 22 5 34 "
    "10 45 18 52H-18C-10 45-5 34-4 22-8 30-16 35-26 35-39 35-49 25-49 12-49-1-39-11-26-11-22-11-19-10-16-9-21-14-24-20"
    "-24-27-24-40-14-50 0-50Z",
}
_LEFT, _MID, _RIGHT = 101, 125, 149
_PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(_MID, 175)],
    "2": [(_MID, 80), (_MID, 270)],
    "3": [(_MID, 80), (_MID, 175), (_MID, 270)],
    "4": [(x, y) for x in (_LEFT - 3, _RIGHT + 3) for y in (80, 270)],
    "5": [*[(x, y) for x in (_LEFT - 3, _RIGHT + 3) for y in (80, 270)], (_MID, 175)],
    "6": [(x, y) for x in (_LEFT - 3, _RIGHT + 3) for y in (80, 175, 270)],
    "7": [*[(x, y) for x in (_LEFT - 3, _RIGHT + 3) for y in (80, 175, 270)], (_MID, 127)],
    "8": [*[(x, y) for x in (_LEFT - 3, _RIGHT + 3) for y in (80, 175, 270)], (_MID, 127), (_MID, 223)],
    "9": [*[(x, y) for x in (_LEFT, _RIGHT) for y in (72, 141, 209, 278)], (_MID, 175)],
    "T": [*[(x, y) for x in (_LEFT, _RIGHT) for y in (72, 141, 209, 278)], (_MID, 106), (_MID, 244)],
}
FONT = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"


def _sheet(inside: str, label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{label}</title>'
        f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="18" fill="#fffdf8" stroke="#b9b3a5" '
        f'stroke-width="3"/>{inside}</svg>'
    )


def _suit(suit: str, x: float, y: float, scale: float, turned: bool = False) -> str:
    turn = " rotate(180)" if turned else ""
    return (
        f'<path d="{_SHAPES[suit]}" transform="translate({x:g} {y:g}) scale({scale:g}){turn}" fill="{COLOURS[suit]}"/>'
    )


def _twice(half: str) -> str:
    return f'{half}<g transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})">{half}</g>'


def french_face(card: str) -> str:
    """The face of a card such as `As`."""
    rank, suit = card[0], card[1]
    shown = "10" if rank == "T" else rank
    squeeze = ' textLength="50" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
    corner = (
        f'<text x="37" y="60" font-family="{FONT}" font-size="60" font-weight="700" text-anchor="middle" '
        f'fill="{COLOURS[suit]}"{squeeze}>{shown}</text>{_suit(suit, 37, 92, 0.44)}'
    )
    if rank in "JQK":
        return _sheet(_twice(corner) + _court(rank, suit), card)
    scale = 1.35 if rank == "A" else 0.42 if rank in "9T" else 0.47
    pips = "".join(_suit(suit, x, y, scale, turned=y > 180) for x, y in _PIPS[rank])
    return _sheet(_twice(corner) + pips, card)


def _court(rank: str, suit: str) -> str:
    """A court figure, the same both ways up."""
    main, gold, skin, dark = COLOURS[suit], "#e0aa2e", "#f3d3b3", "#2a2320"
    hair = {"J": "#8a5a22", "Q": "#5b3a1a", "K": "#6d6a66"}[rank]
    body = (
        f'<path d="M70 175C70 140 92 128 125 128S180 140 180 175Z" fill="{main}"/>'
        f'<path d="M112 129L125 175 138 129Z" fill="{gold}"/>'
        f'<path d="M78 160h94" stroke="{gold}" stroke-width="5"/>'
        f'<circle cx="95" cy="150" r="5" fill="{gold}"/><circle cx="155" cy="150" r="5" fill="{gold}"/>'
    )
    locks = (
        f'<path d="M96 100C92 70 158 70 154 100L158 130C150 138 145 132 145 120V96H105V120C105 132 100 138 92 130Z" '
        f'fill="{hair}"/>'
    )
    head = (
        f'{locks}<ellipse cx="125" cy="104" rx="22" ry="26" fill="{skin}" stroke="{dark}" stroke-width="1.5"/>'
        f'<path d="M114 101q4-3 8 0M128 101q4-3 8 0" stroke="{dark}" stroke-width="2" fill="none"/>'
        f'<path d="M125 103l-3 9h5" stroke="{dark}" stroke-width="1.5" fill="none"/>'
        f'<path d="M118 119q7 4 14 0" stroke="#a23b3b" stroke-width="2.5" fill="none"/>'
    )
    tops = {
        "K": f'<path d="M97 84L92 50 109 66 125 44 141 66 158 50 153 84Z" fill="{gold}" stroke="{dark}" '
        f'stroke-width="1.5"/><circle cx="125" cy="44" r="5" fill="{main}"/>'
        f'<path d="M106 122C108 140 142 140 144 122 138 130 112 130 106 122Z" fill="{hair}"/>',
        "Q": f'<path d="M100 84Q98 60 108 64 112 52 125 56 138 52 142 64 152 60 150 84Z" fill="{gold}" stroke="{dark}" '
        f'stroke-width="1.5"/><circle cx="125" cy="54" r="5" fill="{main}"/>'
        f'<path d="M96 128h58" stroke="#fff" stroke-width="4" stroke-dasharray="4 4"/>',
        "J": f'<path d="M94 84C92 66 106 58 128 58 148 58 158 68 156 84Z" fill="{main}" stroke="{dark}" '
        f'stroke-width="1.5"/><path d="M146 62C158 42 170 44 172 52 166 58 160 62 150 70Z" fill="{gold}"/>',
    }
    frame = (
        f'<rect x="62" y="34" width="126" height="282" rx="6" fill="#fbf4e2" stroke="{main}" stroke-width="2.5"/>'
        f'<path d="M62 175H188" stroke="{main}" stroke-width="2.5"/>'
    )
    half = f"{body}{head}{tops[rank]}{_suit(suit, 80, 56, 0.27)}"
    return frame + _twice(half)
