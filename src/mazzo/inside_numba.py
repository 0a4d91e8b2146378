"""What we change inside numba so that kernels start and compile sooner; how they run is left as it is.

All of it is time at the first minute: what a helper is compiled to, how numba compares the options of compilations
(a tenth of all compiling), and what it imports. Where a later numba has none of these places, it is left alone.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from numba.core import cpu, targetconfig
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

__all__ = ["IntoCallers"]


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a helper, to be linked into its callers: neither optimised nor made machine code by itself."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class IntoCallers(Compiler):  # type: ignore[misc]
    """Compiles a helper as far as the kernels that call it need it; it cannot be called from Python."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, gives: Any, flags: Any, kinds: Any) -> None:
        self._is_pasted, flags.forceinline = flags.forceinline, False
        super().__init__(typing, target, library or _Part(target.codegen(), "helper"), args, gives, flags, kinds)

    def define_pipelines(self) -> Any:
        """What numba does in its order; asked for when the compilation has begun."""
        # Only now, when numba has noted the options for all that the helper itself calls: with others than those of a
        # kernel, numba would compile its own functions once more.
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.forceinline = self._is_pasted
        return super().define_pipelines()

    def _compile_core(self) -> Any:
        compiled = super()._compile_core()
        target, gives = self.state.targetctx, compiled.signature.return_type
        if not self.state.flags.nrt and target.data_model_manager[gives].contains_nrt_meminfo():
            # its callers count references: one that was not counted would be given back nevertheless
            raise TypeError(f"{compiled.fndesc.qualname} gives an array: make it a `helper`")
        compiled = compiled._replace(entry_point=object())  # only a key, by which callers find the code
        target.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
        return compiled


def _compare_quickly(options: Any) -> None:
    """Let numba compare the options of compilations by those that are set, before it asks for each of them all.

    It looks for every function that a kernel calls among those compiled with the same options.
    """
    compare, code = options.__eq__, options.__hash__
    codes: dict[type, int] = {}  # numba's own depends on the names of the options only

    def equal(self: Any, other: Any) -> Any:
        return (type(self) is type(other) and self._values == other._values) or compare(self, other)

    def hashed(self: Any) -> int:
        found = codes.get(type(self))
        if found is None:
            found = codes[type(self)] = code(self)
        return found

    options.__eq__, options.__hash__ = equal, hashed


def _without_blas(load: Callable[[Any], None]) -> Callable[[Any], None]:
    """Numba's own loading of what its kernels can use, but for scipy, which it imports to see whether it is there.

    That takes a third of the time of all the loading. Numba looks again when a kernel multiplies matrices.
    """

    @functools.wraps(load)
    def load_without(context: Any) -> None:
        from numba.np import linalg

        look, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            from numba.np import arraymath
        finally:
            linalg.ensure_blas = look
        arraymath.ensure_blas = look
        load(context)

    return load_without


if hasattr(cpu.CPUContext, "load_additional_registries") and "numba.np.arraymath" not in sys.modules:
    cpu.CPUContext.load_additional_registries = _without_blas(cpu.CPUContext.load_additional_registries)

if "_values" in getattr(targetconfig.TargetConfig, "__slots__", ()):
    _compare_quickly(targetconfig.TargetConfig)
