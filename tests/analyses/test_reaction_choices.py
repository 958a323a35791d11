"""Joint reactions with tensions, and about any point."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli.compiled.compile import compile_model
from borelli.errors import InvalidValueError, MissingInputError, ShapeError, UnknownNameError
from borelli.mechanics.forces.reaction_frames import reaction_frames
from borelli.model import Body, Marker, Model, PathActuator, PathPoint, PinJoint, Placement
from borelli.model import Path as MusclePath
from tests.random_trees import random_loads, random_model, random_motion

G = 10.0


def elbow():
    """A horizontal forearm of 2 kg, mass centre 0.15 m out, held by a vertical muscle 0.05 m out."""
    upper = Body("upper", 1.0, (0, 0.15, 0), (0.01, 0.01, 0.01))
    fore = Body("fore", 2.0, (0.15, 0, 0), (0.01, 0.01, 0.01))
    shoulder = PinJoint(name="shoulder", parent="ground", child="upper")
    hinge = PinJoint(name="elbow", parent="upper", child="fore")
    points = (PathPoint("origin", "upper", (0.05, 0.3, 0)), PathPoint("insertion", "fore", (0.05, 0, 0)))
    biceps = PathActuator(name="biceps", path=MusclePath(points=points))
    return Model(
        bodies=(upper, fore),
        joints=(shoulder, hinge),
        forces=(biceps,),
        markers=(Marker("wrist", "fore", (0.25, 0, 0)),),
        gravity=(0, -G, 0),
    )


REST = {"coordinates": ("shoulder", "elbow"), "q": [0.0, 0.0]}
# 2 kg at 0.15 m held at 0.05 m: 60 N.
HOLDING = 2.0 * G * 0.15 / 0.05


def test_a_muscle_that_holds_the_forearm_presses_it_into_the_joint():
    model, motion = elbow(), bo.Motion.at_rest(**REST)
    found = bo.joint_reactions(model, motion, tensions={"biceps": HOLDING}).sel(joint="elbow").isel(time=0)
    np.testing.assert_allclose(found["force"], (0, 2 * G - HOLDING, 0), atol=1e-12)
    np.testing.assert_allclose(found["moment"], 0, atol=1e-12)


def test_a_muscle_within_what_a_joint_carries_does_not_load_it():
    model, motion = elbow(), bo.Motion.at_rest(**REST)
    without = bo.joint_reactions(model, motion).sel(joint="shoulder")
    tense = bo.joint_reactions(model, motion, tensions={"biceps": 500.0}).sel(joint="shoulder")
    np.testing.assert_allclose(tense["force"], without["force"], atol=1e-10)
    np.testing.assert_allclose(tense["moment"], without["moment"], atol=1e-10)
    assert tense.attrs["meaning"].startswith("carried by the joint")
    assert without.attrs["meaning"] == "net resultant"


def test_tensions_may_come_as_the_dataset_of_muscle_forces():
    import xarray as xr

    model, motion = elbow(), bo.Motion.at_rest(**REST)
    forces = xr.Dataset({"force": (("time", "muscle"), [[HOLDING]])}, {"muscle": ["biceps"]})
    found = bo.joint_reactions(model, motion, tensions=forces)
    expected = bo.joint_reactions(model, motion, tensions={"biceps": np.array([HOLDING])})
    np.testing.assert_array_equal(found["force"], expected["force"])


@pytest.mark.parametrize(
    ("tensions", "error", "text"),
    [
        ({"bicep": 1.0}, UnknownNameError, "'bicep' is not a path"),
        ({"biceps": [1.0, 2.0]}, ShapeError, "one number for each of the 1 instants"),
        ({"biceps": np.nan}, InvalidValueError, "tension of 'biceps' is not finite in instant 0"),
    ],
)
def test_bad_tensions_are_named(tensions, error, text):
    with pytest.raises(error, match=text):
        bo.joint_reactions(elbow(), bo.Motion.at_rest(**REST), tensions=tensions)


def test_a_dataset_without_forces_is_refused():
    import xarray as xr

    with pytest.raises(MissingInputError, match="no variable 'force'"):
        bo.joint_reactions(elbow(), bo.Motion.at_rest(**REST), tensions=xr.Dataset())


def points_of(model):
    body = model.body_names[2]
    return [("parent", None), (body, None), ((body, (0.1, -0.2, 0.3)), None), ("ground", None)]


@pytest.mark.parametrize("which", range(4))
def test_moving_the_point_changes_the_moment_by_lever_times_force(which):
    model = random_model(9, 6)
    motion, loads = random_motion(model, 9), random_loads(model, 9)
    at, _ = points_of(model)[which]
    here, there = bo.joint_reactions(model, motion, loads), bo.joint_reactions(model, motion, loads, at=at)
    np.testing.assert_array_equal(here["force"], there["force"])
    lever = here["point"].values - there["point"].values
    expected = here["moment"].values + np.cross(lever, here["force"].values)
    np.testing.assert_allclose(there["moment"].values, expected, rtol=1e-9, atol=1e-9)
    assert np.abs(lever).max() > 0.01


@pytest.mark.parametrize("at", ["child", "ground"])
def test_action_is_the_opposite_of_reaction_about_one_point(at):
    model = random_model(9, 6)
    motion, loads = random_motion(model, 9), random_loads(model, 9)
    child, parent = (bo.joint_reactions(model, motion, loads, on=on, at=at) for on in ("child", "parent"))
    np.testing.assert_array_equal(child["force"], -parent["force"])
    np.testing.assert_array_equal(child["moment"], -parent["moment"])


def test_a_marker_is_a_point():
    model, motion = elbow(), bo.Motion.at_rest(**REST)
    found = bo.joint_reactions(model, motion, at="wrist").sel(joint="elbow").isel(time=0)
    np.testing.assert_allclose(found["point"], (0.25, 0, 0), atol=1e-12)
    # The support of 20 N acts 0.15 m out: seen from the wrist it turns the other way.
    np.testing.assert_allclose(found["moment"], (0, 0, 20 * (0.15 - 0.25)), atol=1e-12)
    assert found["moment"].attrs["about"] == "marker wrist"


def test_bad_points_are_refused():
    model, motion = elbow(), bo.Motion.at_rest(**REST)
    with pytest.raises(UnknownNameError, match="'rist' is not a body, frame or marker"):
        bo.joint_reactions(model, motion, at="rist")
    with pytest.raises(InvalidValueError, match="a point needs three numbers"):
        bo.joint_reactions(model, motion, at=("fore", (1.0, 2.0)))


def test_a_frame_away_from_the_body_is_a_frame_like_any_other():
    model = elbow()
    placed = dataclasses.replace(
        model,
        joints=(
            model.joints[0],
            dataclasses.replace(model.joints[1], child_placement=Placement((0.0, 0.02, 0.0))),
        ),
    )
    found = bo.joint_reactions(placed, bo.Motion.at_rest(**REST), at="fore").sel(joint="elbow").isel(time=0)
    np.testing.assert_allclose(found["point"], (0, -0.02, 0), atol=1e-12)


@pytest.mark.parametrize(
    "choice",
    [{}, {"on": "parent"}, {"express_in": "child"}, {"express_in": "fore", "at": "wrist"}],
    ids=str,
)
def test_the_same_question_is_placed_in_the_tree_once(choice):
    compiled = compile_model(elbow())
    arguments = {"joints": None, "on": "child", "express_in": "ground", "at": None} | choice
    first, second = (reaction_frames(compiled.model, **arguments).placed(compiled) for _ in range(2))
    assert first is second


def test_reactions_at_the_joints_themselves_need_no_nodes_of_their_own():
    compiled = compile_model(elbow())
    placed = reaction_frames(compiled.model, None, "child", "ground", None).placed(compiled)
    assert placed.mechanism is compiled.mechanism
