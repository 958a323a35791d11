"""Code and its constants reach each other wherever the system has memory left."""

from __future__ import annotations

import subprocess
import sys

import pytest

# All gaps that are large enough for code are taken. One for constants is left, 7 GiB from where the code has to go.
# Code for narrow vectors is too short to show it.
PROGRAM = """
import ctypes, sys
import llvmlite.binding as llvm
from borelli.kernels.lanes.code import compile
from borelli.kernels.lanes.signatures import FORWARD_DYNAMICS, INVERSE_DYNAMICS
from borelli.kernels.lanes.code.width import native_width

if sys.argv[1] == "older":
    compile.linker = lambda: llvm.create_lljit_compiler(compile.target_machine())
system = ctypes.CDLL(None)
system.mmap.restype = ctypes.c_void_p
system.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
NO_ACCESS, PRIVATE_ANONYMOUS_UNRESERVED = 0, 0x4022

def take(n_bytes):
    return system.mmap(None, n_bytes, NO_ACCESS, PRIVATE_ANONYMOUS_UNRESERVED, -1, 0)

for kernel in (INVERSE_DYNAMICS, FORWARD_DYNAMICS):
    assert len(compile.object_code(compile.module_text(kernel, native_width()))) > 40_000
system.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
large = [take(3 << 30) for _ in range(3)]
while take(8 * 4096) > min(large):
    pass
system.munmap(max(large) + (1 << 30), 4 * 4096)
for kernel in (INVERSE_DYNAMICS, FORWARD_DYNAMICS):
    compile.load_kernel(kernel, width=native_width())
"""


def ended(linker: str) -> int:
    return subprocess.run([sys.executable, "-c", PROGRAM, linker], capture_output=True).returncode


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="addresses are taken as Linux gives them")
def test_kernels_load_where_free_memory_is_far_apart() -> None:
    assert ended("own") == 0
    # Negative control: the older linker ends the process.
    assert ended("older") < 0
