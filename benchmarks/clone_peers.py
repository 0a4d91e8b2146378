"""A small LightGBM on the same attributes of a player, judged on other logs: what clones are compared with."""

from __future__ import annotations

import json
from argparse import ArgumentParser

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.cli.common import print_table
from mazzo.holdem.attributes import STREETS, describe
from mazzo.holdem.attributes.situations import situations_in
from mazzo.holdem.cloning.data import CLASSES, Rows, rows_of
from mazzo.holdem.logs import read_hands

__all__ = ["lightgbm_on"]

_SETTINGS = {"n_estimators": 60, "num_leaves": 15, "learning_rate": 0.08, "min_child_samples": 20}


def lightgbm_on(train: str, test: str, hero: str) -> dict[str, dict[str, float]]:
    """By street, how well LightGBM learned from one log predicts a player's decisions in another."""
    from lightgbm import LGBMClassifier  # not a dependency: install it where this is run

    rows, found = rows_of(read_hands(train), hero), {}
    batches = list(read_hands(test))
    code = np.array([CLASSES.index("FOLD"), CLASSES.index("CALL"), CLASSES.index("RAISE")])
    for street, name in enumerate(STREETS):
        here: Rows = rows[street]
        nominal = [k for k, column in enumerate(here.columns) if column.nominal]
        model = LGBMClassifier(**_SETTINGS, verbose=-1, n_jobs=1, random_state=0)
        model.fit(_filled(here.x, nominal), here.y, categorical_feature=nominal)
        x, y = [], []
        for s in situations_in(batches, hero):
            some = s[s.street == street]
            assert some.taken is not None
            x.append(describe(some, here.columns))
            y.append(code[some.taken.action])
        p = np.full((sum(map(len, y)), len(CLASSES)), 1e-12)
        p[:, model.classes_] = model.predict_proba(_filled(np.concatenate(x), nominal))
        found[name] = _scores(p, np.concatenate(y))
    return found


def _filled(x: Floats, nominal: list[int]) -> Floats:
    """Places of values as whole numbers, missing ones -1, as LightGBM takes them."""
    out = x.copy()
    out[:, nominal] = np.where(np.isnan(out[:, nominal]), -1, out[:, nominal])
    return out


def _scores(p: Floats, y: Ints) -> dict[str, float]:
    p = p / p.sum(axis=1, keepdims=True)
    told = p[np.arange(len(y)), y]
    accuracy = float((p.argmax(axis=1) == y).mean())
    return {"decisions": len(y), "accuracy": accuracy, "log_loss": float(-np.log(np.maximum(told, 1e-12)).mean())}


def main() -> None:
    """`python -m benchmarks.clone_peers TRAIN TEST --hero NAME`: LightGBM by street."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("train", help="a log to learn from")
    parser.add_argument("test", help="a log to judge on")
    parser.add_argument("--hero", required=True)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = lightgbm_on(given.train, given.test, given.hero)
    if given.json:
        print(json.dumps(found))
        return
    rows = [(name, int(s["decisions"]), f"{s['accuracy']:.1%}", f"{s['log_loss']:.3f}") for name, s in found.items()]
    print_table(("street", "decisions", "accuracy", "log-loss"), rows)


if __name__ == "__main__":
    main()
