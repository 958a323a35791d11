"""A kernel that Python calls: compiled for the types of its arguments, kept on disk, without the lock."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import inspect
import struct
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from borelli.kernels.lanes.code.cache import alone_with, cache_key, read_object, write_object
from borelli.kernels.lanes.code.compile import linker, machine_fingerprint, target_machine
from borelli.kernels.native.arguments import layout, put_together, taken_apart, types_of
from borelli.kernels.native.fingerprint import fingerprint
from borelli.kernels.native.translate import ENTRY, Part, module_text
from borelli.kernels.native.types import Type, Unsupported, read, registers, told, written
from borelli.notice import compilation_notice

_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_char_p)


def object_code(assembly: str) -> bytes:
    """Optimise a module for this processor; return relocatable object code."""
    machine = target_machine()
    module = llvm.parse_assembly(assembly)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


class Loaded:
    """Code for one choice of types, in memory."""

    def __init__(self, codes: Sequence[bytes], kinds: Sequence[Type], returns: Type | None) -> None:
        self._linker = linker()
        library = llvm.JITLibraryBuilder().add_current_process()
        for code in codes:
            library.add_object_img(code)
        library.export_symbol(ENTRY)
        self._library = library.link(self._linker, ENTRY)
        self._function = _PROTOTYPE(self._library[ENTRY])
        self._registers = layout(kinds)
        self._returns = returns
        self._result_bytes = 8 * len(registers(returns)) if returns is not None else 0

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """Run the code on registers; return its result."""
        return self.run(self._registers.pack(*leaves))

    def run(self, memory: bytes) -> Any:
        """Run the code on registers that are packed."""
        result = ctypes.create_string_buffer(max(8, self._result_bytes))
        if self._function(memory, result):
            raise MemoryError("There is no memory for an array that a kernel works with.")
        return None if self._returns is None else put_together(self._returns, result.raw)


class NativeKernel:
    """A function that is compiled for the types of its arguments when it is first called with them.

    Parameters
    ----------
    function : callable
    numba : callable
        Makes Numba's version of it, for kernels and arguments that are not translated, and for its kernels that call
        this one.
    is_inlined : bool
        Whether callers contain its code instead of a call.
    is_shared : bool
        Whether it is compiled by itself, once for all kernels that call it.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        numba: Callable[[], Any],
        *,
        is_inlined: bool = False,
        is_shared: bool = False,
    ) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.is_inlined, self.is_shared = is_inlined, is_shared
        self.hits = 0
        """How often code was found on disk"""
        self.left_to_numba: dict[tuple[Type, ...], str] = {}
        """Why it is not translated, by types"""
        self._numba = functools.cache(numba)
        self._loaded: dict[tuple[Type, ...], Loaded | Any] = {}
        self._known: dict[tuple[int, ...], Loaded | Any] = {}
        """The same by keys of types, which are quicker to make"""
        self._lock = threading.RLock()
        self._n_parameters = function.__code__.co_argcount

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the kernel."""
        if named or len(arguments) != self._n_parameters:
            arguments = self._in_order(arguments, named)
        try:
            key, leaves = taken_apart(arguments)
        except Unsupported:
            return self._numba()(*arguments)
        loaded = self._known.get(key)
        if loaded is None:
            loaded = self._known[key] = self.code_of(types_of(arguments))
        return loaded(leaves) if isinstance(loaded, Loaded) else loaded(*arguments)

    def starting_with(self, *first: Any) -> Callable[..., Any]:
        """Return a function of the other arguments; the first ones are taken apart now, and not in each call.

        Arrays among them are held, and read and written where they are.
        """
        try:
            return _Started(self, first)
        except Unsupported:
            return functools.partial(self, *first)

    @property
    def signatures(self) -> list[tuple[Type, ...]]:
        """The types that this kernel has been called with."""
        return list(self._loaded)

    @property
    def overloads(self) -> list[tuple[Type, ...]]:
        """As :attr:`signatures`, under Numba's other name."""
        return self.signatures

    @property
    def _numba_type_(self) -> Any:
        """How Numba takes this kernel where one of its own calls it."""
        # Loaded here: only where Numba is there, and asked for.
        from numba.core import types

        return types.Dispatcher(self._numba())

    def _in_order(self, arguments: Sequence[Any], named: dict[str, Any]) -> tuple[Any, ...]:
        bound = inspect.signature(self.py_func).bind(*arguments, **named)
        bound.apply_defaults()
        return bound.args

    def code_of(self, kinds: tuple[Type, ...]) -> Any:
        """Return code for these types from disk or from the compiler."""
        with self._lock:
            if kinds in self._loaded:
                return self._loaded[kinds]
            key = cache_key(
                "native",
                _compiler_fingerprint(),
                machine_fingerprint(),
                fingerprint(self.py_func),
                ", ".join(map(told, kinds)),
            )
            loaded = self._kept(key, kinds)
            if loaded is None:
                with alone_with(key):
                    # Another process may have made it while this one waited.
                    loaded = self._kept(key, kinds) or self._compiled(key, kinds)
            self._loaded[kinds] = loaded
            return loaded

    def _kept(self, key: str, kinds: tuple[Type, ...]) -> Loaded | None:
        loaded = _from_disk(key, kinds)
        self.hits += loaded is not None
        return loaded

    def _compiled(self, key: str, kinds: tuple[Type, ...]) -> Any:
        try:
            assembly, returns, parts = module_text(self, kinds)
            keys = [
                cache_key("part", _compiler_fingerprint(), machine_fingerprint(), part.symbol)
                for part in parts
            ]
            described = "\n".join([written(returns), *keys]).encode()
        except Unsupported as reason:
            self.left_to_numba[kinds] = str(reason)
            return self._numba()
        codes = [_part(own, part) for own, part in zip(keys, parts, strict=True)]
        with compilation_notice(self.py_func.__name__):
            code = object_code(assembly)
        write_object(key, len(described).to_bytes(4, "little") + described + code)
        return Loaded([code, *codes], kinds, returns)


