"""Kischka (TU Darmstadt 2014): a poker player cloned from its logs, every table of the text beside ours.

The text's data, 5,256 logs of the bot Akuma, are not public. Its parts are taken by `rich` against copies of itself
(the text's TunedFixedRichieRich), by `reader`, which models its opponents as Akuma did, and by Pluribus, from the real
hands of the PHH data set where they are at hand (`../shared/data/phh/pluribus.phhs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Series
from mazzo.holdem.attributes import Selection, offered
from mazzo.holdem.attributes.select import UNIMPORTANT
from mazzo.holdem.notation import STREETS
from mazzo.studies.row import Row, verdict

__all__ = ["DOCUMENT", "SUMMARY", "charts", "rows", "run", "tasks"]

SUMMARY = "a player cloned from its logs: attributes, classifiers, learning curves, matches of likeness"
DOCUMENT = "Kischka: Trainieren eines Computer-Pokerspielers (TU Darmstadt, 2014)"

Task = dict[str, Any]

_GAME = "holdem-limit-3p"
_PLURIBUS = ("../shared/data/phh/pluribus.phhs", "../../shared/data/phh/pluribus.phhs")
_MISSING = "the hands of Pluribus are not there: ../shared/data/phh/pluribus.phhs"
_OUTLOOK = ("steer", "invest", "small", "winnings")
_NEAR = 3.0
"""Points of accuracy within which ours and the text's agree: its players are not ours."""

_TABLE_8 = {
    "knn": (99.7, 85.45, 90.44, 93.14),
    "tree": (99.94, 97.32, 95.4, 96.2),
    "rules": (99.38, 94.55, 95.35, 96.31),
    "bayes": (85.89, 83.2, 83.07, 87.2),
    "svm": (99.89, 91.21, None, 94.65),
}
_TABLE_10 = {"no-ratio-base": (99.99, 94.01, 94.45, 95.5), "usual": (99.98, 95.5, 95.7, 96.82)}
_TABLE_12 = {"usual": (99.99, 95.58, 95.77, 96.91), "simplified": (97.19, 93.56, 95.32, 94.82)}
_TABLE_13 = (25_433, 19_907, 18_885, 17_294)
_TABLE_1 = (55, 79, 93, 106)
_TABLE_7 = (19, 26, 33, 40)
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
            made += [{"figure": "10", "list": each, **common} for each in _TABLE_10]
            made += [{"figure": "12", "list": each, **common} for each in _TABLE_12]
            made += [{"figure": "3-7", "share": share, **common} for share in (0.01, 0.1, 1.0)]
    for form in _FORMS:
        made += [{"figure": "6.3.1", "form": form, "hero": "rich", "street": k, "hands": hands} for k in (0, 1)]
    made += [{"figure": "6", "hero": "rich", "street": k, "hands": min(hands, 4_000)} for k in range(4)]
    made += [{"figure": "10-13", "hero": heroes[-1], "street": k, "hands": hands} for k in range(4)]
    made += [{"figure": "14-16", "hero": hero, "hands": hands, "play": 3_000 if full else 150} for hero in heroes]
    made += [{"figure": "outlook", "what": what, "hero": "rich", "hands": hands} for what in _OUTLOOK]
    if full:
        made += [{"figure": "17-22", "street": k, "model": "boosting"} for k in (*range(4), None)]
    return [{**task, "seed": 7} for task in made]


@lru_cache(maxsize=3)
def _match(hero: str, hands: int, seed: int) -> tuple[list[str], list[Any]]:
    """A hero against two copies of itself, every deal in three seats: the log, and the players as they are then."""
    from mazzo.agent import create
    from mazzo.arena.match import stream_match
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.match import HoldemMatch
    from mazzo.holdem.rules import rules

    players = [create(hero, AGENTS) for _ in range(3)]
    match = stream_match(HoldemMatch(rules(_GAME)), players, hands, seed, log=True)
    return [line for step in match for line in step.lines], players


@lru_cache(maxsize=3)
def _data(hero: str, hands: int, seed: int, named: str = "usual") -> list[Any]:
    """The hero's decisions in such a match."""
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.comparing.likeness import read_lines
    from mazzo.holdem.rules import rules

    lines, players = _match(hero, hands, seed)
    return rows_of(read_lines(rules(_GAME), lines), players[0].name, Selection(named=named))


