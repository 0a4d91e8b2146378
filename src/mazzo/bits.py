"""Sets of cards as bits: the processor's own instructions for counting and finding them, inside kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["highest", "lowest", "size"]


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def size(typingctx: Any, mask: Any) -> Any:
    """How many bits are set."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def lowest(typingctx: Any, mask: Any) -> Any:
    """The index of the lowest bit of a mask that is not empty."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def highest(typingctx: Any, mask: Any) -> Any:
    """The index of the highest bit of a mask that is not empty."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        leading = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    return types.int64(types.int64), build
