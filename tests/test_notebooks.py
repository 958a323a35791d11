"""Every notebook runs from its first cell to its last, and the site lists it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))

pytest.importorskip("marimo", reason="the extra 'notebooks' is not installed")


def test_there_are_six_and_the_site_lists_them():
    page = (ROOT / "docs" / "tutorials" / "notebooks.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 6
    assert all(f"notebooks/{each.name}" in page for each in NOTEBOOKS)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook, tmp_path):
    # A process of its own, as its reader would: a cell that fails ends it with a status.
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, str(notebook)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-2000:]
