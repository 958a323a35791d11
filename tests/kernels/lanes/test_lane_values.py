"""Lane numbers compute what Python's floats would."""

from __future__ import annotations

import numpy as np
import pytest
from llvmlite import ir
from small_kernels import WIDTHS, elementwise

from borelli.kernels.lanes.code.values import FLOAT, Emitter

RNG = np.random.default_rng(1)
X, Y = RNG.normal(size=32), RNG.uniform(0.5, 2.0, size=32)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x + y,
        lambda x, y: 3.0 - x,
        lambda x, y: x * y - 2.0 * y,
        lambda x, y: x / y + 1.0 / y,
        lambda x, y: -x + (+y),
    ],
)
def test_operators_agree_with_numpy(function, width):
    # One rounding may be saved by a fused multiply-add: an ulp of numbers of order ten.
    np.testing.assert_allclose(elementwise(function, 2, width)(X, Y), function(X, Y), rtol=0, atol=4e-15)


@pytest.mark.parametrize("width", WIDTHS)
def test_functions_agree_with_numpy(width):
    def all_of_them(x, y):
        return y.sqrt() + 10.0 * x.absolute() + 100.0 * x.floor() + x.at_least(0.3) - x.at_most(y)

    expected = np.sqrt(Y) + 10 * abs(X) + 100 * np.floor(X) + np.maximum(X, 0.3) - np.minimum(X, Y)
    np.testing.assert_allclose(elementwise(all_of_them, 2, width)(X, Y), expected, rtol=1e-14)


def test_comparison_with_nan_takes_the_other_number():
    x = np.array([np.nan, 1.0, 2.0, np.nan])
    assert elementwise(lambda x: x.at_least(1.5), 1, 4)(x).tolist() == [1.5, 1.5, 2.0, 1.5]


def _emitter():
    function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), [FLOAT]), "f")
    emitter = Emitter(ir.IRBuilder(function.append_basic_block()), 4)
    return emitter, emitter.spread(function.args[0])


def test_exact_zeros_and_ones_emit_no_code():
    emitter, x = _emitter()
    before = len(emitter.builder.block.instructions)
    assert x * 0.0 == 0.0
    assert 0.0 * x == 0.0
    assert 0.0 / x == 0.0
    for same in (x + 0.0, 0.0 + x, x - 0.0, x * 1.0, 1.0 * x, x / 1.0, +x):
        assert same is x
    assert len(emitter.builder.block.instructions) == before
    assert (x * -1.0).ir.opname == "fneg"
    assert (0.0 - x).ir.opname == "fneg"


def test_integers_index_arrays():
    from small_kernels import compiled

    from borelli.kernels.lanes.code.compile import Kernel
    from borelli.kernels.lanes.code.control import count_up

    def emit(emitter, n, picks, source, target):
        with count_up(emitter, 0, n) as i:
            pick = picks[i]
            bounded = (pick * 2 - 1 + 0 + i * 1).at_most(3) & 3
            target.store_scalar(i, source.scalar(bounded))

    kernel = compiled(
        Kernel("pick", {"n": "integer", "picks": "integers", "source": "doubles", "target": "doubles"}, emit)
    )
    picks, source, target = np.array([1, 0, 1], dtype=np.int32), np.arange(4.0), np.empty(3)
    assert kernel(3, picks.ctypes.data, source.ctypes.data, target.ctypes.data) == 0
    assert target.tolist() == [1.0, 0.0, 3.0]
