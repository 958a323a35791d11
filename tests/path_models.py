"""Models with paths: the golden moment-arm cases, and random trees with points and surfaces of every kind."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path as FilePath

import numpy as np

from borelli.model import (
    Body,
    Component,
    ConditionalPathPoint,
    Coordinate,
    CoordinateCoupler,
    Model,
    MovingPathPoint,
    Path,
    PathPoint,
    PathSpring,
    PathWrap,
    PinJoint,
    Placement,
    Polynomial,
    RigidTendonMuscle,
    WrapCylinder,
    WrapEllipsoid,
    WrapSphere,
)
from borelli.model.functions.function import Linear
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from tests.random_trees import ALL, random_model, random_placement

GOLDEN = json.loads((FilePath(__file__).parent / "fixtures" / "moment_arm_golden.json").read_text())["cases"]


def point(name, body, location):
    return PathPoint(name, body, (*location, 0.0) if len(location) == 2 else tuple(location))


def muscle(points, wraps=(), name="muscle"):
    return RigidTendonMuscle(name=name, path=Path(tuple(points), tuple(PathWrap(wrap) for wrap in wraps)))


def hinge(inputs, more=()):
    points = [
        point("origin", "ground", inputs["origin"]),
        *more,
        point("insertion", "arm", inputs["insertion"]),
    ]
    joint = PinJoint(name="elbow", parent="ground", child="arm", coordinates=(Coordinate("theta"),))
    return Model(bodies=(Body("arm", 1.0),), joints=(joint,), muscles=(muscle(points),))


def moving_hinge(inputs):
    x, y = (Component(Polynomial(tuple(inputs["moving_point"][axis])), "theta") for axis in "xy")
    return hinge(inputs, (MovingPathPoint("slider", "arm", x, y),))


def composite(inputs):
    """Six hinges, each turning by w q, all coupled to the first; the last carries a cylinder."""
    w, alpha, curve = inputs["w"], inputs["alpha"], inputs["alpha_quadratic"]
    ratio = w[0] / alpha[0]
    bodies, joints, couplers = [], [], []
    for k, (parent, place) in enumerate(zip(inputs["parents"], inputs["joint_pos"], strict=True)):
        bodies.append(Body(f"b{k + 1}", 1.0))
        joints.append(
            CustomJoint(
                name=f"j{k + 1}",
                parent="ground" if parent == 0 else f"b{parent}",
                child=f"b{k + 1}",
                parent_placement=Placement((*place, 0.0)),
                rotations=(
                    AxisFunction((0, 0, 1), Linear((w[k],)), (f"q{k + 1}",)),
                    AxisFunction((1, 0, 0)),
                    AxisFunction((0, 1, 0)),
                ),
                coordinates=(Coordinate(f"q{k + 1}"),),
            )
        )
        if k:
            law = Polynomial((0.0, alpha[k] * ratio / w[k], curve[k] * ratio**2 / w[k]))
            couplers.append(
                CoordinateCoupler(name=f"c{k + 1}", dependent=f"q{k + 1}", independent=("q1",), function=law)
            )
    start, wrap, end = inputs["path"]
    ends = [
        point(f"p{i}", "ground" if part["body"] == 0 else f"b{part['body']}", part["loc"])
        for i, part in enumerate((start, end))
    ]
    cylinder = WrapCylinder(
        name="pulley", frame=f"b{wrap['body']}", placement=Placement((*wrap["loc"], 0.0)), radius=wrap["rho"]
    )
    return Model(
        bodies=bodies,
        joints=joints,
        constraints=couplers,
        wrap_objects=(cylinder,),
        muscles=(muscle(ends, ("pulley",)),),
    )


def _random_surface(name, frame, rng):
    common = {"name": name, "frame": frame, "placement": random_placement(rng, 0.2)}
    kind = int(rng.integers(3))
    if kind == 0:
        return WrapCylinder(**common, radius=rng.uniform(0.03, 0.12), length=3.0)
    if kind == 1:
        return WrapSphere(**common, radius=rng.uniform(0.03, 0.15))
    return WrapEllipsoid(**common, radii=tuple(rng.uniform(0.05, 0.15, 3)))


def random_paths(seed, n_paths=6, moving=False, kinds=ALL, n_bodies=5):
    """A random tree with random paths over random surfaces; conditional points are there in half the range.

    Rings are left out: a path is pulled through a ring wherever that stands.
    """
    rng = np.random.default_rng(seed + 100)
    tree = random_model(seed, n_bodies, kinds)
    bodies = ("ground", *tree.body_names)
    surfaces = [_random_surface(f"s{k}", bodies[int(rng.integers(len(bodies)))], rng) for k in range(4)]
    plain = [
        c.name
        for joint in tree.joints
        for c in joint.coordinates
        if joint.speed_names == joint.coordinate_names
    ]
    muscles, springs = [], []
    for k in range(n_paths):
        points = [
            PathPoint(f"p{k}{i}", bodies[int(rng.integers(len(bodies)))], tuple(rng.normal(0, 0.4, 3)))
            for i in range(int(rng.integers(2, 5)))
        ]
        if plain:
            name = plain[int(rng.integers(len(plain)))]
            points.insert(
                1, ConditionalPathPoint(f"c{k}", bodies[-1], tuple(rng.normal(0, 0.3, 3)), name, (0, 9))
            )
        if moving and plain:
            name = plain[int(rng.integers(len(plain)))]
            x, y = (Component(Polynomial(tuple(rng.normal(0, 0.2, 3))), name) for _ in range(2))
            points.insert(1, MovingPathPoint(f"m{k}", bodies[-1], x, y))
        wraps = tuple(PathWrap(f"s{int(i)}") for i in rng.choice(4, int(rng.integers(0, 3)), replace=False))
        path = Path(tuple(points), wraps)
        if k % 3 == 2:
            springs.append(PathSpring(name=f"spring{k}", path=path, resting_length=0.1, stiffness=10.0))
        else:
            muscles.append(RigidTendonMuscle(name=f"muscle{k}", path=path))
    return dataclasses.replace(tree, wrap_objects=surfaces, muscles=muscles, forces=springs)
