"""Every notebook runs from its first cell to its last, and the site lists it."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))

pytest.importorskip("marimo", reason="the extra 'notebooks' is not installed")


def test_there_are_six_and_the_site_lists_them():
    page = (ROOT / "docs" / "tutorials" / "notebooks.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 6
    assert all(f"notebooks/{each.name}" in page for each in NOTEBOOKS)


# Readers see warnings, and go on.
@pytest.mark.filterwarnings("default::borelli.errors.BorelliWarning")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    # As a program, with nothing of its own but its text; a cell that fails raises.
    assert "app" in runpy.run_path(str(notebook), run_name="__main__")


def test_a_cell_that_fails_is_seen(tmp_path):
    text = NOTEBOOKS[0].read_text(encoding="utf-8")
    assert text.count("app = marimo.App(") == 1
    failing = text.replace(
        "def _(", "def _():\n    raise ArithmeticError('a cell')\n\n\n@app.cell\ndef _(", 1
    )
    (tmp_path / "failing.py").write_text(failing, encoding="utf-8")
    with pytest.raises(Exception, match="a cell"):
        runpy.run_path(str(tmp_path / "failing.py"), run_name="__main__")
