"""The old name of `mazzo.rng`, kept for one release: it is in programs written for 0.1."""

import warnings

from mazzo.rng import below, fork, mix, stream, uniform

__all__ = ["below", "fork", "mix", "stream", "uniform"]

warnings.warn("mazzo.luck is now called mazzo.rng", DeprecationWarning, stacklevel=2)
