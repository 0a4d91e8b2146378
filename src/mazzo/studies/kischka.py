"""Kischka (TU Darmstadt 2014): a poker player cloned from its logs, every table of the text beside ours.

The text's data, 5,256 logs of the bot Akuma, are not public. Its parts are taken by `rich` against copies of itself
(the text's TunedFixedRichieRich), by `reader`, which models its opponents as Akuma did, and by Pluribus, from the real
hands of the PHH data set where they are at hand (`../shared/data/phh/pluribus.phhs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mazzo.holdem.attributes import Selection, offered
from mazzo.holdem.attributes.select import UNIMPORTANT
from mazzo.studies import kischka_j48
from mazzo.studies.kischka_data import GAME, MISSING, SHARES, data_of, match_of, pluribus
from mazzo.studies.kischka_matches import betting, curves, matches, replayed_matches, replayed_pluribus
from mazzo.studies.kischka_rows import charts, rows

__all__ = ["DOCUMENT", "NOT_REPRODUCED", "SUMMARY", "charts", "rows", "run", "tasks"]

SUMMARY = "a player cloned from its logs: attributes, classifiers, learning curves, matches of likeness"
DOCUMENT = "Kischka: Trainieren eines Computer-Pokerspielers (TU Darmstadt, 2014)"
NOT_REPRODUCED = (
    "Akuma, the player of tables 6 to 12 and 17 to 22, and its 5,256 logs are not public: `rich`, `reader` and "
    "Pluribus stand in its place, so those figures are shown beside ours, in the same form, and none of them is "
    "judged. What can be judged is TunedFixedRichieRich, whose rule is printed and which `rich` follows. Its counts in "
    "single matches (tables 13, 15 and 16) come out, but one match of 1,000 hands says little of most of them, and of "
    "some eighty figures four would differ by chance alone. His model strays further from the original than a clone of "
    "`rich` does, most plainly before the flop and in what is won (tables 14 and 15). The reason given is that his "
    "equities are sampled from 10,000 deals and ours exact, and there is an experiment beside it: where decisions and "
    "descriptions are made from sampled equities, Weka's own J48 errs on what it was learned from about as often as "
    "the leaves of his printed trees say (sections 7.1 and B.2); with exact equities it hardly errs at all. From the "
    "flop on these trees have about as many leaves as his; why some of those before the flop take up the hole cards "
    "and grow to hundreds, where he prints seven, is open. The 223 and 463 values of figures 10 to 13 are not the "
    "178 and 370 that the thesis itself gives in section 5.2.1, which are those here."
)

Task = dict[str, Any]

_OUTLOOK = ("steer", "invest", "small", "winnings")
_FORMS = {
    "a": ("HERO_HOLE_CARDS",),
    "b": ("ABSTRACTED_HOLE_CARDS", "HERO_HOLE_CARD_HIGH_SUIT", "HERO_HOLE_CARD_LOW_SUIT"),
    "c": ("HERO_HOLE_CARD_HIGH", "HERO_HOLE_CARD_LOW", "HERO_HOLE_CARD_HIGH_SUIT", "HERO_HOLE_CARD_LOW_SUIT"),
}
_ALL_FORMS = {name for names in _FORMS.values() for name in names} | {"HERO_HOLE_CARDS_SUITEDNESS"}


def tasks(full: bool) -> list[Task]:
    """Everything to be done; the quick form uses a thirtieth of the hands and only the fast learners."""
    hands = 19_000 if full else 700
    made: list[Task] = [{"figure": "1"}, {"figure": "13", "hero": "rich", "hands": hands}]
    heroes = ("rich", "reader") if full else ("rich",)
    models = ("tree", "rules", "bayes", "knn", "svm", "boosting") if full else ("tree", "bayes")
    for hero in heroes:
        for model in models:
            made += [{"figure": "8", "hero": hero, "model": model, "street": k, "hands": hands} for k in range(4)]
    for hero in heroes:
        for k in range(4):
            common = {"hero": hero, "street": k, "hands": hands}
            made += [{"figure": "10", "list": each, **common} for each in ("no-ratio-base", "usual")]
            made += [{"figure": "12", "list": each, **common} for each in ("usual", "simplified")]
            made += [{"figure": "3-7", "share": share, **common} for share in (0.01, 0.1, 1.0)]
    for form in _FORMS:
        for equities in (True, False):
            common = {"form": form, "equities": equities, "hero": "rich", "hands": hands}
            made += [{"figure": "6.3.1", **common, "street": k} for k in (0, 1)]
    made += [
        {"figure": "7", "hero": hero, "list": each, "street": k, "hands": 8_000 if full else 90, "matches": 7}
        for hero in ("rich", "reader")[: 2 if full else 1]
        for each in ("usual", "all")
        for k in range(4)
    ]
    protocol = {"play": 1_000, "repetitions": 10} if full else {"play": 60, "repetitions": 2}
    made += [{"figure": "matches", "hero": hero, "hands": hands, **protocol} for hero in heroes]
    made += [{"figure": "6", "hero": "rich", "street": k, "hands": min(hands, 4_000)} for k in range(4)]
    made += [{"figure": "10-13", "hero": heroes[-1], "street": k, "hands": hands, "all": True} for k in range(4)]
    made += [{"figure": "14-16", "hero": hero, "hands": hands, "play": 3_000 if full else 150} for hero in heroes]
    play = {"play": 1_000 if full else 60}
    made += [{"figure": "8-9", "hero": "rich", "hands": hands, **play}]
    made += [{"figure": "7.2", "hero": "reader", "others": ["rich", "patient"], "hands": hands, **play}]
    made += [{"figure": "outlook", "what": what, "hero": "rich", "hands": hands} for what in _OUTLOOK]
    if full:  # Weka is no part of Mazzo, so the quick form does without
        made += [
            {"figure": "7.1", "hero": "rich", "street": k, "hands": hands, "equities": each, "share": SHARES[k]}
            for each in ("sampled", "exact")
            for k in range(4)
        ]
        lists = ("usual", "simplified", "no-ratio-base")
        made += [
            {"figure": "J48", "hero": hero, "list": each, "street": k, "hands": hands}
            for hero in heroes
            for each in lists
            for k in range(4)
        ]
        made += [{"figure": "17-22", "street": k, "model": "boosting"} for k in (*range(4), None)]
    return [{**task, "seed": 7} for task in made]


def run(task: Task) -> dict[str, Any]:
    """Do one part."""
    found = _RUN[task["figure"]](task)
    return {**task, **found}


def _printed_trees(task: Task) -> dict[str, Any]:
    """J48 on shares of the data, as the trees of section 7.1 and appendix B.2 were learned."""
    rows = data_of(task["hero"], task["hands"], task["seed"])[task["street"]]
    rows = kischka_j48.sampled(rows, task["seed"]) if task["equities"] == "sampled" else rows
    return kischka_j48.as_result(kischka_j48.shared(rows, task["share"], task["seed"]))


def _weka(task: Task) -> dict[str, Any]:
    whole = data_of(task["hero"], task["hands"], task["seed"])[task["street"]]
    rows = whole.only(offered(Selection(named=task["list"]), task["street"], 3))
    return kischka_j48.as_result(kischka_j48.cross_validated(rows, task["seed"]))


def _count_attributes(task: Task) -> dict[str, Any]:
    # With the class, as the text counts them.
    every = [offered(Selection(named="all"), street, 3) for street in range(4)]
    dropped = [len(set(names) & set(UNIMPORTANT)) for names in every]
    return {"attributes": [len(names) + 1 for names in every], "unimportant": dropped}


def _count_decisions(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import FOLDS, folds_of

    data = data_of(task["hero"], task["hands"], task["seed"])
    folds = [np.bincount(folds_of(rows.group, seed=task["seed"]), minlength=FOLDS).tolist() for rows in data]
    return {"decisions": [len(rows) for rows in data], "folds": folds}


def _judged(found: Any) -> dict[str, Any]:
    keys = ("n", "accuracy", "ci95", "macro_f1", "trained_on", "capped", "fit_seconds", "size", "leaves", "confusion")
    return {key: value for key, value in found.as_dict().items() if key in keys}


def _classify(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate, majority

    rows = data_of(task["hero"], task["hands"], task["seed"])[task["street"]]
    return {**_judged(cross_validate(rows, task["model"], seed=task["seed"])), "majority": majority(rows)}


def _listed(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate

    whole = data_of(task["hero"], task["hands"], task["seed"])[task["street"]]
    rows = whole.only(offered(Selection(named=task["list"]), task["street"], 3))
    return _judged(cross_validate(rows, "tree", seed=task["seed"]))


def _curve(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate

    rows = data_of(task["hero"], task["hands"], task["seed"])[task["street"]]
    return _judged(cross_validate(rows, "tree", seed=task["seed"], share=task["share"]))


def _hole_cards(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate

    rows = data_of(task["hero"], task["hands"], task["seed"])[task["street"]]
    without = set(_ALL_FORMS)
    if not task["equities"]:  # they say more than the cards: with them no form of the cards matters
        without |= {"ALL_IN_EQUITY", "ALL_IN_EQUITY_2PLAYERS", "POT_ODDS_TO_ALL_IN_EQUITY_RATIO", "HAND_TYPE"}
    kept = [c.name for c in rows.columns if c.name not in without or c.name in _FORMS[task["form"]]]
    return _judged(cross_validate(rows.only(kept), "tree", seed=task["seed"]))


def _offered_figures(task: Task) -> dict[str, Any]:
    """Whether figures of opponents help: several matches, one left out at a time."""
    from mazzo.holdem.cloning.validate import cross_validate

    parts = []  # `reader` is told of finished hands in batches of some thousand: a match must be longer than one
    for k in range(task["matches"]):
        rows = data_of(task["hero"], task["hands"], task["seed"] + 100 * k, task["list"])[task["street"]]
        parts.append(replace(rows, x=rows.x.copy(), group=np.full(len(rows), k, np.uint64)))
    columns = _common_columns(parts)
    joined = replace(type(parts[0]).joined(parts), columns=columns)
    return _judged(cross_validate(joined, "tree", folds=task["matches"], seed=task["seed"]))


def _common_columns(parts: list[Any]) -> Any:
    """Columns with the values of all parts, whose places are moved to them."""
    columns = []
    for k, column in enumerate(parts[0].columns):
        if not column.attribute.sequence:
            columns.append(column)
            continue
        texts = tuple(sorted({value for part in parts for value in part.columns[k].values}))
        for part in parts:
            places = np.array([texts.index(value) for value in part.columns[k].values], float)
            known = ~np.isnan(part.x[:, k])
            part.x[known, k] = places[part.x[known, k].astype(np.int64)]
        columns.append(replace(column, values=texts))
    return tuple(columns)


def _important(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.select import best_first, greedy, information_gain, symmetrical_uncertainty

    rows = data_of(task["hero"], task["hands"], task["seed"])[task["street"]]
    return {
        "best_first": list(best_first(rows)),
        "greedy": list(greedy(rows)),
        "symmetrical": [name for name, _ in symmetrical_uncertainty(rows)[:10]],
        "gain": [name for name, _ in information_gain(rows)[:10]],
    }


def _alike(task: Task) -> dict[str, Any]:
    """A clone beside its original, which knows of its opponents what it knew when the log ended."""
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.comparing.likeness import likeness
    from mazzo.holdem.rules import rules

    data = data_of(task["hero"], task["hands"], task["seed"])
    clone = ClonePlayer.playing(learn_clone(data, "tree", big_blind=10, seed=task["seed"]), "clone")
    _, (original, *others) = match_of(task["hero"], task["hands"], task["seed"])
    found = likeness(rules(GAME), original, clone, others, task["play"], task["seed"] + 1).as_dict()
    return {key: found[key] for key in ("agreement", "by_street", "difference_bb_per_hand", "rows", "showdowns")}


def _real(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import best_single, ceiling, cross_validate, majority

    if task["street"] is None:
        return replayed_pluribus(task)
    data = pluribus()
    if data is None:
        return {"skipped": MISSING}
    rows = data[task["street"]]
    name, alone = best_single(rows, offered(Selection(named="simplified"), task["street"], 6))
    found = cross_validate(rows, task["model"])
    return {
        **_judged(found),
        "majority": majority(rows),
        "single": name,
        "single_accuracy": alone,
        "ceiling": ceiling(rows),
        "mean_chance": found.likely,
    }


def _outlook(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate

    data = data_of(task["hero"], task["hands"], task["seed"])
    rows = data[1]
    if task["what"] == "steer":  # folds that are missed cost ten times as much
        plain = cross_validate(rows, "tree", seed=task["seed"])
        steered = cross_validate(rows, "tree", seed=task["seed"], weights={0: 1.0, 1: 10.0, 2: 1.0})
        return {"recall": [plain.recall[1], steered.recall[1]], "precision": [plain.precision[1], steered.precision[1]]}
    if task["what"] == "small":
        small = cross_validate(rows, "tree", seed=task["seed"], cap=500, bits=12.0)
        return _judged(small)
    return _won(data, task) if task["what"] == "winnings" else _invested(rows, task["seed"])


class _Winnings:
    """Predicts what each action brings, and speaks for the one that brings most."""

    def __init__(self, rows: Any, seed: int) -> None:
        from sklearn.ensemble import HistGradientBoostingRegressor
        from threadpoolctl import threadpool_limits

        from mazzo.holdem.cloning.encode import NUMERIC, Encoder

        self.columns, self.looks_at = rows.columns, np.arange(len(rows.columns))
        self.encoder = Encoder(rows.columns, "categories").fit(rows.x)
        chosen = np.flatnonzero(self.encoder.value_ < NUMERIC).tolist()
        settings = {"max_iter": 60, "max_leaf_nodes": 8, "random_state": seed}
        self.model = HistGradientBoostingRegressor(categorical_features=chosen, **settings)
        with threadpool_limits(1):
            self.model.fit(np.column_stack([self.encoder.transform(rows.x), rows.y]), rows.net)

    def predict_proba(self, x: Any) -> Any:
        """Chips each of RAISE, FOLD and CALL brings."""
        seen = self.encoder.transform(x)
        return np.column_stack([self.model.predict(np.column_stack([seen, np.full(len(x), k)])) for k in range(3)])


def _won(data: Sequence[Any], task: Task) -> dict[str, Any]:
    """Play the action that the hero's own hands say brings most, against the hero."""
    from mazzo.agent import create
    from mazzo.arena.match import match
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.clone import Clone
    from mazzo.holdem.match import HoldemMatch
    from mazzo.holdem.rules import rules

    streets: Any = tuple(_Winnings(rows, task["seed"]) for rows in data)
    player = ClonePlayer.playing(Clone(streets, 10, (1.0,) * 4), "winnings")
    others = [create(task["hero"], AGENTS) for _ in range(2)]
    plays = 3_000 if task["hands"] > 5_000 else 150
    found = match(HoldemMatch(rules(GAME)), [player, *others], plays, task["seed"] + 1).first
    return {"bb_per_hand": found.mean, "ci95": list(found.ci95), "plays": plays}


