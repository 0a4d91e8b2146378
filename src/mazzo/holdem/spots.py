"""Spots by name: solve one, answer a player that an agent plays, take one from a hand that is being played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import find_agent
from mazzo.holdem.beliefs import range_of
from mazzo.holdem.hand import Hand
from mazzo.holdem.rules import Rules
from mazzo.holdem.solver.spot.engine import Engine, Plan
from mazzo.holdem.solver.spot.kernels import ANSWER, VALUE
from mazzo.holdem.solver.spot.locks import Lock, play_by_policy, rows_of_policy
from mazzo.holdem.solver.spot.solution import InMemory, SpotSolution
from mazzo.holdem.solver.spot.solving import Run, SpotCost, check_fits, estimate, memory_limit, run, solution_of
from mazzo.holdem.solver.spot.spot import PLAYERS, STREETS, Spot, parse_spot, read_spot, weights_of

__all__ = [
    "DOUBT", "answer", "costs_of", "find_spot", "players_of_spot", "smaller_spot", "solution_of", "solve",
    "spot_before", "spot_of_hand", "street_before",
]  # fmt: skip

_MOST_ROWS = 20_000_000

DOUBT = 0.02
"""Of each decision in a hand that people play, how much is put down to chance: a model never has just their sizes."""


def find_spot(given: Spot | str | Path | Mapping[str, Any] | None = None, **keys: Any) -> Spot:
    """A spot from its file, its keys and values, or as it is; `bets="50%,100%"` and `raises` are for all streets."""
    if isinstance(given, Spot) and not keys:
        return given
    data: dict[str, Any] = {}
    if isinstance(given, Spot):
        data = given.as_dict() | {name: getattr(given, name) for name in PLAYERS if not given.texts.get(name)}
    elif isinstance(given, Mapping):
        data = dict(given)
    elif given is not None:
        data = read_spot(given).as_dict()
    for kind in ("bet", "raise", "donk"):
        if (sizes := keys.pop(f"{kind}s", None)) is not None:
            data |= {f"{street}_{kind}": sizes for street in STREETS if (street, kind) != ("flop", "donk")}
    return parse_spot({**data, **{key: value for key, value in keys.items() if value is not None}})


def solve(
    spot: Spot | str | Path | Mapping[str, Any] | None = None,
    *,
    to: float = 0.3,
    rounds: int = 5000,
    method: str = "dcfr",
    precise: bool = False,
    packed: bool = False,
    workers: int = 1,
    memory: int | None = None,
    locks: Sequence[Lock] = (),
    oop_plays: str | Agent[Any] | None = None,
    ip_plays: str | Agent[Any] | None = None,
    progress: Callable[[Run], None] = lambda found: None,
    told: Callable[[SpotCost], None] = lambda found: None,
    **keys: Any,
) -> SpotSolution:
    """Solve a spot after the flop: two ranges, a board, a pot, stacks and bet sizes.

    Args:
        spot: A spot, its file (JSON or TOML), or its keys and values; or give `board`, `oop`, `ip`, `pot`, `stack`,
            `bets`, `raises` and the other keys of a spot's file by name.
        to: Stop when a best response gains no more than this on average, in per cent of the pot.
        rounds: Stop after so many rounds at most.
        method: `dcfr` or `cfr+`.
        precise: Whether numbers are of 64 bits instead of 32.
        packed: Whether they are kept in 16 bits, which takes half the memory.
        workers: Threads; the result is the same with any number.
        memory: Bytes that may be used; by default most of what is free.
        locks: Mixes that are fixed at decisions.
        oop_plays: An agent that plays the whole player out of position: the solution is the best answer to it.
        ip_plays: The same in position.
        progress: Is told the state after some rounds.
        told: Is told what it will take before it begins.
        **keys: The spot, where it is not given whole.
    """
    found = find_spot(spot, **keys)
    whole = [(p, agent) for p, agent in ((0, oop_plays), (1, ip_plays)) if agent is not None]
    options: dict[str, Any] = {"to": to, "rounds": rounds, "method": method, "precise": precise, "workers": workers}
    options["packed"] = packed
    options |= {"memory": memory, "locks": tuple(locks), "progress": progress, "told": told}
    if not whole:
        return solution_of(run(found, **options))
    if len(whole) > 1 or locks:
        raise UnreadableError("one player at most is given by an agent, and then nothing else is locked")
    return answer(found, whole[0][0], whole[0][1], **options)


def answer(
    spot: Spot, player: int, plays: str | Agent[Any], *, workers: int = 1, memory: int | None = None, **options: Any
) -> SpotSolution:
    """The best answer to a player whose whole play is given by an agent, and what it gains over the equilibrium's.

    The answer needs no rounds of its own; the equilibrium is found to compare with it.
    """
    agent = find_agent(plays)
    if reason := agent.unsupported_reason(spot.rules):
        raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
    plan = Plan(spot, symmetric=False)
    check_fits(plan, memory_limit() if memory is None else memory, workers)
    engine, other = Engine(plan, workers), 1 - player
    if (rows := rows_of_policy(engine, player)) > _MOST_ROWS:
        raise UnreadableError(
            f"{agent.name} would have to be asked for {rows:,} decisions, more than {_MOST_ROWS:,}: give the spot from "
            "the turn or the river on, or fewer sizes"
        )
    options.pop("locks", None)
    equilibrium = run(spot, workers=workers, memory=memory, **options)
    exact, moved = play_by_policy(engine, player, agent.policy)
    half = spot.pot / 2
    plain = _against(engine, equilibrium, other) + half
    best = engine.worth(other, ANSWER) + half
    engine.regret_from_mean()
    ev = [0.0, 0.0]
    ev[other], ev[player] = best, engine.worth(player, VALUE) + half
    notes = [f"{PLAYERS[player]} is played by {agent.name}; {PLAYERS[other]} has the best answer to that"]
    if not exact:
        notes.append(f"the chances of {agent.name} are sampled")
    if equilibrium.interrupted:
        notes.append(f"interrupted: the equilibrium it is compared with is {equilibrium.percent:.3g} % of the pot away")
    if moved > 0:
        notes.append(f"{100 * moved:.1f} % of its raises are of sizes that the spot does not have, and were moved")
    gain = {
        "player": PLAYERS[other],
        "to": agent.name,
        "ev": best,
        "equilibrium_ev": plain,
        "gain": best - plain,
        "gain_pct": 100 * (best - plain) / spot.pot,
        "equilibrium_exploitability_pct": equilibrium.percent,
        "moved_share": moved,
        "exact": exact,
    }
    return SpotSolution(
        plan,
        InMemory(engine),
        (ev[0], ev[1]),
        0.0,
        equilibrium.at,
        equilibrium.seconds,
        plan.bytes(workers, False),
        equilibrium.method,
        notes,
        gain,
    )


def _against(engine: Engine, equilibrium: Run, player: int) -> float:
    """What the equilibrium strategy of a player wins against the other's fixed play, in chips against half the pot."""
    engine.take_over(equilibrium.engine, player)
    return engine.worth(player, VALUE)


