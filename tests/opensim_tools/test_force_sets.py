"""A force set that names a force of the model: what OpenSim does, and what ``borelli run`` does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from borelli.cli.main import main
from tests.reference.make_opensim_force_sets import FIXTURE, answers, stiffness, write_study

STORED = json.loads(FIXTURE.read_text("utf-8"))


def test_opensim_keeps_the_models_own_force_unless_all_are_replaced() -> None:
    """It appends without duplicates: a force of the set whose name is taken is left out, silently."""
    assert STORED == {
        "added": {"push_Force": 10.0, "hold_Force": 2.0, "help_Force": 7.0},
        "replaced": {"push_Force": 30.0, "help_Force": 7.0},
    }


@pytest.mark.parametrize("replace", [False, True])
def test_so_do_we_and_tell_it(replace: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["run", str(write_study(tmp_path, replace, "ours"))])
    assert not end.value.code
    assert stiffness(tmp_path / "ours") == STORED["replaced" if replace else "added"]
    told = "names that the model already uses; the model's forces are kept, as in OpenSim: push"
    assert (told in " ".join(capsys.readouterr().err.split())) is not replace


def test_stored_numbers_are_those_of_opensim(tmp_path: Path) -> None:
    osim: Any = pytest.importorskip("opensim", reason="OpenSim is not installed")
    osim.Logger.setLevelString("Off")
    assert answers(osim, tmp_path) == STORED
