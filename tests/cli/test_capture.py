"""The command capture: what is there, and what each step lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from borelli.cli.main import app
from tests.conformance.own_scaling import write_subject
from tests.io.test_c3d import make_c3d


def test_a_static_trial_is_shown_with_its_gaps_and_what_is_missing(tmp_path: Path) -> None:
    write_subject(tmp_path)
    result = CliRunner().invoke(
        app, ["capture", str(tmp_path / "static.trc"), "--model", str(tmp_path / "model.osim")]
    )
    assert result.exit_code == 0, result.output
    assert "9 markers, 20 instants from 0 s to 0.19 s at 100 Hz" in result.output
    assert "gaps: shank 5.0 %" in result.output
    assert "inverse kinematics: 9 markers of the model were recorded\n" in result.output
    assert "no force plates in this file" in result.output
    assert "muscle forces: 8 muscles" in result.output


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_a_recording_with_plates_is_shown(tmp_path: Path) -> None:
    make_c3d(tmp_path / "walk.c3d")
    result = CliRunner().invoke(app, ["capture", str(tmp_path / "walk.c3d")])
    assert result.exit_code == 0, result.output
    assert "event at 0.010 s: Left Foot Strike" in result.output
    assert "plate_1: 8 samples, loaded 100 % of the time, up to 900 N" in result.output
    assert "1 force plates; --model finds the foot on each" in result.output
    assert "name the subject's model with --model" in result.output
