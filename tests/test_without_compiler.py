"""Without Numba and llvmlite everything public gives the same numbers, more slowly."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from borelli.kernels import jit, plain_python
from tests.compiler_free import tour
from tests.shared_data import ABSENT, CASES

TOP = Path(__file__).resolve().parents[1]
PUBLISHED = "gait10dof18musc"
TOURED = ("pendulum", "leg", PUBLISHED)


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the numbers of all cases are that one process has found without a compiler."""
    folder = tmp_path_factory.mktemp("plain")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TOP / "src"), str(TOP)])}
    names = [name for name in TOURED if name != PUBLISHED or name in CASES]
    command = [sys.executable, "-m", "tests.compiler_free", str(folder), *names]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=600, check=False, cwd=TOP
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


@pytest.mark.parametrize("name", TOURED)
def test_everything_public_gives_the_same_numbers(name: str, tmp_path: Path, toured: Path) -> None:
    if name == PUBLISHED and name not in CASES:
        pytest.skip(ABSENT)
    plain = dict(np.load(toured / f"{name}.npz"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = tour(name, tmp_path)
    assert plain.keys() == compiled.keys()
    assert len(plain) > 40
    for label, values in compiled.items():
        largest = np.nanmax(np.abs(values), initial=1e-9)
        # Sharing ends where its own tolerance of 1e-9 is met, wherever within it the rounding leads.
        allowed = 1e-6 if label.startswith(("shared", "cubes", "induced", "reactions", "contr")) else 1e-9
        if label.rpartition(".")[2] in ("closure", "residual", "unmet", "violation", "optimality"):
            assert np.nanmax(np.abs(plain[label]), initial=0.0) < 1e-6 or largest > 1e-6, label
            continue
        np.testing.assert_allclose(plain[label], values, rtol=0, atol=allowed * largest, err_msg=label)


def test_plain_kernels_compute_as_numpy_does() -> None:
    scope = {"math": __import__("math")}
    source = """
def limits(x):
    return 1.0 / x, math.sqrt(x - 1.0), math.log(x), float(x) / x, math.floor(x + 0.5)
"""
    exec(source, scope)
    kernel = plain_python.interpreted(scope["limits"])
    inverse, root, logarithm, ratio, whole = kernel(0.0)
    assert inverse == np.inf and np.isnan(root) and logarithm == -np.inf and np.isnan(ratio)
    assert whole == 0 and isinstance(whole, int)
    assert kernel.signatures, "nothing is left to compile"


def test_a_broken_compiler_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert jit.has_numba.__wrapped__() is False
    assert jit.has_compiler.__wrapped__() is True, "kernels are compiled without Numba"
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    assert jit.has_compiler.__wrapped__() is False
    monkeypatch.undo()
    assert jit.has_compiler.__wrapped__() is True
