"""A segment that bends into an arc: OpenSim's poses, and speeds and forces that follow from these poses alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import BorelliWarning
from borelli.kernels.tree.arc import DEGREE, arc_powers
from tests.reference.make_opensim_arc import NAMES, POSTURES, SCALE, SPEEDS, answers, spine
from tests.reference.make_opensim_cases import FIXTURES

STORED = json.loads((FIXTURES / "arc.json").read_text("utf-8"))
BENT = len(POSTURES) - 1
"""All but the last, whose bend of 0.0006 rad OpenSim leaves out."""
STATES = [(np.array(q), np.array(SPEEDS), np.array([0.5, -1.1, 0.8])) for q in POSTURES[1:5]]


def pose(q: Any) -> tuple[np.ndarray, np.ndarray]:
    """Origin and rotation of the thorax."""
    found = bo.body_poses(spine(), bo.Motion.at_rest(NAMES, q)).isel(time=0).sel(body="thorax")
    return found["origin"].values, found["rotation"].values


def test_poses_are_opensims() -> None:
    for k, posture in enumerate(POSTURES[:BENT]):
        origin, rotation = pose(posture)
        np.testing.assert_allclose(origin, STORED["origin"][k], atol=1e-14)
        np.testing.assert_allclose(rotation, STORED["rotation"][k], atol=1e-14)


def test_an_almost_straight_segment_bends_here_and_not_in_opensim() -> None:
    """Theirs then turns like a rod, whose end goes twice as far aside: half of 0.3 m times the bend."""
    origin, rotation = pose(POSTURES[-1])
    bend = np.hypot(0.0005, 0.0003)
    assert np.linalg.norm(origin - STORED["origin"][-1]) == pytest.approx(0.15 * bend, rel=1e-3)
    np.testing.assert_allclose(rotation, STORED["rotation"][-1], atol=1e-14)


def test_opensims_velocities_are_not_the_rates_of_its_poses() -> None:
    """Why speeds and forces are not compared with OpenSim's: a tenth of a metre a second at 1 rad/s."""
    assert min(STORED["velocity_off"]) > 0.01 and max(STORED["velocity_off"]) > 0.1


@pytest.mark.parametrize(("q", "u"), [(q, u) for q, u, _ in STATES])
def test_speeds_are_the_rates_of_the_poses(q: np.ndarray, u: np.ndarray) -> None:
    step = 1e-6
    own = bo.jacobian(spine(), bo.Motion.at_rest(NAMES, q), "thorax").isel(time=0)
    (after, turned), (before, unturned) = pose(q + step * u), pose(q - step * u)
    np.testing.assert_allclose(own["linear"].values @ u, (after - before) / (2 * step), atol=1e-9)
    spin = (turned - unturned) / (2 * step) @ pose(q)[1].T
    np.testing.assert_allclose(own["angular"].values @ u, [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-9)


def lagrangian(q: np.ndarray, u: np.ndarray) -> float:
    """Kinetic minus potential energy (J), from differences of poses: no speed of Borelli is used."""
    model = spine()
    body = model.bodies["thorax"]
    step = 1e-4

    def moved(h: float) -> tuple[np.ndarray, np.ndarray]:
        origin, rotation = pose(q + h * u)
        return origin + rotation @ np.array(body.com), rotation

    # Differences of fourth order: their error is 1e-13 here.
    near, far = [moved(h) for h in (step, -step)], [moved(h) for h in (2 * step, -2 * step)]
    velocity, turning = (
        (8.0 * (near[0][k] - near[1][k]) - (far[0][k] - far[1][k])) / (12.0 * step) for k in range(2)
    )
    com, rotation = moved(0.0)
    spin = rotation.T @ turning
    w = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    xx, yy, zz, xy, xz, yz = body.inertia
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return float(
        0.5 * body.mass * velocity @ velocity
        + 0.5 * w @ inertia @ w
        + body.mass * np.array(model.gravity) @ com
    )


def generalized_force(q: np.ndarray, u: np.ndarray, udot: np.ndarray) -> np.ndarray:
    """d/dt ∂L/∂u − ∂L/∂q by differences."""
    h, eye = 1e-3, np.eye(3)

    def by_speed(q: np.ndarray, u: np.ndarray) -> np.ndarray:
        # L is a parabola in u: this difference is exact.
        return np.array([(lagrangian(q, u + e) - lagrangian(q, u - e)) / 2 for e in eye])

    def central(f: Any) -> Any:
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)

    along = central(lambda s: by_speed(q + s * u, u + s * udot))
    return along - np.array([central(lambda s, e=e: lagrangian(q + s * e, u)) for e in eye])


