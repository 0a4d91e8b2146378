"""`mazzo tressette match`: two agents over duplicate deals."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed, workers

__all__ = ["match"]


@command(
    "mazzo tressette match decision greedy --deals 10000",
    "mazzo tressette match decision-improved belief --deals 10000 --workers 2 --json",
    "mazzo tressette match decision:exact=true,losses=true greedy",
)
@click.argument("first")
@click.argument("second")
@click.option("--deals", type=click.IntRange(min=1), default=10_000, show_default=True, help="Each is played twice.")
@click.option("--named", is_flag=True, help="A declared napoli names its suit.")
@click.option("--talk", is_flag=True, help="Leaders may signal: busso, striscio, volo.")
@seed
@workers
@as_json
@quiet
def match(
    first: str, second: str, deals: int, named: bool, talk: bool, seed: int, workers: int, as_json: bool, quiet: bool
) -> None:
    """Let FIRST and SECOND play the same deals twice, with the pairs exchanged.

    Agents: random, greedy, decision, decision-improved, belief, belief-improved; parameters follow a colon.
    Points a deal are the first side's minus the second's, in whole points, declarations apart.
    """
    from mazzo.tressette.match import play_match

    with progress(f"{first} against {second}", deals, quiet) as advance:
        result = play_match(first, second, deals, seed, workers, named, talk, advance)
    if as_json:
        print_json(result.as_dict())
        return
    rows = [
        [
            player["name"],
            f"{player['points_per_deal']:+.3f}",
            f"{player['ci95'][0]:+.3f} .. {player['ci95'][1]:+.3f}",
            f"{player['points_per_round']:.2f}",
            f"{player['microseconds_per_decision']:.1f}",
        ]
        for player in result.as_dict()["players"]
    ]
    print_table(["agent", "points a deal", "95 % interval", "points a round", "µs a card"], rows)
    low, high = result.points.ci95
    verdict = "the interval holds zero: not decided" if low <= 0 <= high else "the interval excludes zero"
    note(f"{deals} deals, each played twice, seed {seed}; {verdict}.", quiet)
