"""Assembled motions obey their constraints in position, speed and acceleration, and equal closed forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import attitude
from borelli import model as bm
from borelli.analyses.movement.assemble import assemble
from borelli.analyses.movement.constraints import constraint_jacobian, constraint_residuals
from borelli.analyses.postures.default_posture import default_posture
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError, UnsolvableError
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.motion.ordered_motion import Motion, completed

from .linkages import COUPLER, CRANK, four_bar, rocker_angle, slider_crank

TIME = np.linspace(0.0, 1.0, 201)


def worst(motion: Any) -> list[float]:
    names = ("position_error", "velocity_error", "acceleration_error")
    return [float(np.abs(motion.residuals[name]).max()) for name in names]


def crank_motion(model: bm.Model) -> Motion:
    """The crank turns more than once, faster and faster; the rest is left to the constraints."""
    turn, rate = 4.0 * TIME + 2.0 * TIME**2, 4.0 + 4.0 * TIME
    return Motion(TIME, ("crank",), turn[:, None], rate[:, None], np.full((201, 1), 4.0))


@pytest.mark.parametrize("closing", ["point", "distance", "weld"])
def test_four_bar_linkage_follows_its_closed_form(closing: str) -> None:
    model = four_bar(closing)
    motion = crank_motion(model)
    result = assemble(model, motion)
    crank = motion.column("crank")
    assert worst(result)[0] < 1e-12
    assert max(worst(result)) < 1e-10
    np.testing.assert_array_equal(result.column("crank"), crank)
    expected, got = rocker_angle(crank), result.column("rocker")
    np.testing.assert_allclose(np.cos(got), np.cos(expected), atol=1e-12)
    np.testing.assert_allclose(np.sin(got), np.sin(expected), atol=1e-12)
    # Speeds and accelerations of the rocker by central differences of the closed form.
    step = 1e-4
    plus, minus = rocker_angle(crank + step), rocker_angle(crank - step)
    slope, curve = (plus - minus) / (2 * step), (plus - 2 * expected + minus) / step**2
    rate = 4.0 + 4.0 * TIME
    column = result.speeds.index("rocker")
    np.testing.assert_allclose(result.u[:, column], slope * rate, atol=1e-5)
    # Round-off of a second difference, 1e-15 / h², times the square of the rate.
    np.testing.assert_allclose(result.udot[:, column], slope * 4.0 + curve * rate**2, atol=2e-5)


def test_each_loop_keeps_to_the_branch_of_its_first_instant() -> None:
    # The defaults are a good guess for the first frame only, and half of the frames are nearer to the other
    # way in which the linkage can be put together.
    model = four_bar("point")
    nearest = assemble(model, completed(model, crank_motion(model)), hold=["crank"])
    followed = assemble(model, crank_motion(model))
    assert np.abs(np.diff(nearest.column("rocker"))).max() > 0.3
    assert np.abs(np.diff(followed.column("rocker"))).max() < 0.1


def test_slider_crank_follows_its_closed_form() -> None:
    model = slider_crank()
    motion = crank_motion(model)
    result = assemble(model, motion)
    assert max(worst(result)) < 1e-11
    # The rod's end is on the rail: CRANK sin(crank) + COUPLER sin(crank + rod) = 0.
    absolute = result.column("crank") + result.column("rod")
    np.testing.assert_allclose(
        np.sin(absolute), -CRANK / COUPLER * np.sin(motion.column("crank")), atol=1e-12
    )


def test_columns_that_a_loop_determines_may_be_left_out() -> None:
    model = four_bar("distance")
    crank = np.linspace(0.5, 1.0, 30)
    guess = Motion(np.arange(30.0), ("crank",), crank[:, None], np.ones((30, 1)), np.zeros((30, 1)))
    result = assemble(model, guess)
    assert max(worst(result)) < 1e-11
    np.testing.assert_array_equal(result.column("crank"), crank)
    assert np.isnan(result.residuals["correction"].sel(coordinate="rocker")).all()


def test_without_hold_the_change_is_shared_and_smallest() -> None:
    model = four_bar("distance")
    start = np.array([[0.7, 1.5]])
    result = assemble(model, Motion.at_rest(model.coordinate_names, start))
    change = (result.q - start)[0]
    # At the nearest point of a curve the change is normal to the curve.
    normal = constraint_jacobian(model, result).values[0, 0]
    across = change[0] * normal[1] - change[1] * normal[0]
    assert abs(across) < 1e-11 * np.linalg.norm(change) * np.linalg.norm(normal)
    assert np.abs(change).min() > 1e-3
    stiff = assemble(model, Motion.at_rest(model.coordinate_names, start), weights={"crank": 1e6})
    assert abs(stiff.q[0, 0] - 0.7) < 1e-5


def two_arms(**free: bool) -> bm.Model:
    """Two arms on a trunk that can turn, whose hands are to meet and are 10 cm apart."""

    def angle(name: str, value: float) -> bm.Coordinate:
        return bm.Coordinate(
            name, default_value=value, free_to_satisfy_constraints=free.get(name, False), range=(-9, 9)
        )

    bodies = [bm.Body(name, 1.0, inertia=(0.1, 0.1, 0.1)) for name in ("trunk", "left", "right")]
    turns = {"trunk": (0.2, -0.3, 0.4), "left": (0.1, 0.3, -0.2), "right": (-0.1, -0.2, 0.3)}
    joints = [
        bm.GimbalJoint(
            name=name,
            parent="ground" if name == "trunk" else "trunk",
            child=name,
            parent_placement=bm.Placement((0.0, 0.4, {"left": -0.2, "right": 0.2}.get(name, 0.0))),
            coordinates=tuple(
                angle(f"{name}_{axis}", value) for axis, value in zip("xyz", turns[name], strict=True)
            ),
        )
        for name in turns
    ]
    meet = bm.PointConstraint(
        name="hands",
        first="left",
        second="right",
        first_location=(0.4, 0.0, 0.1),
        second_location=(0.4, 0.0, -0.1),
    )
    return bm.Model(name="arms", bodies=bodies, joints=joints, constraints=[meet])


@pytest.mark.parametrize("free", [{}, {"left_x": True, "left_y": True}])
def test_the_default_posture_is_the_nearest_as_in_opensim(free: dict[str, bool], tmp_path: Path) -> None:
    """The trunk does not help the hands to meet, so it stays; what is free to satisfy constraints does not count."""
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    model = two_arms(**free)
    bo.save_model(model, tmp_path / "arms.osim")
    theirs = osim.Model(str(tmp_path / "arms.osim"))
    state = theirs.initSystem()
    given = np.array(list(model.default_values().values()))
    found = default_posture(model).q[0]
    assert np.abs(found - given).max() > 0.05
    np.testing.assert_allclose(found[:3], given[:3], atol=1e-12)
    expected = [theirs.getCoordinateSet().get(name).getValue(state) for name in model.coordinate_names]
    # OpenSim's optimizer stops here.
    np.testing.assert_allclose(found, expected, atol=2e-6)
    counted = np.array([not free.get(name, False) for name in model.coordinate_names])
    ours, others = (np.square(x - given)[counted].sum() for x in (found, np.array(expected)))
    assert ours <= others + 1e-9


def coupled_arm() -> bm.Model:
    """Four pins: two couplers one after the other, and one that depends on two coordinates."""
    names = ["a", "b", "c", "d"]
    joints = [
        bm.PinJoint(name=name, parent="ground" if i == 0 else names[i - 1], child=name)
        for i, name in enumerate(names)
    ]
    x = (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
    constraints = [
        # Listed so that the second has to be known before the first.
        bm.CoordinateCoupler(
            name="c of b", dependent="c", independent="b", function=bm.Polynomial((0.1, 0.5, 0.3))
        ),
        bm.CoordinateCoupler(
            name="b of a", dependent="b", independent="a", function=bm.SimmSpline(x, np.sin(x)), scale=0.8
        ),
        bm.CoordinateCoupler(
            name="d of a and c",
            dependent="d",
            independent=("a", "c"),
            function=bm.MultivariatePolynomial(2, 2, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)),
        ),
    ]
    return bm.Model(
        name="arm", bodies=[bm.Body(n, 1.0) for n in names], joints=joints, constraints=constraints
    )


def test_couplers_are_completed_from_the_independent_coordinate() -> None:
    model = coupled_arm()
    a = 0.8 * np.sin(2 * TIME)
    result = assemble(model, Motion(TIME, ("a",), a[:, None]))
    np.testing.assert_array_equal(result.column("a"), a)
    assert max(worst(result)) < 1e-12
    b = 0.8 * model.constraints["b of a"].function.value(a)
    np.testing.assert_array_equal(result.column("b"), b)
    np.testing.assert_allclose(result.column("c"), 0.1 + 0.5 * b + 0.3 * b**2, rtol=1e-14)


def test_speeds_of_coupled_coordinates_are_their_derivatives() -> None:
    model = coupled_arm()

    def at(time: np.ndarray) -> Any:
        a = 0.8 * np.sin(2 * time)
        rates = (1.6 * np.cos(2 * time), -3.2 * np.sin(2 * time))
        return assemble(model, Motion(time, ("a",), a[:, None], rates[0][:, None], rates[1][:, None]))

    step = 1e-5
    here, after, before = at(TIME), at(TIME + step), at(TIME - step)
    # Central differences: h² times third derivatives of about 100, and round-off 1e-16 / h.
    np.testing.assert_allclose(here.u, (after.q - before.q) / (2 * step), atol=1e-7)
    # The third derivative of a cubic spline jumps at its points: there the error is h times the jump.
    np.testing.assert_allclose(here.udot, (after.u - before.u) / (2 * step), atol=1e-4)


def test_locked_and_prescribed_coordinates_are_obeyed() -> None:
    wave = bm.Sine(0.3, 4.0, 0.1, 0.05)
    joints = [
        bm.PinJoint(
            name="locked",
            parent="ground",
            child="a",
            coordinates=(bm.Coordinate("locked", default_value=0.4, locked=True),),
        ),
        bm.PinJoint(
            name="driven",
            parent="a",
            child="b",
            coordinates=(bm.Coordinate("driven", prescribed_function=wave, prescribed=True),),
        ),
        bm.PinJoint(name="free", parent="b", child="c"),
    ]
    model = bm.Model(bodies=[bm.Body(n, 1.0) for n in "abc"], joints=joints)
    result = assemble(model, Motion(TIME, ("free", "locked"), np.column_stack([TIME, TIME])))
    assert result.residuals["constraint_row"].values.tolist() == ["lock:locked", "prescribed:driven"]
    assert max(worst(result)) < 1e-12
    np.testing.assert_array_equal(result.column("locked"), np.full(201, 0.4))
    np.testing.assert_array_equal(result.column("driven"), wave.value(TIME))
    np.testing.assert_allclose(result.udot[:, 1], wave.second_derivative(TIME), rtol=1e-13)
    np.testing.assert_array_equal(result.column("free"), TIME)


def hanging_loop(attitude_kind: str, closing: bm.Constraint) -> bm.Model:
    """Two ball-jointed rods from the ground whose tips are tied together."""
    placements = [bm.Placement((0, 0, 0)), bm.Placement.from_angles((0.4, 0.1, 0), (0.1, 0.2, 0.3))]
    joints: list[bm.Joint] = [
        bm.BallJoint(name=name, parent="ground", child=name, parent_placement=place, attitude=attitude_kind)
        for name, place in zip("ab", placements, strict=True)
    ]
    joints.append(
        bm.SliderJoint(name="c", parent="b", child="c", parent_placement=bm.Placement((0, -0.3, 0)))
    )
    bodies = [bm.Body(n, 1.0, (0, -0.2, 0), (0.02, 0.01, 0.02)) for n in "abc"]
    return bm.Model(name="loop", bodies=bodies, joints=joints, constraints=[closing])


TIES: dict[str, bm.Constraint] = {
    "point": bm.PointConstraint(
        name="tie", first="a", second="c", first_location=(0, -0.5, 0), second_location=(0, -0.1, 0)
    ),
    "distance": bm.ConstantDistanceConstraint(
        name="tie",
        first="a",
        second="c",
        first_location=(0, -0.4, 0),
        second_location=(0, -0.1, 0),
        distance=0.2,
    ),
    "line": bm.PointOnLineConstraint(
        name="tie", line_frame="a", follower="c", line_direction=(0.2, 1, 0.1), line_point=(0.1, 0, 0)
    ),
    "weld": bm.WeldConstraint(
        name="tie", first="a", second="c", first_placement=bm.Placement((0.3, -0.4, 0))
    ),
    "coupler": bm.CoordinateCoupler(
        name="tie", dependent="c", independent="a_x", function=bm.Polynomial((0.1, 0.2, 0.3))
    ),
}


def swinging(model: bm.Model, time: np.ndarray) -> Motion:
    """Smooth motion of two balls and a slider that obeys no constraint."""
    angles = [
        np.column_stack([0.3 * np.sin(time + k), 0.2 * np.cos(2 * time), 0.4 * time + k]) for k in (0, 1)
    ]
    if len(model.coordinates) == 7:
        parts = angles
    else:
        parts = [attitude.from_matrix(attitude.matrix_from_angles(a)) for a in angles]
    q = np.hstack([*parts, 0.1 * np.sin(3 * time)[:, None]])
    return Motion(time, model.coordinate_names, q)


def tied(kind: str, attitude_kind: str) -> bm.Model:
    tie = TIES[kind]
    if isinstance(tie, bm.CoordinateCoupler):
        argument = "a_rx" if attitude_kind == "angles" else "a_qx"
        tie = bm.CoordinateCoupler(name="tie", dependent="c", independent=argument, function=tie.function)
    return hanging_loop(attitude_kind, tie)


@pytest.mark.parametrize("attitude_kind", ["angles", "quaternion"])
@pytest.mark.parametrize("kind", TIES)
def test_rows_are_the_derivatives_of_the_errors(kind: str, attitude_kind: str) -> None:
    model = tied(kind, attitude_kind)
    # A spline through many frames is smooth enough for its own differences to be compared.
    fine = np.linspace(0.0, 1.0, 2001)
    residuals = constraint_residuals(model, swinging(model, fine))
    names = [name for name in residuals["constraint_row"].values if ":r" not in name]
    step = fine[1] - fine[0]
    inside = slice(10, -10)
    errors = [
        residuals[f"{level}_error"].sel(constraint_row=names).values for level in ("position", "velocity")
    ]
    rates = [
        residuals[f"{level}_error"].sel(constraint_row=names).values for level in ("velocity", "acceleration")
    ]
    for error, rate in zip(errors, rates, strict=True):
        # Differences of fourth order: (8 (f₁ - f₋₁) - (f₂ - f₋₂)) / 12 h.
        slope = (8 * (error[3:-1] - error[1:-3]) - (error[4:] - error[:-4])) / (12 * step)
        np.testing.assert_allclose(rate[2:-2][inside], slope[inside], atol=1e-8)


@pytest.mark.parametrize("attitude_kind", ["angles", "quaternion"])
@pytest.mark.parametrize("kind", TIES)
def test_errors_alone_are_those_of_the_rows(kind: str, attitude_kind: str) -> None:
    model = tied(kind, attitude_kind)
    system, motion = constraint_system(model), swinging(model, TIME[:5])
    still = np.zeros((len(motion.q), system.compiled.mechanism.n_speeds))
    rows = system.rows(motion.q, still, motion.time)
    np.testing.assert_array_equal(system.errors(motion.q, motion.time), rows.error)
    assert np.abs(rows.error).max() > 1e-2


@pytest.mark.parametrize("attitude_kind", ["angles", "quaternion"])
@pytest.mark.parametrize("kind", TIES)
def test_spatial_loops_are_closed_at_all_three_levels(kind: str, attitude_kind: str) -> None:
    model = tied(kind, attitude_kind)
    result = assemble(model, swinging(model, TIME))
    assert worst(result)[0] < 1e-12
    # Far from where they were put the rods may jump between branches, which makes splines steep: what remains
    # is round-off of speeds and accelerations as large as these.
    assert worst(result)[1] < 1e-13 * (1 + np.abs(result.u).max())
    assert worst(result)[2] < 1e-13 * (1 + np.abs(result.udot).max())
    # A negative control: the motion that was given does not obey.
    assert float(np.abs(constraint_residuals(model, swinging(model, TIME))["position_error"]).max()) > 1e-2


@pytest.mark.parametrize("kind", TIES)
def test_a_motion_that_obeys_is_left_alone(kind: str) -> None:
    model = tied(kind, "quaternion")
    once = assemble(model, swinging(model, TIME))
    twice = assemble(model, once)
    np.testing.assert_allclose(twice.q, once.q, atol=1e-12)
    np.testing.assert_allclose(twice.u, once.u, atol=1e-12)
    np.testing.assert_allclose(twice.udot, once.udot, atol=1e-12 * (1 + np.abs(once.udot).max()))


def test_a_locked_angle_of_a_ball_joint_is_obeyed() -> None:
    angles = (bm.Coordinate("x"), bm.Coordinate("y", default_value=0.3, locked=True), bm.Coordinate("z"))
    ball = bm.BallJoint(name="ball", parent="ground", child="a", coordinates=angles, attitude="angles")
    model = bm.Model(bodies=[bm.Body("a", 1.0)], joints=[ball])
    q = np.column_stack([np.sin(TIME), TIME, np.cos(TIME)])
    result = assemble(model, Motion(TIME, ("x", "y", "z"), q))
    np.testing.assert_allclose(result.column("y"), 0.3, atol=1e-12)
    assert max(worst(result)) < 1e-11


def test_missing_instants_stay_missing_and_spoil_no_other() -> None:
    model = four_bar("distance")
    motion = completed(model, crank_motion(model))
    q = motion.q.copy()
    q[7, 0] = np.nan
    broken = Motion(TIME, motion.coordinates, q, motion.u, motion.udot)
    with pytest.warns(UserWarning, match="1 of 201 instants contain NaN"):
        result = assemble(model, broken, hold=["crank"])
    whole = assemble(model, motion, hold=["crank"])
    assert np.isnan(result.q[7]).any()
    np.testing.assert_array_equal(np.delete(result.q, 7, 0), np.delete(whole.q, 7, 0))


def test_a_few_instants_without_speeds_are_assembled_in_position() -> None:
    model = coupled_arm()
    result = assemble(model, Motion([0.0], ("a",), [[0.5]]))
    assert result.u is None
    assert float(np.abs(result.residuals["position_error"]).max()) < 1e-15


def test_constraints_out_of_force_have_no_rows() -> None:
    model = four_bar("point")
    off = bm.Model(
        name="open",
        bodies=model.bodies,
        joints=model.joints,
        constraints=[
            bm.PointConstraint(name="loop", first="coupler", second="rocker", enforced=False),
        ],
    )
    motion = Motion.at_rest(off.coordinate_names, [0.1, 0.2, 0.3])
    assert constraint_jacobian(off, motion).shape == (1, 0, 3)
    np.testing.assert_array_equal(assemble(off, motion).q, motion.q)


def test_locks_can_be_left_out_of_the_jacobian() -> None:
    joint = bm.PinJoint(name="j", parent="ground", child="a", coordinates=(bm.Coordinate("j", locked=True),))
    model = bm.Model(bodies=[bm.Body("a", 1.0)], joints=[joint])
    motion = Motion.at_rest(("j",), [0.2])
    assert constraint_jacobian(model, motion).values.tolist() == [[[1.0]]]
    assert constraint_jacobian(model, motion, locks=False).shape == (1, 0, 1)


def test_a_coupler_that_contradicts_a_lock_is_named() -> None:
    joints = [
        bm.PinJoint(name="a", parent="ground", child="a"),
        bm.PinJoint(name="b", parent="a", child="b", coordinates=(bm.Coordinate("b", locked=True),)),
    ]
    coupler = bm.CoordinateCoupler(
        name="tie", dependent="b", independent="a", function=bm.Linear((0.0,), 0.5)
    )
    model = bm.Model(bodies=[bm.Body(n, 1.0) for n in "ab"], joints=joints, constraints=[coupler])
    with pytest.raises(
        UnsolvableError, match=r"constraint 'tie' cannot be met in instant 0 \(0 s\): 0.5 m or rad"
    ):
        assemble(model, Motion.at_rest(("a", "b"), [0.0, 0.0]))


def test_what_cannot_be_assembled_is_named_with_instant_and_constraint() -> None:
    model = four_bar("distance")
    rod = bm.ConstantDistanceConstraint(
        name="short rod", first="crank", second="rocker", first_location=(CRANK, 0, 0), distance=0.01
    )
    broken = bm.Model(name="gap", bodies=model.bodies, joints=model.joints, constraints=[rod])
    motion = Motion([1.0, 2.0], broken.coordinate_names, np.ones((2, 2)), np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(
        UnsolvableError,
        match=r"'short rod' cannot be met in instant 0 \(1 s\): 0.29 m(.|\n)*2 of 2 instants, model 'gap'",
    ):
        assemble(broken, motion)


def test_bad_questions_are_refused() -> None:
    model, motion = coupled_arm(), Motion.at_rest(("b", "c", "d"), [0.0, 0.0, 0.0])
    with pytest.raises(MissingInputError, match="the motion lacks 'a', and no constraint determines them"):
        assemble(model, motion)
    whole = Motion.at_rest(model.coordinate_names, [0.0] * 4)
    with pytest.raises(UnknownNameError, match="'aa' is not a coordinate of model 'arm'"):
        assemble(model, whole, hold=["aa"])
    with pytest.raises(InvalidValueError, match="the weight of coordinate 'a' must be more than zero, not 0"):
        assemble(model, whole, weights={"a": 0})
    circle = bm.Model(
        name="circle",
        bodies=model.bodies,
        joints=model.joints,
        constraints=[
            bm.CoordinateCoupler(name="ab", dependent="a", independent="b", function=bm.Linear((2.0,), 1.0)),
            bm.CoordinateCoupler(name="ba", dependent="b", independent="a", function=bm.Linear((2.0,), 1.0)),
        ],
    )
    with pytest.raises(
        UnsolvableError, match="the couplers of model 'circle' depend on each other in a circle"
    ):
        assemble(circle, whole)
