"""Real models go through our writer and OpenSim, and give the same numbers."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from borelli.errors import BorelliWarning
from borelli.io.osim import read_osim, write_osim
from borelli.io.toml.model_toml import read_model_toml, write_model_toml

from .peer import assert_same

MODELS = {
    "rajagopal2016": "Rajagopal2016.osim",
    "gait2392": "subject01_simbody.osim",
    "gait10dof18musc": "subject01.osim",
    "arm26": "arm26.osim",
    "CoupledCoordinatesMPPsMomentArmTest": "CoupledCoordinatesMPPsMomentArmTest.osim",
}


@pytest.fixture(params=MODELS)
def original(request: Any, oracle: Path) -> Path:
    return oracle / request.param / MODELS[request.param]


def test_opensim_computes_the_same_with_what_is_written(original: Path, tmp_path: Path, opensim: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BorelliWarning)
        model = read_osim(original)
        write_osim(model, tmp_path / "written.osim")
    assert_same(opensim, tmp_path / "written.osim", model)
    assert_same(opensim, original, model)


def test_a_model_survives_toml(original: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BorelliWarning)
        model = read_osim(original)
        write_model_toml(model, tmp_path / "model.toml")
        assert read_model_toml(tmp_path / "model.toml") == model
