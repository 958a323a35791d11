"""A ball that rolls: closed forms, and what only nonholonomic constraints do."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.model import (
    Body,
    Coordinate,
    FreeJoint,
    Linear,
    Model,
    Path,
    PathPoint,
    PinJoint,
    Placement,
    PlanarJoint,
    RigidTendonMuscle,
    RollingConstraint,
)

RADIUS, MASS = 0.2, 3.0
SOLID = 0.4 * MASS * RADIUS**2
Y_AXIS = Placement(rotation=((1, 0, 0), (0, 0, 1), (0, -1, 0)))


def ball(**changes):
    """A solid ball on the level plane y = 0, free in all six ways but for rolling."""
    parts = {
        "bodies": [Body("ball", MASS, inertia=(SOLID, SOLID, SOLID))],
        "joints": [FreeJoint(name="j", parent="ground", child="ball")],
        "constraints": [RollingConstraint(name="roll", surface_frame="ground", roller="ball", radius=RADIUS)],
        "gravity": (0, -9.81, 0),
    }
    return Model(name="ball", **{**parts, **changes})


def start(model, place, **speeds):
    """Upright ball at a place, and its speeds by the end of their names."""
    q = dict.fromkeys(model.coordinate_names, 0.0)
    q |= model.default_values()
    for axis, value in zip("xyz", place, strict=True):
        q[f"j_t{axis}"] = value
    return q, speeds


def test_a_solid_ball_rolls_down_a_slope_with_five_sevenths_of_gravity():
    slope = 0.3
    model = ball(gravity=(9.81 * np.sin(slope), -9.81 * np.cos(slope), 0))
    q, _ = start(model, (0.0, RADIUS, 0.0))
    time = np.linspace(0.0, 1.0, 11)
    motion = bo.simulate(model, time, q)
    x = motion.q[:, model.coordinate_names.index("j_tx")]
    # DOP853 at 1e-9.
    np.testing.assert_allclose(x, 0.5 * 5 / 7 * 9.81 * np.sin(slope) * time**2, atol=1e-7)
    # Negative control: without the constraint it slides, faster.
    slid = bo.simulate(ball(gravity=model.gravity, constraints=[]), time, q)
    assert slid.q[-1, model.coordinate_names.index("j_tx")] > 1.3 * x[-1]


def test_a_ball_on_a_turntable_goes_in_circles_at_two_sevenths_of_its_speed():
    """The classical nonholonomic problem [Weckesser 1997, Am. J. Phys. 65, 736]: 2/7 of the table's frequency."""
    spin = 3.0
    table = Coordinate("table", prescribed=True, prescribed_function=Linear((spin,)))
    model = ball(
        bodies=[Body("disc", 1.0, inertia=(1, 1, 1)), Body("ball", MASS, inertia=(SOLID, SOLID, SOLID))],
        joints=[
            PinJoint(
                name="table",
                parent="ground",
                child="disc",
                parent_placement=Y_AXIS,
                child_placement=Y_AXIS,
                coordinates=(table,),
            ),
            FreeJoint(name="j", parent="ground", child="ball"),
        ],
        constraints=[RollingConstraint(name="roll", surface_frame="disc", roller="ball", radius=RADIUS)],
    )
    q, u = start(model, (0.5, RADIUS, 0.1))
    period = 2 * np.pi / (2 / 7 * spin)
    time = np.linspace(0.0, period, 17)
    motion = bo.simulate(model, time, q, {**u, "table": spin, "j_tx": 0.3})
    columns = [model.coordinate_names.index(f"j_t{axis}") for axis in "xz"]
    place = motion.q[:, columns]
    middle = 0.5 * (place[0] + place[8])
    radius = np.linalg.norm(place - middle, axis=1)
    np.testing.assert_allclose(radius, radius[0], atol=1e-6)
    np.testing.assert_allclose(place[-1], place[0], atol=1e-6)
    assert radius[0] > 0.1


def test_accelerations_obey_the_rows_of_a_moving_surface():
    """The rate of G u along a path, by differences, is what the rows say: G udot - acceleration = d/dt(G u)."""
    model = ball(
        bodies=[Body("plate", 1.0, inertia=(1, 1, 1)), Body("ball", MASS, inertia=(SOLID, SOLID, SOLID))],
        joints=[
            FreeJoint(name="p", parent="ground", child="plate"),
            FreeJoint(name="j", parent="ground", child="ball"),
        ],
        constraints=[
            RollingConstraint(
                name="roll",
                surface_frame="plate",
                roller="ball",
                radius=RADIUS,
                centre=(0.05, -0.02, 0.03),
                plane_point=(0.1, 0.2, 0.3),
                normal=(1.0, 2.0, -0.5),
            )
        ],
    )
    rng = np.random.default_rng(4)
    first, second, third = rng.normal(size=(3, len(model.coordinate_names)))
    fine = 2e-4 * np.linspace(-1.0, 1.0, 9)
    path = first + np.outer(fine, second) + 0.5 * np.outer(fine**2, third)
    for at in (0, 7):
        path[:, at : at + 4] /= np.linalg.norm(path[:, at : at + 4], axis=1, keepdims=True)
    motion = bo.Motion(fine, model.coordinate_names, path)
    found = bo.constraint_residuals(model, motion)
    rate = np.gradient(found["velocity_error"].values, fine, axis=0, edge_order=2)
    np.testing.assert_allclose(
        found["acceleration_error"].values[3:6], rate[3:6], rtol=1e-4, atol=1e-4 * np.abs(rate).max()
    )
    height = found["position_error"].sel(constraint_row="roll:height").values
    slope = np.gradient(height, fine, edge_order=2)
    np.testing.assert_allclose(
        found["velocity_error"].sel(constraint_row="roll:height").values[3:6], slope[3:6], rtol=1e-6
    )


