"""The made-up study that ships as a script, small: what it finds is what was put in."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import borelli as bo

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "made_up_study.py"


def test_the_barbell_is_found_in_what_the_knee_bears(tmp_path):
    spec = importlib.util.spec_from_file_location("made_up_study", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    found = bo.study(script.write_study(tmp_path, 2, 1))
    assert not found.failed, found.failed[0].error
    knee = next(
        each
        for each in found.result.differences(["mean"])
        if each.output == "knee_reaction_force_y" and each.condition == "barbell"
    )
    weight = 9.81 * script.CONDITIONS["barbell"]
    # Its weight has an error of one percent in every trial; the knee is below it and bears all of it.
    assert knee.parts["load"] == pytest.approx(weight, rel=0.03)
    assert knee.test.mean > weight and knee.closure < 1e-9
