"""An arm with a muscle over each kind of wrap surface."""

from __future__ import annotations

import numpy as np

from borelli import model as bm
from tests.conformance.own_models.parts import named, path, pull


def arm() -> bm.Model:
    """An arm in space, and a muscle of Millard's over a cylinder, a sphere, an ellipsoid, a ring, and over nothing."""
    bodies = (
        bm.Body("humerus", 1.9, (0.0, -0.18, 0.0), (0.014, 0.002, 0.015, 0.0002, 0.0, 0.0001)),
        bm.Body("forearm", 1.1, (0.0, -0.13, 0.01), (0.007, 0.0008, 0.007)),
        bm.Body("hand", 0.45, (0.0, -0.07, 0.0), (0.0009, 0.0005, 0.0011)),
    )
    joints = (
        bm.GimbalJoint(
            name="shoulder",
            parent="ground",
            child="humerus",
            coordinates=named("flexion", "abduction", "rotation"),
            parent_placement=bm.Placement.from_angles((0.01, 0.02, 0.17), (0.0, 0.1, 0.0)),
        ),
        bm.PinJoint(
            name="elbow",
            parent="humerus",
            child="forearm",
            coordinates=named("elbow_flexion", limits=(0.0, 2.4)),
            parent_placement=bm.Placement.from_angles((0.006, -0.29, -0.012), (0.03, -0.04, 0.0)),
        ),
        bm.UniversalJoint(
            name="wrist",
            parent="forearm",
            child="hand",
            coordinates=named("wrist_flexion", "wrist_deviation"),
            parent_placement=bm.Placement((0.0, -0.25, 0.0)),
        ),
    )
    trochlea = bm.Placement((0.006, -0.29, -0.012))
    wraps = (
        bm.WrapCylinder(name="trochlea", frame="humerus", placement=trochlea, radius=0.02, length=0.12),
        bm.WrapSphere(name="head", frame="humerus", placement=bm.Placement((0.0, 0.0, 0.0)), radius=0.03),
        bm.WrapEllipsoid(
            name="shaft",
            frame="humerus",
            placement=bm.Placement((0.0, -0.13, 0.0)),
            radii=(0.022, 0.07, 0.025),
        ),
        bm.WrapTorus(
            name="sleeve",
            frame="forearm",
            placement=bm.Placement.from_angles((0.0, -0.2, 0.0), (np.pi / 2, 0.0, 0.0)),
            inner_radius=0.012,
            outer_radius=0.035,
        ),
    )
    made = bm.Millard2012EquilibriumMuscle
    muscles = (
        pull(
            made,
            "triceps",
            path([("humerus", (-0.02, -0.1, -0.005)), ("forearm", (-0.022, 0.008, -0.002))], "trochlea"),
            800.0,
            0.114,
            0.098,
            0.2,
        ),
        pull(
            made,
            "deltoid",
            path([("ground", (-0.01, 0.05, 0.175)), ("humerus", (0.002, -0.13, 0.01))], "head"),
            1100.0,
            0.1,
            0.08,
            0.25,
        ),
        pull(
            made,
            "brachialis",
            path([("humerus", (0.0, -0.03, 0.01)), ("forearm", (0.015, -0.06, 0.0))], "shaft"),
            980.0,
            0.086,
            0.15,
        ),
        pull(
            made,
            "flexor",
            path([("humerus", (0.02, -0.28, -0.02)), ("hand", (0.05, -0.05, -0.004))], "sleeve"),
            400.0,
            0.06,
            0.24,
        ),
        pull(
            made,
            "biceps",
            path(
                [
                    ("ground", (0.02, 0.05, 0.15)),
                    ("humerus", (0.035, -0.2, 0.0)),
                    ("forearm", (0.012, -0.05, -0.01)),
                ]
            ),
            620.0,
            0.13,
            0.23,
        ),
    )
    return bm.Model(
        name="arm",
        bodies=bodies,
        joints=joints,
        muscles=muscles,
        wrap_objects=wraps,
        gravity=(0.0, -9.81, 0.0),
    )
