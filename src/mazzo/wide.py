"""Eight numbers at a time, for kernels: a vector that is loaded, reckoned with and stored as one.

Left to itself, numba packs loops into vector instructions only where it can show that arrays do not overlap, and tests
that again at each loop. Here a kernel says it: `store8(a, i, load8(a, i) + load8(b, j))` is three instructions. Arrays
are float32 or float64, or int16, which become float32 when they are loaded; indices are of a flat array and not
checked.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_model

__all__ = ["EIGHT", "largest8", "load8", "positive8", "ratio8", "splat8", "store8", "turn8", "where_positive8"]

EIGHT = 8


class _Vector(types.Type):  # type: ignore[misc]
    """Eight numbers of one type."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"eight {dtype}")


@register_model(_Vector)
class _VectorModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        inner = ir.FloatType() if kind.dtype == types.float32 else ir.DoubleType()
        super().__init__(manager, kind, ir.VectorType(inner, EIGHT))


_SHORT = ir.VectorType(ir.IntType(16), EIGHT)
_PACKED = types.int16


def _worked(dtype: Any) -> Any:
    """What numbers of an array are reckoned with as: those of 16 bits as floats of 32."""
    return types.float32 if dtype == _PACKED else dtype


def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """Where eight numbers of an array begin."""
    data = context.make_array(array_type)(context, builder, array).data
    kind = _SHORT if array_type.dtype == _PACKED else context.get_value_type(_Vector(array_type.dtype))
    return builder.bitcast(builder.gep(data, [index]), kind.as_pointer())


def _align(array_type: Any) -> int:
    return {_PACKED: 2, types.float32: 4}.get(array_type.dtype, 8)


@intrinsic  # type: ignore[untyped-decorator]
def load8(typing: Any, array: Any, index: Any) -> Any:
    """The eight numbers of a flat array from an index on."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = builder.load(_place(context, builder, signature.args[0], args[0], args[1]))
        found.align = _align(signature.args[0])
        whole = signature.args[0].dtype == _PACKED
        return builder.sitofp(found, context.get_value_type(signature.return_type)) if whole else found

    return _Vector(_worked(array.dtype))(array, types.intp), lower


@intrinsic  # type: ignore[untyped-decorator]
def store8(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Put eight numbers into a flat array from an index on."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = args[2]
        if signature.args[0].dtype == _PACKED:  # to the nearest whole number
            up = builder.fcmp_ordered(">", value, _zero(builder, value))
            halves = (ir.Constant(value.type, [half] * EIGHT) for half in (0.5, -0.5))
            value = builder.fptosi(builder.fadd(value, builder.select(up, *halves)), _SHORT)
        done = builder.store(value, _place(context, builder, signature.args[0], args[0], args[1]))
        done.align = _align(signature.args[0])
        return context.get_dummy_value()

    return types.void(array, types.intp, _Vector(_worked(array.dtype))), lower


@intrinsic  # type: ignore[untyped-decorator]
def splat8(typing: Any, number: Any, array: Any) -> Any:
    """Eight times one number, as numbers of an array."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one = context.cast(builder, args[0], signature.args[0], signature.return_type.dtype)
        kind = context.get_value_type(signature.return_type)
        first = builder.insert_element(ir.Constant(kind, ir.Undefined), one, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), _places([0] * EIGHT))

    return _Vector(_worked(array.dtype))(number, array), lower


@intrinsic  # type: ignore[untyped-decorator]
def largest8(typing: Any, vector: Any) -> Any:
    """The largest of the eight numbers, signs left out."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        best = None
        for k in range(EIGHT):
            one = builder.extract_element(args[0], ir.Constant(ir.IntType(32), k))
            one = builder.select(builder.fcmp_ordered("<", one, ir.Constant(one.type, 0.0)), builder.fneg(one), one)
            best = one if best is None else builder.select(builder.fcmp_ordered(">", one, best), one, best)
        return best

    return vector.dtype(vector), lower


def _places(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)


def _zero(builder: Any, vector: Any) -> Any:
    return ir.Constant(vector.type, [0.0] * EIGHT)


@intrinsic  # type: ignore[untyped-decorator]
def positive8(typing: Any, vector: Any) -> Any:
    """Each number, or 0 where it is below that."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = _zero(builder, args[0])
        return builder.select(builder.fcmp_ordered(">", args[0], zero), args[0], zero)

    return vector(vector), lower


@intrinsic  # type: ignore[untyped-decorator]
def ratio8(typing: Any, part: Any, whole: Any, otherwise: Any) -> Any:
    """Each part over its whole where the whole is positive, else the other number."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        there = builder.fcmp_ordered(">", args[1], _zero(builder, args[1]))
        return builder.select(there, builder.fdiv(args[0], args[1]), args[2])

    return part(part, part, part), lower


@intrinsic  # type: ignore[untyped-decorator]
def where_positive8(typing: Any, tested: Any, then: Any, otherwise: Any) -> Any:
    """Number by number `then` where the tested one is above 0, else `otherwise`."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", args[0], _zero(builder, args[0])), args[1], args[2])

    return tested(tested, tested, tested), lower


def _overloaded(operation: Callable[[Any, Any], Any], name: str) -> None:
    """Teach numba an operation between vectors; it is lowered in place, without a function of its own."""

    @infer_global(operation)
    class _OfVectors(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, keywords: Any) -> Any:
            if len(args) == 2 and isinstance(args[0], _Vector) and args[0] == args[1]:
                return args[0](*args)
            return None

    @lower_builtin(operation, _Vector, _Vector)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, name)(*args)


_overloaded(operator.add, "fadd")
_overloaded(operator.sub, "fsub")
_overloaded(operator.mul, "fmul")


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Eight vectors of eight, rows for columns: three rounds of exchanges between pairs."""
    for step in (1, 2, 4):
        kept = [k for k in range(EIGHT) if not k & step]
        low = [k if not k & step else EIGHT + (k ^ step) for k in range(EIGHT)]
        high = [k | step if not k & step else EIGHT + k for k in range(EIGHT)]
        out = list(rows)
        for k in kept:
            out[k] = builder.shuffle_vector(rows[k], rows[k | step], _places(low))
            out[k | step] = builder.shuffle_vector(rows[k], rows[k | step], _places(high))
        rows = out
    return rows


@intrinsic  # type: ignore[untyped-decorator]
def turn8(typing: Any, to: Any, at: Any, step: Any, source: Any, begin: Any, stride: Any) -> Any:
    """Write eight rows of eight numbers as columns: `to[at + k step + j] = source[begin + j stride + k]`."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, at, step, source, begin, stride = args
        rows, index = [], begin
        for _ in range(EIGHT):
            row = builder.load(_place(context, builder, signature.args[3], source, index))
            row.align = _align(signature.args[3])
            rows.append(row)
            index = builder.add(index, stride)
        index = at
        for column in _transposed(builder, rows):
            done = builder.store(column, _place(context, builder, signature.args[0], to, index))
            done.align = _align(signature.args[0])
            index = builder.add(index, step)
        return context.get_dummy_value()

    whole = types.intp
    return types.void(to, whole, whole, source, whole, whole), lower
