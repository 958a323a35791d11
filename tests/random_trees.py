"""Random trees of bodies, for comparison with other engines and for laws.

Everything follows from a seed. Bodies are numbered depth first, because Pinocchio's mass matrix needs it.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli.model.body import Body
from borelli.model.functions.function import Linear, MultivariatePolynomial, Polynomial
from borelli.model.functions.tabulated import SimmSpline
from borelli.model.joints.coordinate import Coordinate
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from borelli.model.joints.joint import (
    Attitude,
    BallJoint,
    ConstantCurvatureJoint,
    EllipsoidJoint,
    FreeJoint,
    GimbalJoint,
    PinJoint,
    PlanarJoint,
    ScapulothoracicJoint,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)
from borelli.model.model import Model
from borelli.model.placement import Placement

GRAVITY = (0.3, -9.8, 0.7)
ELEMENTARY = ("pin", "slider", "universal", "gimbal", "planar", "weld")
NATIVE = (*ELEMENTARY, "ball", "free")
ALL = (*NATIVE, "ball_angles", "free_angles", "ellipsoid", "scapulothoracic", "arc", "custom")
_PLAIN = {
    "pin": PinJoint,
    "slider": SliderJoint,
    "universal": UniversalJoint,
    "gimbal": GimbalJoint,
    "planar": PlanarJoint,
    "weld": WeldJoint,
    "ball": BallJoint,
    "free": FreeJoint,
}


def random_placement(rng, size=0.4):
    return Placement(rng.normal(0, size, 3), Rotation.random(random_state=rng).as_matrix())


def random_body(name, rng):
    mass = rng.uniform(0.5, 4)
    spread = rng.normal(0, 0.25, (3, 3))
    second = mass * spread @ spread.T
    return Body(name, mass, rng.normal(0, 0.2, 3), np.trace(second) * np.eye(3) - second)


def random_joint(kind, name, parent, child, rng):
    common = {
        "name": name,
        "parent": parent,
        "child": child,
        "parent_placement": random_placement(rng),
        "child_placement": random_placement(rng, 0.2),
    }
    if kind in _PLAIN:
        return _PLAIN[kind](**common)
    if kind.endswith("_angles"):
        return _PLAIN[kind.removesuffix("_angles")](**common, attitude=Attitude.ANGLES)
    radii = tuple(rng.uniform(0.1, 0.4, 3))
    if kind == "ellipsoid":
        return EllipsoidJoint(**common, radii=radii)
    if kind == "scapulothoracic":
        return ScapulothoracicJoint(
            **common, radii=radii, winging_origin=rng.normal(0, 0.1, 2), winging_direction=rng.uniform(-1, 1)
        )
    if kind == "arc":
        return ConstantCurvatureJoint(
            **common, length=rng.uniform(0.1, 0.4), neutral=rng.uniform(-0.3, 0.3, 3)
        )
    return random_custom(common, rng)


def random_custom(common, rng):
    """Two coordinates, three rotations and three translations, coupled through every kind of function."""
    a, b = f"{common['name']}_a", f"{common['name']}_b"
    x = np.linspace(-3, 3, 7)
    spline = SimmSpline(x, rng.normal(0, 0.3, 7))
    both = MultivariatePolynomial(2, 2, tuple(rng.normal(0, 0.3, 6)))
    axes = rng.normal(size=(6, 3))
    rotations = (
        AxisFunction(axes[0], Linear(), (a,)),
        AxisFunction(axes[1], Linear((0.8,), 0.1), (b,)),
        AxisFunction(axes[2], spline, (a,)),
    )
    translations = (
        AxisFunction(axes[3], spline, (b,)),
        AxisFunction(axes[4], both, (a, b)),
        AxisFunction(axes[5], Polynomial((0.02, 0.1, -0.03, 0.01)), (a,)),
    )
    return CustomJoint(
        **common,
        rotations=rotations,
        translations=translations,
        coordinates=(Coordinate(a), Coordinate(b)),
    )


def random_model(seed, n_bodies, kinds=ALL, max_freedoms=40):
    """A random tree that moves; the parent of a body is on the path of the body before it."""
    rng = np.random.default_rng(seed)
    bodies, joints, path = [], [], ["ground"]
    freedoms = 0
    for number in range(n_bodies):
        del path[int(rng.integers(1, len(path) + 1)) :]
        choice = kinds if number else [kind for kind in kinds if kind != "weld"]
        kind = choice[int(rng.integers(len(choice)))]
        joint = random_joint(kind, f"j{number}", path[-1], f"b{number}", rng)
        freedoms += len(joint.speed_names)
        if freedoms > max_freedoms:
            break
        bodies.append(random_body(f"b{number}", rng))
        joints.append(joint)
        path.append(f"b{number}")
    return Model(bodies=bodies, joints=joints, gravity=GRAVITY)


def random_motion(model, seed, n_times=3, scale=1.0):
    rng = np.random.default_rng(seed)
    n = len(model.speed_names)
    q = rng.uniform(-1, 1, (n_times, len(model.coordinate_names)))
    start = 0
    for joint in model.joints:
        if getattr(joint, "attitude", None) is Attitude.QUATERNION:
            q[:, start : start + 4] = Rotation.random(n_times, random_state=rng).as_quat(scalar_first=True)
        start += len(joint.coordinate_names)
    u, udot = scale * rng.normal(size=(n_times, n)), scale * 2 * rng.normal(size=(n_times, n))
    return bo.Motion(np.arange(float(n_times)), model.coordinate_names, q, u, udot, speeds=model.speed_names)


def random_loads(model, seed, n_times=3):
    """A load on every other body."""
    rng = np.random.default_rng(seed + 1)
    return [
        bo.Load(f"l{k}", name, *rng.normal(0, (20, 0.5, 5), (n_times, 3, 3)).swapaxes(0, 2).swapaxes(1, 2))
        for k, name in enumerate(model.body_names[::2])
    ]
