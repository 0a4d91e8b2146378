"""What we change inside numba so that kernels start and compile sooner; what they compute is left as it is.

All of it is time at the first minute: what a helper is compiled to, what numba works out again and again, and what it
imports. Where a later numba has none of these places, it is left alone.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import ffi
from numba.core import analysis, base, codegen, cpu, ir, postproc, targetconfig, transforms
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.types import functions
from numba.core.typing import context as typing_context
from numba.core.typing import templates

__all__ = ["IntoCallers", "Part", "uncollected"]


class _Code(JITCodeLibrary):  # type: ignore[misc]
    """The code of a helper, to be linked into its callers: neither optimised nor made machine code by itself.

    What the helper calls is not linked into it either, and again with it into each caller, but once, into the kernel.
    """

    def finalize(self) -> None:
        """There is nothing to do."""
        self._finalized = True


def _with_parts(add_linking_library: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Whoever links a helper links what the helper calls."""

    def add_with_parts(self: Any, library: Any) -> None:
        add_linking_library(self, library)
        if isinstance(library, _Code):
            self._linking_libraries.extend(library._linking_libraries)
            self._linking_libraries[:] = dict.fromkeys(self._linking_libraries)  # each once

    return add_with_parts


class IntoCallers(Compiler):  # type: ignore[misc]
    """Compiles a helper as far as the kernels that call it need it; it cannot be called from Python."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, gives: Any, flags: Any, kinds: Any) -> None:
        self._is_pasted, flags.forceinline = flags.forceinline, False
        super().__init__(typing, target, library or _Code(target.codegen(), "helper"), args, gives, flags, kinds)

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
        target = self.state.targetctx
        self._check(compiled, target)
        compiled = compiled._replace(entry_point=object())  # only a key, by which callers find the code
        target.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
        return compiled

    def _check(self, compiled: Any, target: Any) -> None:
        gives = compiled.signature.return_type
        if not self.state.flags.nrt and target.data_model_manager[gives].contains_nrt_meminfo():
            # its callers count references: one that was not counted would be given back nevertheless
            raise TypeError(f"{compiled.fndesc.qualname} gives an array: make it a `helper`")


class _OwnIntoCallers(IntoCallers):
    """The same for what numba itself writes in Python, as `np.empty`: it counts references just as its caller does."""

    def _check(self, compiled: Any, target: Any) -> None:
        pass


class Part(CPUDispatcher):  # type: ignore[misc]
    """A function with no machine code of its own, which kernels call."""

    compiler: type[Compiler] = _OwnIntoCallers

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "pipeline_class": self.compiler})

    def add_overload(self, compiled: Any) -> None:
        """Keep what was compiled for callers; there is nothing that Python could call."""
        self.overloads[tuple(compiled.signature.args)] = compiled


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage meanwhile: compiling makes a great many objects and hardly any that only a search finds."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _own_parts(decorator: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What numba writes in Python is compiled into callers only."""

    def decorator_of_parts(self: Any) -> Any:
        found = decorator(self)
        if self.metadata.get("target", "generic") not in ("generic", "cpu"):
            return found

        def decorate(**options: Any) -> Callable[[Any], Any]:
            return lambda function: Part(function, targetoptions={"nopython": True, "boundscheck": None, **options})

        return decorate

    return decorator_of_parts


