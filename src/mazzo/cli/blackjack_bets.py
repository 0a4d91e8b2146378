"""`mazzo blackjack ...`: what to bet. Shoes, compositions, staking, counting, a drill."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.blackjack import changes, read_setting, rules_name
from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed, workers
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.arena.statistics import Estimate
    from mazzo.blackjack.bets.betting import Performance, Stakes
    from mazzo.blackjack.bets.estimate import Figures

__all__ = ["bet", "count", "drill", "independent", "shoes", "traverse"]

_count_name = click.option(
    "--count", "count_name", default="hi-lo", show_default=True, metavar="NAME|TAGS",
    help="hi-lo, ko, hi-opt-1, omega-2, zen, wong-halves, or ten tags of A,2,..,9,T.",
)  # fmt: skip


def _interval(estimate: Estimate, digits: int = 6) -> str:
    low, high = estimate.ci95
    return f"{low:+.{digits}f} .. {high:+.{digits}f}"


@command("mazzo blackjack independent", "mazzo blackjack independent --bets 10 --games 1000000 --json")
@click.option("--bets", type=click.IntRange(1, 40), default=10, show_default=True, help="Doubled bets in a row.")
@click.option("--games", type=click.IntRange(min=1000), default=200_000, show_default=True, help="Sequences played.")
@seed
@as_json
def independent(bets: int, games: int, seed: int, as_json: bool) -> None:
    """Why staking cannot beat independent games: roulette, doubling up, and other systems."""
    from mazzo.blackjack.bets.independent_games import doubling, staking_systems

    found, systems = doubling(bets, games, seed), staking_systems(max(games // 10, 1000), 200, seed)
    if as_json:
        print_json({"edge": -1 / 37, "doubling": {"bets": bets, "expected": found.expected, "p_ruin": found.p_ruin,
                    "played": found.played.mean, "ci95": list(found.played.ci95)}, "seed": seed,
                    "systems": [{"system": s.system, "per_unit": s.per_unit.mean, "ci95": list(s.per_unit.ci95),
                                 "mean_stake": s.mean_stake, "deviation": s.deviation} for s in systems]})  # fmt: skip
        return
    click.echo(f"a unit on any numbers of the wheel earns -1/37 = {-1 / 37:.6f}")
    click.echo(
        f"doubling up at most {bets} times on red: 1-(1+1/37)^{bets} = {found.expected:.4f}, lost with chance "
        f"{found.p_ruin:.5f}; {games} played: {found.played.mean:.4f}, 95 % {_interval(found.played, 4)}"
    )
    print_table(
        ("system", "a unit staked earns", "95 %", "mean stake", "deviation of an evening"),
        [(s.system, f"{s.per_unit.mean:+.5f}", _interval(s.per_unit, 5), f"{s.mean_stake:.2f}", f"{s.deviation:.1f}")
         for s in systems],
    )  # fmt: skip


def _show_figures(figures: Figures) -> None:
    rows = [
        ("E_pos", f"{figures.positive.mean:+.6f}", _interval(figures.positive)),
        ("E_neg", f"{figures.negative.mean:+.6f}", _interval(figures.negative)),
        ("favourable rounds", f"{figures.favourable.mean:.4f}", _interval(figures.favourable, 4)),
        ("break-even ratio of bets", f"{figures.break_even:.4f}", ""),
    ]
    if figures.won:
        rows += [("won when favourable", f"{figures.won[0].mean:+.6f}", _interval(figures.won[0])),
                 ("won when not", f"{figures.won[1].mean:+.6f}", _interval(figures.won[1]))]  # fmt: skip
    print_table(("a round", "value", "95 %"), rows)
    print_table(
        ("cards gone", "rounds", "E_pos", "E_neg", "favourable"),
        [(f"{d['cards_gone_from']:.0f}-{d['cards_gone_to']:.0f}", f"{d['rounds']:.0f}", f"{d['positive']:+.5f}",
          f"{d['negative']:+.5f}", f"{d['favourable']:.3f}") for d in figures.by_depth],
    )  # fmt: skip
    click.echo(f"{figures.rounds} rounds, {figures.exact} of them counted exactly; the fast values alone would be off "
               f"by {figures.guess_bias[0]:+.6f} and {figures.guess_bias[1]:+.6f}")  # fmt: skip


@command(
    "mazzo blackjack shoes --rules hungarian --shoes 20000 --workers 2",
    "mazzo blackjack shoes --rules hungarian --set insurance=false --depth 250 --rounds 1000000 --exact 600",
    "mazzo blackjack shoes --set penetration=0.85 --seats 5 --checkpoint shoes.jsonl --json",
)
@rules_name
@changes
@click.option("--shoes", "amount", type=click.IntRange(min=40), default=4000, show_default=True, help="Shoes to play.")
@click.option("--seats", type=click.IntRange(1, 7), default=1, show_default=True, help="Players at the table.")
@click.option("--depth", type=click.IntRange(min=0), help="Instead: rounds after 0 to so many cards, all as likely.")
@click.option("--rounds", type=click.IntRange(min=40), default=400_000, show_default=True, help="Rounds for --depth.")
@click.option("--control", type=click.Choice(["infinite", "linear"]), default="infinite", show_default=True,
              help="The fast value for --depth; the answer does not depend on it.")  # fmt: skip
@click.option("--exact", type=click.IntRange(min=40), default=400, show_default=True, help="Rounds counted exactly.")
@click.option("--checkpoint", type=click.Path(dir_okay=False, path_type=Path), help="Keep what is done; go on from it.")
@seed
@workers
@as_json
@quiet
def shoes(
    rules_name: str, changes: tuple[str, ...], amount: int, seats: int, depth: int | None, rounds: int, control: str,
    exact: int, checkpoint: Path | None, seed: int, workers: int, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """What favourable and unfavourable rounds are worth over whole shoes, played at their best."""
    from mazzo.blackjack.bets.estimate import depth_figures, shoe_figures

    rules, _ = read_setting(rules_name, changes, None)
    blocks = 40
    with progress("blocks", blocks, quiet) as advance:
        options: dict[str, Any] = {"blocks": blocks, "workers": workers, "checkpoint": checkpoint, "advance": advance}
        if depth is None:
            figures = shoe_figures(rules, amount, exact, seed, seats=seats, **options)
        else:
            figures = depth_figures(rules, depth, rounds, exact, seed, control=control, **options)
    if as_json:
        print_json({**figures.as_dict(), "seed": seed, "seats": seats, "depth": depth, "rules": rules.as_dict()})
        return
    _show_figures(figures)


def _numbers(text: str) -> range:
    first, dash, last = text.partition("-")
    try:
        numbers = range(int(first), int(last if dash else first) + 1)
    except ValueError:
        numbers = range(0)
    if not numbers or numbers.start < 0:
        raise UnreadableError(f"cannot read the numbers of cards {text!r}: write 12 or 1-20")
    return numbers


@command(
    "mazzo blackjack traverse --ranks 13 --each 16 --cards 1-20",
    "mazzo blackjack traverse --cards 8 --way best-first --mass 0.9",
    "mazzo blackjack traverse --value --rules hungarian --cards 1-2 --mass 1",
)
@click.option("--ranks", type=click.IntRange(min=1), default=13, show_default=True, help="Ranks (l).")
@click.option("--each", type=click.IntRange(min=1), default=16, show_default=True, help="Cards of each rank (n).")
@click.option("--cards", default="1-12", show_default=True, help="Cards gone (K): a number or a range.")
@click.option("--mass", type=click.FloatRange(0, 1, min_open=True), default=0.95, show_default=True,
              help="Probability to visit.")  # fmt: skip
@click.option("--way", type=click.Choice(["distance", "best-first"]), default="distance", show_default=True)
@click.option("--value", is_flag=True, help="E_pos and E_neg of blackjack after those cards, by --rules.")
@click.option("--informed", is_flag=True, help="With --value: splits at their best at every level, a bound.")
@click.option("--exact", type=click.IntRange(min=1), default=200, show_default=True, help="Exact values a K.")
@rules_name
@changes
@seed
@workers
@as_json
@quiet
def traverse(
    ranks: int, each: int, cards: str, mass: float, way: str, value: bool, informed: bool, exact: int, rules_name: str,
    changes: tuple[str, ...], seed: int, workers: int, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Visit the compositions of a shoe, the likely ones first: how many there are, and what they are worth."""
    numbers = _numbers(cards)
    if value:
        _traverse_values(numbers, mass, exact, informed, rules_name, changes, seed, workers, as_json, quiet)
        return
    rows = []
    with progress("cards", len(numbers), quiet) as advance:
        for gone in numbers:
            rows.append(_visited(each, ranks, gone, mass, way))
            advance(1)
    if as_json:
        print_json({"ranks": ranks, "each": each, "mass": mass, "way": way, "rows": rows})
        return
    print_table(
        ("K", "bases", "states", "visited", "share", "seconds"),
        [(r["cards"], r["bases"] or "", r["states"], r["visited"], f"{100 * r['share']:.1f} %", f"{r['seconds']:.3f}")
         for r in rows],
    )  # fmt: skip
    click.echo(f"{sum(r['visited'] for r in rows)} probabilities in {sum(r['seconds'] for r in rows):.2f} s")