@lru_cache(maxsize=1)
def _pluribus() -> list[Any] | None:
    from mazzo.holdem.cloning.data import rows_of

    hands = _pluribus_hands()
    return None if hands is None else rows_of(hands, "Pluribus")


def run(task: Task) -> dict[str, Any]:
    """Do one part."""
    found = _RUN[task["figure"]](task)
    return {**task, **found}


def _count_attributes(task: Task) -> dict[str, Any]:
    # With the class, as the text counts them.
    every = [offered(Selection(named="all"), street, 3) for street in range(4)]
    dropped = [len(set(names) & set(UNIMPORTANT)) for names in every]
    return {"attributes": [len(names) + 1 for names in every], "unimportant": dropped}


def _count_decisions(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import FOLDS, folds_of

    data = _data(task["hero"], task["hands"], task["seed"])
    folds = [np.bincount(folds_of(rows.group, seed=task["seed"]), minlength=FOLDS).tolist() for rows in data]
    return {"decisions": [len(rows) for rows in data], "folds": folds}


def _judged(found: Any) -> dict[str, Any]:
    keys = ("n", "accuracy", "ci95", "macro_f1", "trained_on", "capped", "fit_seconds", "size", "leaves", "confusion")
    return {key: value for key, value in found.as_dict().items() if key in keys}


def _classify(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate, majority

    rows = _data(task["hero"], task["hands"], task["seed"])[task["street"]]
    return {**_judged(cross_validate(rows, task["model"], seed=task["seed"])), "majority": majority(rows)}


def _listed(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate

    whole = _data(task["hero"], task["hands"], task["seed"])[task["street"]]
    rows = whole.only(offered(Selection(named=task["list"]), task["street"], 3))
    return _judged(cross_validate(rows, "tree", seed=task["seed"]))


def _curve(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate

    rows = _data(task["hero"], task["hands"], task["seed"])[task["street"]]
    return _judged(cross_validate(rows, "tree", seed=task["seed"], share=task["share"]))


def _hole_cards(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import cross_validate

    rows = _data(task["hero"], task["hands"], task["seed"])[task["street"]]
    # Without the equities, which say more than the cards: else no form of the cards matters at all.
    without = _ALL_FORMS | {"ALL_IN_EQUITY", "ALL_IN_EQUITY_2PLAYERS", "POT_ODDS_TO_ALL_IN_EQUITY_RATIO", "HAND_TYPE"}
    kept = [c.name for c in rows.columns if c.name not in without or c.name in _FORMS[task["form"]]]
    return _judged(cross_validate(rows.only(kept), "tree", seed=task["seed"]))


def _important(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.select import best_first, greedy, information_gain, symmetrical_uncertainty

    rows = _data(task["hero"], task["hands"], task["seed"])[task["street"]]
    return {
        "best_first": list(best_first(rows)),
        "greedy": list(greedy(rows)),
        "symmetrical": [name for name, _ in symmetrical_uncertainty(rows)[:10]],
        "gain": [name for name, _ in information_gain(rows)[:10]],
    }


def _betting(task: Task) -> dict[str, Any]:
    rows = _data(task["hero"], task["hands"], task["seed"])[3]
    name = f"{STREETS[task['street']].upper()}_ACTION"
    at = [c.name for c in rows.columns].index(name)
    counts = np.bincount(rows.x[~np.isnan(rows.x[:, at]), at].astype(np.int64))
    values = rows.columns[at].values or ()
    top = np.argsort(-counts)[:5]
    return {
        "values": [[values[k] or "-", int(counts[k]) / max(int(counts.sum()), 1)] for k in top.tolist()],
        "occur": int((counts > 0).sum()),
        "possible": len(values),
    }


def _alike(task: Task) -> dict[str, Any]:
    """A clone beside its original, which knows of its opponents what it knew when the log ended."""
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.comparing.likeness import likeness
    from mazzo.holdem.rules import rules

    data = _data(task["hero"], task["hands"], task["seed"])
    clone = ClonePlayer.playing(learn_clone(data, "tree", big_blind=10, seed=task["seed"]), "clone")
    _, (original, *others) = _match(task["hero"], task["hands"], task["seed"])
    found = likeness(rules(_GAME), original, clone, others, task["play"], task["seed"] + 1).as_dict()
    return {key: found[key] for key in ("agreement", "by_street", "difference_bb_per_hand", "rows", "showdowns")}


def _pluribus_hands() -> list[Any] | None:
    from mazzo.holdem.logs import read_hands

    path = next((Path(name) for name in _PLURIBUS if Path(name).is_file()), None)
    return None if path is None else list(read_hands(path))


def _replayed(task: Task) -> dict[str, Any]:
    """A clone learned from one half of the matches, in Pluribus's place in the other half."""
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.comparing.in_log import replayed

    every = _pluribus_hands()
    if every is None:
        return {"skipped": _MISSING}
    names = sorted({match for hands in every for match in hands.matches})
    second = [np.array([names.index(m) % 2 for m in hands.matches], bool)[hands.match_of] for hands in every]
    first = [hands[~later] for hands, later in zip(every, second, strict=True) if (~later).any()]
    rest = [hands[later] for hands, later in zip(every, second, strict=True) if later.any()]
    data = rows_of(first, "Pluribus")
    clone = learn_clone(data, task["model"], big_blind=first[0].games[0].big_blind)
    found = replayed(rest, "Pluribus", ClonePlayer.playing(clone))
    figures = found.likeness.as_dict()
    keys = ("agreement", "by_street", "difference_bb_per_hand", "rows", "showdowns")
    return {
        **{key: figures[key] for key in keys},
        "replayed": found.hands,
        "left_out": found.left_out,
        "hero": "Pluribus",
    }


def _real(task: Task) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import best_single, ceiling, cross_validate, majority

    if task["street"] is None:
        return _replayed(task)
    data = _pluribus()
    if data is None:
        return {"skipped": _MISSING}
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

    data = _data(task["hero"], task["hands"], task["seed"])
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

        from mazzo.holdem.cloning.encode import Encoder

        self.columns = rows.columns
        self.encoder = Encoder(rows.columns, least_share=0.01, most=20).fit(rows.x)
        self.model = HistGradientBoostingRegressor(max_iter=60, max_leaf_nodes=8, random_state=seed)
        with threadpool_limits(1):
            self.model.fit(np.column_stack([self.encoder.transform(rows.x), rows.y]), rows.net)

    def shares(self, x: Any) -> Any:
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
    found = match(HoldemMatch(rules(_GAME)), [player, *others], plays, task["seed"] + 1).first
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
    "6.3.1": _hole_cards, "6": _important, "10-13": _betting, "14-16": _alike, "17-22": _real, "outlook": _outlook,
}  # fmt: skip


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _interval(result: dict[str, Any]) -> str:
    low, high = result["ci95"]
    return f"{100 * low:.2f} .. {100 * high:.2f}"


def rows(results: Sequence[dict[str, Any]]) -> list[Row]:
    """The text's figures beside ours."""
    made: list[Row] = []
    for r in results:
        if "skipped" in r:
            made.append(Row(f"table {r['figure']}", "", "", "", "not done", r["skipped"]))
        else:
            made += _ROWS[r["figure"]](r)
    return made


def _accuracy_row(r: dict[str, Any], what: str, text: float | None, why: str) -> Row:
    ours = 100 * r["accuracy"]
    if text is None:
        return Row(what, "", f"{ours:.2f}", _interval(r), "added", why)
    found = verdict(abs(ours - text) <= _NEAR)
    return Row(what, f"{text:.2f}", f"{ours:.2f}", _interval(r), found, f"{ours - text:+.1f} points; {why}")


def _rows_1(r: dict[str, Any]) -> list[Row]:
    pairs = (("table 1: attributes", _TABLE_1, "attributes"), ("table 7: unimportant ones", _TABLE_7, "unimportant"))
    return [
        Row(f"{what}, {s}", str(t), str(n), "", verdict(t == n), "table 1 with the class")
        for what, text, key in pairs
        for s, t, n in zip(STREETS, text, r[key], strict=True)
    ]


def _rows_13(r: dict[str, Any]) -> list[Row]:
    return [
        Row(
            f"table 13: decisions of rich, {s}",
            str(t),
            str(n),
            "",
            verdict(0.9 < n / t < 1.1),
            f"{r['hands']} hands, seed {r['seed']}; a fold (tables 2-5) has {min(fold)} to {max(fold)}",
        )
        for s, t, n, fold in zip(STREETS, _TABLE_13, r["decisions"], r["folds"], strict=True)
    ]


def _rows_8(r: dict[str, Any]) -> list[Row]:
    text = _TABLE_8.get(r["model"], (None,) * 4)[r["street"]]
    cap = ", capped" if r["capped"] else ""
    why = f"the text's hero is Akuma; commonest action {_percent(r['majority'])}; learned from {r['trained_on']}{cap}"
    return [_accuracy_row(r, f"table 8: {r['hero']}, {r['model']}, {STREETS[r['street']]}, %", text, why)]


def _rows_lists(r: dict[str, Any]) -> list[Row]:
    text = (_TABLE_10 if r["figure"] == "10" else _TABLE_12)[r["list"]][r["street"]]
    why = f"tree of {r['size']:.0f} nodes, {r['leaves']:.0f} leaves"
    return [_accuracy_row(r, f"table {r['figure']}: {r['hero']}, {r['list']}, {STREETS[r['street']]}, %", text, why)]


def _rows_curve(r: dict[str, Any]) -> list[Row]:
    what = f"figures 3-7: {r['hero']}, {STREETS[r['street']]}, {r['share']:.0%} of the data, %"
    return [_accuracy_row(r, what, None, f"{r['trained_on']} rows, {r['size']:.0f} nodes, {r['leaves']:.0f} leaves")]


def _rows_forms(r: dict[str, Any]) -> list[Row]:
    why = f"{r['leaves']:.0f} leaves; equities left out; the text finds c best"
    return [_accuracy_row(r, f"6.3.1: hole cards in form {r['form']}, {STREETS[r['street']]}, %", None, why)]


def _rows_6(r: dict[str, Any]) -> list[Row]:
    ours = ", ".join(r["best_first"])
    return [
        Row(f"table 6: {STREETS[r['street']]}, best subset", "", ours, "", "added", f"greedy: {', '.join(r['greedy'])}")
    ]


def _rows_betting(r: dict[str, Any]) -> list[Row]:
    ours = ", ".join(f"{text} {100 * share:.1f} %" for text, share in r["values"][:3])
    what = f"figure {10 + r['street']}: commonest betting, {STREETS[r['street']]}"
    text = ("rfc, frc, ccc", "rcc, crc, cc", "rc, crc, cc", "-, r, crc, cr")[r["street"]]
    why = f"{r['occur']} of {r['possible']} values occur; before a river decision"
    return [Row(what, text, ours, "", verdict(r["values"][0][0] in text.split(", ")), why)]


def _rows_alike(r: dict[str, Any]) -> list[Row]:
    made = [
        Row(
            f"tables 14-16: {r['hero']}, agreement of actions, %",
            "",
            f"{100 * r['agreement']['share']:.2f}",
            f"{100 * r['agreement']['ci95'][0]:.2f} .. {100 * r['agreement']['ci95'][1]:.2f}",
            "added",
            f"{r['agreement']['decisions']} decisions of the original",
        )
    ]
    text = {"preflop": 2.7, "flop": 5.6, "river": 9.1}
    for street in STREETS:
        moved = [
            abs(k["percent"])
            for k in r["rows"]
            if k["street"] == street and k["figure"] in ("raises", "calls", "folds") and k["percent"] is not None
        ]
        what = f"table 15: {r['hero']}, largest deviation of an action, {street}, %"
        most, printed = max(moved, default=0.0), text.get(street)
        found = "added" if printed is None else verdict(most <= printed)
        why = "of its share of actions; agrees if no larger than the text's"
        made.append(Row(what, "" if printed is None else str(printed), f"{most:.1f}", "", found, why))
    one, other = r["showdowns"]
    points = 100 * (other["share"] - one["share"])
    why = f"{one['played']} and {other['played']} showdowns"
    made.append(
        Row(
            f"table 16: {r['hero']}, showdowns won, points",
            "within 0.5",
            f"{points:+.2f}",
            "",
            verdict(abs(points) <= 0.5),
            why,
        )
    )
    d = r["difference_bb_per_hand"]
    made.append(
        Row(
            f"table 14: {r['hero']}, net of the clone less the original's, bb/hand",
            "",
            f"{d['mean']:+.4f}",
            f"{d['ci95'][0]:+.4f} .. {d['ci95'][1]:+.4f}",
            "added",
            f"{d['deals']} deals, each in every seat",
        )
    )
    return made


def _rows_real(r: dict[str, Any]) -> list[Row]:
    if r["street"] is None:
        return _rows_alike(r)
    why = (
        f"commonest action {_percent(r['majority'])}; {r['single']} alone {_percent(r['single_accuracy'])}; ceiling by "
        f"nearest neighbours {_percent(r['ceiling']['high'])}; the model expects {_percent(r['mean_chance'])} of itself"
    )
    return [_accuracy_row(r, f"tables 17-22: Pluribus, {r['model']}, {STREETS[r['street']]}, %", None, why)]


def _rows_outlook(r: dict[str, Any]) -> list[Row]:
    if r["what"] == "steer":
        ours = f"recall {_percent(r['recall'][0])} to {_percent(r['recall'][1])}"
        why = f"folds weigh ten times; precision {_percent(r['precision'][0])} to {_percent(r['precision'][1])}"
        rose = verdict(r["recall"][1] > r["recall"][0])
        return [Row("outlook: steering folds on the flop, %", "possible", ours, "", rose, why)]
    if r["what"] == "small":
        return [_accuracy_row(r, "outlook: 500 rows, leaves of 12 bits, flop, %", None, f"{r['leaves']:.0f} leaves")]
    if r["what"] == "winnings":
        interval = f"{r['ci95'][0]:+.3f} .. {r['ci95'][1]:+.3f}"
        why = f"against two {r['hero']}, {r['plays']} hands; it has only seen what {r['hero']} itself does"
        what, ours = "outlook: playing the action that brings most, bb/hand", f"{r['bb_per_hand']:+.3f}"
        return [Row(what, "", ours, interval, "added", why)]
    why = f"the median alone errs by {r['error_of_the_median']:.2f}"
    return [Row("outlook: chips to invest on the flop, mean error", "", f"{r['mean_error']:.2f}", "", "added", why)]


_ROWS = {
    "1": _rows_1, "13": _rows_13, "8": _rows_8, "10": _rows_lists, "12": _rows_lists, "3-7": _rows_curve,
    "6.3.1": _rows_forms, "6": _rows_6, "10-13": _rows_betting, "14-16": _rows_alike, "17-22": _rows_real,
    "outlook": _rows_outlook,
}  # fmt: skip


def charts(results: Sequence[dict[str, Any]]) -> list[Chart]:
    """Learning curves with their intervals, and the classifiers side by side."""
    made = []
    curves = [r for r in results if r["figure"] == "3-7"]
    for hero in dict.fromkeys(r["hero"] for r in curves):
        for y, title in (("accuracy", "accuracy"), ("leaves", "leaves of the tree")):
            series = [_series(sorted(_of(curves, hero, k), key=lambda r: r["trained_on"]), y, k) for k in range(4)]
            made.append(
                Chart(
                    f"{hero}: {title} by rows learned from",
                    "rows",
                    title,
                    [s for s in series if s.x],
                    log_x=True,
                    caption=f"seven folds by card set; {INTERVAL}s of the accuracy (Wilson)",
                )
            )
    judged = [r for r in results if r["figure"] == "8"]
    for hero in dict.fromkeys(r["hero"] for r in judged):
        series = []
        for k in range(4):
            mine = _of(judged, hero, k)
            series.append(
                Series(
                    STREETS[k],
                    [r["model"] for r in mine],
                    [r["accuracy"] for r in mine],
                    [r["ci95"][0] for r in mine],
                    [r["ci95"][1] for r in mine],
                )
            )
        made.append(Chart(f"{hero}: classifiers", "model", "accuracy", series, kind="bars", caption="table 8; seed 7"))
    return made


def _of(results: Sequence[dict[str, Any]], hero: str, street: int) -> list[dict[str, Any]]:
    return [r for r in results if r["hero"] == hero and r["street"] == street]


def _series(mine: list[dict[str, Any]], y: str, street: int) -> Series:
    x, values = [float(r["trained_on"]) for r in mine], [float(r[y]) for r in mine]
    if y != "accuracy":
        return Series(STREETS[street], x, values)
    return Series(STREETS[street], x, values, [r["ci95"][0] for r in mine], [r["ci95"][1] for r in mine])
