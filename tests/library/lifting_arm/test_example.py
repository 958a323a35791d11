"""The example runs as it stands and says what it promises."""

from __future__ import annotations

import runpy
from pathlib import Path

EXAMPLE = Path(__file__).parents[3] / "examples" / "lifting_arm.py"


def test_example_runs(capsys):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    printed = capsys.readouterr().out
    assert "biceps from the base       tension  886 N, the shoulder bears  802 N" in printed
    assert "biceps from the upper_arm  tension  886 N, the shoulder bears   84 N" in printed
    assert "the wrist bears 78.48 N of it" in printed