@pytest.mark.parametrize(("q", "u", "udot"), STATES[:2])
def test_forces_obey_lagranges_equations_of_the_poses(q: np.ndarray, u: np.ndarray, udot: np.ndarray) -> None:
    """On the back end at hand; that all back ends agree is tested in tests/kernels/test_back_ends.py."""
    motion = bo.Motion([0.0], NAMES, q[None], u[None], udot[None])
    found = bo.inverse_dynamics(spine(), motion)["generalized_force"].values[0]
    np.testing.assert_allclose(found, generalized_force(q, u, udot), atol=2e-7)  # of 10 N m


def test_its_series_are_those_of_the_arc() -> None:
    f, g = arc_powers()
    assert len(f) == DEGREE + 1
    bend = np.linspace(1e-3, np.pi / 2, 500)
    x = 2.0 * np.cos(bend) - 1.0
    np.testing.assert_allclose(np.polyval(f[::-1], x), np.tan(bend / 2) / bend, rtol=5e-15)
    np.testing.assert_allclose(np.polyval(g[::-1], x), np.sin(bend) / bend, rtol=5e-15)


def test_files_keep_it_and_a_note_says_that_opensim_differs(tmp_path: Path) -> None:
    model = spine()
    bo.save_model(model, tmp_path / "spine.toml")
    assert bo.load_model(tmp_path / "spine.toml") == model
    bo.save_model(model, tmp_path / "spine.osim")
    with pytest.warns(BorelliWarning, match="joint 'spine': OpenSim's speeds are not the rates of its poses"):
        read = bo.load_model(tmp_path / "spine.osim")
    (joint,) = read.joints
    assert isinstance(joint, bm.ConstantCurvatureJoint)
    assert (joint.length, joint.neutral) == (0.3, (0.1, -0.15, 0.05))
    assert joint.coordinate_names == NAMES


@pytest.mark.parametrize("mode", ["default", "opensim"])
def test_it_grows_with_its_child(mode: str) -> None:
    scaled = bo.scale(spine(), {"thorax": SCALE}, mode=mode)
    length = scaled.joints["spine"].length
    if mode == "opensim":
        assert length == pytest.approx(STORED["scaled_length"], rel=1e-15)
    else:
        turn = np.array(spine().joints["spine"].child_placement.rotation)
        assert length == pytest.approx(0.3 * np.linalg.norm(np.array(SCALE) * turn[:, 1]), rel=1e-14)


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")  # bends that no marker sees, on purpose
def test_inverse_kinematics_finds_the_bends() -> None:
    places = [(0.1, 0.2, 0.05), (-0.1, 0.25, 0.1), (0.05, 0.3, -0.12), (0.12, 0.02, -0.02)]
    markers = [bm.Marker(f"m{k}", "thorax", place) for k, place in enumerate(places)]
    model = bm.Model(
        name="spine", bodies=spine().bodies, joints=spine().joints, markers=markers, gravity=(0, 0, 0)
    )
    q = np.linspace(0.0, 1.0, 30)[:, None] * np.array(POSTURES[3])
    recorded = bo.marker_positions(model, bo.Motion(np.arange(len(q)) / 100.0, NAMES, q, 0.0 * q, 0.0 * q))
    found = bo.inverse_kinematics(model, recorded)
    np.testing.assert_allclose(found.q, q, atol=1e-9)


def test_stored_numbers_are_those_of_opensim(tmp_path: Path) -> None:
    osim: Any = pytest.importorskip("opensim", reason="OpenSim is not installed")
    osim.Logger.setLevelString("off")
    for key, value in answers(osim, tmp_path).items():
        np.testing.assert_allclose(value, STORED[key], atol=1e-9, err_msg=key)
