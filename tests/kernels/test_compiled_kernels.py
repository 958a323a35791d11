"""The decorator of the kernels: it never fails for want of a place, and never keeps what has changed."""

from __future__ import annotations

import subprocess
import sys

import numba
import numpy as np
import pytest

from borelli.kernels import jit as own


def doubled(x: float) -> float:
    return 2.0 * x


def test_without_a_place_for_the_cache_a_kernel_is_compiled_all_the_same(monkeypatch):
    real = numba.njit

    class Numba:
        """Stands in for the module, where the decorator looks it up only."""

        @staticmethod
        def njit(*, cache=False, **settings):
            if cache:
                raise RuntimeError("cannot cache function: no locator available")
            return real(**settings)

    monkeypatch.setattr(own, "numba", Numba)
    assert own.jit(doubled)(1.5) == 3.0


def test_a_full_disk_does_not_stop_a_kernel(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def full(*arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(numba.core.caching.FunctionCache, "save_overload", full)
    assert own.jit(doubled)(2.0) == 4.0


def test_division_by_zero_gives_infinity():
    @own.jit
    def inverse(x: float) -> float:
        return 1.0 / x

    assert inverse(0.0) == float("inf")


@own.jit
def summed_twice(x: np.ndarray) -> float:
    return float((np.ones(2) * x.sum()).sum())


def test_a_lean_kernel_calls_others_that_make_arrays_and_makes_none_itself():
    @own.lean
    def of_the_rest(x: np.ndarray) -> float:
        return summed_twice(x[1:])

    @own.lean
    def wasteful(x: np.ndarray) -> float:
        return float(np.ones(2)[0] * x[0])

    given = np.arange(4.0)
    references = sys.getrefcount(given)
    assert of_the_rest(given) == 12.0
    assert sys.getrefcount(given) == references
    with pytest.raises(numba.core.errors.NumbaError):
        wasteful(given)


CALLED = "from borelli.kernels.jit import jit\n@jit\ndef inner(x):\n    return x + {}\n"
CALLER = "from borelli.kernels.jit import jit\nfrom called import inner\n@jit\ndef outer(x):\n    return inner(x)\n"


def test_a_kept_kernel_is_renewed_when_one_that_it_calls_changes(tmp_path):
    (tmp_path / "caller.py").write_text(CALLER)
    for added in (1.0, 5.0):
        (tmp_path / "called.py").write_text(CALLED.format(added))
        script = "import caller; print(caller.outer(1.0))"
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert float(done.stdout) == 1.0 + added
