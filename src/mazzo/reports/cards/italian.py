"""The forty cards of tressette in the Neapolitan manner: coins, cups, swords, clubs; fante, cavallo, re.

What a player looks for is there: the eagle on the ace of coins, the putto's cup, the straight swords, the green clubs
with their knots, the moustached mask (the gatto mammone) on the three of clubs. An index in two corners, which the
real cards do not have, keeps them readable on a phone.
"""

from __future__ import annotations

import math

__all__ = ["italian_face", "sheet"]

WIDTH, HEIGHT = 240, 384
_GOLD, _RED, _GREEN, _BLUE, _DARK, _SKIN = "#eab020", "#c8281e", "#2e7d32", "#2463a8", "#2b2118", "#f2cfa6"
_FONT = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"
_NUMBERS = {"A": "1", "8": "8", "9": "9", "10": "10"}
_INK = {"d": "#8a5a00", "c": "#a51d14", "s": "#174a85", "b": "#1d5e22"}

_L, _M, _R = 84.0, 120.0, 156.0
_PLACES: dict[int, list[tuple[float, float]]] = {
    2: [(_M, 112), (_M, 272)],
    3: [(_M, 84), (_M, 192), (_M, 300)],
    4: [(x, y) for x in (_L, _R) for y in (112, 272)],
    5: [*[(x, y) for x in (_L, _R) for y in (100, 284)], (_M, 192)],
    6: [(x, y) for x in (_L, _R) for y in (88, 192, 296)],
    7: [*[(x, y) for x in (_L - 6, _R + 6) for y in (92, 196, 300)], (_M, 144)],
}


_SUIT = '<use href="#s"/>'
"""The sign of the card's suit, which its face draws once: a card is small enough to send many of."""


