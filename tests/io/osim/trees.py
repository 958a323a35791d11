"""Random trees of every kind of joint, with frames at random and custom joints of random functions."""

from __future__ import annotations

import dataclasses

import numpy as np

from borelli import model as bm
from borelli.io.osim.joints import simbody_rates_differ

from . import models


def tree(seed: int) -> bm.Model:
    """Three to eight bodies."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 9))
    joints: list[bm.Joint] = []
    frames: list[bm.Frame] = []
    for i in range(count):
        parent = f"b{rng.integers(0, i)}" if i and rng.random() < 0.9 else "ground"
        ends = {"parent": parent, "child": f"b{i}"}
        for side in ends:
            if rng.random() < 0.5:
                frames.append(bm.Frame(f"{side}_{i}", ends[side], models.placement(rng)))
                ends[side] = f"{side}_{i}"
        places = {
            f"{side}_placement": models.placement(rng) if rng.random() < 0.5 else bm.Placement()
            for side in ends
        }
        kinds = [*models.KINDS, "custom", "custom", "custom"]
        kind = kinds[rng.integers(len(kinds))]
        if kind == "custom":
            joints.append(_custom(bm.CustomJoint(name=f"j{i}", **ends, **places), rng))
        else:
            joints.append(models.KINDS[kind](name=f"j{i}", **ends, **places))
    bodies = [models.body(f"b{i}", rng) for i in range(count)]
    return bm.Model(name="tree", bodies=bodies, joints=joints, frames=frames, gravity=rng.normal(size=3) * 5)


def _custom(joint: bm.CustomJoint, rng: np.random.Generator) -> bm.CustomJoint:
    """One to four coordinates, each driving at least one axis, and some several."""
    names = [f"{joint.name}_{k}" for k in range(rng.integers(1, 5))]
    order = rng.permutation(6)
    driver = dict(zip(order[: len(names)].tolist(), names, strict=True))
    for axis in order[len(names) :].tolist():
        if rng.random() < 0.5:
            driver[axis] = names[rng.integers(len(names))]
    directions = np.vstack([_directions(rng), _directions(rng)])
    functions = [bm.Linear(), bm.Linear(), bm.Linear(), *models.FUNCTIONS.values()]
    axes = []
    for axis in range(6):
        if axis in driver:
            function = functions[rng.integers(len(functions))]
            axes.append(bm.AxisFunction(directions[axis], function, (driver[axis],)))
        else:
            # OpenSim forgets constant rotations in its velocities, so only translations get one.
            constant = float(rng.normal(0, 0.2)) if axis >= 3 else 0.0
            axes.append(bm.AxisFunction(directions[axis], bm.Constant(constant)))
    used = dict.fromkeys(name for axis in axes for name in axis.coordinates)
    joint = dataclasses.replace(
        joint,
        coordinates=tuple(bm.Coordinate(name) for name in used),
        rotations=tuple(axes[:3]),
        translations=tuple(axes[3:]),
    )
    rates = bm.AxisRates.SIMBODY if simbody_rates_differ(joint) else bm.AxisRates.EXACT
    return dataclasses.replace(joint, axis_rates=rates)


def _directions(rng: np.random.Generator) -> np.ndarray:
    if rng.random() < 0.3:
        return np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return np.eye(3)[rng.permutation(3)]