def players_of_spot(hand: Hand) -> tuple[int, int]:
    """The positions of the two players that a hand is between after the flop: who acts first, and who acts last."""
    state, players = hand._table.state[hand._row], hand.rules.players
    left = [p for p in range(players) if int(state[c.LIVE]) >> p & 1]
    street = int(state[c.ROUND])
    if len(left) != 2 or street < 1:
        what = f"{len(left)} players are left in it" if street else "its flop has not come yet"
        raise UnreadableError(f"a spot is of two players after the flop; in this hand {what}")
    first, last = sorted(left, key=lambda p: (p - hand.rules.first[street]) % players)
    return first, last


def spot_of_hand(
    hand: Hand | str, models: Sequence[str | Agent[Any]], doubt: float = 0.0, preflop: bool = False, **sizes: Any
) -> Spot:
    """The spot that a hand between two is in when a street after the flop begins, ranges by models of both players.

    Others may have been in it: their chips are in the pot, and what they folded is taken for any cards. In limit games
    bets have the sizes of the game.

    Args:
        hand: A hand, as text too; its last street must have no bets yet.
        models: Who stands for the player out of position and for the one in position, as `range_of` takes it.
        doubt: How much of every decision is put down to chance. With any, the models are of people, who bet other
            amounts than their models: then a raise counts as a raise, whatever its size.
        preflop: The models are charts for the play before the flop: what was done later narrows no range.
        **sizes: `bets`, `raises` and other keys of a spot.
    """
    played = Hand.parse(hand) if isinstance(hand, str) else hand
    if len(models) != 2:
        raise UnreadableError("a spot is of two players, with a model for each")
    players = players_of_spot(played)
    state = played._table.state[played._row]
    street = int(state[c.ROUND])
    if int(state[c.ACTOR]) < 0 or int(state[c.ROUND_AT + street]) != int(state[c.COUNT]):
        raise UnreadableError("a spot begins with a street after the flop on which nobody has acted yet")
    seen = played._table.observe(np.array([played._row]), np.array([players[0]]))
    board = "".join(map(str, FRENCH.cards(int(card) for card in seen.board[0] if card >= 0)))
    told = _as_it_stood(played, street=1) if preflop else played
    ranges = [
        range_of(model, told, p, dead=board, doubt=doubt, any_raise=doubt > 0).p
        for p, model in zip(players, models, strict=True)
    ]
    pot, stack = int(seen.pot[0]), int(seen.behind[0][list(players)].min())
    data: dict[str, Any] = {
        "board": board,
        "oop": ranges[0] / ranges[0].max(),
        "ip": ranges[1] / ranges[1].max(),
        "pot": pot,
        "stack": min(stack, _MOST_STACK),
        "big_blind": min(int(played.rules.big_blind), pot // 2),
    }
    if twice := [key for key in data if key in sizes]:
        raise UnreadableError(f"the spot is taken from the hand: leave out {', '.join(twice)}")
    return find_spot(data | _limit_sizes(played.rules, street), **sizes)


_MOST_STACK = 1_000_000
"""Chips behind, where the rules of a limit game set no stacks: more than can be bet."""


def _limit_sizes(rules: Rules, street: int) -> dict[str, str]:
    """The sizes of a limit game from a street on; none of games without limit."""
    found: dict[str, str] = {}
    for k in range(street, rules.rounds if rules.limit else 0):
        size, most = rules.raise_sizes[k], rules.max_raises[k]
        found[f"{STREETS[k - 1]}_bet"] = f"{size}c"
        if most != 1:
            found[f"{STREETS[k - 1]}_raise"] = f"{size}c" + (f"{most - 1}r" if 0 < most < 100 else "")
    return found


def _as_it_stood(hand: Hand, actions: int | None = None, street: int | None = None) -> Hand:
    """A hand after so many of its actions, or, if that was earlier, when a street began."""
    start = Hand(hand.rules, [int(card) for card in hand._table.cards[hand._row]], stacks=hand.stacks)
    for action in hand.history[:actions]:
        if start.street == street:
            break
        start.act(action) if action != c.FOLD else start.fold_anyway()
    return start


def street_before(hand: Hand, decision: int) -> Hand:
    """A hand as it stood when the street began on which one of its actions, counted from 0, was taken."""
    if not 0 <= decision < len(hand.history):
        raise UnreadableError(f"this hand has {len(hand.history)} decisions, counted from 0; there is no {decision}")
    return _as_it_stood(hand, decision, _as_it_stood(hand, decision).street)


def spot_before(
    hand: Hand,
    decision: int,
    models: Sequence[str | Agent[Any]],
    doubt: float = DOUBT,
    bets: str = "50%,100%",
    preflop: bool = False,
) -> tuple[Spot, str, str]:
    """The spot in which a decision of a hand was taken, where it stands in that spot, and what was done.

    The spot begins with the decision's street, which two players must have begun; amounts that were bet on it are
    among its sizes.

    Args:
        hand: A hand of Hold'em.
        decision: Which of its actions, counted from 0; it must be one after the flop.
        models: Who stands for the player out of position and for the one in position.
        doubt: How much of every decision is put down to chance.
        bets: Other sizes of bets, in games without limit.
        preflop: The models are charts for the play before the flop, as in `spot_of_hand`.
    """
    begin = street_before(hand, decision)
    spot = spot_of_hand(begin, models, doubt, preflop)
    steps, sizes = _steps(begin, hand.history[len(begin.history) : decision + 1])
    if hand.rules.limit:
        return spot, " ".join(steps[:-1]), steps[-1]
    keys = {}
    for name in STREETS:
        own = sizes if name == STREETS[spot.street - 1] else {}
        keys[f"{name}_bet"] = ",".join([bets, *sorted(own.get("bet", ()))])
        keys[f"{name}_raise"] = ",".join(["3x", *sorted(own.get("raise", ()))])
    return spot.replaced(sizes=keys), " ".join(steps[:-1]), steps[-1]


def _steps(hand: Hand, actions: Sequence[int]) -> tuple[list[str], dict[str, set[str]]]:
    """Actions of a street as a spot names them, and the sizes of its bets and raises; the hand is played on."""
    steps: list[str] = []
    sizes: dict[str, set[str]] = {"bet": set(), "raise": set()}
    for action in actions:
        state = hand._table.state[hand._row]
        base, facing = int(state[c.BASE]), int(state[c.BET] - state[c.BASE])
        if action >= c.RAISE:
            to = (hand.legal.raises[0] if hand.rules.limit else int(action)) - base
            sizes["raise" if facing else "bet"].add(f"{to - facing}c")
            steps.append(f"{'r' if facing else 'b'}{to}")
        else:
            steps.append("f" if action == c.FOLD else "c" if facing else "k")
        hand.act(action) if action != c.FOLD else hand.fold_anyway()
    return steps, sizes


_FEWER = (("50%,100%", "3x", 2), ("75%", "3x", 2), ("75%", "a", 1), ("100%", "a", 1))
"""What a spot too large is tried with, most first: bets and raises of every street, and how many a street at most."""
_LIKELIEST = 150


def smaller_spot(spot: Spot, line: str, held: int, most_bytes: int) -> Spot:
    """A spot as it is if it fits into so many bytes (packed in 16 bits), else with fewer bets and raises.

    The bets of a line on its first street stay, and so do the sizes of a limit game. If that is not enough, only the
    likeliest holdings of both players are kept. The last that was tried is given where nothing fits.

    Args:
        spot: The spot.
        line: What was played in it on its first street.
        held: The number of the holding that whoever played last has: it is kept.
        most_bytes: How much memory there is.
    """
    words, street = line.split(), STREETS[spot.street - 1]
    own, last = [], 0
    for word in (word for word in words if word[0] in "br"):
        own.append(("raise" if last else "bet", f"{int(word[1:]) - last}c"))
        last = int(word[1:])
    limit = all(size.unit == "c" for key in spot.sizes for size in spot._parsed[key])
    found = spot
    for bets, raises, cap in _FEWER:
        if _fits(found, most_bytes):
            return found
        sizes = dict(spot.sizes)
        if not limit:
            sizes = {f"{name}_{kind}": size for name in STREETS for kind, size in (("bet", bets), ("raise", raises))}
            for kind, size in own:
                sizes[f"{street}_{kind}"] += f",{size}"
        found = spot.replaced(sizes=sizes, raise_cap=cap, by_street={f"{street}_raise_cap": max(cap, len(own))})
    return found if _fits(found, most_bytes) else _likeliest(found, (len(words) - 1) % 2, held)


def _fits(spot: Spot, most_bytes: int) -> bool:
    return estimate(Plan(spot, packed=True)).bytes <= most_bytes


def _likeliest(spot: Spot, player: int, held: int) -> Spot:
    """A spot with the likeliest holdings of both ranges, and one that a player holds."""
    shuffled = np.random.default_rng(1).permutation(len(spot.oop))  # of those alike a fair sample, not the lowest cards
    kept = {}
    for p, name in enumerate(PLAYERS):
        weights = spot.free(name)
        few = np.zeros_like(weights)
        order = np.lexsort((shuffled, -weights))[:_LIKELIEST]
        few[order] = weights[order]
        if p == player:
            few[held] = max(weights[held], 0.05 * weights.max())  # as in the coach: what one has is possible
        kept[name] = few
    return spot.replaced(**kept, texts={})


def costs_of(solution: SpotSolution, where: str, hand: str) -> dict[str, float]:
    """By action at a decision what it costs a hand against the best one there, in chips."""
    view = solution.at(where)
    if view.actor is None:
        raise UnreadableError(f"nobody decides at {where!r}")
    number = int(np.flatnonzero(weights_of(hand) > 0)[0])
    place = np.flatnonzero(solution.plan.hands.numbers[view.actor] == number)
    if not len(place):
        raise UnreadableError(f"{hand} is not in the range of who decides there")
    worth = {name: float(solution.at(f"{where} {name}".strip()).values[view.actor][place[0]]) for name in view.actions}
    best = max((v for v in worth.values() if v == v), default=float("nan"))
    return {name: best - v for name, v in worth.items() if v == v}
