"""Constraints of real models equal OpenSim's: stored motions obey, and the coupling of coordinates agrees.

Needs the reference data beside the repository; skipped where they are absent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from borelli.analyses.movement.assemble import assemble
from borelli.analyses.movement.constraints import constraint_jacobian, constraint_residuals
from borelli.io.load_model import load_model
from borelli.io.toml.model_toml import model_to_toml, read_model_toml
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.model import Model
from tests.shared_data import needs_data, reference

CASES = ["CoupledCoordinatesMPPsMomentArmTest", "rajagopal2016", "rajagopal_walk"]
pytestmark = [
    needs_data,
    # Parts that Borelli keeps as data are listed in a warning; they are not the matter here.
    pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning"),
]


def case(name: str) -> tuple[Model, Any, list[str]]:
    folder = reference(name)
    stored = np.load(folder / "ref.npz")
    return load_model(next(folder.glob("*.osim"))), stored, [str(n) for n in stored["coord_names"]]


@pytest.mark.parametrize("name", CASES)
def test_stored_motions_obey_the_constraints(name: str) -> None:
    model, stored, names = case(name)
    motion = Motion(stored["time"], names, stored["q"], stored["u"], stored["udot"])
    residuals = constraint_residuals(model, motion)
    for level in ("position_error", "velocity_error", "acceleration_error"):
        # The motions were projected on the constraints to about 2e-14.
        assert float(np.abs(residuals[level]).max()) < 1e-13
    # A negative control: half a degree on the first constrained coordinate does not obey.
    row = constraint_jacobian(model, motion, locks=False).sel(speed=names).values[0, -1]
    q = stored["q"].copy()
    q[:, int(np.argmax(np.abs(row)))] += 0.01
    broken = constraint_residuals(model, Motion(stored["time"], names, q, stored["u"], stored["udot"]))
    assert float(np.abs(broken["position_error"]).max()) > 1e-4


@pytest.mark.parametrize("name", CASES)
def test_dependent_coordinates_are_completed_from_the_independent_ones(name: str) -> None:
    model, stored, names = case(name)
    free = ~stored["coord_dependent"]
    kept = [n for n, keep in zip(names, free, strict=True) if keep]
    motion = Motion(stored["time"], kept, *(stored[key][:, free] for key in ("q", "u", "udot")))
    result = assemble(model, motion)
    order = [result.coordinates.index(n) for n in names]
    np.testing.assert_allclose(result.q[:, order], stored["q"], atol=1e-13)
    np.testing.assert_allclose(result.u[:, order], stored["u"], atol=1e-12)
    np.testing.assert_allclose(result.udot[:, order], stored["udot"], atol=1e-11)


@pytest.mark.parametrize("name", CASES)
def test_coupled_motion_equals_the_coupling_that_opensim_uses(name: str) -> None:
    model, stored, names = case(name)
    motion = Motion(stored["time"], names, stored["q"], stored["u"], stored["udot"])
    jacobian = constraint_jacobian(model, motion).sel(speed=names).values[stored["ma_frames"]]
    # OpenSim sets one speed to one and projects: c = P e / (P e)_i with P = E - G⁺ G.
    projector = np.eye(len(names)) - np.linalg.pinv(jacobian, rcond=1e-9) @ jacobian
    for number, coordinate in enumerate(stored["ma_coords"]):
        index = names.index(str(coordinate))
        if not stored["coord_dependent"][index]:
            column = projector[:, :, index]
            expected = stored["ma_coupling"][:, number]
            np.testing.assert_allclose(column / column[:, [index]], expected, atol=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_real_models_come_back_equal_from_toml(name: str, tmp_path: Path) -> None:
    model = case(name)[0]
    path = tmp_path / "model.toml"
    path.write_text(model_to_toml(model), encoding="utf-8")
    assert read_model_toml(path) == model