def test_moment_arm_of_a_cord_on_a_rolling_wheel_is_its_height_above_the_ground():
    """Rolling turns a wheel about its place of touch: a level cord at the hub has the arm R, at the top 2 R."""
    wheel = PlanarJoint(name="w", parent="ground", child="wheel")

    def cord(name, height):
        points = (
            PathPoint("far", "ground", (-1.0, height, 0)),
            PathPoint("on", "wheel", (0, height - RADIUS, 0)),
        )
        return RigidTendonMuscle(name=name, path=Path(points))

    model = Model(
        name="cart",
        bodies=[Body("wheel", 1.0, inertia=(0.1, 0.1, 0.1))],
        joints=[wheel],
        muscles=[cord("hub", RADIUS), cord("top", 2 * RADIUS)],
        constraints=[RollingConstraint(name="roll", surface_frame="ground", roller="wheel", radius=RADIUS)],
    )
    turn = model.coordinate_names[0]
    posture = bo.Motion.at_rest(model.coordinate_names, [[0.0, 0.0, RADIUS]])
    for method in ("generalized_force", "path_velocity", "partial_velocity", "perturbation"):
        arms = bo.moment_arms(model, posture, method, coordinates=turn)
        # Pulled back the wheel turns up about z. Perturbation is a five-point difference.
        np.testing.assert_allclose(arms.values[0, :, 0], [RADIUS, 2 * RADIUS], atol=1e-8)
    free = bo.Model(name="sled", bodies=model.bodies, joints=model.joints, muscles=model.muscles)
    np.testing.assert_allclose(
        bo.moment_arms(free, posture, coordinates=turn).values[0, :, 0], [0, RADIUS], atol=1e-12
    )


def test_a_rolling_model_is_saved_and_loaded(tmp_path):
    model = ball()
    bo.save_model(model, tmp_path / "ball.toml")
    assert bo.load_model(tmp_path / "ball.toml").constraints["roll"] == model.constraints["roll"]
    with pytest.raises(bo.BorelliError, match="no counterpart in OpenSim"):
        bo.save_model(model, tmp_path / "ball.osim")


def test_wrong_rolling_is_refused():
    with pytest.raises(bo.BorelliError, match="radius of constraint 'roll' must be more than zero"):
        RollingConstraint(name="roll", surface_frame="ground", roller="ball", radius=0.0)
    with pytest.raises(bo.BorelliError, match="plane of constraint 'roll' has no normal"):
        RollingConstraint(name="roll", surface_frame="ground", roller="ball", radius=1.0, normal=(0, 0, 0))
    with pytest.raises(bo.BorelliError, match="'bal'"):
        ball(constraints=[RollingConstraint(name="roll", surface_frame="ground", roller="bal", radius=1.0)])


def test_inverse_kinematics_keeps_a_ball_at_its_height():
    axes = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    turns, shifts = ("rz", "rx", "ry"), ("tx", "ty", "tz")
    joint = bm.CustomJoint(
        name="j",
        parent="ground",
        child="ball",
        rotations=tuple(bm.AxisFunction(a, Linear(), (n,)) for a, n in zip(axes, turns, strict=True)),
        translations=tuple(
            bm.AxisFunction(a, Linear(), (n,)) for a, n in zip(np.eye(3).tolist(), shifts, strict=True)
        ),
        coordinates=tuple(
            Coordinate(n, motion=bm.MotionType.TRANSLATIONAL if n in shifts else bm.MotionType.ROTATIONAL)
            for n in (*turns, *shifts)
        ),
    )
    places = np.array([[0.1, 0.0, 0.1], [-0.1, 0.1, 0.0], [0.0, -0.1, 0.1], [0.1, 0.1, -0.1]])
    marks = [bm.Marker(f"m{k}", "ball", tuple(place)) for k, place in enumerate(places.tolist())]
    model = ball(joints=[joint], markers=marks)
    time = np.linspace(0.0, 1.0, 5)
    q = np.column_stack([-time, 0.0 * time, 0.3 * time, RADIUS * time, RADIUS + 0.0 * time, 0.0 * time])
    motion = bo.Motion(time, model.coordinate_names, q)
    recorded = bo.marker_positions(model, motion)
    np.testing.assert_allclose(bo.inverse_kinematics(model, recorded)["q"].values, q, atol=1e-9)
    # Markers that float a little above: the ball stays on the ground, and without the constraint does not.
    above = recorded + np.array([0.0, 0.02, 0.0])
    held = bo.inverse_kinematics(model, above)
    height = model.coordinate_names.index("ty")
    np.testing.assert_allclose(held["q"].values[:, height], RADIUS, atol=1e-12)
    assert float(held["constraint_error"].max()) < 1e-12
    free = bo.inverse_kinematics(ball(joints=[joint], markers=marks, constraints=[]), above)
    np.testing.assert_allclose(free["q"].values[:, height], RADIUS + 0.02, atol=1e-9)
