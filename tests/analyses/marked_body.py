"""A small body with markers: a pelvis that is free, two legs and an arm; and recordings of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import xarray as xr

import borelli as bo
from borelli import model as bm

ROOT = ("tilt", "list", "turn", "tx", "ty", "tz")
TIME = np.linspace(0.0, 0.5, 26)


def _body(name: str) -> bm.Body:
    return bm.Body(name, 1.0, (0.0, -0.2, 0.0), (0.02, 0.02, 0.02))


def _six(name: str) -> bm.CustomJoint:
    """OpenSim's pelvis: three angles about z, x, y, then a translation."""
    axes = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    shifts = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    coordinates = [bm.Coordinate(n) for n in ROOT[:3]]
    coordinates += [bm.Coordinate(n, motion=bm.MotionType.TRANSLATIONAL) for n in ROOT[3:]]
    return bm.CustomJoint(
        name=name,
        parent="ground",
        child="pelvis",
        rotations=tuple(bm.AxisFunction(a, bm.Linear(), (n,)) for a, n in zip(axes, ROOT[:3], strict=True)),
        translations=tuple(
            bm.AxisFunction(a, bm.Linear(), (n,)) for a, n in zip(shifts, ROOT[3:], strict=True)
        ),
        coordinates=tuple(coordinates),
    )


def marked_body() -> bm.Model:
    """Build it: 16 coordinates, 18 markers."""
    bodies, joints = [_body("pelvis")], [_six("root")]
    for side, sign in (("r", 1.0), ("l", -1.0)):
        bodies += [_body(f"thigh_{side}"), _body(f"shank_{side}")]
        hip = tuple(bm.Coordinate(f"hip_{part}_{side}") for part in ("flexion", "adduction", "rotation"))
        joints.append(
            bm.GimbalJoint(
                name=f"hip_{side}",
                parent="pelvis",
                child=f"thigh_{side}",
                parent_placement=bm.Placement((0, -0.08, 0.09 * sign)),
                coordinates=hip,
            )
        )
        joints.append(
            bm.PinJoint(
                name=f"knee_{side}",
                parent=f"thigh_{side}",
                child=f"shank_{side}",
                parent_placement=bm.Placement((0, -0.42, 0)),
                coordinates=(bm.Coordinate(f"knee_{side}", range=(-2.4, 0.1)),),
            )
        )
    bodies.append(_body("arm"))
    joints.append(
        bm.UniversalJoint(
            name="shoulder",
            parent="pelvis",
            child="arm",
            parent_placement=bm.Placement((0, 0.5, 0.2)),
            coordinates=(bm.Coordinate("arm_flexion"), bm.Coordinate("arm_abduction")),
        )
    )
    rng = np.random.default_rng(1)
    markers = [
        bm.Marker(f"{body.name}_{k}", body.name, rng.normal((0, -0.2 if k else 0.0, 0.02), 0.08))
        for body in bodies
        for k in range(4 if body.name == "pelvis" else 3 if body.name != "arm" else 2)
    ]
    return bm.Model(name="marked body", bodies=bodies, joints=joints, markers=markers)


def swing(model: bm.Model, time: np.ndarray = TIME, turned: float = 0.0) -> bo.Motion:
    """Make a motion: everything swings, and the body walks off."""
    rng = np.random.default_rng(2)
    n = len(model.coordinate_names)
    phase, size = rng.uniform(0, 6, n), rng.uniform(0.1, 0.4, n)
    q = size * np.sin(4.0 * time[:, None] + phase)
    for k, name in enumerate(model.coordinate_names):
        if name == "turn":
            q[:, k] += turned
        elif name == "tx":
            q[:, k] = 1.3 * time + 2.0
        elif name.startswith("knee"):
            q[:, k] -= 0.7
    return bo.Motion(time, model.coordinate_names, q)


def recorded(model: bm.Model, motion: bo.Motion, noise: float = 0.0, seed: int = 0) -> xr.DataArray:
    """Record its markers."""
    places = bo.marker_positions(model, motion)
    return places + noise * np.random.default_rng(seed).normal(size=places.shape)


def with_coordinate(model: bm.Model, name: str, **changes: object) -> bm.Model:
    """Change one coordinate."""
    joints = []
    for joint in model.joints:
        own = tuple(replace(c, **changes) if c.name == name else c for c in joint.coordinates)
        joints.append(replace(joint, coordinates=own) if own != joint.coordinates else joint)
    return replace(model, joints=tuple(joints))