def _invested(rows: Any, seed: int) -> dict[str, Any]:
    """Chips to invest as the class: a tree for numbers, judged by card set."""
    from sklearn.tree import DecisionTreeRegressor

    from mazzo.holdem.cloning.encode import Encoder
    from mazzo.holdem.cloning.validate import folds_of

    fold = folds_of(rows.group, seed=seed)
    errors = []
    for k in range(7):
        train, test = rows[fold != k], rows[fold == k]
        encoder = Encoder(rows.columns).fit(train.x)
        tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=seed)
        tree.fit(encoder.transform(train.x), train.to_invest)
        errors.append(np.abs(tree.predict(encoder.transform(test.x)) - test.to_invest))
    usual = np.abs(rows.to_invest - np.median(rows.to_invest)).mean()
    return {"mean_error": float(np.concatenate(errors).mean()), "error_of_the_median": float(usual)}


_RUN = {
    "1": _count_attributes, "13": _count_decisions, "8": _classify, "10": _listed, "12": _listed, "3-7": _curve,
    "6.3.1": _hole_cards, "6": _important, "10-13": betting, "14-16": _alike, "7": _offered_figures,
    "matches": matches, "17-22": _real, "outlook": _outlook, "7.1": _printed_trees, "J48": _weka,
    "8-9": curves, "7.2": replayed_matches,
}  # fmt: skip
