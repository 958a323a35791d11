"""Functions that several kernels call are compiled once, by themselves, and give the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.jit import jit, lean, shared
from borelli.kernels.native import kernel as native
from borelli.kernels.native.kernel import NativeKernel
from borelli.kernels.native.translate import ENTRY


@lean
def _halved(x):
    return x / 2.0 + 0.1


@shared
def innermost(x, flag):
    return (_halved(x) if flag else x * x), flag


@shared
def large(x, y, out):
    first, told = innermost(x, x > y)
    out[0] = first * 3.0
    return first, (y - first, told), int(x)


@jit
def added(x, y, out):
    first, (second, told), whole = large(x, y, out)
    return first + second + whole + (1.0 if told else 0.0)


@jit
def both(x, out):
    first, (second, told), whole = large(x, 0.3, out)
    again, _ = innermost(first, told)
    return first * second - whole + again


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """An empty cache; gives the assembly of everything that is compiled from then on."""
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(tmp_path / "cache"))
    texts: list[str] = []
    plain = native.object_code

    def noted(assembly: str) -> bytes:
        texts.append(assembly)
        return plain(assembly)

    monkeypatch.setattr(native, "object_code", noted)
    return texts


def anew(kernel: NativeKernel) -> NativeKernel:
    """Return a kernel as a new process has it."""
    return NativeKernel(kernel.py_func, lambda: pytest.fail("nothing is left to Numba"))


def same(kernel, *given) -> bool:
    mine, plain = np.zeros(1), np.zeros(1)
    return kernel(*given, mine) == kernel.py_func(*given, plain) and mine[0] == plain[0]


def test_each_is_compiled_once_and_linked_to_every_caller(compiled):
    first, second = anew(added), anew(both)
    assert same(first, 0.7, 0.2) and same(first, -0.7, 0.2)
    # Python's own version of a kernel calls the others as kernels, which are compiled for it as well.
    parts = [text for text in compiled if ENTRY not in text]
    assert len(parts) == 2 and sum("_halved" in text for text in parts) == 1
    assert same(second, 0.9) and same(second, -2.5)
    assert [text for text in compiled if ENTRY not in text] == parts, "the next kernel finds them"
    kernels = [text for text in compiled if "@added." in text or "@both." in text]
    assert len(kernels) == 2 and not any("_halved" in text for text in kernels), (
        "what they call is nowhere else"
    )


def test_a_new_process_takes_all_of_them_from_the_cache(compiled, tmp_path):
    assert same(anew(added), 0.7, 0.2)
    compiled.clear()
    again = anew(added)
    assert same(again, 0.7, 0.2) and again.hits == 1 and not compiled
    # Without one of its parts a kernel is compiled again; so is the part.
    smallest = min((tmp_path / "cache").glob("*.kernel"), key=lambda path: path.stat().st_size)
    smallest.unlink()
    assert same(anew(added), 0.7, 0.2) and compiled


def test_a_shared_function_can_be_called_itself(compiled):
    assert anew(innermost)(3.0, True) == (1.6, True) == innermost.py_func(3.0, True)