def _visited(each: int, ranks: int, gone: int, mass: float, way: str) -> dict[str, Any]:
    from time import perf_counter

    from mazzo.blackjack.bets.best_first import best_first
    from mazzo.blackjack.bets.traversal import state_space
    from mazzo.blackjack.bets.traversal import traverse as visit

    if way == "distance":
        found = visit(each, ranks, gone, mass)
        return {"cards": gone, "bases": found.bases, "distance": found.distance, "states": found.states,
                "visited": found.combinations, "share": found.share, "mass": found.mass,
                "seconds": found.seconds}  # fmt: skip
    states, began = state_space(each, ranks, gone), perf_counter()
    sizes = [(len(chances), float(chances.sum())) for _, chances in best_first((each,) * ranks, gone, mass)]
    visited = sum(size for size, _ in sizes)
    return {"cards": gone, "bases": None, "distance": None, "states": states, "visited": visited,
            "share": visited / states, "mass": sum(m for _, m in sizes), "seconds": perf_counter() - began}  # fmt: skip


def _traverse_values(
    numbers: range, mass: float, exact: int, informed: bool, rules_name: str, changes: tuple[str, ...], seed: int,
    workers: int, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    from mazzo.blackjack.bets.traversal_value import value_after

    rules, _ = read_setting(rules_name, changes, None)
    found = []
    with progress("exact values", exact * len(numbers), quiet) as advance:
        for gone in numbers:
            found.append(value_after(rules, gone, mass, exact, seed, informed=informed, workers=workers,
                                     advance=advance))  # fmt: skip
    if as_json:
        print_json({"rows": [{"cards": f.cards, "combinations": f.combinations, "compositions": f.compositions,
                              "mass": f.mass, "exact": f.exact, "positive": f.positive.mean,
                              "positive_error": f.positive.standard_error, "negative": f.negative.mean,
                              "negative_error": f.negative.standard_error} for f in found],
                    "seed": seed, "informed": informed, "rules": rules.as_dict()})  # fmt: skip
        return
    print_table(
        ("K", "combinations", "tens as one", "mass", "exact", "E_pos", "+-", "E_neg", "+-"),
        [(f.cards, f.combinations, f.compositions, f"{f.mass:.4f}", f.exact, f"{f.positive.mean:+.9f}",
          f"{1.96 * f.positive.standard_error:.6f}", f"{f.negative.mean:+.9f}",
          f"{1.96 * f.negative.standard_error:.6f}") for f in found],
    )  # fmt: skip


def _stakes(kind: str, low: float, high: float, fraction: float, bankroll: float, ramp: str | None) -> Stakes:
    from mazzo.blackjack.bets.betting import Kelly, MinMax, read_ramp

    if kind == "ramp":
        if ramp is None:
            raise UnreadableError("a ramp needs its steps: --ramp 0:10,1:20,2:50,3:100 (true count:bet)")
        return read_ramp(ramp)
    return Kelly(bankroll, fraction, low, high) if kind == "kelly" else MinMax(low, high)


def _performance(found: Performance) -> dict[str, Any]:
    return {"won_a_round": found.mean.mean, "ci95": list(found.mean.ci95), "deviation": found.deviation,
            "average_bet": found.average_bet, "hourly": found.hourly, "n0": found.n0, "score": found.score,
            "risk_of_ruin": found.ruin, "growth_a_round": found.growth, "hours_to_double": found.hours_to_double,
            "simulated_a_round": found.simulated.mean, "rounds": found.rounds}  # fmt: skip


@command(
    "mazzo blackjack bet --bankroll 10000 --min 10 --max 200",
    "mazzo blackjack bet --staking kelly --fraction 0.5 --bankroll 20000 --min 10 --max 500 --set penetration=0.85",
    "mazzo blackjack bet --staking ramp --ramp 0:10,1:20,2:50,3:100 --count hi-lo --json",
)
@rules_name
@changes
@click.option("--staking", type=click.Choice(["minmax", "kelly", "ramp"]), default="minmax", show_default=True)
@click.option("--bankroll", type=float, default=10_000.0, show_default=True)
@click.option("--min", "low", type=float, default=10.0, show_default=True, help="The table's smallest bet.")
@click.option("--max", "high", type=float, default=200.0, show_default=True, help="Its largest.")
@click.option("--fraction", type=float, default=1.0, show_default=True, help="Of Kelly's stake.")
@click.option("--ramp", metavar="STEPS", help="True count:bet, with commas.")
@_count_name
@click.option("--shoes", "amount", type=click.IntRange(min=20), default=2000, show_default=True, help="Shoes to play.")
@click.option("--seats", type=click.IntRange(1, 7), default=1, show_default=True, help="Players at the table.")
@click.option("--per-hour", type=click.FloatRange(min=1), default=80.0, show_default=True, help="Rounds an hour.")
@click.option("--hours", type=click.FloatRange(min=1), default=1000.0, show_default=True, help="For simulated ruin.")
@seed
@as_json
@quiet
def bet(
    rules_name: str, changes: tuple[str, ...], staking: str, bankroll: float, low: float, high: float, fraction: float,
    ramp: str | None, count_name: str, amount: int, seats: int, per_hour: float, hours: float, seed: int,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """What a way of betting earns and risks: for a bankroll, table limits and penetration."""
    from mazzo.blackjack.bets.betting import measure, simulated_ruin
    from mazzo.blackjack.bets.counting import read_count
    from mazzo.blackjack.bets.shoes import play_shoes

    rules, _ = read_setting(rules_name, changes, None)
    stakes = _stakes(staking, low, high, fraction, bankroll, ramp)
    note(f"playing {amount} shoes", quiet or as_json)
    played = play_shoes(rules, range(amount), seed, seats)
    found, totals, lowest = measure(rules, played, stakes, read_count(count_name), bankroll, per_hour)
    enough = max(1, round(hours * per_hour * amount / found.rounds))
    share, (least, most) = simulated_ruin(totals, lowest, bankroll, enough, 2000, seed)
    if as_json:
        print_json({**_performance(found), "simulated_ruin": share, "simulated_ruin_ci95": [least, most],
                    "hours": hours, "bankroll": bankroll, "seed": seed, "rules": rules.as_dict()})  # fmt: skip
        return
    print_table(("what", "value"), [
        ("won a round", f"{found.mean.mean:+.4f} (95 % {_interval(found.mean, 4)})"),
        ("standard deviation of a round", f"{found.deviation:.2f}"),
        ("average bet", f"{found.average_bet:.2f}"),
        ("won an hour", f"{found.hourly:+.2f}"),
        ("N0, rounds", f"{found.n0:.0f}"),
        ("SCORE", f"{found.score:.2f}"),
        ("risk of ruin, formula, for ever", f"{100 * found.ruin:.2f} %"),
        (f"risk of ruin, simulated, {hours:g} hours", f"{100 * share:.2f} % ({100 * least:.2f} .. {100 * most:.2f})"),
        ("growth a round, bets in proportion", f"{found.growth:+.3e}"),
        ("hours to double at the mean", f"{found.hours_to_double:.0f}"),
    ])  # fmt: skip


@command(
    "mazzo blackjack count", "mazzo blackjack count --count omega-2 --indices",
    "mazzo blackjack count --count=-1,1,1,1,1,1,1,0,0,-1 --json",
)  # fmt: skip
@rules_name
@changes
@_count_name
@click.option("--indices", is_flag=True, help="The true counts from which other plays are better.")
@as_json
def count(rules_name: str, changes: tuple[str, ...], count_name: str, indices: bool, as_json: bool) -> None:
    """Effects of removal, how good counts are for betting, the best tags, and index plays."""
    from mazzo.blackjack.bets.counting import (
        COUNTS,
        best_tags,
        betting_correlation,
        effects_of_removal,
        index_plays,
        read_count,
    )
    from mazzo.blackjack.shoe import RANKS

    rules, _ = read_setting(rules_name, changes, None)
    mine = read_count(count_name)
    effects = effects_of_removal(rules)
    rated = [*COUNTS.values(), *([] if mine.name in COUNTS else [mine])]
    rated += [best_tags(effects.effects, level) for level in (1, 2, 3)]
    lines = [(c.name, c.tags, betting_correlation(c.tags, effects.effects), c.imbalance) for c in rated]
    plays = list(index_plays(rules, mine)) if indices else []
    percent = dict(zip(RANKS, (100 * effects.effects).tolist(), strict=True))
    if as_json:
        print_json({"ev": effects.ev, "effects_percent": percent, "rules": rules.as_dict(), "count": mine.name,
                    "counts": [{"name": n, "tags": list(t), "betting_correlation": bc, "imbalance": im}
                               for n, t, bc, im in lines],
                    "indices": [vars(play) for play in plays]})  # fmt: skip
        return
    print_table(("effect of removal, %", *RANKS), [("", *(f"{v:+.4f}" for v in percent.values()))])
    print_table(
        ("count", "tags A 2 .. 9 T", "betting correlation", "a deck counts"),
        [(n, " ".join(f"{t:g}" for t in tags), f"{bc:.4f}", f"{im:+g}") for n, tags, bc, im in lines],
    )
    if plays:
        print_table(
            ("situation", "from the index up", "below", f"true count ({mine.name})"),
            [(p.situation, p.high, p.low, f"{p.index:+.1f}") for p in plays],
        )


@command(
    "mazzo blackjack drill", "mazzo blackjack drill --count omega-2 --handful 5 --groups 20 --true",
)  # fmt: skip
@_count_name
@click.option("--decks", type=click.IntRange(1, 8), default=6, show_default=True)
@click.option("--handful", type=click.IntRange(1, 26), default=3, show_default=True, help="Cards at a time.")
@click.option("--groups", type=click.IntRange(min=1), default=20, show_default=True, help="Handfuls to count.")
@click.option("--true", "per_deck", is_flag=True, help="Ask for the true count (per deck left) instead.")
@seed
def drill(count_name: str, decks: int, handful: int, groups: int, per_deck: bool, seed: int) -> None:
    """Practise a count: cards go by, you keep the count. q or Ctrl-C stops; nothing is kept."""
    from mazzo.blackjack.bets.counting import read_count
    from mazzo.blackjack.bets.drill import Drill

    practice = Drill(read_count(count_name), decks, handful, seed)
    for _ in range(groups):
        if practice.over or not _ask(practice, per_deck):
            break
    if practice.asked:
        share = 100 * practice.right / practice.asked
        click.echo(f"{practice.right} of {practice.asked} right ({share:.0f} %)")


def _ask(practice: Any, per_deck: bool) -> bool:
    """One handful and the answer to it; False when the player has had enough."""
    click.echo(practice.deal())
    what = f"true count ({practice.decks_left:g} decks left)" if per_deck else "running count"
    while True:
        try:
            given = click.prompt(what, default="", show_default=False)
        except (click.Abort, EOFError):
            click.echo()
            return False
        if given.strip().lower() in ("q", "quit"):
            return False
        try:
            right = practice.answer(given.strip(), per_deck)
        except UnreadableError as wrong:
            click.echo(f"{wrong}; q stops")
            continue
        truth = practice.true if per_deck else practice.running
        click.echo("right" if right else f"no: {truth:+.2g}" if per_deck else f"no: {truth:+g}")
        return True
