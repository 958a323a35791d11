"""The scripts of continuous integration see what they are there to see."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOP = Path(__file__).resolve().parents[2]


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOP / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OUTPUT = """\
arm26                                  path length, no wrap                3.331e-16 m    <= 1.0e-08  ok
arm26                                  joint reaction moment, muscles      4.108e-02      <= 2.0e-02  FAR
gait2392                               inverse dynamics                    2.000e-01      <= 1.0e-08  FAR
gait2354                               RAISED                             ValueError: no
1 of 3 cases conform; not: arm26, gait2392, gait2354
"""


def test_lines_beyond_tolerance_are_told_from_the_known_ones(monkeypatch, capsys) -> None:
    widths = tool("try_widths")
    done = subprocess.CompletedProcess([], 1, OUTPUT, "")
    monkeypatch.setattr(widths, "run", lambda command, added: done)
    problem = widths.compared("2 lanes", {})
    assert "gait2392: inverse dynamics" in problem and "gait2354: RAISED" in problem
    assert "arm26" not in problem
    assert (
        "wrap_unit_torus, joint reaction moment, muscles is within tolerance now" in capsys.readouterr().out
    )
    done.stdout = "\n".join([*OUTPUT.splitlines()[:2], "17 of 18 cases conform; not: arm26"])
    assert widths.compared("2 lanes", {}) is None
    assert widths.failures([None, None]) == 0 and widths.failures([None, problem]) == 1


def test_a_comparison_that_breaks_off_is_a_failure(monkeypatch) -> None:
    widths = tool("try_widths")
    cut_off = subprocess.CompletedProcess([], -11, OUTPUT.splitlines()[0], "Segmentation fault")
    monkeypatch.setattr(widths, "run", lambda command, added: cut_off)
    assert "did not come to its end" in widths.compared("NumPy", {})


@pytest.mark.parametrize(("native", "expected"), [(8, {"2", "4"}), (4, {"2"})])
def test_every_width_below_the_native_one_is_tried(monkeypatch, native: int, expected: set[str]) -> None:
    widths = tool("try_widths")
    monkeypatch.setattr(widths, "native_width", lambda: native)
    found = widths.settings()
    assert {added["BORELLI_LANES"] for added in found.values() if "BORELLI_LANES" in added} == expected
    assert found["NumPy"] == {"BORELLI_BACKEND": "numpy"}


def test_expected_data_that_are_absent_fail_the_widths(monkeypatch) -> None:
    widths = tool("try_widths")
    monkeypatch.setenv("BORELLI_EXPECT_DATA", "1")
    monkeypatch.setenv("BORELLI_DATA", str(TOP / "nowhere"))
    assert widths.main() == 1


def test_lowest_bounds_are_pins_of_what_pyproject_says() -> None:
    bounds = tool("lowest_bounds")
    found = dict(pin.split("==") for pin in bounds.pins((TOP / "pyproject.toml").read_text("utf-8")))
    # Below this one a file can run code; below the other some commands do nothing, with success.
    assert tuple(map(int, found["pyarrow"].split("."))) >= (14, 0, 1)
    assert tuple(map(int, found["typer"].split("."))) >= (0, 26)
    assert {"numpy", "numba", "llvmlite", "sympy"} <= found.keys()


def test_a_requirement_without_a_lower_bound_is_refused() -> None:
    bounds = tool("lowest_bounds")
    text = '[project]\ndependencies = ["numpy"]\n[project.optional-dependencies]\nsymbolic = []\n'
    with pytest.raises(ValueError, match="'numpy' has no lower bound"):
        bounds.pins(text)


def test_the_smoke_test_names_tests_that_exist() -> None:
    named = [target.partition("::") for target in tool("lowest_bounds").SMOKE]
    for file, _, test in named:
        text = (TOP / file).read_text("utf-8")
        assert test.partition("[")[0] in text, (file, test, sys.version_info)