def _remember_calls(get_call_type: Callable[..., Any]) -> Callable[..., Any]:
    """What an operation gives for these types, found once: numba asks ten templates for every `+` of two integers."""

    def remembered(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return get_call_type(self, context, args, kws)
        known = self.__dict__.setdefault("_known_calls", {})
        key = (context, tuple(args), targetconfig.ConfigStack.top_or_none())  # what templates themselves go by
        found = known.get(key)
        if found is None:
            signature = get_call_type(self, context, args, kws)
            known[key] = signature, self._impl_keys[signature.args]
            return signature
        signature, self._impl_keys[found[0].args] = found
        return signature

    return remembered


_LEAVES = frozenset({str, int, float, bool, type(None), ir.Loc})


def _collect(value: Any, found: list[Any]) -> None:
    kind = type(value)
    if kind is ir.Var:
        found.append(value)
    elif kind in _LEAVES:
        pass
    elif isinstance(value, dict):
        for one in value.values():
            _collect(one, found)
    elif isinstance(value, list | tuple):
        for one in value:
            _collect(one, found)
    elif isinstance(value, ir.Var):
        found.append(value)
    elif isinstance(value, ir.Inst):
        found.extend(value.list_vars())


def _list_variables(_: Any, value: Any) -> list[Any]:
    """The variables of a statement, as numba lists them; most of what a statement holds has none."""
    found: list[Any] = []
    _collect(value, found)
    return found


def _process_without_entries(run: Callable[..., None]) -> Callable[..., None]:
    """Numba's look at a function after each step, without what lives at the beginning of each block.

    Only generators and code with Python objects ask for that; then it is found (`_entries_when_asked`).
    """

    def run_without_entries(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if function.is_generator:
            run(self, emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)
        function.block_entry_vars = {}
        function.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    return run_without_entries


def _entries_when_asked(entries: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def found_entries(self: Any, block: Any) -> Any:
        if block not in self.block_entry_vars:
            lives = self.variable_lifetime
            found = analysis.compute_live_variables(
                lives.cfg, self.blocks, lives.usedefs.defmap, lives.deadmaps.combined
            )
            self.block_entry_vars.update((one, found[offset]) for offset, one in self.blocks.items())
        return entries(self, block)

    return found_entries


def _remember_sizes(get_abi_sizeof: Callable[[Any, Any], int]) -> Callable[[Any, Any], int]:
    """The size of a type, found once: numba has LLVM read a module of its own for each variable."""
    known: dict[tuple[str, str], int] = {}

    def remembered(self: Any, kind: Any) -> int:
        text = str(kind)
        if "%" in text:  # a name, which may come to mean something else
            return get_abi_sizeof(self, kind)
        key = str(self.target_data), text
        if key not in known:
            known[key] = get_abi_sizeof(self, kind)
        return known[key]

    return remembered


def _registered(context: Any) -> int:
    """How much there is in the lists that a context reads."""
    return sum(
        len(listed)
        for registry in context._registries
        for listed in vars(registry).values()
        if isinstance(listed, list)
    )


def _refresh_when_new(refresh: Callable[[Any], None]) -> Callable[[Any], None]:
    """Numba reads all that is registered again before each function, hundreds of times, mostly nothing new."""

    def refresh_when_new(self: Any) -> None:
        typing = getattr(self, "typing_context", self)
        if getattr(self, "_read_until", None) != (_registered(self), _registered(typing)):
            refresh(self)
            self._read_until = (_registered(self), _registered(typing))

    return refresh_when_new


def _optimize_lightly(self: Any, module: Any) -> None:
    """What numba does to each function by itself, before all are linked and optimised, at a lower level."""
    module.data_layout = self._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = self._codegen._function_pass_manager(opt=1)
            passes.run(function, builder)


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

if hasattr(templates._OverloadFunctionTemplate, "_get_jit_decorator"):
    templates._OverloadFunctionTemplate._get_jit_decorator = _own_parts(
        templates._OverloadFunctionTemplate._get_jit_decorator
    )

if hasattr(functions.BaseFunction, "get_call_type"):
    functions.BaseFunction.get_call_type = _remember_calls(  # type: ignore[method-assign]
        functions.BaseFunction.get_call_type
    )

if hasattr(ir.Inst, "_rec_list_vars"):
    ir.Inst._rec_list_vars = _list_variables

if hasattr(codegen.CPUCodeLibrary, "add_linking_library"):
    codegen.CPUCodeLibrary.add_linking_library = _with_parts(codegen.CPUCodeLibrary.add_linking_library)

if hasattr(postproc.PostProcessor, "_insert_var_dels") and hasattr(ir.FunctionIR, "get_block_entry_vars"):
    postproc.PostProcessor.run = _process_without_entries(postproc.PostProcessor.run)
    ir.FunctionIR.get_block_entry_vars = _entries_when_asked(ir.FunctionIR.get_block_entry_vars)

if hasattr(base.BaseContext, "get_abi_sizeof"):
    base.BaseContext.get_abi_sizeof = _remember_sizes(base.BaseContext.get_abi_sizeof)

if hasattr(base.BaseContext, "refresh") and hasattr(typing_context.BaseContext, "refresh"):
    base.BaseContext.refresh = _refresh_when_new(base.BaseContext.refresh)
    typing_context.BaseContext.refresh = _refresh_when_new(typing_context.BaseContext.refresh)

if hasattr(codegen.CPUCodeLibrary, "_optimize_functions") and hasattr(codegen.CPUCodegen, "_function_pass_manager"):
    codegen.CPUCodeLibrary._optimize_functions = _optimize_lightly

if getattr(getattr(ffi.lib, "_lock", None), "_cblist", None):
    ffi.lib._lock._cblist.clear()  # numba's: an event at each of LLVM's 30,000 calls, to which nobody listens
