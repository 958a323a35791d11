"""Stored numbers are those that their script gets from OpenSim, where OpenSim is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from tests.conformance import loop_study, own_study
from tests.conformance.own_models import MODELS
from tests.reference.ask_opensim import opensim
from tests.reference.make_opensim_cases import FIXTURES, answers
from tests.reference.make_opensim_runs import forces_of_constraints, runs


@pytest.fixture(scope="module")
def osim() -> Any:
    pytest.importorskip("opensim", reason="OpenSim is not installed")
    return opensim()


def assert_same(now: Any, stored: Any, where: str) -> None:
    if np.asarray(stored).dtype.kind in "fi":
        # Other processors round differently; the optimum is found to some digits less.
        np.testing.assert_allclose(now, stored, rtol=1e-9, atol=1e-9, err_msg=where)
    else:
        assert np.array_equal(now, stored), where


@pytest.mark.parametrize("name", MODELS)
def test_numbers_of_a_model_are_reproduced(name: str, osim: Any, tmp_path: Path) -> None:
    bo.save_model(MODELS[name](), tmp_path / "model.osim")
    now = answers(osim, name, tmp_path / "model.osim")
    stored = json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))
    assert now.keys() == stored.keys()
    for key in stored.keys() - {"origin"}:
        assert_same(now[key], stored[key], key)


@pytest.mark.parametrize(
    ("name", "study", "setup"), [("leg_runs", own_study, "id"), ("loop_runs", loop_study, "ground")]
)
def test_a_run_of_a_tool_is_reproduced(
    name: str, study: Any, setup: str, osim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stored = json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))
    for file, (columns, time, values) in runs(osim, tmp_path, study, (setup,)).items():
        assert stored[file][0] == columns
        assert_same(time, stored[file][1], file)
        assert_same(values, stored[file][2], file)


def test_forces_of_constraints_are_reproduced(osim: Any, tmp_path: Path) -> None:
    bo.save_model(loop_study.machine(), tmp_path / "machine.osim")
    stored = json.loads((FIXTURES / "loop_runs.json").read_text("utf-8"))["constraints"]
    columns, _, values = forces_of_constraints(osim, tmp_path)["constraints"]
    assert columns == stored[0]
    assert_same(values, stored[2], "constraints")
