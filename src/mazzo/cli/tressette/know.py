"""`mazzo tressette know`: who holds what, who cannot, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.common import as_json, command, print_json, print_table

if TYPE_CHECKING:
    from mazzo.tressette.reasoning import Knowledge
    from mazzo.tressette.view import View

__all__ = ["know"]


@command(
    'mazzo tressette know "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d"',
    'mazzo tressette know "me Ad 4d 5d 6d 2c 4c 5c As 4s 5s; avv1 napoli; lead avv1" --json',
)
@click.argument("text")
@click.option("--no-silence", is_flag=True, help="Draw no conclusion from what was not declared.")
@as_json
def know(text: str, no_silence: bool, as_json: bool) -> None:
    """Print what is known of the hidden cards, with reasons.

    TEXT describes the round.
    TEXT holds parts separated by semicolons: `me` and the ten cards dealt; for each of avv1 (who plays after me),
    compagno and avv2 who declared, its name and `napoli`, `bongioco 2 without c` or `corona A`; `lead` and who led
    the first trick; `play` and the cards in order. Cards are a rank (4 5 6 7 8 9 10 A 2 3) and a suit (d c s b).
    """
    from mazzo.tressette.deals.sample import hold_counts
    from mazzo.tressette.reasoning import knowledge as known_of

    knowledge = known_of(text, silence=not no_silence)
    view = knowledge.view
    total, holds = hold_counts(view.observe(), silence=not no_silence)
    chances = {place: holds[0, place] / total[0] for place in (1, 2, 3)}
    if as_json:
        print_json(_as_data(view, knowledge, int(total[0]), chances))
        return
    click.echo(f"{int(total[0]):,} deals agree with what was seen.")
    click.echo(f"My hand: {knowledge.my_hand}.")
    masters = " ".join(str(card) for place, card in sorted(knowledge.masters) if place == 0)
    click.echo(f"My masters: {masters or 'none'}.")
    if knowledge.holds_trick is not None:
        click.echo(f"{view.names[knowledge.holds_trick]} holds the trick.")
    for deduction in knowledge.deductions():
        click.echo(str(deduction))
    click.echo("\nChance that each holds a card (%):")
    print_table(["", *view.names[1:]], _chance_rows(view, chances))


def _unseen(view: View) -> list[Any]:
    from mazzo.cards import ITALIAN

    seen = {*view.hand(), *(card for _, card in view.plays)}
    return [card for card in ITALIAN if card not in seen]


def _chance_rows(view: View, chances: dict[int, Any]) -> list[list[str]]:
    return [[str(card), *(f"{100 * chances[place][card]:.1f}" for place in (1, 2, 3))] for card in _unseen(view)]


def _as_data(view: View, knowledge: Knowledge, deals: int, chances: dict[int, Any]) -> dict[str, Any]:
    deductions = [
        {
            "kind": d.kind,
            "player": d.place,
            "cards": [str(card) for card in d.cards],
            "suit": d.suit or None,
            "excluded_by": [str(card) for card in d.excluded_by],
            "reason": d.reason,
        }
        for d in knowledge.deductions()
    ]
    holders = {
        str(card): {
            view.names[place]: {"status": knowledge.status(place, card), "p_holds": float(chances[place][card])}
            for place in (1, 2, 3)
        }
        for card in _unseen(view)
    }
    return {
        "round": view.text(),
        "consistent_deals": deals,
        "my_hand": {
            "kinds": {kind: [str(card) for card in cards] for kind, cards in knowledge.my_hand.kinds.items()},
            "points": knowledge.my_hand.thirds / 3,
            "pieces": [str(card) for card in knowledge.my_hand.pieces],
            "declares": list(knowledge.my_hand.declares),
            "a_monte": knowledge.my_hand.a_monte,
        },
        "my_masters": [str(card) for place, card in sorted(knowledge.masters) if place == 0],
        "voids": [[view.names[place], suit] for place, suit in _voids(knowledge)],
        "deductions": deductions,
        "cards": holders,
    }


def _voids(knowledge: Knowledge) -> list[tuple[int, str]]:
    from mazzo.cards import ITALIAN

    return [(place, ITALIAN.suit_names[suit]) for place, suit in sorted(knowledge.voids)]
