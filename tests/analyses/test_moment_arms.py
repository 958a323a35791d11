"""Moment arms: the golden cases by every method, constraints, angles of interest, loops, bad input."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli.analyses.muscles.moment_arms import METHODS, _projected
from borelli.errors import (
    BorelliWarning,
    DuplicateNameError,
    InvalidValueError,
    ShapeError,
    UnknownNameError,
    UnsolvableError,
)
from borelli.mechanics.memory import sparse_zeros
from borelli.model import (
    BallJoint,
    Body,
    Coordinate,
    Model,
    PathPoint,
    PinJoint,
    Placement,
    PointConstraint,
    SliderJoint,
)
from tests.path_models import GOLDEN, composite, hinge, moving_hinge, muscle

# The golden numbers have 17 digits; a five-point difference of step 1e-3 loses four of them.
CLOSE = {"abs": 1e-10}
COMPOSITES = [name for name in GOLDEN if "composite" in name]


def at(model, *q):
    still = np.zeros((1, len(model.speed_names)))
    return bo.Motion([0.0], model.coordinate_names, [list(q)], still, still, speeds=model.speed_names)


@pytest.mark.parametrize("method", METHODS)
def test_golden_hinge(method):
    case = GOLDEN["moment_arm_hinge"]
    model = hinge(case["inputs"])
    motion = at(model, case["inputs"]["theta"])
    arms = bo.moment_arms(model, motion, method)
    arm = arms.sel(path="muscle", coordinate="theta").item()
    assert arm == pytest.approx(case["outputs"]["moment_arm"], **CLOSE)
    assert bo.paths(model, motion).length.item() == pytest.approx(case["outputs"]["length"], **CLOSE)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", COMPOSITES)
def test_golden_composite_joint_with_a_pulley(name, method):
    case = GOLDEN[name]
    model, wanted = composite(case["inputs"]), case["outputs"]
    motion = at(model, *wanted["q"])
    theta = {f"q{k}": case["inputs"]["w"][k - 1] for k in case["inputs"]["theta_is_sum_of"]}
    arms = bo.moment_arms(model, motion, method, angles={"theta": theta})
    assert arms.values.item() == pytest.approx(wanted["moment_arm"], **CLOSE)


@pytest.mark.parametrize("name", COMPOSITES)
def test_golden_composite_joint_path_and_generalized_forces(name):
    case = GOLDEN[name]
    model, wanted = composite(case["inputs"]), case["outputs"]
    found = bo.paths(model, at(model, *wanted["q"]), forces=True, points=True, arc_points=0)
    assert float(found.length[0, 0]) == pytest.approx(wanted["length"], **CLOSE)
    assert found.generalized_force[0, 0].values == pytest.approx(
        wanted["generalized_force_unit_tension"], **CLOSE
    )
    assert found.points[0, 0, 1:3, :2].values == pytest.approx(np.array(wanted["tangent_points"]), **CLOSE)


def test_arm_about_a_scaled_coordinate_differs_but_not_about_the_angle():
    plain, scaled = (GOLDEN[f"moment_arm_composite_wrap{end}"] for end in ("", "_scaled"))
    arms = []
    for case in (plain, scaled):
        model = composite(case["inputs"])
        motion = at(model, *case["outputs"]["q"])
        theta = {f"q{k}": case["inputs"]["w"][k - 1] for k in (1, 2, 3, 4)}
        arms.append(bo.moment_arms(model, motion, coordinates="q1", angles={"theta": theta})[0, 0].values)
    assert arms[0][1] == pytest.approx(arms[1][1], abs=1e-15)
    # q1 of the second model counts half radians.
    assert arms[1][0] == pytest.approx(2 * arms[0][0], abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_golden_moving_point_follows_virtual_work_and_names_the_point(method):
    case = GOLDEN["moment_arm_moving_point"]
    model, wanted = moving_hinge(case["inputs"]), case["outputs"]
    with pytest.warns(
        BorelliWarning, match=r"points of paths move .*'slider' of 'muscle'.*effective_torque_arm"
    ):
        arms = bo.moment_arms(model, at(model, case["inputs"]["theta"]), method)
    assert arms.values.item() == pytest.approx(-wanted["dl_dtheta"], **CLOSE)
    if method == "generalized_force":
        torque = arms.effective_torque_arm.values.item()
        assert torque == pytest.approx(wanted["moment_arm_effective_torque"], **CLOSE)
        work = arms.undriven_work.values.item()
        assert work == pytest.approx(wanted["unmodelled_power_per_unit_tension_and_rate"], **CLOSE)
        # The negative control: with moving points torque and excursion disagree.
        assert abs(torque - arms.values.item()) > 0.02


@pytest.mark.parametrize("method", METHODS)
def test_golden_ball_joint(method):
    case = GOLDEN["moment_arm_ball"]
    given, wanted = case["inputs"], case["outputs"]
    points = (
        PathPoint("o", "ground", given["origin_parent"]),
        PathPoint("i", "ball", given["insertion_body"]),
    )
    joint = BallJoint(name="joint", parent="ground", child="ball")
    model = Model(bodies=(Body("ball", 1.0),), joints=(joint,), muscles=(muscle(points),))
    motion = bo.Motion([0.0], model.coordinate_names, [given["quat"]])
    in_child = bo.moment_arms(model, motion, method)[0, 0].values
    # The golden torque is in parent axes, ours about the components of the angular velocity in the child's.
    torque = Rotation.from_quat(given["quat"], scalar_first=True).apply(in_child)
    assert torque == pytest.approx(np.array(wanted["torque_unit_tension"]), **CLOSE)
    axis = np.array(given["axis_parent"])
    assert torque @ axis / np.linalg.norm(axis) == pytest.approx(wanted["moment_arm_about_axis"], **CLOSE)


def four_bar():
    """Crank and rocker on pins, joined by a coupler whose end meets the rocker: one freedom."""
    bodies = tuple(Body(name, 1.0) for name in ("crank", "coupler", "rocker"))
    joints = (
        PinJoint(name="a", parent="ground", child="crank"),
        PinJoint(name="b", parent="crank", child="coupler", parent_placement=Placement((0.1, 0, 0))),
        PinJoint(name="c", parent="ground", child="rocker", parent_placement=Placement((0.3, 0, 0))),
    )
    loop = PointConstraint(
        name="loop", first="coupler", second="rocker", first_location=(0.3, 0, 0), second_location=(0.2, 0, 0)
    )
    points = (PathPoint("o", "ground", (0.15, 0.3, 0)), PathPoint("i", "coupler", (0.2, 0.05, 0)))
    return Model(bodies=bodies, joints=joints, constraints=(loop,), muscles=(muscle(points),))


def test_arm_in_a_closed_loop_is_the_slope_of_the_assembled_length():
    model = four_bar()
    crank = np.array([0.9, 0.9 + 1e-5, 0.9 - 1e-5])
    guess = bo.Motion(
        np.arange(3.0), model.coordinate_names, np.column_stack([crank, -0.3 + 0 * crank, 1.4 + 0 * crank])
    )
    q = bo.assemble(model, guess).q
    arms = bo.moment_arms(model, bo.Motion([0.0], model.coordinate_names, q[:1]), coordinates="a")
    length = bo.paths(model, bo.Motion.at_rest(model.coordinate_names, q)).length.values[:, 0]
    slope = (length[1] - length[2]) / (q[1, 0] - q[2, 0])
    # Central difference of step 1e-5 on lengths assembled to 1e-12.
    assert arms.values.item() == pytest.approx(-slope, abs=1e-6)
    least = bo.moment_arms(
        model, bo.Motion([0.0], model.coordinate_names, q[:1]), coordinates="a", coupling="least_squares"
    )
    # One freedom: no choice is left to make.
    assert least.values.item() == pytest.approx(arms.values.item(), abs=1e-12)


def two_tied_sliders():
    """Three sliders along x, of which two share a freedom: x1 + x2 + x3 runs along a point that is held."""
    bodies = tuple(Body(f"b{k}", 1.0) for k in range(3))
    parents = ("ground", "b0", "b1")
    joints = tuple(SliderJoint(name=f"x{k}", parent=parents[k], child=f"b{k}") for k in range(3))
    hold = PointConstraint(name="hold", first="ground", second="b2")
    points = (PathPoint("o", "ground", (-1, 0, 0)), PathPoint("i", "b0", (0, 0, 0)))
    return Model(bodies=bodies, joints=joints, constraints=(hold,), muscles=(muscle(points),))


def test_freedoms_held_in_a_loop_are_named_and_least_squares_holds_none():
    model = two_tied_sliders()
    motion = at(model, 0.2, -0.1, -0.1)
    arms = bo.moment_arms(model, motion, coordinates=("x0", "x1"))
    assert arms.attrs["held"] == "x0: x1; x1: x0"
    assert arms.values[0, 0] == pytest.approx([-1.0, 0.0])
    least = bo.moment_arms(model, motion, coordinates=("x0", "x1"), coupling="least_squares")
    # The projection spreads the motion of x1 over x0 and x2: OpenSim's number depends on such mixtures.
    assert least.values[0, 0] == pytest.approx([-1.0, 0.5])


def test_locked_coordinate_is_set_free_when_asked_about_and_held_otherwise():
    case = GOLDEN["moment_arm_composite_wrap"]
    model = composite(case["inputs"])
    joints = list(model.joints)
    joints[0] = dataclasses.replace(
        joints[0], coordinates=(dataclasses.replace(joints[0].coordinates[0], locked=True),)
    )
    locked = dataclasses.replace(model, joints=joints)
    motion = at(model, *case["outputs"]["q"])
    free = bo.moment_arms(model, motion, coordinates="q1")
    assert bo.moment_arms(locked, motion, coordinates="q1").values == pytest.approx(free.values)
    with pytest.raises(UnsolvableError, match="'q2' cannot turn: the constraints and locks"):
        bo.moment_arms(locked, motion, coordinates="q2")
    # Not asked for by name it is NaN, and nothing else is.
    everything = bo.moment_arms(locked, motion)
    assert np.isnan(everything.sel(coordinate="q2")).all()
    assert np.isfinite(everything.sel(coordinate="q1")).all()


def test_instants_with_nan_are_nan_and_only_they():
    case = GOLDEN["moment_arm_hinge"]
    model = hinge(case["inputs"])
    motion = bo.Motion([0.0, 1.0, 2.0], ("theta",), [[0.6], [np.nan], [0.6]])
    with pytest.warns(BorelliWarning, match="1 of 3 instants contain NaN"):
        arms = bo.moment_arms(model, motion)
    assert np.isnan(arms[:, 0, 0]).values.tolist() == [False, True, False]


def test_result_says_units_convention_method_and_threads_change_nothing():
    case = GOLDEN["moment_arm_hinge"]
    model = hinge(case["inputs"])
    motion = bo.Motion(np.arange(5000.0), ("theta",), np.linspace(0, 1, 5000)[:, None])
    arms = bo.moment_arms(model, motion)
    assert arms.dims == ("time", "path", "coordinate")
    assert arms.attrs["convention"] == "positive drives the coordinate up: -dl/dθ"
    assert (bo.moment_arms(model, motion, threads=3) == arms).all()


def test_wrong_names_are_answered_with_the_nearest():
    model = hinge(GOLDEN["moment_arm_hinge"]["inputs"])
    motion = at(model, 0.1)
    with pytest.raises(UnknownNameError, match="'path_velocty' is not a method") as caught:
        bo.moment_arms(model, motion, "path_velocty")
    assert caught.value.closest[0] == "path_velocity"
    with pytest.raises(UnknownNameError, match="'Theta' is not a coordinate of model"):
        bo.moment_arms(model, motion, coordinates="Theta")
    with pytest.raises(UnknownNameError, match="'muscel' is not a path of model"):
        bo.moment_arms(model, motion, paths="muscel")
    with pytest.raises(UnknownNameError, match="'none' is not a coupling"):
        bo.moment_arms(model, motion, coupling="none")
    with pytest.raises(UnknownNameError, match="'wrist' is not a coordinate"):
        bo.moment_arms(model, motion, angles={"sum": {"wrist": 1.0}})
    with pytest.raises(DuplicateNameError, match="'theta' is a coordinate and an angle of interest at once"):
        bo.moment_arms(model, motion, coordinates="theta", angles={"theta": {"theta": 1.0}})


@pytest.mark.parametrize("whole", [True, False])
def test_forces_along_coupled_motions_are_their_products(whole):
    """Only pairs that are felt are multiplied; an angle that cannot turn in a frame has no arm there."""
    rng = np.random.default_rng(3)
    felt = {(0, 1), (2, 0), (2, 3)}
    force = np.zeros((5, 3, 4))
    for path, speed in felt:
        force[:, path, speed] = rng.normal(size=5)
    matrix = np.tile(np.eye(4), (5, 1, 1))
    matrix[:, 1, 3] = rng.normal(size=5)
    if not whole:
        matrix[2, 1] = np.nan
    arms, pairs = _projected(force, matrix, felt)
    assert np.array_equal(np.isnan(arms), np.isnan(np.einsum("npu,nau->npa", force, matrix)))
    # One product and one sum: no rounding differs.
    assert np.allclose(arms, np.einsum("npu,nau->npa", force, matrix), rtol=1e-15, equal_nan=True)
    assert pairs >= {(0, 1), (2, 0), (2, 1), (2, 3)}
    assert (pairs == {(0, 1), (2, 0), (2, 1), (2, 3)}) is whole


def test_forces_are_the_arms_where_every_speed_moves_alone():
    force = np.ones((2, 1, 3))
    arms, pairs = _projected(force, np.tile(np.eye(3), (2, 1, 1)), {(0, 2)})
    assert arms is force
    assert pairs == {(0, 2)}


@pytest.mark.parametrize("shape", [(2, 3, 4), (0, 3, 4)])
def test_zeros_that_take_no_memory_are_zeros_to_write_to(shape):
    zeros = sparse_zeros(shape)
    assert zeros.shape == shape
    assert not zeros.any()
    zeros[..., 1] = 2.0
    assert zeros.sum() == 2.0 * 6 * (shape[0] > 0)


def two_hinges():
    """Two hinges in a row, tied by nothing, and a muscle over both."""
    joints = (
        PinJoint(name="first", parent="ground", child="a", coordinates=(Coordinate("first"),)),
        PinJoint(
            name="second",
            parent="a",
            child="b",
            parent_placement=Placement((0.3, 0, 0)),
            coordinates=(Coordinate("second"),),
        ),
    )
    points = (PathPoint("o", "ground", (-0.1, 0.04, 0)), PathPoint("i", "b", (0.2, 0.03, 0)))
    return Model(bodies=(Body("a", 1.0), Body("b", 1.0)), joints=joints, muscles=(muscle(points),))


@pytest.mark.parametrize("method", METHODS)
def test_an_angle_may_be_any_function_of_the_coordinates(method):
    model = two_hinges()
    motion = bo.Motion.at_rest(("first", "second"), [[0.3, -0.4], [0.9, 0.5]])
    plain = bo.moment_arms(model, motion, method, coordinates="first")
    angles = {
        "formula": "first^3 / 3 + 2*first",
        "function": lambda q: q["first"] ** 3 / 3 + 2 * q["first"],
    }
    arms = bo.moment_arms(model, motion, method, angles=angles)
    # By the chain rule dl/dθ = (dl/dq)/(dθ/dq), for the other coordinate is not part of it.
    expected = plain.values[:, :, 0] / (motion.q[:, :1] ** 2 + 2)
    for name in angles:
        np.testing.assert_allclose(arms.sel(coordinate=name), expected, rtol=1e-7)
        value = motion.q[:, 0] ** 3 / 3 + 2 * motion.q[:, 0]
        np.testing.assert_allclose(arms["angle"].sel(coordinate=name), value, rtol=1e-14)


def test_a_weight_and_its_formula_are_one_and_what_is_held_is_named():
    model = two_hinges()
    motion = at(model, 0.3, -0.4)
    both = bo.moment_arms(model, motion, angles={"sum": {"first": 1, "second": 1}, "same": "first + second"})
    np.testing.assert_allclose(both.sel(coordinate="sum"), both.sel(coordinate="same"), rtol=1e-10)
    # Nothing ties the hinges: one is held, and that is said.
    assert both.attrs["held"] == "sum: first; same: first"


def test_angles_that_cannot_be_computed_are_refused():
    model = two_hinges()
    motion = at(model, 0.3, -0.4)
    with pytest.raises(UnknownNameError, match="'third' is not a coordinate"):
        bo.moment_arms(model, motion, angles={"a": lambda q: q["third"]})
    with pytest.raises(ShapeError, match="the angle 'a' must be 1 numbers, one for each instant"):
        bo.moment_arms(model, motion, angles={"a": lambda q: np.zeros(3) + q["first"]})
    with pytest.raises(InvalidValueError, match="the angle 'a' is not finite in instant 0"):
        bo.moment_arms(model, motion, angles={"a": lambda q: q["first"] + np.inf})
    with pytest.raises(UnsolvableError, match="'a' cannot turn"):
        bo.moment_arms(model, motion, angles={"a": lambda q: 0.0 * q["first"]})
