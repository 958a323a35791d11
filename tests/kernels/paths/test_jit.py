"""The decorator of the path kernels: it never fails for want of a place to keep compiled code."""

from __future__ import annotations

import numba
import pytest

from borelli.kernels.paths import _jit


def doubled(x: float) -> float:
    return 2.0 * x


def test_without_a_place_for_the_cache_a_kernel_is_compiled_all_the_same(monkeypatch):
    real = numba.njit

    class Numba:
        """Stands in for the module, where the kernels look it up only."""

        @staticmethod
        def njit(*, cache=False, **settings):
            if cache:
                raise RuntimeError("cannot cache function: no locator available")
            return real(**settings)

    monkeypatch.setattr(_jit, "numba", Numba)
    assert _jit.jit(doubled)(1.5) == 3.0


def test_a_full_disk_does_not_stop_a_kernel(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def full(*arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(numba.core.caching.FunctionCache, "save_overload", full)
    assert _jit.jit(doubled)(2.0) == 4.0


def test_division_by_zero_gives_infinity():
    @_jit.jit
    def inverse(x: float) -> float:
        return 1.0 / x

    assert inverse(0.0) == float("inf")


def test_fingerprint_covers_all_sources_of_the_kernels():
    assert len(_jit._stamp()) == 64
    kernel = _jit.jit(doubled)
    assert kernel._cache._cache_file._source_stamp == _jit._stamp()


@pytest.mark.parametrize("value", [1.0, -3.5])
def test_a_kernel_is_the_function_it_was_made_from(value):
    assert _jit.jit(doubled)(value) == doubled(value)
