"""What arrays hold, by short names for signatures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bytes", "Flags", "Floats", "Ints"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
