"""What is written, OpenSim reads and computes the same; so do we when we read it again."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import BorelliWarning, UnsupportedError
from borelli.io.osim import read_osim, write_osim

from . import everything, models
from .peer import assert_same


@pytest.mark.parametrize("kind", models.KINDS)
def test_every_joint_with_nested_frames_goes_through_opensim(kind: str, tmp_path: Path, opensim: Any) -> None:
    model = models.one_of(kind, seed=11)
    write_osim(model, tmp_path / "a.osim")
    assert_same(opensim, tmp_path / "a.osim", model)


@pytest.mark.parametrize("name", models.FUNCTIONS)
def test_every_function_goes_through_opensim(name: str, tmp_path: Path, opensim: Any) -> None:
    model = models.custom(models.FUNCTIONS[name], seed=7)
    with pytest.warns(BorelliWarning, match="'a' is rotational here and coupled in OpenSim"):
        write_osim(model, tmp_path / "a.osim")
    assert_same(opensim, tmp_path / "a.osim", model)


def test_functions_of_two_coordinates_go_through_opensim(tmp_path: Path, opensim: Any) -> None:
    model = models.two_arguments(bm.Linear((0.4, 0.2), 0.1))
    write_osim(model, tmp_path / "a.osim")
    assert_same(opensim, tmp_path / "a.osim", model)


def test_polynomials_of_two_coordinates_have_opensims_poses_and_masses(tmp_path: Path, opensim: Any) -> None:
    # OpenSim 4.6 returns first derivatives where second ones are asked for, so its forces are wrong.
    model = models.two_arguments(bm.MultivariatePolynomial(2, 2, (0.1, 0.2, -0.1, 0.7, 0.3, 0.2)))
    write_osim(model, tmp_path / "a.osim")
    assert_same(opensim, tmp_path / "a.osim", model, with_forces=False)
    with pytest.raises(AssertionError):
        assert_same(opensim, tmp_path / "a.osim", model)


def test_a_knee_of_three_coupled_rotations_has_opensims_forces(tmp_path: Path, opensim: Any) -> None:
    model = models.coupled_knee()
    write_osim(model, tmp_path / "a.osim")
    assert_same(opensim, tmp_path / "a.osim", model)


def test_with_exact_rates_the_same_knee_differs_from_opensim(tmp_path: Path, opensim: Any) -> None:
    model = models.coupled_knee(bm.AxisRates.EXACT)
    with pytest.warns(BorelliWarning, match="angular acceleration of joint 'joint' less exactly"):
        write_osim(model, tmp_path / "a.osim")
    with pytest.raises(AssertionError):
        assert_same(opensim, tmp_path / "a.osim", model)


@pytest.mark.parametrize("kind", models.KINDS)
def test_what_is_written_reads_back_equal_in_numbers(kind: str, tmp_path: Path) -> None:
    model = models.one_of(kind, seed=2)
    write_osim(model, tmp_path / "a.osim")
    again = read_osim(tmp_path / "a.osim")
    assert again.coordinate_names == model.coordinate_names
    assert again.body_names == model.body_names
    assert set(again.frames.names) >= set(model.frames.names)
    rng = np.random.default_rng(1)
    q, u, udot = rng.normal(size=(3, 2, len(model.coordinate_names)))
    motion = bo.Motion(np.array([0.0, 0.1]), model.coordinate_names, q, u, udot)
    ours = bo.inverse_dynamics(model, motion)["generalized_force"].values
    theirs = bo.inverse_dynamics(again, motion)["generalized_force"].values
    # The frames went through three angles and back: a few units in the last place.
    np.testing.assert_allclose(theirs, ours, atol=1e-12 * np.abs(ours).max())


def test_a_model_with_everything_is_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    model = everything.model()
    write_osim(model, tmp_path / "a.osim")
    again = read_osim(tmp_path / "a.osim")
    for part in (
        "markers",
        "muscles",
        "forces",
        "constraints",
        "wrap_objects",
        "contact_surfaces",
        "joints",
    ):
        assert getattr(again, part).names == getattr(model, part).names
    everything.assert_close(again, model)


def test_opensim_reads_a_model_with_everything(tmp_path: Path, opensim: Any) -> None:
    write_osim(everything.model(), tmp_path / "a.osim")
    theirs = opensim.Model(str(tmp_path / "a.osim"))
    theirs.initSystem()
    assert theirs.getForceSet().getSize() == len(everything.model().muscles) + len(everything.model().forces)
    assert theirs.getConstraintSet().getSize() == len(everything.model().constraints)
    assert theirs.getMarkerSet().getSize() == len(everything.model().markers)


def test_what_opensim_prints_reads_back_the_same(tmp_path: Path, opensim: Any) -> None:
    write_osim(everything.model(), tmp_path / "a.osim")
    theirs = opensim.Model(str(tmp_path / "a.osim"))
    theirs.initSystem()
    theirs.printToXML(str(tmp_path / "b.osim"))
    everything.assert_close(read_osim(tmp_path / "b.osim"), everything.model())


def test_names_that_opensim_refuses_are_changed_and_said(tmp_path: Path, opensim: Any) -> None:
    model = bm.Model(
        name="my model",
        bodies=(bm.Body("left foot", 1.0), bm.Body("left_foot", 1.0)),
        joints=(
            bm.PinJoint(
                name="an/kle", parent="ground", child="left foot", coordinates=(bm.Coordinate("α β"),)
            ),
            bm.PinJoint(name="toe", parent="left foot", child="left_foot"),
        ),
    )
    with pytest.warns(BorelliWarning, match="'left_foot' is called 'left_foot_0'"):
        write_osim(model, tmp_path / "a.osim")
    theirs = opensim.Model(str(tmp_path / "a.osim"))
    theirs.initSystem()
    assert [c.getName() for c in theirs.getCoordinateSet()] == ["α_β", "toe"]


def test_quaternions_become_angles_with_the_same_pose(tmp_path: Path) -> None:
    half = np.sqrt(0.5)
    joint = bm.BallJoint(name="ball", parent="ground", child="b")
    turned = [
        dataclasses.replace(c, default_value=v)
        for c, v in zip(joint.coordinates, (half, 0.0, half, 0.0), strict=True)
    ]
    model = bm.Model(
        bodies=(bm.Body("b", 1.0, (0, 0, 1), (1, 1, 1)),),
        joints=(dataclasses.replace(joint, coordinates=tuple(turned)),),
    )
    with pytest.warns(BorelliWarning, match="on angles instead of a quaternion"):
        write_osim(model, tmp_path / "a.osim")
    again = read_osim(tmp_path / "a.osim")
    assert again.coordinate_names == ("ball_rx", "ball_ry", "ball_rz")
    values = [c.default_value for c in again.coordinates]
    # A quarter turn about y, the worst case of the angles.
    motion = bo.Motion(np.zeros(1), again.coordinate_names, np.array([values]))
    np.testing.assert_allclose(
        bo.body_poses(again, motion)["rotation"].values[0, 0], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], atol=1e-15
    )


def test_abstract_numbers_are_refused_by_name(tmp_path: Path) -> None:
    sympy = pytest.importorskip("sympy")
    body = bm.Body("b", sympy.Symbol("m"))
    model = bm.Model(bodies=(body,), joints=(bm.PinJoint(name="j", parent="ground", child="b"),))
    with pytest.raises(UnsupportedError, match=r"abstract numbers \(m\) cannot be written"):
        write_osim(model, tmp_path / "a.osim")
    assert not (tmp_path / "a.osim").exists()


@pytest.mark.parametrize("name", ["\x1b[31mred\x07", "a\x00b", ".", "..", "a\x85b", "a\uffffb", "\x9b31m"])
def test_names_that_xml_cannot_hold_are_changed_and_said(name: str, tmp_path: Path) -> None:
    model = bm.Model(
        bodies=(bm.Body(name, 1.0),), joints=(bm.PinJoint(name=name, parent="ground", child=name),)
    )
    with pytest.warns(BorelliWarning, match="is called '"):
        write_osim(model, tmp_path / "a.osim")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = read_osim(tmp_path / "a.osim")
    assert again.body_names[0].isprintable() and again.body_names == again.joint_names
