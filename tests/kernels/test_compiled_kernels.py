"""The decorator of the kernels: it never fails for want of a place, and never keeps what has changed."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numba
import numpy as np
import pytest

from borelli.kernels import jit as own
from borelli.kernels.lanes.code import cache


def doubled(x: float) -> float:
    return 2.0 * x


def test_without_a_place_for_the_cache_a_kernel_is_compiled_all_the_same(monkeypatch):
    monkeypatch.setenv("BORELLI_CACHE_DIR", "/proc/borelli-cache")
    assert own.jit(doubled)(1.5) == 3.0


def test_a_full_disk_does_not_stop_a_kernel(monkeypatch, tmp_path):
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(tmp_path))

    def full(*arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(cache.os, "replace", full)
    assert own.jit(doubled)(2.0) == 4.0
    assert list(tmp_path.iterdir()) == []


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


LAST = "from borelli.kernels.jit import jit\nADDED = {}\n@jit\ndef last(x):\n    return x + ADDED\n"
MIDDLE = "from borelli.kernels.jit import jit\nfrom far.last import last\n@jit\ndef middle(x):\n    return last(x)\n"
CALLER = (
    "import numpy as np\nfrom borelli.kernels.jit import jit\nfrom near.middle import middle\n"
    "@jit\ndef outer(x):\n    {}return middle(x)\n"
)


@pytest.mark.parametrize("own", ["", "x = (x + 0j).real\n    "], ids=["translated", "left to Numba"])
def test_a_kept_kernel_is_renewed_when_anything_it_reaches_changes(tmp_path, monkeypatch, own):
    # Two folders away, and only a constant of the module.
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "near").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "caller.py").write_text(CALLER.format(own))
    (tmp_path / "near" / "middle.py").write_text(MIDDLE)
    for added in (1.0, 5.0, 1.0):
        (tmp_path / "far" / "last.py").write_text(LAST.format(added) + f"# {'x' * int(added)}\n")
        script = "import caller; print(caller.outer(1.0), len(caller.outer.left_to_numba))"
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == [str(1.0 + added), "1" if own else "0"]


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def hits_of_a_new_process() -> int:
    """Use a kernel as a process does that has not used it yet; return how often compiled code was found."""
    kernel = own.jit(doubled)
    assert kernel(2.5) == 5.0
    return kernel.hits


def test_a_kept_kernel_is_not_compiled_again(folder):
    assert hits_of_a_new_process() == 0
    assert len(list(folder.iterdir())) == 1
    assert hits_of_a_new_process() == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:20],
        lambda data: data[:-300] + bytes([data[-300] ^ 64]) + data[-299:],
        lambda data: bytes(len(data)),
        lambda data: pickle.dumps({"another": "pickle"}),
    ],
    ids=["empty", "cut off", "header cut off", "one bit", "zeros", "foreign"],
)
def test_a_damaged_kept_kernel_is_a_miss_and_is_mended(folder, damage):
    hits_of_a_new_process()
    (entry,) = folder.iterdir()
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    assert hits_of_a_new_process() == 0
    assert hits_of_a_new_process() == 1


@pytest.mark.parametrize(
    "wrong", [pickle.dumps(None), b"\1\0\0\0xyz", b"\1\0\0\0f", b"no object at all", b""]
)
def test_intact_files_that_hold_something_else_are_a_miss(folder, wrong):
    # What another version may have left under the same name: the checksum is right, the content is not.
    hits_of_a_new_process()
    (entry,) = folder.iterdir()
    assert cache.write_object(entry.stem, wrong)
    assert hits_of_a_new_process() == 0
    assert hits_of_a_new_process() == 1


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system knows no owners")
def test_kernels_in_a_folder_that_others_may_write_are_not_run(folder):
    hits_of_a_new_process()
    for mode in (0o770, 0o707, 0o777):
        folder.chmod(mode)
        assert hits_of_a_new_process() == 0
    folder.chmod(0o755)
    assert hits_of_a_new_process() == 1


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system knows no owners")
def test_kernels_in_a_folder_of_another_user_are_not_run(folder, monkeypatch):
    hits_of_a_new_process()
    monkeypatch.setattr(cache.os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert hits_of_a_new_process() == 0
