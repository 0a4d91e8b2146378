"""The models a clone can be made of. A new one is a module with a class like its siblings and a line here."""

from __future__ import annotations

from mazzo.holdem.cloning.models.base import StreetModel
from mazzo.registry import Registry

__all__ = ["MODELS", "StreetModel"]

_HERE = "mazzo.holdem.cloning.models"

MODELS: Registry[type[StreetModel]] = Registry(
    "model",
    {
        "tree": f"{_HERE}.tree:DecisionTree",
        "rules": f"{_HERE}.rules:DecisionRules",
        "bayes": f"{_HERE}.bayes:Bayes",
        "knn": f"{_HERE}.neighbours:NearestNeighbours",
        "kdtree": f"{_HERE}.neighbours:NearestNeighboursByTree",
        "svm": f"{_HERE}.svm:SupportVectors",
        "boosting": f"{_HERE}.boosting:Boosting",
        "tuned": f"{_HERE}.tuned:Tuned",
        "to_invest": f"{_HERE}.amounts:ToInvest",
        "winnings": f"{_HERE}.amounts:Winnings",
    },
)
"""Decision tree, RIPPER, naive Bayes, nearest neighbours (searched row by row or by a KD-tree), support vectors,
gradient boosting, the same tuned and calibrated; and for other classes than the action, boosted trees of the chips put
in and of those won."""
