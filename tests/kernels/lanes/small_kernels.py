"""Small kernels that exercise one thing each, and a way to run them."""

from __future__ import annotations

import numpy as np

from borelli.kernels.lanes.code.compile import Kernel, LoadedKernel, object_code
from borelli.kernels.lanes.code.control import count_up
from borelli.kernels.lanes.code.trace import trace

WIDTHS = (1, 2, 4, 8)


def compiled(kernel, width=4):
    return LoadedKernel(kernel, object_code(trace(kernel, width)))


def elementwise(function, n_inputs, width, name="elementwise"):
    """Return a NumPy function that applies a traced function to arrays whose length fits the width."""

    def emit(emitter, n, out, **inputs):
        with count_up(emitter, 0, n, width) as i:
            out.store(i, emitter.lanes(function(*(array.load(i) for array in inputs.values()))))

    arguments = {"n": "integer", "out": "doubles"} | {f"x{k}": "doubles" for k in range(n_inputs)}
    kernel = compiled(Kernel(name, arguments, emit), width)

    def run(*arrays):
        arrays = [np.ascontiguousarray(a, dtype=float) for a in arrays]
        out = np.empty_like(arrays[0])
        kernel(out.size, out.ctypes.data, *(a.ctypes.data for a in arrays))
        return out

    return run
