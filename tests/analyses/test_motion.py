"""Motions and loads are checked when they are made and matched to a model by name."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import attitude
from borelli import model as bm
from borelli.attitude_rates import derivatives
from borelli.compiled.compile import compile_model
from borelli.errors import (
    DuplicateNameError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnknownNameError,
)
from borelli.kernels.tree.mechanism import speeds_from_rates
from borelli.mechanics.motion.ordered_motion import Load, Motion, completed, positions, states
from borelli.model.load import Interpolation


def arm() -> bm.Model:
    return bm.Model(
        name="arm",
        bodies=[bm.Body("upper", 1.0), bm.Body("fore", 1.0)],
        joints=[
            bm.PinJoint(name="shoulder", parent="ground", child="upper"),
            bm.PinJoint(
                name="elbow",
                parent="upper",
                child="fore",
                coordinates=(bm.Coordinate("elbow", default_value=0.7),),
            ),
        ],
    )


def body_on(joint: type[bm.Joint], **parameters: object) -> bm.Model:
    return bm.Model(
        bodies=[bm.Body("b", 1.0)], joints=[joint(name="j", parent="ground", child="b", **parameters)]
    )


TIME = np.linspace(0.0, 1.0, 101)


def test_columns_are_matched_by_name() -> None:
    motion = Motion(TIME, ("elbow", "shoulder"), np.column_stack([TIME, 2 * TIME]))
    np.testing.assert_array_equal(positions(arm(), motion), np.column_stack([2 * TIME, TIME]))
    np.testing.assert_array_equal(motion.column("elbow"), TIME)


def test_speeds_and_accelerations_come_from_a_quintic_spline() -> None:
    q = np.column_stack([np.sin(3 * TIME), np.cos(2 * TIME)])
    result = states(arm(), Motion(TIME, ("shoulder", "elbow"), q))
    # h = 10 ms: errors of order h^5 and h^4 times derivatives below 1e3.
    np.testing.assert_allclose(result.u[:, 0], 3 * np.cos(3 * TIME), atol=1e-8)
    np.testing.assert_allclose(result.udot[:, 1], -4 * np.cos(2 * TIME), atol=1e-6)


def test_a_quintic_polynomial_is_differentiated_exactly_up_to_the_ends() -> None:
    q = np.column_stack([TIME**5, TIME**4])
    result = states(arm(), Motion(TIME, ("shoulder", "elbow"), q))
    np.testing.assert_allclose(result.udot[:, 0], 20 * TIME**3, atol=1e-8)
    np.testing.assert_allclose(result.udot[:, 1], 12 * TIME**2, atol=1e-8)


def test_accelerations_are_derived_from_given_speeds() -> None:
    q = np.zeros((101, 2))
    result = states(arm(), Motion(TIME, ("shoulder", "elbow"), q, np.column_stack([TIME**2, TIME])))
    np.testing.assert_allclose(result.udot[:, 0], 2 * TIME, atol=1e-10)


def smooth_angles() -> tuple[np.ndarray, np.ndarray]:
    angles = np.column_stack([np.sin(TIME), 0.5 * np.cos(TIME), TIME])
    return angles, np.column_stack([np.cos(TIME), -0.5 * np.sin(TIME), np.ones_like(TIME)])


def test_ball_joint_on_angles_has_the_angular_velocity_in_parent_axes_for_speed() -> None:
    angles, rates = smooth_angles()
    for model in (body_on(bm.BallJoint, attitude="angles"), body_on(bm.EllipsoidJoint, radii=(1, 2, 3))):
        result = states(model, Motion(TIME, model.coordinate_names, angles))
        np.testing.assert_allclose(result.u, attitude.angular_velocity_from_angles(angles, rates), atol=1e-8)


def test_free_joint_on_a_quaternion_has_the_angular_velocity_in_child_axes_for_speed() -> None:
    angles, rates = smooth_angles()
    matrix = attitude.matrix_from_angles(angles)
    model = body_on(bm.FreeJoint)
    shift = np.column_stack([TIME, TIME**2, TIME**3])
    motion = Motion(TIME, model.coordinate_names, np.hstack([attitude.from_matrix(matrix), shift]))
    result = states(model, motion)
    world = attitude.angular_velocity_from_angles(angles, rates)
    np.testing.assert_allclose(result.u[:, :3], np.einsum("tji,tj->ti", matrix, world), atol=1e-8)
    np.testing.assert_allclose(result.u[:, 3:], np.column_stack([TIME**0, 2 * TIME, 3 * TIME**2]), atol=1e-10)


def test_gimbal_joint_has_the_rates_of_its_angles_for_speed() -> None:
    angles, rates = smooth_angles()
    model = body_on(bm.GimbalJoint)
    np.testing.assert_allclose(
        states(model, Motion(TIME, model.coordinate_names, angles)).u, rates, atol=1e-8
    )


@pytest.mark.parametrize(
    "model",
    [
        body_on(bm.BallJoint),
        body_on(bm.BallJoint, attitude="angles"),
        body_on(bm.FreeJoint),
        body_on(bm.FreeJoint, attitude="angles"),
        body_on(bm.EllipsoidJoint, radii=(1, 2, 3)),
        body_on(bm.ScapulothoracicJoint, radii=(1, 2, 3), winging_origin=(0.1, 0.2), winging_direction=0.3),
        body_on(bm.UniversalJoint),
        body_on(bm.PlanarJoint),
    ],
    ids=lambda model: f"{model.joints[0].kind} {len(model.coordinates)}",
)
def test_speeds_equal_those_of_the_kernels_joint_maps(model: bm.Model) -> None:
    waves = np.column_stack([0.4 * np.sin(TIME + k) for k in range(len(model.coordinates))])
    if len(model.coordinates) != len(model.speed_names):
        waves[:, 0] += 1.0
        waves[:, :4] /= np.linalg.norm(waves[:, :4], axis=1, keepdims=True)
    own = states(model, Motion(TIME, model.coordinate_names, waves))
    first, second = derivatives(TIME, waves)
    tables = [list(table.T) for table in (waves, first, second)]
    u, udot = speeds_from_rates(compile_model(model).mechanism, *tables)
    np.testing.assert_allclose(own.u, np.column_stack(u), atol=1e-11)
    np.testing.assert_allclose(own.udot, np.column_stack(udot), atol=1e-9)


def test_missing_instants_are_counted_and_spoil_no_other_instant() -> None:
    q = np.column_stack([np.sin(TIME), np.cos(TIME)])
    q[40, 0] = np.nan
    motion = Motion(TIME, ("shoulder", "elbow"), q)
    assert motion.missing.sum() == 1
    result = states(arm(), motion)
    assert np.flatnonzero(np.isnan(result.u).any(axis=1)).tolist() == [40]


def test_absent_coordinates_are_completed_from_the_model() -> None:
    motion = completed(arm(), Motion(TIME, ("shoulder",), TIME[:, None], TIME[:, None], TIME[:, None]))
    result = states(arm(), motion)
    np.testing.assert_array_equal(result.q[:, 1], np.full(101, 0.7))
    np.testing.assert_array_equal(result.udot[:, 1], np.zeros(101))
    assert completed(arm(), Motion(TIME, ("shoulder",), TIME[:, None])).u is None


def test_instants_are_cut_with_their_rates() -> None:
    q = np.zeros((101, 2))
    part = Motion(TIME, ("shoulder", "elbow"), q, q, q).instants(slice(10, 20))
    assert part.n_times == 10
    assert part.udot is not None
    assert part.udot.shape == (10, 2)
    assert "10 instants, 0.1 to 0.19 s, 2 coordinates" in repr(part)


def test_a_motion_cannot_be_written_to_and_leaves_the_callers_array_alone() -> None:
    q = np.zeros((101, 1))
    motion = Motion(TIME, ("shoulder",), q)
    with pytest.raises(ValueError, match="read-only"):
        motion.q[0] = 1.0
    q[0] = 1.0


def test_postures_at_rest_need_no_spline() -> None:
    result = states(arm(), Motion.at_rest(("shoulder", "elbow"), [0.1, 0.2]))
    assert result.u.tolist() == [[0.0, 0.0]]


def bad(**changes: object) -> Motion:
    given: dict = {"time": TIME, "coordinates": ("shoulder", "elbow"), "q": np.zeros((101, 2))}
    return Motion(**(given | changes))


def test_bad_motions_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"q of a motion needs the shape \(101, 2\).*but has \(101, 3\)"):
        bad(q=np.zeros((101, 3)))
    with pytest.raises(ShapeError, match="name the columns of u and udot with speeds="):
        bad(u=np.zeros((101, 3)))
    with pytest.raises(ShapeError, match="time must be a vector of at least one instant"):
        bad(time=[])
    with pytest.raises(InvalidValueError, match=r"instant 1 \(0 s\) does not come after instant 0 \(0 s\)"):
        bad(time=np.zeros(101))
    with pytest.raises(InvalidValueError, match="time is NaN in instant 3"):
        bad(time=np.where(np.arange(101) == 3, np.nan, TIME))
    with pytest.raises(InvalidValueError, match="q of a motion has infinite values"):
        bad(q=np.full((101, 2), np.inf))
    with pytest.raises(InvalidValueError, match="q of a motion must be an array of numbers"):
        bad(q="sideways")
    with pytest.raises(DuplicateNameError, match="2 columns of a motion are called 'elbow'"):
        bad(coordinates=("elbow", "elbow"))
    with pytest.raises(
        InvalidValueError, match="the coordinates of a motion must be names, but 7 is not one"
    ):
        bad(coordinates=("elbow", 7))
    with pytest.raises(MissingInputError, match="udot was given without u"):
        bad(udot=np.zeros((101, 2)))
    with pytest.raises(UnknownNameError, match="'wrist' is not a coordinate of the motion"):
        bad().column("wrist")


def test_columns_that_do_not_fit_the_model_are_named() -> None:
    with pytest.raises(
        UnknownNameError, match=r"'elbo' is not a coordinate of model 'arm'(.|\n)*Closest: 'elbow'"
    ):
        positions(arm(), bad(coordinates=("shoulder", "elbo")))
    with pytest.raises(
        MissingInputError, match="the motion lacks 1 of the 2 coordinates of model 'arm': 'elbow'"
    ):
        positions(arm(), bad(coordinates=("shoulder",), q=np.zeros((101, 1))))
    with pytest.raises(MissingInputError, match="speeds cannot be found from 5 instants"):
        states(arm(), bad().instants(slice(5)))


def test_a_load_holds_for_all_times_or_row_by_row() -> None:
    steady = Load("bag", "fore", force=(0, -10, 0), point=(0, 0, 0)).at(TIME)
    assert steady.force.shape == steady.moment.shape == (101, 3)
    twist = Load("twist", "fore", moment=np.ones((101, 3)))
    assert twist.at(TIME).moment.sum() == 303


def test_a_load_with_its_own_time_is_resampled() -> None:
    own = np.linspace(0, 1, 11)
    load = Load("plate", "fore", np.column_stack([own**2] * 3), np.zeros(3), time=own)
    np.testing.assert_allclose(load.at([0.05]).force[0], 0.005)
    # A natural cubic spline is not exact at the ends; in the middle it is close to the parabola.
    np.testing.assert_allclose(load.at([0.55], Interpolation.CUBIC).force[0], 0.55**2, atol=1e-5)
    assert load.at(own) is load


def test_the_unknown_point_of_a_zero_force_does_not_matter() -> None:
    force, point = np.zeros((3, 3)), np.full((3, 3), np.nan)
    np.testing.assert_array_equal(Load("plate", "foot", force, point).point, np.zeros((3, 3)))
    force[1] = 5.0
    with pytest.raises(InvalidValueError, match="the point of load 'plate' is NaN in row 1, where its force"):
        Load("plate", "foot", force, point)


def test_bad_loads_are_refused() -> None:
    with pytest.raises(MissingInputError, match="load 'x' has neither a force nor a moment"):
        Load("x", "foot")
    with pytest.raises(MissingInputError, match="load 'x' has a force but no point where it acts"):
        Load("x", "foot", (1, 2, 3))
    with pytest.raises(ShapeError, match=r"force of load 'x' needs the shape \(n_times, 3\) or \(3,\)"):
        Load("x", "foot", (1, 2), (0, 0, 0))
    with pytest.raises(ShapeError, match="point of load 'x' has 2 rows where others have 3"):
        Load("x", "foot", np.zeros((3, 3)), np.zeros((2, 3)))
    with pytest.raises(InvalidValueError, match="force of load 'x' has infinite values"):
        Load("x", "foot", (np.inf, 0, 0), (0, 0, 0))
    with pytest.raises(InvalidValueError, match="moment of load 'x' must be an array of numbers"):
        Load("x", "foot", moment="strong")
    with pytest.raises(ShapeError, match="time of load 'x' has shape"):
        Load("x", "foot", moment=np.zeros((3, 3)), time=[0, 1])
    with pytest.raises(InvalidValueError, match="time of load 'x' must be finite and increasing"):
        Load("x", "foot", moment=np.zeros((3, 3)), time=[0, 1, 1])
    with pytest.raises(ShapeError, match="load 'x' has 3 rows, but the motion has 101 instants"):
        Load("x", "foot", moment=np.zeros((3, 3))).at(TIME)
    with pytest.raises(
        InvalidValueError, match=r"load 'x' is known from 0 to 0.5 s, but the motion runs from 0 to 1"
    ):
        Load("x", "foot", moment=np.zeros((3, 3)), time=[0, 0.25, 0.5]).at(TIME[::10])
