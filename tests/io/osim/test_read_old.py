"""Documents of OpenSim 2 and 3 mean what OpenSim 4 makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import BorelliWarning, UnsupportedError
from borelli.io.osim import read_osim

from . import old
from .peer import assert_same


def write(folder: Path, text: str) -> Path:
    path = folder / "model.osim"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("version", [20001, 20303, 30000, 30200])
def test_joints_owned_by_bodies_move_as_in_opensim(version: int, tmp_path: Path, opensim: Any) -> None:
    path = write(tmp_path, old.chain(version))
    model = read_osim(path)
    assert model.joint_names == ("hip_joint", "knee", "balljoint", "weldjoint")
    assert_same(opensim, path, model)


@pytest.mark.parametrize("version", [30505, 30508])
def test_connectors_by_name_are_followed(version: int, tmp_path: Path) -> None:
    model = read_osim(write(tmp_path, old.set_of_joints(version)))
    joint = model.joints["hip_joint"]
    body, place = model.parent_of(joint)
    assert (body, model.child_of(joint)[0]) == ("ground", "thigh")
    np.testing.assert_allclose(place.translation, (0.1, 0.2, 0.3))


def test_joint_frames_and_inertias_of_old_documents_have_six_digits_as_in_opensim(tmp_path: Path) -> None:
    model = read_osim(write(tmp_path, old.chain(30000)))
    assert model.joints["hip_joint"].parent_placement.translation == (0.123457, 0.2, -0.3)
    assert model.bodies["thigh"].inertia[0] == 0.112346


def test_what_a_coordinate_measures_follows_from_its_joint_as_in_opensim(
    tmp_path: Path, opensim: Any
) -> None:
    text = old.chain(30000).replace("<coefficients>1 0</coefficients>", "<coefficients>2 0</coefficients>")
    path = write(tmp_path, text)
    with pytest.warns(BorelliWarning, match="'flexion' is an angle by its motion_type, but no axis"):
        model = read_osim(path)
    assert model.coordinates["flexion"].motion is bm.MotionType.COUPLED
    theirs = opensim.Model(str(path))
    theirs.initSystem()
    assert theirs.getCoordinateSet().get("flexion").getMotionType() == opensim.Coordinate.Coupled
    old_table = tmp_path / "old.mot"
    q = np.linspace(-80.0, 80.0, 9)
    columns = (*model.coordinate_names,)
    values = np.zeros((9, len(columns)))
    values[:, columns.index("flexion")] = q
    bo.save_table(bo.Table(np.arange(9) / 10, columns, values, in_degrees=True), old_table)
    with pytest.warns(BorelliWarning, match="'flexion' reaches 80, lies in its range in degrees alone"):
        motion = bo.load_motion(old_table, model)
    np.testing.assert_allclose(motion.column("flexion"), np.radians(q), atol=1e-12)


@pytest.mark.parametrize("kind", ["PinJoint", "WeldJoint", "UniversalJoint", "SliderJoint"])
def test_reversed_joints_move_as_in_opensim(kind: str, tmp_path: Path, opensim: Any) -> None:
    count = {"PinJoint": 1, "WeldJoint": 0, "UniversalJoint": 2, "SliderJoint": 1}[kind]
    names = "".join(old.coordinate(f"q{i}") for i in range(count))
    joint = old.owned_joint(kind, "thigh", names, "back").replace("false </reverse>", "true </reverse>")
    text = old.document(
        old.objects(
            "BodySet",
            old.GROUND,
            old.old_body("thigh", old.owned_joint("PinJoint", "ground", old.coordinate("hip"), "hip_joint")),
            old.old_body("shank", joint),
        ),
        30000,
    )
    path = write(tmp_path, text)
    assert_same(opensim, path, read_osim(path))


def test_a_reversed_joint_that_turns_and_slides_is_refused(tmp_path: Path) -> None:
    text = old.chain(30000)
    at = text.index("<reverse> false", text.index("CustomJoint"))
    text = text[:at] + "<reverse> true" + text[at + len("<reverse> false") :]
    with pytest.raises(UnsupportedError, match=r"joint 'knee' \(custom\) is defined in reverse") as caught:
        read_osim(write(tmp_path, text))
    assert "line" in str(caught.value.where)


def test_old_welds_points_and_bushings_are_read(tmp_path: Path) -> None:
    weld = """<WeldConstraint><body_1> shank </body_1><body_2>ground</body_2>
    <location_body_1>0.1 0 0</location_body_1><orientation_body_2>0 0 0.3</orientation_body_2></WeldConstraint>"""
    point = """<PointConstraint name="tip"><isDisabled> true </isDisabled><body_1>foot</body_1><body_2>thigh</body_2>
    <location_body_2>0 0.1 0</location_body_2></PointConstraint>"""
    bushing = """<BushingForce name="b"><isDisabled>true</isDisabled><body_1>foot</body_1><body_2>thigh</body_2>
    <rotational_stiffness>1 2 3</rotational_stiffness></BushingForce>"""
    more = old.objects("ConstraintSet", weld, point) + old.objects("ForceSet", bushing)
    text = old.chain(30000).replace("</Model>", more + "</Model>")
    model = read_osim(write(tmp_path, text))
    assert model.constraints.names == ("weldconstraint", "tip")
    assert not model.constraints["tip"].enforced
    first = model.constraints["weldconstraint"]
    assert isinstance(first, bm.WeldConstraint) and first.first_placement.translation == (0.1, 0.0, 0.0)
    assert not model.forces["b"].applies_force


def test_a_repeated_name_gets_a_number_and_is_said(tmp_path: Path) -> None:
    pin = old.owned_joint("PinJoint", "ground", old.coordinate("q"))
    other = old.owned_joint("PinJoint", "ground", old.coordinate("q"))
    text = old.document(
        old.objects("BodySet", old.GROUND, old.old_body("a", pin), old.old_body("b", other)), 30000
    )
    with pytest.warns(BorelliWarning, match=r"the second joint 'pinjoint' \(line") as caught:
        model = read_osim(write(tmp_path, text))
    assert model.joint_names == ("pinjoint", "pinjoint_0")
    assert model.coordinate_names == ("q", "pinjoint_0/q")
    assert "a second coordinate 'q', of joint 'pinjoint_0', is called 'pinjoint_0/q'" in str(
        caught[0].message
    )
