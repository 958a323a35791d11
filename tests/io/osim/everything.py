"""A small model with every muscle, force, constraint, wrap object and path point, and its comparison."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

import numpy as np

from borelli import model as bm

_PATH = bm.Path(
    (
        bm.PathPoint("p1", "ground", (0.1, 0.2, 0.3)),
        bm.ConditionalPathPoint("p2", "upper", (0.1, 0.0, 0.1), "elbow", (-0.5, 1.0)),
        bm.MovingPathPoint(
            "p3",
            "lower",
            bm.Component(bm.SimmSpline((-1.0, 0.0, 1.0), (0.1, 0.2, 0.25)), "elbow"),
            bm.Component(bm.Constant(0.05)),
            bm.Component(bm.Linear((0.1,), 0.02), "elbow"),
        ),
        bm.PathPoint("p4", "lower_frame", (0.0, -0.2, 0.0)),
    ),
    (
        bm.PathWrap("cylinder", bm.WrapMethod.MIDPOINT, (1, 3)),
        bm.PathWrap("ellipsoid", bm.WrapMethod.AXIAL),
    ),
)
_SPLINE = bm.SimmSpline((0.0, 0.5, 1.0, 1.5), (0.0, 0.1, 0.5, 1.5))


def _muscles() -> tuple[bm.Muscle, ...]:
    base: dict[str, Any] = {
        "path": _PATH,
        "max_isometric_force": 812.0,
        "optimal_fiber_length": 0.12,
        "tendon_slack_length": 0.21,
        "pennation_angle_at_optimal": 0.1,
        "max_contraction_velocity": 9.0,
        "min_control": 0.02,
        "max_control": 0.95,
    }
    return (
        bm.Thelen2003Muscle(name="thelen", max_tendon_strain=0.05, active_shape=0.5, **base),
        bm.Millard2012EquilibriumMuscle(
            name="millard",
            fiber_damping=0.03,
            active_force_length_curve=bm.ActiveForceLengthCurve(
                shallow_ascending_slope=0.9, minimum_value=0.0
            ),
            tendon_force_length_curve=bm.TendonForceLengthCurve(0.05, 28.1, 0.66, 0.5),
            applies_force=False,
            **base,
        ),
        bm.DeGrooteFregly2016Muscle(
            name="degroote",
            ignore_tendon_compliance=True,
            fiber_damping=0.01,
            tendon_compliance_dynamics_mode="implicit",
            **base,
        ),
        bm.Schutte1993Muscle(name="schutte", damping=0.2, passive_force_length_curve=_SPLINE, **base),
        bm.RigidTendonMuscle(name="rigid", active_force_length_curve=_SPLINE, **base),
        bm.OtherMuscle(
            name="delp",
            class_name="Millard2012AccelerationMuscle",
            properties=(("fiber_damping", "0.02"), ("mass", "0.3")),
            **base,
        ),
    )


def _forces() -> tuple[bm.Force, ...]:
    place = bm.Placement.from_angles((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    return (
        bm.Ligament(
            name="ligament", path=_PATH, resting_length=0.3, pcsa_force=100.0, force_length_curve=_SPLINE
        ),
        bm.Blankevoort1991Ligament(name="blankevoort", path=_PATH, slack_length=0.2, linear_stiffness=1300.0),
        bm.PathSpring(name="spring", path=_PATH, resting_length=0.2, stiffness=500.0, dissipation=0.01),
        bm.PathActuator(name="cable", path=_PATH, optimal_force=33.0, min_control=0.0, max_control=2.0),
        bm.CoordinateLimitForce(
            name="stop",
            coordinate="elbow",
            upper_limit=2.0,
            upper_stiffness=30.0,
            lower_limit=0.1,
            lower_stiffness=20.0,
            damping=0.5,
            transition=0.2,
        ),
        bm.CoordinateSpring(name="coil", coordinate="elbow", stiffness=3.0, rest=0.2, viscosity=0.1),
        bm.PointToPointSpring(
            name="band",
            first="upper",
            second="lower",
            first_location=(0.1, 0, 0),
            stiffness=9.0,
            rest_length=0.3,
        ),
        bm.BushingForce(
            name="bushing",
            first="upper",
            second="lower",
            first_placement=place,
            rotational_stiffness=(1, 2, 3),
            translational_stiffness=(4, 5, 6),
            rotational_damping=(0.1, 0.2, 0.3),
            translational_damping=(0.4, 0.5, 0.6),
            applies_force=False,
        ),
        bm.ExpressionCoordinateForce(
            name="formula", coordinate="elbow", expression="-k*q-2*qdot;k=3+step(q-1)"
        ),
        bm.ExpressionPointToPointForce(
            name="strut",
            first="loose",
            second="lower",
            second_location=(0.1, 0.2, 0.3),
            expression="4*(d-0.3)+0.1*ddot",
        ),
        bm.ExpressionPathForce(
            name="cord", path=_PATH, resting_length=0.5, expression="max(s,0)*7", clamp_stretch=False
        ),
        bm.ExpressionBushingForce(
            name="pad",
            first="upper",
            second="lower_frame",
            first_placement=place,
            moments=("theta_x", "2*theta_y", "3*theta_z^3"),
            forces=("delta_x", "delta_y*theta_x", "exp(delta_z)-1"),
            rotational_damping=(0.1, 0.2, 0.3),
            translational_damping=(0.4, 0.5, 0.6),
        ),
        bm.FunctionBushingForce(
            name="disc",
            first="upper",
            second="lower",
            second_placement=place,
            moments=(bm.Linear((2.0,), 0.0), _SPLINE, bm.Constant(0.1)),
            forces=(bm.Linear((3.0,), 0.5), bm.Polynomial((0.0, 1.0, 2.0)), bm.Sine(1.0, 2.0, 0.0)),
            rotational_damping=(0.3, 0.2, 0.1),
        ),
        bm.PrescribedForce(
            name="tug",
            body="loose",
            force=(bm.Sine(1.0, 2.0, 0.3), bm.Constant(2.0), _SPLINE),
            point=(bm.Constant(0.1), bm.Constant(0.2), bm.Linear((0.1,), 0.2)),
            in_ground=False,
            point_in_ground=True,
        ),
        bm.PrescribedForce(
            name="twist", body="hand", torque=(bm.Constant(1.0), bm.Constant(2.0), bm.Constant(3.0))
        ),
        bm.HuntCrossleyForce(
            name="bump",
            materials=(
                bm.ContactMaterial(
                    surfaces=("knuckle", "palm"),
                    stiffness=1e6,
                    dissipation=0.5,
                    static_friction=0.8,
                    dynamic_friction=0.4,
                    viscous_friction=0.1,
                ),
                bm.ContactMaterial(surfaces=("table",), stiffness=2e6),
            ),
            transition_velocity=0.02,
        ),
        bm.SmoothSphereHalfSpaceForce(
            name="press",
            sphere="palm",
            half_space="table",
            stiffness=3e6,
            dissipation=0.7,
            static_friction=0.6,
            dynamic_friction=0.5,
            viscous_friction=0.2,
            transition_velocity=0.1,
            constant_contact_force=1e-4,
            hertz_smoothing=200.0,
            hunt_crossley_smoothing=40.0,
        ),
        bm.ActivationCoordinateActuator(
            name="motor",
            coordinate="wrist",
            optimal_force=3.0,
            activation_time_constant=0.02,
            max_control=2.0,
        ),
        bm.PointToPointActuator(
            name="piston",
            first="upper",
            second="hand",
            first_location=(0.1, 0.2, 0.3),
            second_location=(0.3, 0.2, 0.1),
            points_in_ground=True,
            optimal_force=7.0,
        ),
        bm.MeyerFregly2016Force(
            name="sole",
            body="loose",
            location=(0.1, 0.2, 0.3),
            stiffness=2e4,
            dissipation=0.02,
            resting_length=0.05,
            dynamic_friction=0.7,
            viscous_friction=3.0,
            latch_velocity=0.1,
        ),
        bm.CoordinateActuator(name="reserve", coordinate="shoulder", optimal_force=5.0, min_control=-1.0),
        bm.TorqueActuator(name="torque", first="upper", second="lower", axis=(0, 1, 0), axis_in_ground=False),
        bm.PointActuator(name="thruster", body="lower", point=(0.1, 0, 0), direction=(0, 1, 0)),
    )


def _constraints() -> tuple[bm.Constraint, ...]:
    place = bm.Placement.from_angles((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    return (
        bm.CoordinateCoupler(
            name="coupler",
            dependent="wrist",
            independent=("elbow",),
            function=bm.SimmSpline((-1.0, 0.0, 1.0), (0.0, 0.1, 0.3)),
            scale=0.5,
        ),
        bm.PointConstraint(
            name="point", first="hand", second="ground", first_location=(0.1, 0, 0), enforced=False
        ),
        bm.PointOnLineConstraint(
            name="line", line_frame="ground", follower="hand", line_direction=(0, 1, 0), enforced=False
        ),
        bm.WeldConstraint(name="weld", first="hand", second="upper", first_placement=place, enforced=False),
        bm.ConstantDistanceConstraint(name="rod", first="hand", second="upper", distance=0.4, enforced=False),
    )


def model() -> bm.Model:
    """An arm with a bit of everything; unicode in a name."""
    place = bm.Placement.from_angles((0.01, -0.3, 0.02), (0.1, 0.2, 0.3))
    elbow = bm.Coordinate(
        "elbow",
        default_value=0.3,
        default_speed=0.1,
        range=(0.0, 2.5),
        clamped=True,
        prescribed_function=bm.Sine(0.3, 1.0, 0.0, 0.5),
    )
    bodies = [
        bm.Body(name, 1.0 + k, (0.0, -0.15, 0.01), (0.1, 0.02, 0.1, 0.001, 0.002, 0.003), (f"{name}.vtp",))
        for k, name in enumerate(("upper", "lower", "hand"))
    ]
    wraps = {"frame": "lower", "placement": place}
    return bm.Model(
        name="arm",
        credits="nobody",
        bodies=bodies,
        joints=(
            bm.PinJoint(
                name="sh",
                parent="ground",
                child="upper",
                parent_placement=place,
                coordinates=(bm.Coordinate("shoulder", range=(-1.0, 1.0), locked=True),),
            ),
            bm.PinJoint(
                name="el", parent="upper", child="lower", child_placement=place, coordinates=(elbow,)
            ),
            bm.PinJoint(
                name="wr",
                parent="lower_frame",
                child="hand",
                coordinates=(bm.Coordinate("wrist", range=(-2, 2)),),
            ),
        ),
        frames=(bm.Frame("lower_frame", "lower", place), bm.Frame("loose", "hand", place)),
        markers=(
            bm.Marker("märker", "hand", (0.1, 0.2, 0.3), fixed=True),
            bm.Marker("m2", "loose", (0, 0, 0.1)),
        ),
        constraints=_constraints(),
        wrap_objects=(
            bm.WrapCylinder(name="cylinder", radius=0.03, length=0.2, quadrant=bm.Quadrant.MINUS_X, **wraps),
            bm.WrapSphere(name="sphere", radius=0.04, active=False, **wraps),
            bm.WrapEllipsoid(name="ellipsoid", radii=(0.03, 0.04, 0.05), **wraps),
            bm.WrapTorus(name="torus", inner_radius=0.01, outer_radius=0.06, **wraps),
        ),
        contact_surfaces=(
            bm.ContactSphere(name="knuckle", frame="hand", placement=place, radius=0.03),
            bm.ContactSphere(name="palm", frame="loose", radius=0.04),
            bm.ContactHalfSpace(name="table", frame="ground", placement=place),
        ),
        muscles=_muscles(),
        forces=_forces(),
        gravity=(0.0, -9.8, 0.0),
    )


_LOCAL = ("name", "frames", "unsupported", "others", "coordinates", "credits")


def assert_close(one: bm.Model, two: bm.Model) -> None:
    """Every number of two models agrees to round-off; joint and offset frames count by where they are."""
    for field in dataclasses.fields(bm.Model):
        if field.name not in _LOCAL:
            for a, b in zip(getattr(one, field.name), getattr(two, field.name), strict=True):
                _close(a, b, one, two, field.name)


def _close(a: Any, b: Any, one: bm.Model, two: bm.Model, where: str) -> None:
    if isinstance(a, bm.Joint):
        _same_joint(a, b, one, two)
    elif isinstance(a, bm.WeldConstraint | bm.Bushing):
        placed = [f"{side}{what}" for side in ("first", "second") for what in ("", "_placement")]
        for field in dataclasses.fields(a):
            if field.name not in placed:
                _close(getattr(a, field.name), getattr(b, field.name), one, two, f"{where}.{field.name}")
        for side in ("first", "second"):
            mine = one.place(getattr(a, side), getattr(a, f"{side}_placement"))
            other = two.place(getattr(b, side), getattr(b, f"{side}_placement"))
            assert mine[0] == other[0]
            _close(mine[1], other[1], one, two, where)
    elif isinstance(a, bm.OtherMuscle):
        assert a.class_name == b.class_name
        # What is kept as text may be printed with other digits, and with the defaults beside it.
        kept = dict(a.properties)
        assert all(float(kept[name]) == float(text) for name, text in b.properties)
    elif dataclasses.is_dataclass(a):
        assert type(a) is type(b), where
        for field in dataclasses.fields(a):
            _close(getattr(a, field.name), getattr(b, field.name), one, two, f"{where}.{field.name}")
    elif isinstance(a, tuple):
        assert len(a) == len(b), where
        for x, y in zip(a, b, strict=True):
            _close(x, y, one, two, where)
    elif isinstance(a, str | bool | enum.Enum) or a is None:
        assert a == b, where
    else:
        np.testing.assert_allclose(a, b, rtol=1e-14, atol=1e-14, err_msg=where)


def _same_joint(a: bm.Joint, b: bm.Joint, one: bm.Model, two: bm.Model) -> None:
    assert type(a) is type(b) and a.name == b.name
    for side in ("parent_of", "child_of"):
        mine, other = getattr(one, side)(a), getattr(two, side)(b)
        assert mine[0] == other[0]
        _close(mine[1], other[1], one, two, a.name)
    _close(a.coordinates, b.coordinates, one, two, a.name)
