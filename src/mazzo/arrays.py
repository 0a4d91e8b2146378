"""What arrays hold, by short names for signatures; and what to do after very many of them."""

from __future__ import annotations

import ctypes
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bytes", "Flags", "Floats", "Ints", "give_back_memory"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


def give_back_memory() -> None:
    """Give freed memory back to the system, where the C library keeps it between what is still in use (glibc)."""
    with suppress(OSError, AttributeError, TypeError):  # another library, or none by that name
        ctypes.CDLL(None).malloc_trim(0)