def _at(inside: str, x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> str:
    return f'<g transform="translate({x:g} {y:g}) rotate({turn:g}) scale({scale:g})">{inside}</g>'


def _coin() -> str:
    petals = "".join(
        f'<ellipse cx="0" cy="-19" rx="5.5" ry="10" fill="{_RED if k % 2 else _GREEN}" transform="rotate({k * 45})"/>'
        for k in range(8)
    )
    return (
        f'<circle r="40" fill="{_GOLD}" stroke="{_DARK}" stroke-width="2.5"/><circle r="33" fill="#f8e3a0" '
        f'stroke="{_DARK}" stroke-width="1.5"/>{petals}<circle r="10" fill="{_GOLD}" stroke="{_DARK}" '
        f'stroke-width="2"/>'
    )


def _cup() -> str:
    return (
        f'<path d="M-32-44H32C34-10 22 8 8 12V26C20 28 28 34 28 44H-28C-28 34-20 28-8 26V12C-22 8-34-10-32-44Z" '
        f'fill="{_GOLD}" stroke="{_DARK}" stroke-width="2.5"/><ellipse cx="0" cy="-44" rx="32" ry="8" fill="{_RED}" '
        f'stroke="{_DARK}" stroke-width="2.5"/><path d="M-29-22C-12-14 12-14 29-22L26-10C10-3-10-3-26-10Z" '
        f'fill="{_BLUE}"/><circle cy="19" r="6" fill="{_RED}" stroke="{_DARK}" stroke-width="1.5"/>'
    )


def _sword() -> str:
    """Upright, a hundred high."""
    return (
        f'<path d="M0-56L9-42V18H-9V-42Z" fill="#8fc3e8" stroke="{_DARK}" stroke-width="2.5"/>'
        f'<path d="M0-50V18" stroke="{_BLUE}" stroke-width="2.5"/>'
        f'<path d="M-26 12C-16 22 16 22 26 12V24C16 32-16 32-26 24Z" fill="{_GOLD}" stroke="{_DARK}" '
        f'stroke-width="2.5"/><rect x="-6" y="27" width="12" height="20" fill="{_RED}" stroke="{_DARK}" '
        f'stroke-width="2"/><circle cy="52" r="8" fill="{_GOLD}" stroke="{_DARK}" stroke-width="2.5"/>'
    )


def _club() -> str:
    """Upright, a hundred high: a knotty branch, thick above."""
    return (
        f'<path d="M-7 56C-9 20-22-8-16-40-12-60 12-60 16-40 22-8 9 20 7 56Z" fill="{_GREEN}" stroke="{_DARK}" '
        f'stroke-width="2.5"/><path d="M-4 50C-4 20-10-10-6-40" stroke="#7cbf5a" stroke-width="4" fill="none"/>'
        f'<path d="M-16-22l-12-8 4 16zM16-4l12-8-3 16zM-11 18l-11-4 6 13z" fill="{_GREEN}" stroke="{_DARK}" '
        f'stroke-width="2"/><ellipse cy="-46" rx="9" ry="5" fill="#d9a441" stroke="{_DARK}" stroke-width="1.5"/>'
    )


_SUITS = {"d": _coin, "c": _cup, "s": _sword, "b": _club}


def _pips(suit: str, count: int) -> str:
    if suit in "sb":
        return _staves(suit, count)
    scale = 0.84 if count <= 5 else 0.74
    return "".join(_at(_SUIT, x, y, scale) for x, y in _PLACES[count])


def _staves(suit: str, count: int) -> str:
    """Swords and clubs stand upright in rows, as on the Neapolitan cards."""
    if suit == "b" and count == 3:
        crossed = _at(_club(), 120, 192, 2.5, 32) + _at(_club(), 120, 192, 2.5, -32) + _at(_club(), 120, 192, 2.6)
        return crossed + _at(_mask(), 120, 200, 1.25)
    scale = {2: 1.35, 3: 1.05, 4: 1.25, 5: 1.0, 6: 0.95, 7: 0.9}[count]
    return "".join(_at(_SUIT, x, y, scale) for x, y in _PLACES[count])


def _mask() -> str:
    """The moustached face on the three of clubs."""
    return (
        f'<ellipse rx="33" ry="36" fill="{_SKIN}" stroke="{_DARK}" stroke-width="2.5"/>'
        f'<path d="M-33-8C-36-36-14-46 0-38 14-46 36-36 33-8 22-22-22-22-33-8Z" fill="{_RED}" stroke="{_DARK}" '
        f'stroke-width="2"/><circle cx="-12" cy="-4" r="4" fill="{_DARK}"/><circle cx="12" cy="-4" r="4" '
        f'fill="{_DARK}"/><path d="M-20-13q8-5 15 0M5-13q8-5 15 0" stroke="{_DARK}" stroke-width="3" fill="none"/>'
        f'<path d="M0-2l-5 12h10z" fill="#dba877"/><path d="M0 14C-10 8-26 12-34 2-32 20-12 24 0 18 12 24 32 20 34 2 '
        f'26 12 10 8 0 14Z" fill="{_DARK}"/><path d="M-8 25q8 5 16 0" stroke="{_RED}" stroke-width="3" fill="none"/>'
    )


def _ace(suit: str) -> str:
    if suit == "d":
        return _eagle()
    if suit == "c":
        return _at(_cup(), 120, 205, 2.35) + _wreath()
    scale = 2.5
    return _at(_SUITS[suit](), 120, 192, scale) + (_hand() if suit == "s" else "")


def _wreath() -> str:
    return "".join(
        f'<ellipse cx="{120 + 92 * math.cos(a):.1f}" cy="{330 - 36 * math.sin(a):.1f}" rx="11" ry="6" fill="{_GREEN}" '
        f'transform="rotate({-40 * math.cos(a):.0f} {120 + 92 * math.cos(a):.1f} {330 - 36 * math.sin(a):.1f})"/>'
        for a in [k * math.pi / 8 for k in range(-8, 1)]
    )


def _hand() -> str:
    return (
        f'<path d="M92 268C92 254 148 254 148 268V296C148 306 92 306 92 296Z" fill="{_SKIN}" stroke="{_DARK}" '
        f'stroke-width="2.5"/><path d="M92 276H148M92 285H148" stroke="{_DARK}" stroke-width="1.5"/>'
    )


def _eagle() -> str:
    wing = (
        f'<path d="M120 150C92 96 44 92 26 120 40 122 44 130 42 138 32 142 28 152 30 162 42 158 50 164 50 172 42 180 42 '
        f'192 48 200 58 192 70 192 76 200 74 214 80 224 90 228L120 214Z" fill="#4a3a2a" stroke="{_DARK}" '
        f'stroke-width="2.5"/><path d="M60 120C80 128 96 142 108 164M52 152C72 154 88 164 100 182M62 184C76 182 88 190 '
        f'96 200" stroke="{_GOLD}" stroke-width="3" fill="none"/>'
    )
    head = (
        f'<path d="M118 150C112 128 108 114 96 104 84 98 74 104 68 114 78 110 84 114 88 120 100 130 104 140 106 154Z" '
        f'fill="#4a3a2a" stroke="{_DARK}" stroke-width="2.5"/><circle cx="90" cy="110" r="3" fill="{_GOLD}"/>'
        f'<path d="M68 114l-8 6 12 2z" fill="{_GOLD}"/>'
    )
    other = f'<g transform="translate(240 0) scale(-1 1)">{wing}{head}</g>'
    tail = (
        f'<path d="M104 236L92 316 108 306 120 326 132 306 148 316 136 236Z" fill="#4a3a2a" stroke="{_DARK}" '
        f'stroke-width="2.5"/><path d="M112 250L108 300M128 250L132 300M120 250V312" stroke="{_GOLD}" stroke-width="3"/>'
    )
    crown = (
        f'<path d="M98 92L94 62 108 74 120 54 132 74 146 62 142 92Z" fill="{_GOLD}" stroke="{_DARK}" '
        f'stroke-width="2.5"/><circle cx="120" cy="52" r="5" fill="{_RED}"/>'
    )
    return wing + head + other + tail + crown + _at(_coin(), 120, 200, 1.15)


def _emblem(suit: str, x: float, y: float, scale: float = 0.85) -> str:
    return _at(_SUITS[suit](), x, y, scale)


def _robe(suit: str) -> tuple[str, str]:
    return {"d": (_RED, _BLUE), "c": (_BLUE, _RED), "s": (_GREEN, _RED), "b": (_RED, _GREEN)}[suit]


def _face(x: float, y: float, hair: str, beard: bool) -> str:
    chin = (
        f'<path d="M-17 4C-17 34 17 34 17 4 10 14-10 14-17 4Z" fill="{hair}" stroke="{_DARK}" stroke-width="1.5"/>'
        if beard
        else '<path d="M-5 12q5 3 10 0" stroke="#a23b3b" stroke-width="2.5" fill="none"/>'
    )
    inside = (
        f'<path d="M-21-2C-24-28 24-28 21-2L22 14C14 18-14 18-22 14Z" fill="{hair}"/>'
        f'<ellipse rx="17" ry="21" fill="{_SKIN}" stroke="{_DARK}" stroke-width="2"/>'
        f'<path d="M-9-3q4-3 7 0M2-3q4-3 7 0" stroke="{_DARK}" stroke-width="2" fill="none"/>'
        f'<path d="M0-1l-3 7h4" stroke="{_DARK}" stroke-width="1.5" fill="none"/>{chin}'
    )
    return _at(inside, x, y)


def _fante(suit: str) -> str:
    """The knave: a young man on foot, in tunic and hose."""
    tunic, hose = _robe(suit)
    return (
        f'<path d="M100 236L94 336H84V346H114V336L120 250 126 336V346H156V336H146L140 236Z" fill="{hose}" '
        f'stroke="{_DARK}" stroke-width="2.5"/><path d="M84 150C90 132 150 132 156 150L164 246C140 258 100 258 76 246Z" '
        f'fill="{tunic}" stroke="{_DARK}" stroke-width="2.5"/><path d="M78 212H162" stroke="{_GOLD}" '
        f'stroke-width="8"/><path d="M120 140V212" stroke="{_GOLD}" stroke-width="5" stroke-dasharray="2 8"/>'
        f'<path d="M86 152C66 170 58 190 62 206L76 204C76 190 84 178 92 172Z" fill="{tunic}" stroke="{_DARK}" '
        f'stroke-width="2.5"/><path d="M154 152C174 160 182 150 178 130L164 130C166 142 160 146 150 142Z" fill="{tunic}" '
        f'stroke="{_DARK}" stroke-width="2.5"/><circle cx="171" cy="126" r="9" fill="{_SKIN}" stroke="{_DARK}" '
        f'stroke-width="2"/>{_face(120, 108, "#7a4a1c", False)}<path d="M94 94C92 72 148 70 147 94 132 86 108 86 94 94Z" '
        f'fill="{hose}" stroke="{_DARK}" stroke-width="2.5"/><path d="M140 82C156 58 170 64 168 74 160 80 152 84 144 '
        f'90Z" fill="{_GOLD}" stroke="{_DARK}" stroke-width="1.5"/>{_emblem(suit, 178, 84, 0.74)}'
    )


def _cavallo(suit: str) -> str:
    """The knight: a rider on a stepping horse."""
    tunic, cloth = _robe(suit)
    horse = (
        f'<path d="M52 206C48 184 40 172 28 174 22 168 22 158 30 152L50 132 52 120 62 130C84 140 92 166 98 190H168C196 '
        f"190 206 210 204 236L208 276C200 272 196 262 194 250L190 270 198 338H182L170 276C150 284 124 284 104 276L96 "
        f'338H80L84 276 64 300 70 324H54L46 292 74 258C60 244 54 226 52 206Z" fill="#fbf7ee" stroke="{_DARK}" '
        f'stroke-width="2.5"/><path d="M62 130C80 138 92 160 96 188L84 186C82 164 74 146 62 138Z" fill="#8a5a22"/>'
        f'<circle cx="47" cy="148" r="3" fill="{_DARK}"/><path d="M204 214C222 226 220 260 212 282 206 262 206 242 200 '
        f'226Z" fill="#8a5a22" stroke="{_DARK}" stroke-width="1.5"/><path d="M34 160C56 166 74 178 92 196" '
        f'stroke="{_RED}" stroke-width="4" fill="none"/><path d="M108 190H164L160 232C144 240 126 240 112 232Z" '
        f'fill="{cloth}" stroke="{_DARK}" stroke-width="2.5"/>'
    )
    rider = (
        f'<path d="M110 128C114 114 156 114 160 128L166 204H106Z" fill="{tunic}" stroke="{_DARK}" stroke-width="2.5"/>'
        f'<path d="M124 200L116 256 104 262 106 270H128L142 204Z" fill="{tunic}" stroke="{_DARK}" stroke-width="2.5"/>'
        f'<path d="M114 132C98 144 92 164 96 178L108 176C108 164 112 156 120 150Z" fill="{tunic}" stroke="{_DARK}" '
        f'stroke-width="2.5"/><path d="M106 186H166" stroke="{_GOLD}" stroke-width="7"/>'
        f'{_face(135, 88, "#7a4a1c", False)}<path d="M110 74C108 52 164 52 161 74 146 66 124 66 110 74Z" fill="{cloth}" '
        f'stroke="{_DARK}" stroke-width="2.5"/><path d="M154 130C176 132 182 120 178 106L166 108C168 116 162 120 152 '
        f'118Z" fill="{tunic}" stroke="{_DARK}" stroke-width="2.5"/><circle cx="172" cy="102" r="8" fill="{_SKIN}" '
        f'stroke="{_DARK}" stroke-width="2"/>'
    )
    return horse + rider + _emblem(suit, 190, 72, 0.74)


def _re(suit: str) -> str:
    """The king: crowned and bearded, in a long robe and mantle."""
    robe, mantle = _robe(suit)
    return (
        f'<path d="M72 150C84 128 156 128 168 150L198 346H42Z" fill="{mantle}" stroke="{_DARK}" stroke-width="2.5"/>'
        f'<path d="M92 146C100 134 140 134 148 146L162 346H78Z" fill="{robe}" stroke="{_DARK}" stroke-width="2.5"/>'
        f'<path d="M78 346L80 326H160L162 346Z" fill="{_GOLD}" stroke="{_DARK}" stroke-width="2"/>'
        f'<path d="M120 150V326" stroke="{_GOLD}" stroke-width="7"/><path d="M86 226H154" stroke="{_GOLD}" '
        f'stroke-width="9"/><path d="M74 150C98 176 142 176 166 150L158 138C140 152 100 152 82 138Z" fill="#fbf7ee" '
        f'stroke="{_DARK}" stroke-width="2"/><g fill="{_DARK}"><circle cx="92" cy="156" r="2.5"/><circle cx="108" '
        f'cy="163" r="2.5"/><circle cx="132" cy="163" r="2.5"/><circle cx="148" cy="156" r="2.5"/></g>'
        f'<path d="M164 156C186 160 190 144 184 122L170 124C174 138 168 144 156 142Z" fill="{robe}" stroke="{_DARK}" '
        f'stroke-width="2.5"/><circle cx="177" cy="118" r="9" fill="{_SKIN}" stroke="{_DARK}" stroke-width="2"/>'
        f'{_face(120, 106, "#8b8680", True)}<path d="M94 90L88 54 106 72 120 46 134 72 152 54 146 90C132 84 108 84 94 '
        f'90Z" fill="{_GOLD}" stroke="{_DARK}" stroke-width="2.5"/><circle cx="120" cy="44" r="6" fill="{_RED}"/>'
        f'<circle cx="88" cy="52" r="5" fill="{_BLUE}"/><circle cx="152" cy="52" r="5" fill="{_BLUE}"/>'
        f"{_emblem(suit, 184, 76, 0.74)}"
    )


_FIGURES = {"8": _fante, "9": _cavallo, "10": _re}


def sheet(inside: str, label: str, paper: str = "#fffaf0") -> str:
    """A card of this deck with a drawing on it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{label}</title>'
        f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="16" fill="{paper}" stroke="#b9a98a" '
        f'stroke-width="3"/>{inside}</svg>'
    )


def italian_face(card: str) -> str:
    """The face of a card such as `3d` or `10c`."""
    rank, suit = card[:-1], card[-1]
    if rank in _FIGURES:
        picture = f'<g transform="translate(12 12) scale(.93)">{_FIGURES[rank](suit)}</g>'
    elif rank == "A":
        picture = f'<g transform="translate(10 10) scale(.92)">{_ace(suit)}</g>'
    else:
        picture = f'<g transform="translate(6 6) scale(.95)">{_pips(suit, int(rank))}</g>'
    corner = (
        f'<g id="i"><rect x="8" y="8" width="50" height="84" rx="9" fill="#fffaf0" opacity=".93"/>'
        f'<text x="33" y="52" font-family="{_FONT}" font-size="50" font-weight="700" text-anchor="middle" '
        f'fill="{_INK[suit]}">{_NUMBERS.get(rank, rank)}</text>{_at(_SUIT, 33, 76, 0.28)}</g>'
    )
    turned = f'<use href="#i" transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})"/>'
    drawn_once = f'<defs><g id="s">{_SUITS[suit]()}</g></defs>'
    return sheet(drawn_once + picture + corner + turned, card)
