"""From emitted code to a callable: build, optimise, cache, load.

A kernel is a C function of integers and array addresses that returns a status. It is compiled for the very
processor it runs on. Loading it from the cache takes milliseconds and needs neither the sources' IR nor the
optimiser.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import platform
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from borelli.kernels.lanes.code.cache import alone_with, cache_key, read_object, write_object
from borelli.kernels.lanes.code.width import lane_width
from borelli.records import dataclass

Notice = Callable[[str], AbstractContextManager[object]]
"""Called with the name of a kernel that has to be compiled; the compilation happens inside the context."""

_C_TYPES: dict[str, Any] = {
    "integer": ctypes.c_int64,
    "integers": ctypes.c_void_p,
    "doubles": ctypes.c_void_p,
}


@dataclass(frozen=True)
class Kernel:
    """A kernel to be compiled.

    Attributes
    ----------
    name : str
        Unique among the kernels.
    arguments : dict of str to str
        Name and kind (``"integer"``, ``"integers"``, ``"doubles"``) of each argument, in order. Arrays must
        not overlap.
    emit : callable
        Writes the body; called with an emitter and the arguments by name, returns the IR status or None.
    """

    name: str
    arguments: dict[str, str]
    emit: Callable[..., Any]


@functools.cache
def target_machine() -> Any:
    """Return LLVM's description of this very processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # Position-independent code: LLVM's linker may place an object far from what it refers to.
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="small",
        jit=True,
    )


def linker() -> Any:
    """Return what puts object code into memory.

    LLVM's older linker asks the system for the memory of code and of its constants one after the other. In a process
    with many large arrays they come to lie more than 2 GiB apart, further than code can point, and the process is
    aborted. The newer one takes one piece for both; it is not used on Windows, where it has not been tried.
    """
    return llvm.create_lljit_compiler(target_machine(), use_jit_link=sys.platform != "win32")


def sources() -> list[Path]:
    """Return the files that kernels are traced from: those of the lanes and of the recursions over trees."""
    lanes = Path(__file__).resolve().parents[1]
    return sorted([*(lanes.parent / "tree").glob("*.py"), *lanes.rglob("*.py")])


@functools.cache
def _fingerprint() -> bytes:
    """Return what machine code depends on: the sources of lanes and kernels, the processor, the compiler."""
    digest = hashlib.sha256()
    root = Path(__file__).resolve().parents[2]
    for source in sources():
        digest.update(source.relative_to(root).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.digest() + machine_fingerprint()


def machine_fingerprint() -> bytes:
    """Return what machine code depends on besides its sources: the processor with its features, and the compiler."""
    machine = (
        platform.machine(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        llvmlite.__version__,
    )
    return "\0".join(machine).encode()


def module_text(kernel: Kernel, width: int) -> str:
    """Trace a kernel and return its LLVM assembly."""
    # Loaded here: kernels that are kept need no tracing.
    from borelli.kernels.lanes.code.trace import trace

    return trace(kernel, width)


def object_code(assembly: str) -> bytes:
    """Optimise LLVM assembly for this processor and return relocatable object code."""
    machine = target_machine()
    module = llvm.parse_assembly(assembly)
    module.verify()
    passes = llvm.create_new_module_pass_manager()
    # Traced code is vectors in long straight lines already. These few passes leave code as fast as the full
    # pipeline's, in a third of the time.
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_new_gvn_pass()
    passes.add_instruction_combine_pass()
    passes.add_loop_rotate_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return bytes(machine.emit_object(module))


class LoadedKernel:
    """A kernel in memory, ready to be called with integers and array addresses; releases the GIL."""

    def __init__(self, kernel: Kernel, code: bytes) -> None:
        self._linker = linker()
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        library.export_symbol(kernel.name)
        self._library = library.link(self._linker, kernel.name)
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *(_C_TYPES[kind] for kind in kernel.arguments.values()))
        self._function = prototype(self._library[kernel.name])

    def __call__(self, *arguments: int) -> int:
        """Run the kernel and return its status."""
        return int(self._function(*arguments))


def load_kernel(kernel: Kernel, *, width: int | None = None, notice: Notice | None = None) -> LoadedKernel:
    """Return a kernel from the cache, or compile it and put it there.

    Parameters
    ----------
    kernel : Kernel
    width : int, optional
        Instants in one vector; by default :func:`~borelli.kernels.lanes.code.width.lane_width`.
    notice : callable, optional
        See :data:`Notice`.
    """
    width = width or lane_width()
    key = cache_key(kernel.name, str(width), _fingerprint())
    kept = _kept(kernel, key)
    if kept is not None:
        return kept
    with alone_with(key):
        # Another process may have made it while this one waited.
        kept = _kept(kernel, key)
        if kept is not None:
            return kept
        with notice(kernel.name) if notice else nullcontext():
            code = object_code(module_text(kernel, width))
        write_object(key, code)
    return LoadedKernel(kernel, code)


def _kept(kernel: Kernel, key: str) -> LoadedKernel | None:
    code = read_object(key)
    if code is None:
        return None
    try:
        return LoadedKernel(kernel, code)
    except (RuntimeError, ValueError, OSError):
        # Intact by its checksum but refused by the linker: a different LLVM under the same version.
        return None