class _Started:
    """A kernel whose first arguments are given."""

    def __init__(self, kernel: NativeKernel, first: tuple[Any, ...]) -> None:
        self._kernel, self._first = kernel, first
        _, leaves = taken_apart(first)
        self._packed = layout(types_of(first)).pack(*leaves)
        self._known: dict[tuple[int, ...], tuple[struct.Struct, Loaded] | None] = {}
        """How the others are packed, and the code, by keys of their types; None if the kernel itself is called"""

    def __call__(self, *others: Any) -> Any:
        try:
            key, leaves = taken_apart(others)
            known = self._known[key]
        except (Unsupported, KeyError):
            return self._first_call(others)
        if known is None:
            return self._kernel(*self._first, *others)
        registers, loaded = known
        return loaded.run(self._packed + registers.pack(*leaves))

    def _first_call(self, others: tuple[Any, ...]) -> Any:
        arguments = (*self._first, *others)
        answer = self._kernel(*arguments)
        try:
            key, _ = taken_apart(others)
        except Unsupported:
            return answer
        loaded = self._kernel.code_of(types_of(arguments))
        is_native = isinstance(loaded, Loaded)
        self._known[key] = (layout(types_of(others)), loaded) if is_native else None
        return answer


def _part(key: str, part: Part) -> bytes:
    """Return the code of a function that several kernels call, from disk or from the compiler."""
    with alone_with(key):
        kept = read_object(key)
        if kept is None:
            with compilation_notice(part.made.name.split("_")[1]):
                kept = object_code(part.text)
            write_object(key, kept)
        return kept


def _from_disk(key: str, kinds: tuple[Type, ...]) -> Loaded | None:
    kept = read_object(key)
    if kept is None:
        return None
    # Intact by its checksum but refused by the linker, or of another version's making: it is compiled again.
    try:
        size = int.from_bytes(kept[:4], "little")
        returns, *keys = kept[4 : 4 + size].decode().split("\n")
        parts = [read_object(part) for part in keys]
        if any(part is None for part in parts):
            return None
        return Loaded([kept[4 + size :], *(part for part in parts if part)], kinds, read(returns))
    except Exception:
        return None


@functools.cache
def _compiler_fingerprint() -> bytes:
    """Return what code depends on besides kernel and processor: how it is translated."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).resolve().parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.digest()
