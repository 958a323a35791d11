"""An arm of our own to measure paths with: 50 muscles, each over two to four cylinders, ellipsoids and rings.

It is made like published models of the upper limb, with numbers of its own: muscles of the shoulder over the rib cage,
the head and the shaft of the humerus; muscles of the elbow over its hinge and the forearm; muscles of the fingers
through rings at the wrist, one of them with a hole of half a millimetre, and over their joints.
"""

from __future__ import annotations

import math

import numpy as np

import borelli as bo
from borelli import model as bm

UPPER, FOREARM, HAND, PHALANX = 0.30, 0.26, 0.08, 0.045
"""Lengths (m)."""
N_SHOULDER, N_ELBOW, N_FINGER = 14, 12, 24
RANGES = {
    "shoulder_flexion": (-0.5, 1.4),
    "shoulder_abduction": (-0.2, 1.2),
    "shoulder_rotation": (-0.7, 0.7),
    "elbow_flexion": (0.1, 2.0),
    "wrist_flexion": (-0.8, 0.8),
    "knuckle_flexion": (0.0, 1.2),
    "finger_flexion": (0.0, 1.2),
}
"""Of the coordinates (rad)."""
# A ring is about its own z axis; the arm hangs along -y.
_ACROSS = (math.pi / 2, 0.0, 0.0)


def _joints() -> tuple[tuple[bm.Body, ...], tuple[bm.PinJoint, ...]]:
    """Bodies from the shoulder to the finger, each on a hinge about z of its own frame."""
    chain = (
        ("carrier", (0.02, 0.0, 0.16), (0.0, 0.0, 0.0), "shoulder_flexion"),
        ("turner", (0.0, 0.0, 0.0), (0.0, math.pi / 2, 0.0), "shoulder_abduction"),
        ("humerus", (0.0, 0.0, 0.0), _ACROSS, "shoulder_rotation"),
        ("forearm", (0.0, -UPPER, 0.0), (0.0, 0.0, 0.0), "elbow_flexion"),
        ("hand", (0.0, -FOREARM, 0.0), (0.0, math.pi / 2, 0.0), "wrist_flexion"),
        ("phalanx", (0.0, -HAND, 0.0), (0.0, 0.0, 0.0), "knuckle_flexion"),
        ("tip", (0.0, -PHALANX, 0.0), (0.0, 0.0, 0.0), "finger_flexion"),
    )
    bodies, joints, parent = [], [], "ground"
    for body, place, turned, coordinate in chain:
        bodies.append(bm.Body(body, 1.0, (0.0, -0.05, 0.0), (0.01, 0.01, 0.01)))
        joints.append(
            bm.PinJoint(
                name=f"{body}_hinge",
                parent=parent,
                child=body,
                coordinates=(bm.Coordinate(coordinate, range=RANGES[coordinate]),),
                parent_placement=bm.Placement.from_angles(place, turned),
                child_placement=bm.Placement.from_angles((0.0, 0.0, 0.0), turned),
            )
        )
        parent = body
    return tuple(bodies), tuple(joints)


def _ring_place(number: int) -> tuple[float, float]:
    """Where a tendon crosses the wrist, beside the forearm's axis (m)."""
    angle = 2.0 * math.pi * number / N_FINGER
    return 0.020 * math.cos(angle), 0.024 * math.sin(angle)


