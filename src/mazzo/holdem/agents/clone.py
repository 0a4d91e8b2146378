"""`clone`: plays what a model of another player's decisions predicts. Its file is a name by itself: `clone.mz`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option
from mazzo.arrays import Flags, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.sizes import of_kinds
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import NO_ACTION, ActionChances

if TYPE_CHECKING:
    from mazzo.holdem.attributes import Selection
    from mazzo.holdem.logs import Hands, LogReader

__all__ = ["ClonePlayer", "carry_out", "clone"]

_RAISE, _FOLD, _CALL = range(3)


def carry_out(o: Observations, classes: Ints, raise_to: Ints) -> Ints:
    """Predicted actions as legal ones: a fold for nothing becomes a check, a raise beyond the cap a call."""
    actions = np.where(classes == _FOLD, c.FOLD, c.CALL)
    actions = np.where((actions == c.FOLD) & (o.owed == 0), c.CALL, actions)
    sizes = np.clip(raise_to, o.raise_low, np.maximum(o.raise_high, o.raise_low))
    return np.where((classes == _RAISE) & o.can_raise, sizes, actions)


@dataclass
class ClonePlayer(Agent[Observations]):
    """Describes its situation by the attributes of the model of the street and plays the likeliest action."""

    summary: ClassVar[str] = "plays what a model of a logged player predicts (made by `mazzo clone`)"
    model: str = ""
    """The model file."""
    attributes: str = ""
    """Attributes of yours that it looks at: FILE.py:NAME, several with +."""
    mix: bool = False
    """Play each action as often as the player it was learned from, not always the likeliest."""

    def __post_init__(self) -> None:
        from mazzo.holdem.attributes import load_named
        from mazzo.holdem.cloning.clone import Clone

        if not self.model:
            raise UnreadableError("a clone plays from its model file: give the file's name, such as clone.mz")
        load_named(self.attributes.split("+"))
        self._begin(Clone.load(Path(self.model)), self.model)

    def _begin(self, clone: Any, name: str) -> None:
        from mazzo.holdem.attributes import Counts

        self.clone, self.name = clone, name
        self.counts = Counts() if clone.watches else None
        self.learns = clone.watches  # type: ignore[misc]  # it depends on the file: opponents' figures need the hands

    @classmethod
    def playing(cls, clone: Any, name: str = "clone") -> ClonePlayer:
        """A player of a clone that has not been written to a file."""
        player = cls.__new__(cls)
        player.model, player.attributes, player.mix = "", "", False
        player._begin(clone, name)
        return player

    def save(self, path: str | Path) -> None:
        """Write the clone to a model file, whose name then is an agent: `clone.mz`."""
        self.clone.save(Path(path))

    def unsupported_reason(self, game: Rules | None) -> str:
        """Attributes need Hold'em's cards."""
        return refuse_other_than_holdem(game)

    def on_hands_finished(self, hands: Any) -> None:
        """Note what the opponents did."""
        if self.counts is not None:
            self.counts.on_hands_finished(hands)

    def predict_proba(self, o: Observations) -> NDArray[np.float64]:
        """How much speaks for RAISE, FOLD and CALL in each row."""
        from mazzo.holdem.attributes import describe, situations_seen

        seen = situations_seen(o, self.counts, self.clone.big_blind)
        out = np.zeros((len(o), 3))
        for street, model in enumerate(self.clone.streets):
            rows = np.flatnonzero(o.street == street)
            if len(rows):
                out[rows] = model.predict_proba(describe(seen[rows], model.columns, model.looks_at))
        return out

    def draws(self, observations: Observations) -> Flags:
        """Its choice, where it plays by shares."""
        return np.full(len(observations), self.mix)

    def _size_chances(self, o: Observations) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """By row how likely each size of a raise is, and what it adds to the call in pots after the call."""
        from mazzo.holdem.attributes import describe, situations_seen

        sizes = self.clone.sizes if not o.game.limit else (None,) * len(self.clone.sizes)
        most = max((len(size.amounts) for size in sizes if size is not None), default=1)
        p, amounts = np.zeros((len(o), most)), np.zeros((len(o), most))
        p[:, 0], amounts[:, 0] = 1.0, np.array(self.clone.raise_shares)[o.street]
        seen = (
            situations_seen(o, self.counts, self.clone.big_blind) if any(size is not None for size in sizes) else None
        )
        for street, size in enumerate(sizes):
            rows = np.flatnonzero(o.street == street)
            if size is not None and seen is not None and len(rows):
                p[rows, :] = 0.0
                p[rows, : len(size.amounts)] = size.predict_proba(describe(seen[rows], size.columns, size.looks_at))
                amounts[rows, : len(size.amounts)] = size.amounts
        return p, amounts

    def _to(self, o: Observations, amounts: NDArray[np.float64]) -> Ints:
        """What raises of these pots after the call go to."""
        added = np.rint(amounts * (o.pot + o.owed)).astype(np.int64)
        return np.asarray(o.state[:, c.BET] + added)

    def _raise_to(self, o: Observations) -> Ints:
        p, amounts = self._size_chances(o)
        return self._to(o, amounts[np.arange(len(o)), p.argmax(axis=1)])

    def policy(self, observations: Observations) -> ActionChances:
        """The shares its model gives, where it plays by them; else the likeliest action for certain."""
        if not self.mix:
            return super().policy(observations)
        o, shares = observations, self.predict_proba(observations)
        p = shares[:, [_FOLD, _CALL, _RAISE]] / shares.sum(axis=1, keepdims=True)
        for kind, refused in ((c.KIND_FOLD, o.owed == 0), (c.KIND_RAISE, ~o.can_raise)):
            p[refused, c.KIND_CALL] += p[refused, kind]
            p[refused, kind] = 0.0
        if o.game.limit:
            return of_kinds(o, p, amounts=o.raise_low)
        sized, amounts = self._size_chances(o)
        raises = np.full(len(o), _RAISE)
        to = np.column_stack([carry_out(o, raises, self._to(o, amounts[:, k])) for k in range(amounts.shape[1])])
        kinds = np.tile(np.array([c.FOLD, c.CALL], np.int64), (len(o), 1))
        allowed = o.can_raise[:, None] & (sized > 0)
        actions = np.hstack([kinds, np.where(allowed, to, NO_ACTION)])
        shares_of = np.where(allowed, p[:, [c.KIND_RAISE]] * sized, 0.0)
        return ActionChances(actions, np.hstack([p[:, : c.KIND_RAISE], shares_of]), nearest=True)

    def decide(self, observations: Observations) -> Ints:
        """The likeliest action of the player it was learned from, or each as often as that player."""
        o = observations
        if self.mix:
            return self.policy(o).drawn(o.rng_key)
        return carry_out(o, self.predict_proba(o).argmax(axis=1), self._raise_to(o))

    def explain(self, observation: Observations) -> Explanation:
        """How much speaks for each action, and the attributes it looked at; for a tree the path."""
        from mazzo.holdem.attributes import describe, situations_seen
        from mazzo.holdem.cloning.reading import reasons

        model = self.clone.streets[int(observation.street[0])]
        x = describe(situations_seen(observation, self.counts, self.clone.big_blind), model.columns)
        shares = model.predict_proba(x)[0]
        action = int(self.decide(observation)[0])
        options = [Option(word, float(shares[k])) for k, word in enumerate(("raise", "fold", "call"))]
        reason, facts = reasons(model, x, self.clone.readings[int(observation.street[0])])
        if action > c.CALL and not observation.game.limit:
            reason += self._size_reason(observation)
        return Explanation(action_text(action, observation.game.limit), reason, options, facts)

    def _size_reason(self, o: Observations) -> str:
        """How likely each size of a raise was, in words; nothing where it always raises alike."""
        p, amounts = self._size_chances(o)
        likely = [k for k in np.argsort(-p[0]).tolist() if p[0, k] >= 0.05]
        if len(likely) < 2:
            return ""
        said = ", ".join(f"{amounts[0, k]:.2f} of the pot {p[0, k]:.2f}" for k in likely)
        return f"; how much, in pots after the call: {said}"


def clone(
    hands: LogReader | Hands | Iterable[Hands] | str | Path,
    hero: str,
    *,
    model: str = "auto",
    selection: Selection | None = None,
    seed: int = 0,
    name: str = "clone",
    **options: Any,
) -> ClonePlayer:
    """Learn how a logged player decides, one model a street; gives an agent that plays like it.

    Args:
        hands: What `mazzo.holdem.hands` gives, or the path of a log.
        hero: The player's name in the log.
        model: The kind of model: `mazzo clone --help` lists them; `auto` chooses one for each street.
        selection: The attributes it looks at; by default those that `mazzo clone` takes.
        seed: For learners that draw lots.
        name: What the agent is called.
        **options: Settings of the learner (`trees=50`); `auto` has none.
    """
    from mazzo.holdem.attributes import Selection
    from mazzo.holdem.cloning.auto import AUTO, AUTO_LIST, choose_streets, chosen_models
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.cloning.models import MODELS
    from mazzo.holdem.logs.reading import batches_of

    if model != AUTO:
        MODELS[model].check_settings(options)
    elif options:
        raise UnreadableError(f"auto chooses its own settings: leave {', '.join(options)} out")
    batches = batches_of(hands)
    if model == AUTO:
        data = rows_of(batches, hero, selection or Selection(named=AUTO_LIST))
        data, kinds, by_street = chosen_models(data, choose_streets(data, batches, hero, [True] * len(data), seed=seed))
    else:
        data = rows_of(batches, hero, selection)
        kinds, by_street = [model] * len(data), [options] * len(data)
    kept = {"hero": hero, "hands": sum(map(len, batches)), "model": model}
    big_blind = batches[0].games[0].big_blind
    made = learn_clone(data, kinds, big_blind=big_blind, seed=seed, settings=kept, by_street=by_street)
    return ClonePlayer.playing(made, name)
