"""Documents in the style of OpenSim 1.9 mean what OpenSim 4 makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import FileFormatError
from borelli.io.model_with_forces import load_with_forces
from borelli.io.osim import read_osim
from tests.reference.make_opensim_old import COORDINATES, FIXTURE, POSTURES, every_answer

from .version_one import VERSIONS, leg

STORED = json.loads(FIXTURE.read_text("utf-8"))
MOTION = bo.Motion(
    np.arange(len(POSTURES)) * 0.1,
    COORDINATES,
    np.array(POSTURES),
    np.zeros((len(POSTURES), 3)),
    np.zeros((len(POSTURES), 3)),
)


def read(folder: Path, text: str) -> bm.Model:
    path = folder / "old.osim"
    path.write_text(text, encoding="utf-8")
    return read_osim(path)


@pytest.mark.filterwarnings("ignore:points of paths move in their bodies")
@pytest.mark.parametrize("version", VERSIONS)
def test_bodies_and_paths_are_those_of_opensim(version: int, tmp_path: Path) -> None:
    model, theirs = read(tmp_path, leg(version)), STORED[str(version)]
    poses = bo.body_poses(model, MOTION)
    # Both compute with the same numbers: round-off of a chain of two bodies.
    np.testing.assert_allclose(poses["origin"], theirs["origin"], atol=1e-12)
    np.testing.assert_allclose(poses["rotation"], theirs["rotation"], atol=1e-12)
    np.testing.assert_allclose(bo.mass_matrix(model, MOTION), theirs["mass_matrix"], atol=1e-12)
    assert list(model.muscle_names) == theirs["muscles"]
    lengths = bo.paths(model, MOTION)["length"].sel(path=theirs["muscles"])
    # OpenSim's way over the oblique cylinder is up to 2 um longer than the shortest.
    np.testing.assert_allclose(lengths, theirs["length"], rtol=0, atol=3e-6)
    arms = bo.moment_arms(model, MOTION).sel(path=theirs["muscles"], coordinate=list(COORDINATES))
    # As for the lengths; differences of lengths have nine digits.
    np.testing.assert_allclose(
        arms.transpose("time", "coordinate", "path"), theirs["moment_arm"], rtol=0, atol=1e-4
    )
    angles = [muscle.pennation_angle_at_optimal for muscle in model.muscles]
    assert angles == pytest.approx(theirs["pennation"])


def test_every_part_of_the_leg_is_seen_to_act() -> None:
    lengths = np.array(STORED["10901"]["length"])
    straight, wrapped, conditional, moving = lengths.T
    assert (wrapped > straight + 1e-3).any() and (moving > straight + 1e-3).all()
    bent = conditional > straight + 1e-3
    assert bent.any() and not bent.all()


@pytest.mark.parametrize("version", [10901, 10904])
def test_forces_of_version_one_act_as_opensim_turns_them(version: int, tmp_path: Path) -> None:
    forces, theirs = read(tmp_path, leg(version)).forces, STORED[str(version)]["actuators"]
    motor, push, twist = forces["motor"], forces["push"], forces["twist"]
    assert isinstance(motor, bm.CoordinateActuator)
    assert [motor.coordinate, motor.optimal_force] == theirs["motor"]
    assert isinstance(push, bm.PointActuator)
    assert [
        push.body,
        list(push.point),
        list(push.direction),
        push.direction_in_ground,
        push.point_in_ground,
        push.optimal_force,
    ] == theirs["push"]
    assert isinstance(twist, bm.TorqueActuator)
    assert [
        twist.first,
        twist.second,
        list(twist.axis),
        twist.axis_in_ground,
        twist.optimal_force,
    ] == theirs["twist"]


def test_an_axis_without_a_function_follows_its_coordinate_in_every_version(tmp_path: Path) -> None:
    joint = read(tmp_path, leg(20302)).joints["knee_joint"]
    assert isinstance(joint, bm.CustomJoint)
    assert joint.rotations[0].function == bm.Linear((1.0,), 0.0)
    assert joint.rotations[1].function == bm.Constant(0.0)


def test_an_axis_without_a_function_of_its_two_coordinates_is_refused(tmp_path: Path) -> None:
    text = leg(10901).replace("<coordinates> slide </coordinates>", "<coordinates> slide knee </coordinates>")
    with pytest.raises(FileFormatError, match="'translation2' follows 2 coordinates, but has no function"):
        read(tmp_path, text)


@pytest.mark.parametrize("version", [10500, 10600, 10900])
def test_documents_that_opensim_cannot_read_are_refused_with_the_way(version: int, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=f"version {version}, which OpenSim 4 cannot read") as caught:
        read(tmp_path, leg(version))
    assert "OpenSim 3.3" in str(caught.value)


def test_a_model_without_a_document_around_it_is_refused_with_the_way(tmp_path: Path) -> None:
    text = leg(10901).replace('<OpenSimDocument Version="10901">', "").replace("</OpenSimDocument>", "")
    with pytest.raises(FileFormatError, match="which OpenSim 4 cannot read either") as caught:
        read(tmp_path, text)
    assert "OpenSim 3.3" in str(caught.value)


def test_stored_numbers_are_those_of_opensim(opensim: Any) -> None:
    now = every_answer(opensim)
    assert now.keys() == STORED.keys()
    for version, stored in STORED.items():
        for key in ("origin", "rotation", "mass_matrix", "length", "moment_arm", "pennation"):
            np.testing.assert_allclose(now[version][key], stored[key], atol=1e-7, err_msg=key)
        assert now[version]["actuators"] == stored["actuators"]


@pytest.mark.parametrize(("version", "sign"), [(4000, -1.0), (10904, -1.0), (10905, 1.0), (40000, 1.0)])
def test_the_version_alone_turns_forces_round_as_in_opensim(
    version: int, sign: float, tmp_path: Path
) -> None:
    """A force set of a published study says 4000 for 40000; OpenSim 4.6 takes it for version 1 and turns it round."""
    bob = bm.Body("bob", 1.0, (0, -0.1, 0), (0.1, 0.1, 0.1))
    hinge = bm.PinJoint(name="hinge", parent="ground", child="bob")
    bo.save_model(bm.Model(name="m", bodies=[bob], joints=[hinge]), tmp_path / "m.osim")
    forces = tmp_path / "forces.xml"
    forces.write_text(
        f"<OpenSimDocument Version='{version}'><ForceSet><objects>"
        "<PointActuator name='F'><body>bob</body><point>0 0 0</point><direction>0 0.6 0.8</direction>"
        "<force_is_global>true</force_is_global><optimal_force>10</optimal_force></PointActuator>"
        "<TorqueActuator name='T'><bodyA>bob</bodyA><bodyB>ground</bodyB><axis>0.6 0 0.8</axis>"
        "<torque_is_global>true</torque_is_global><optimal_force>10</optimal_force></TorqueActuator>"
        "</objects></ForceSet></OpenSimDocument>"
    )
    push, turn = load_with_forces(tmp_path / "m.osim", [forces], False).forces
    assert isinstance(push, bm.PointActuator) and isinstance(turn, bm.TorqueActuator)
    assert push.direction == pytest.approx((0.0, 0.6 * sign, 0.8 * sign))
    assert turn.axis == pytest.approx((0.6 * sign, 0.0, 0.8 * sign))
    assert (turn.first, turn.second) == ("bob", "ground")
