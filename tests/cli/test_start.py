"""What a command loads: nothing that it does not need. Modules are counted, not seconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import borelli as bo
from tests.cli.test_analyze import files

# dask stands in sys.modules as None: xarray is told that it is not there.
PROGRAM = (
    "import sys, atexit\n"
    "atexit.register(lambda: print('LOADED', *{n.split('.')[0] for n, m in sys.modules.items() if m is not None}))\n"
    "from borelli.cli.main import main\n"
    "main()\n"
)


def loaded(*arguments: object) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return set(done.stdout.rsplit("LOADED", 1)[1].split())


def test_a_trial_needs_no_xarray_pandas_scipy_or_numba(tmp_path: Path) -> None:
    files(tmp_path)
    found = loaded(
        *("analyze", tmp_path / "p.toml", "--motion", tmp_path / "m.sto", "--cutoff-hz", 6),
        *("--tensions", tmp_path / "t.sto", "--out", tmp_path / "out"),
    )
    assert {"numpy", "pyarrow"} <= found and (tmp_path / "out" / "report.html").is_file()
    assert not found & {"xarray", "pandas", "scipy", "numba", "netCDF4", "matplotlib", "plotly", "sympy"}


def test_a_walk_with_loads_and_muscles_needs_no_xarray_and_pandas_and_its_result_is_read_without(
    tmp_path: Path,
) -> None:
    walk, out = bo.library.sample_walk(), tmp_path / "out"
    options = ("--cutoff-hz", 6, "--to-s", 0.3, "--out", out)
    for more in ((), ("--again",)):
        found = loaded("analyze", walk.model, "--motion", walk.motion, "--loads", walk.loads, *options, *more)
        assert not found & {"xarray", "pandas"}
    assert not loaded("report", out) & {"xarray", "pandas"}


def test_what_needs_xarray_does_without_dask(tmp_path: Path) -> None:
    pytest.importorskip("dask")
    place = bo.save_result(
        bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), tmp_path / "reach"
    )
    found = loaded("info", place)
    assert "xarray" in found and not found & {"dask", "distributed"}


def test_the_list_of_commands_needs_no_library_of_arrays() -> None:
    assert not loaded("--help") & {"numpy", "xarray", "pandas", "scipy", "llvmlite"}


def test_a_question_about_a_saved_result_needs_no_library_of_tables(tmp_path: Path) -> None:
    place = bo.save_result(
        bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), tmp_path / "reach"
    )
    found = loaded("explain", place, "--output", "shoulder_torque")
    assert "numpy" in found and not found & {"netCDF4", "xarray", "pandas", "scipy", "numba", "pyarrow"}
