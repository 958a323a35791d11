"""Named test models: every joint, function, frame, constraint and force that an OpenSim file can have."""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli import model as bm

_R = bm.MotionType.ROTATIONAL
_T = bm.MotionType.TRANSLATIONAL
KINDS: dict[str, Any] = {
    "weld": bm.WeldJoint,
    "pin": bm.PinJoint,
    "slider": bm.SliderJoint,
    "universal": bm.UniversalJoint,
    "gimbal": bm.GimbalJoint,
    "ball": lambda **k: bm.BallJoint(attitude="angles", **k),
    "free": lambda **k: bm.FreeJoint(attitude="angles", **k),
    "planar": bm.PlanarJoint,
    "ellipsoid": lambda **k: bm.EllipsoidJoint(radii=(0.2, 0.3, 0.15), **k),
    "scapulothoracic": lambda **k: bm.ScapulothoracicJoint(
        radii=(0.2, 0.3, 0.15), winging_origin=(0.03, -0.02), winging_direction=0.4, **k
    ),
}
X = (-2.0, -1.1, -0.3, 0.4, 1.0, 2.0)
Y = (0.3, -0.1, 0.2, 0.25, -0.3, 0.1)
FUNCTIONS: dict[str, bm.Function] = {
    "linear": bm.Linear((0.7,), 0.2),
    "polynomial": bm.Polynomial((0.1, -0.4, 0.3, 0.2)),
    "simm spline": bm.SimmSpline(X, Y),
    "natural cubic spline": bm.NaturalCubicSpline(X, Y),
    "natural spline of three points": bm.NaturalCubicSpline((-1.0, 0.2, 1.0), (0.1, 0.4, -0.2)),
    "cubic gcv spline": bm.GCVSpline(X, Y, 3),
    "quintic gcv spline": bm.GCVSpline(X, Y, 5),
    "piecewise linear": bm.PiecewiseLinear(X, Y),
    "multiplier": bm.Multiplier(bm.SimmSpline(X, Y), -1.3),
    "sine": bm.Sine(0.3, 1.7, 0.4, 0.1),
    "step": bm.Step(-0.7, 0.9, 0.1, 0.4),
}


def placement(rng: np.random.Generator) -> bm.Placement:
    """A random frame."""
    return bm.Placement.from_angles(rng.normal(0, 0.3, 3), rng.uniform(-3, 3, 3))


def body(name: str, rng: np.random.Generator) -> bm.Body:
    """A random body with an inertia that mass can have."""
    mass = float(rng.uniform(0.5, 3))
    spread = rng.normal(0, 0.2, (3, 3))
    second = mass * spread @ spread.T
    return bm.Body(name, mass, rng.normal(0, 0.2, 3), np.trace(second) * np.eye(3) - second)


def one_of(kind: str, seed: int = 0) -> bm.Model:
    """Ground – pin – carrier – (the joint) – body, with frames on both sides nested three deep."""
    rng = np.random.default_rng(seed)
    joint = KINDS[kind](name="joint", parent="on_carrier", child="on_body", parent_placement=placement(rng))
    return on_carrier(joint, rng)


def on_carrier(joint: bm.Joint, rng: np.random.Generator) -> bm.Model:
    """Put a joint between a swinging carrier and a body."""
    first = bm.PinJoint(name="base", parent="ground", child="carrier", parent_placement=placement(rng))
    frames = (
        bm.Frame("outer", "carrier", placement(rng)),
        bm.Frame("middle", "outer", placement(rng)),
        bm.Frame("on_carrier", "middle", placement(rng)),
        bm.Frame("on_body", "body", placement(rng)),
    )
    return bm.Model(
        name=f"one_{joint.kind}",
        bodies=(body("carrier", rng), body("body", rng)),
        joints=(first, joint),
        frames=frames,
        gravity=(0.3, -9.7, 0.8),
    )


def custom(function: bm.Function, seed: int = 0) -> bm.Model:
    """A custom joint with one function as rotation and as translation, and oblique axes."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(6, 3)) + 2 * np.vstack([np.eye(3), np.eye(3)])
    still = bm.Constant(0.2)
    joint = bm.CustomJoint(
        name="joint",
        parent="on_carrier",
        child="on_body",
        coordinates=(bm.Coordinate("a"), bm.Coordinate("b", _T)),
        rotations=(
            bm.AxisFunction(axes[0], function, ("a",)),
            bm.AxisFunction(axes[1], still),
            bm.AxisFunction(axes[2], still),
        ),
        translations=(
            bm.AxisFunction(axes[3], function, ("a",)),
            bm.AxisFunction(axes[4], bm.Linear(), ("b",)),
            bm.AxisFunction(axes[5], bm.Constant(-0.1)),
        ),
    )
    return on_carrier(joint, rng)


def coupled_knee(rates: bm.AxisRates = bm.AxisRates.SIMBODY) -> bm.Model:
    """One angle drives three rotations and a translation."""
    rng = np.random.default_rng(5)
    angle = ("angle",)
    joint = bm.CustomJoint(
        name="joint",
        parent="on_carrier",
        child="on_body",
        coordinates=(bm.Coordinate("angle"),),
        rotations=(
            bm.AxisFunction((1, 0, 0), bm.Linear(), angle),
            bm.AxisFunction((0, 0, 1), bm.Polynomial((0.0, 0.5, -0.4)), angle),
            bm.AxisFunction((0, 1, 0), bm.Polynomial((0.1, 0.6, 0.3)), angle),
        ),
        translations=(
            bm.AxisFunction((1, 0, 0), bm.Polynomial((0.0, 0.2, 0.1)), angle),
            bm.AxisFunction((0, 1, 0)),
            bm.AxisFunction((0, 0, 1)),
        ),
        axis_rates=rates,
    )
    return on_carrier(joint, rng)


def two_arguments(function: bm.Function) -> bm.Model:
    """A custom joint with a function of two coordinates as a translation."""
    rng = np.random.default_rng(3)
    both = ("a", "b")
    joint = bm.CustomJoint(
        name="joint",
        parent="on_carrier",
        child="on_body",
        coordinates=(bm.Coordinate("a"), bm.Coordinate("b")),
        rotations=(
            bm.AxisFunction((0, 0, 1), bm.Linear(), ("a",)),
            bm.AxisFunction((0, 1, 0), bm.Linear(), ("b",)),
            bm.AxisFunction((1, 0, 0)),
        ),
        translations=(
            bm.AxisFunction((1, 0, 0), function, both),
            bm.AxisFunction((0, 1, 0), bm.Linear((0.2, -0.3), 0.1), both),
            bm.AxisFunction((0, 0, 1)),
        ),
    )
    return on_carrier(joint, rng)