def _surfaces() -> tuple[bm.WrapObject, ...]:
    surfaces: list[bm.WrapObject] = [
        bm.WrapEllipsoid(
            name="ribs",
            frame="ground",
            radii=(0.10, 0.19, 0.13),
            placement=bm.Placement((0.0, -0.12, 0.0)),
        ),
        bm.WrapEllipsoid(name="head", frame="humerus", radii=(0.024, 0.027, 0.025)),
        bm.WrapCylinder(
            name="shaft",
            frame="humerus",
            radius=0.014,
            length=0.2,
            placement=bm.Placement.from_angles((0.0, -0.15, 0.0), _ACROSS),
        ),
        bm.WrapCylinder(name="trochlea", frame="forearm", radius=0.017, length=0.1),
        bm.WrapEllipsoid(
            name="belly", frame="forearm", radii=(0.022, 0.05, 0.026), placement=bm.Placement((0.0, -0.07, 0.0))
        ),
        bm.WrapCylinder(name="knuckle", frame="hand", radius=0.008, length=0.1,
                        placement=bm.Placement((0.0, -HAND, 0.0))),
        bm.WrapCylinder(name="middle", frame="phalanx", radius=0.006, length=0.1,
                        placement=bm.Placement((0.0, -PHALANX, 0.0))),
    ]  # fmt: skip
    for number in range(N_FINGER):
        x, z = _ring_place(number)
        # The first has a hole of half a millimetre, the others one of three to six.
        tube, hole = (0.0105, 0.0005) if number == 0 else (0.006, 0.003 + 0.003 * (number % 4) / 3)
        surfaces.append(
            bm.WrapTorus(
                name=f"ring_{number}",
                frame="forearm",
                inner_radius=tube,
                outer_radius=tube + hole,
                placement=bm.Placement.from_angles((x, -FOREARM + 0.02, z), _ACROSS),
            )
        )
    return tuple(surfaces)


def _muscle(name: str, points: list[tuple[str, tuple[float, ...]]], wraps: list[bm.PathWrap]) -> bm.Muscle:
    spots = tuple(bm.PathPoint(f"{name}_{i}", body, spot) for i, (body, spot) in enumerate(points))
    return bm.RigidTendonMuscle(name=name, path=bm.Path(spots, tuple(wraps)))


def _muscles() -> list[bm.Muscle]:
    muscles = []
    for i in range(N_SHOULDER):
        angle = 2.0 * math.pi * (i + 0.5) / N_SHOULDER
        origin = (0.115 * math.cos(angle), -0.05 - 0.01 * i, 0.05 + 0.12 * math.sin(angle) ** 2)
        end = (0.017 * math.cos(angle + 0.6), -0.05 - 0.006 * i, 0.017 * math.sin(angle + 0.6))
        wraps = [bm.PathWrap("head"), bm.PathWrap("shaft")] + ([bm.PathWrap("ribs")] if i % 2 else [])
        muscles.append(_muscle(f"shoulder_{i}", [("ground", origin), ("humerus", end)], wraps))
    for i in range(N_ELBOW):
        side = 1.0 if i % 3 else -1.0
        origin = (0.018 * side, -0.08 - 0.008 * i, 0.004 * (i - 6))
        end = (0.028 * side, -0.10 - 0.004 * i, 0.003 * (i - 6))
        muscles.append(
            _muscle(
                f"elbow_{i}",
                [("humerus", origin), ("forearm", end)],
                [bm.PathWrap("trochlea"), bm.PathWrap("belly")],
            )
        )
    for i in range(N_FINGER):
        x, z = _ring_place(i)
        points = [
            ("humerus", (1.2 * x, -UPPER + 0.03, 1.2 * z)),
            ("forearm", (1.6 * x, -0.14, 1.4 * z)),
            ("hand", (0.9 * x, -0.03, 0.7 * z)),
            ("phalanx", (0.011 if x > 0.0 else -0.011, -0.012, 0.3 * z)),
            ("tip", (0.009 if x > 0.0 else -0.009, -0.012, 0.3 * z)),
        ]
        wraps = [
            bm.PathWrap("belly", range=(1, 2)),
            bm.PathWrap(f"ring_{i}", range=(2, 3)),
            bm.PathWrap("knuckle", range=(3, 4)),
            bm.PathWrap("middle", range=(4, 5)),
        ]
        muscles.append(_muscle(f"finger_{i}", points, wraps))
    return muscles


def arm() -> bm.Model:
    """Return the arm."""
    bodies, joints = _joints()
    return bm.Model(
        name="arm", bodies=bodies, joints=joints, wrap_objects=_surfaces(), muscles=tuple(_muscles())
    )


def sway(n_instants: int) -> bo.Motion:
    """Return a motion through most of every range, each coordinate at a pace of its own."""
    time = np.linspace(0.0, 4.0, n_instants)
    q = []
    for i, (low, high) in enumerate(RANGES.values()):
        phase = 2.0 * math.pi * (0.31 + 0.07 * i) * time + 0.8 * i
        q.append(0.5 * (low + high) + 0.45 * (high - low) * np.sin(phase))
    return bo.Motion(time, tuple(RANGES), np.stack(q, axis=1))
