"""The examples run as they stand, and say what they promise."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "promise"),
    [
        ("squat", "Peak knee torque -116.8 N m"),
        ("knee_extension", "Least on the ligament: pad below the knee."),
        ("equilibrium_point", "At rest the stiffness carries weight and spring within"),
        ("reaching", "Joint space and closed form differ by"),
        ("lagrange", "h_112 + h_121 = -2*l1*lc2*m2*sin(theta2)"),
        ("moment_arms", "100 N on the composite joint, effective torque and its parts"),
        ("wall_squat", "Without the plate: 3 balance(s) of rank 3 do not determine 5 unknowns"),
    ],
)
def test_example_runs(name, promise, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [name])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert promise in capsys.readouterr().out


def test_the_pipeline_goes_from_markers_to_a_page(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["walk", str(tmp_path / "out")])
    runpy.run_path(str(EXAMPLES / "walk.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert "knee_r   up to 2.7 body weights" in said
    assert (tmp_path / "out" / "walk.html").is_file()


def test_the_wall_is_found_within_the_noise_of_the_plate(capsys):
    runpy.run_path(str(EXAMPLES / "wall_squat.py"), run_name="__main__")
    found = float(capsys.readouterr().out.split("within ")[1].split(" N")[0])
    # The plate's noise has a standard deviation of 0.5 N; 402 numbers stay within four of them.
    assert found < 2.0
