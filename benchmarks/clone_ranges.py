"""How likely a model of a player makes the cards that the player really held: ranges judged on logged hands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import Watch, situations_of
from mazzo.holdem.beliefs import ranges_of
from mazzo.holdem.comparing.in_log import observed
from mazzo.holdem.logs.hands import Hands
from mazzo.statistics import Estimate, Moments

__all__ = ["RangeScores", "judge_ranges"]


@dataclass(frozen=True)
class RangeScores:
    """By decision before which the range was asked for: the street, and the logarithm of the true holding's chance."""

    street: Ints
    uniform: Floats
    by_model: dict[str, Floats]

    def gain(self, model: str, over: str | None = None, street: int | None = None) -> Estimate:
        """How much better a model's ranges are than uniform ones or another model's, in nats a decision."""
        here = np.ones(len(self.street), np.bool_) if street is None else self.street == street
        other = self.uniform if over is None else self.by_model[over]
        return Moments.of((self.by_model[model] - other)[here]).estimate()


def judge_ranges(
    batches: Iterable[Hands],
    hero: str,
    models: dict[str, Agent[Any]],
    most: int = 60,
    seed: int = 0,
    doubt: float = 0.02,
) -> RangeScores:
    """Judge what models think that a logged player holds, at its first decision of each street after the preflop.

    A range rests on the board and on all that the player did before, sizes of raises taken as alike for every model
    but one that knows sizes; nothing is known of anybody's cards.

    Args:
        batches: Hands whose cards are known.
        hero: Whose holding is guessed.
        models: Stand-ins for the player, by name.
        most: Decisions of a street, drawn at random where there are more.
        seed: For the draw.
        doubt: How much of every decision is put down to chance.
    """
    watch, rng = Watch(hero, history=False), np.random.default_rng(seed)
    taken: list[tuple[Any, Ints, Ints]] = []
    for hands in batches:
        s = situations_of(hands, watch)
        for game in range(len(s.games)):
            for _, seen in observed(s, game):
                first = _first_of_street(seen)
                taken.append((seen, first, seen.street[first]))
    streets: list[Ints] = []
    even: list[Floats] = []
    found: dict[str, list[Floats]] = {name: [] for name in models}
    wanted = _drawn([where for _, _, where in taken], most, rng)
    for (seen, first, _), chosen in zip(taken, wanted, strict=True):
        rows = first[chosen]
        if not len(rows):
            continue
        o = seen[rows]
        hidden = replace(o, hole=np.full(o.hole.shape, -1, np.int8))
        low, high = np.sort(o.hole.astype(np.int64), axis=1).T
        true = high * (high - 1) // 2 + low
        cards = (o.board >= 0).sum(axis=1)
        even.append(-np.log((52 - cards) * (51 - cards) / 2))
        streets.append(o.street)
        for name, model in models.items():
            chance = ranges_of(model, hidden, o.state[:, c.ACTOR], doubt, any_raise=True)
            found[name].append(np.log(np.maximum(chance[np.arange(len(rows)), true], 1e-12)))
    return RangeScores(
        np.concatenate(streets), np.concatenate(even), {name: np.concatenate(each) for name, each in found.items()}
    )


def _first_of_street(seen: Any) -> Ints:
    """The decisions at which the player acts for the first time on a street after the preflop."""
    begun = seen.state[np.arange(len(seen)), c.ROUND_AT + seen.street]
    count, actor = seen.state[:, c.COUNT], seen.state[:, c.ACTOR]
    place = np.arange(seen.history.shape[1])[None, :]
    own = (seen.history & c.ACTOR_MASK) == actor[:, None]
    acted = (own & (place >= begun[:, None]) & (place < count[:, None])).any(axis=1)
    return np.flatnonzero((seen.street > 0) & ~acted)


def _drawn(streets: list[Ints], most: int, rng: np.random.Generator) -> list[Ints]:
    """Of each part the decisions that are judged, at most `most` of a street in all."""
    part = np.concatenate([np.full(len(each), k) for k, each in enumerate(streets)])
    where = np.concatenate([np.arange(len(each)) for each in streets])
    street = np.concatenate(streets)
    chosen = np.zeros(len(street), np.bool_)
    for k in np.unique(street).tolist():
        here = np.flatnonzero(street == k)
        chosen[rng.permutation(here)[:most]] = True
    return [where[chosen & (part == k)] for k in range(len(streets))]


def main() -> None:
    """`python -m benchmarks.clone_ranges CLONE LOG --hero NAME`: a table of what ranges gain, by street."""
    from argparse import ArgumentParser

    from mazzo.agent import create
    from mazzo.cli.common import print_table
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.logs import read_hands

    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("clone", help="the model file of the player")
    parser.add_argument("log", help="hands of the player that the clone was not learned from, all cards known")
    parser.add_argument("--hero", required=True)
    parser.add_argument("--other", default="chart", help="the agent it is compared with")
    parser.add_argument("--most", type=int, default=60, help="decisions of a street")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    models = {"clone": create(f"clone:model={given.clone},mix=true", AGENTS), given.other: create(given.other, AGENTS)}
    found = judge_ranges(read_hands(given.log), given.hero, models, given.most, given.seed)
    table = []
    for street, name in ((1, "flop"), (2, "turn"), (3, "river"), (None, "all")):
        here = found.street == street if street else found.street > 0
        if here.any():
            line = [name, int(here.sum()), f"{found.uniform[here].mean():.3f}"]
            line += [f"{each[here].mean():.3f}" for each in found.by_model.values()]
            for over in (None, given.other):
                gain = found.gain("clone", over, street)
                line.append(f"{gain.mean:+.3f} ({gain.ci95[0]:+.3f} .. {gain.ci95[1]:+.3f})")
            table.append(line)
    print_table(["street", "decisions", "uniform", *models, "clone over uniform", f"clone over {given.other}"], table)


if __name__ == "__main__":
    main()
