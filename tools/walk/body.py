"""Segments, joints and markers of the sample subject, the mean man of de Leva (1996): 73 kg, 1.741 m.

Axes: x forward, y up, z to the right, as in OpenSim. Every segment stands upright in the zero posture, arms hanging.
Lengths, masses, mass centres and radii of gyration are those of table 4 of de Leva P. (1996) "Adjustments to
Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomech. 29:1223-1230. What the table does not say (where the
ankle is above the heel, how wide hips and shoulders are, which part of the foot the toes are) is a round number of
our own, and named so.
"""

from __future__ import annotations

import numpy as np

from borelli import model as bm
from borelli.library.anthropometry import table_row

MASS = 73.0
MM = 1e-3
# de Leva (1996), table 4, men: radii of gyration about the sagittal (x), longitudinal (y) and transverse (z) axis
# through the mass centre, in per cent of the segment's length.
RADII = {
    "head": (36.2, 31.2, 37.6),
    "upper_trunk": (71.6, 65.9, 45.4),
    "middle_trunk": (48.2, 46.8, 38.3),
    "lower_trunk": (61.5, 58.7, 55.1),
    "upper_arm": (28.5, 15.8, 26.9),
    "forearm": (27.6, 12.1, 26.5),
    "hand": (62.8, 40.1, 51.3),
    "thigh": (32.9, 14.9, 32.9),
    "shank_to_ankle": (25.1, 10.2, 24.6),
    "foot": (12.4, 25.7, 24.5),  # the foot lies: its long axis is x
}
# Round numbers of our own (m).
HALF_HIPS = 0.085
HALF_SHOULDERS = 0.18
ANKLE_HEIGHT = 0.08
HEEL_BEHIND_ANKLE = 0.06
TOE_JOINT_AHEAD = 0.14
TOE_JOINT_HEIGHT = 0.015
TOES_SHARE = 0.1  # of the mass of the foot
FOOT_COM_HEIGHT = 0.03


def length(name: str) -> float:
    return table_row(name).length_mm * MM


THIGH, SHANK, FOOT = length("thigh"), length("shank_to_ankle"), length("foot")
UPPER_ARM, FOREARM = length("upper_arm"), length("forearm")
NAVEL = length("lower_trunk")  # above the middle of the hips
SHOULDER = length("trunk_from_shoulder") - NAVEL  # above the navel
VERTEX = length("trunk_from_cervicale") + length("head_to_cervicale") - NAVEL
HIP_HEIGHT = THIGH + SHANK + ANKLE_HEIGHT


def part(name: str, com: tuple[float, float, float], mass_share: float = 1.0):
    """Mass, mass centre and inertia matrix of a segment of the table, its mass centre where it is said to be."""
    row = table_row(name)
    mass = row.mass * MASS * mass_share
    radii = np.array(RADII[name]) / 100.0 * length(name)
    return mass, np.array(com), np.diag(mass * radii**2)


def lump(*parts):
    """Several parts as one body (parallel axes)."""
    mass = sum(m for m, _, _ in parts)
    com = sum(m * c for m, c, _ in parts) / mass
    inertia = np.zeros((3, 3))
    for m, c, own in parts:
        d = c - com
        inertia += own + m * (d @ d * np.eye(3) - np.outer(d, d))
    return float(mass), tuple(map(float, com)), tuple(map(float, np.diag(inertia)))


def _rounded(mass, com, inertia):
    return dict(
        mass=round(mass, 4), com=tuple(round(x, 4) for x in com), inertia=tuple(round(x, 6) for x in inertia)
    )


def bodies():
    """Pelvis, trunk with head, and four limbs."""
    below = lambda name: table_row(name).com * length(name)  # noqa: E731
    pelvis = part("lower_trunk", (0, NAVEL - below("lower_trunk"), 0))
    xiphion = length("middle_trunk")
    trunk = lump(
        part("middle_trunk", (0, xiphion - below("middle_trunk"), 0)),
        part("upper_trunk", (0, xiphion + length("upper_trunk") - below("upper_trunk"), 0)),
        part("head", (0, VERTEX - below("head"), 0)),
    )
    made = [bm.Body("pelvis", **_rounded(*lump(pelvis))), bm.Body("torso", **_rounded(*trunk))]
    for side in "rl":
        foot = part(
            "foot", (below("foot") - HEEL_BEHIND_ANKLE, FOOT_COM_HEIGHT - ANKLE_HEIGHT, 0), 1 - TOES_SHARE
        )
        toes_mass = TOES_SHARE * table_row("foot").mass * MASS
        half = (FOOT - HEEL_BEHIND_ANKLE - TOE_JOINT_AHEAD) / 2
        made += [
            bm.Body(f"femur_{side}", **_rounded(*lump(part("thigh", (0, -below("thigh"), 0))))),
            bm.Body(
                f"tibia_{side}", **_rounded(*lump(part("shank_to_ankle", (0, -below("shank_to_ankle"), 0))))
            ),
            bm.Body(f"foot_{side}", **_rounded(*lump(foot))),
            # A rod of the length of the toes, as thick as the toe joint is high.
            bm.Body(f"toes_{side}", round(toes_mass, 4), (round(half, 4), 0.0, 0.0), (2e-5, 4e-5, 4e-5)),
            bm.Body(f"humerus_{side}", **_rounded(*lump(part("upper_arm", (0, -below("upper_arm"), 0))))),
            bm.Body(
                f"forearm_{side}",
                **_rounded(
                    *lump(
                        part("forearm", (0, -below("forearm"), 0)),
                        part("hand", (0, -FOREARM - below("hand"), 0)),
                    )
                ),
            ),
        ]
    return made


def _turns(coordinates):
    """Rotations of a custom joint: (axis, coordinate or None) in turn."""
    return tuple(
        bm.AxisFunction(axis, bm.Linear(), name) if name else bm.AxisFunction(axis)
        for axis, name in coordinates
    )


def _coordinate(name, low, high, value=0.0):
    return bm.Coordinate(
        name, range=(round(np.radians(low), 4), round(np.radians(high), 4)), default_value=value
    )


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
STILL = (bm.AxisFunction(X), bm.AxisFunction(Y), bm.AxisFunction(Z))


def joints():
    """Pelvis on the ground; hips, shoulders and lumbar joint of three angles; hinges at knee, ankle, toes and elbow."""
    slide = tuple(
        bm.AxisFunction(axis, bm.Linear(), name)
        for axis, name in ((X, "pelvis_tx"), (Y, "pelvis_ty"), (Z, "pelvis_tz"))
    )
    metres = dict(motion=bm.MotionType.TRANSLATIONAL)
    made = [
        bm.CustomJoint(
            name="ground_pelvis",
            parent="ground",
            child="pelvis",
            coordinates=(
                _coordinate("pelvis_tilt", -90, 90),
                _coordinate("pelvis_list", -90, 90),
                _coordinate("pelvis_rotation", -180, 180),
                bm.Coordinate("pelvis_tx", range=(-5, 5), **metres),
                bm.Coordinate("pelvis_ty", range=(-1, 2), default_value=round(HIP_HEIGHT, 4), **metres),
                bm.Coordinate("pelvis_tz", range=(-3, 3), **metres),
            ),
            rotations=_turns(((Z, "pelvis_tilt"), (X, "pelvis_list"), (Y, "pelvis_rotation"))),
            translations=slide,
        ),
        bm.CustomJoint(
            name="lumbar",
            parent="pelvis",
            child="torso",
            parent_placement=bm.Placement((0, round(NAVEL, 4), 0)),
            coordinates=(
                _coordinate("lumbar_extension", -90, 90),
                _coordinate("lumbar_bending", -90, 90),
                _coordinate("lumbar_rotation", -90, 90),
            ),
            rotations=_turns(((Z, "lumbar_extension"), (X, "lumbar_bending"), (Y, "lumbar_rotation"))),
            translations=STILL,
        ),
    ]
    for side, sign in (("r", 1.0), ("l", -1.0)):
        outward = (sign, 0.0, 0.0), (0.0, sign, 0.0)
        made += [
            _ball(
                "hip",
                "pelvis",
                "femur",
                (0, 0, sign * HALF_HIPS),
                outward,
                side,
                ((-30, 120), (-50, 30), (-40, 40)),
            ),
            _hinge("knee", "femur", "tibia", (0, -THIGH, 0), (0, 0, -1), "knee_angle", side, (-5, 120)),
            _hinge("ankle", "tibia", "foot", (0, -SHANK, 0), Z, "ankle_angle", side, (-50, 40)),
            _hinge(
                "mtp",
                "foot",
                "toes",
                (TOE_JOINT_AHEAD, TOE_JOINT_HEIGHT - ANKLE_HEIGHT, 0),
                Z,
                "mtp_angle",
                side,
                (-30, 60),
            ),
            _ball(
                "arm",
                "torso",
                "humerus",
                (0, SHOULDER, sign * HALF_SHOULDERS),
                outward,
                side,
                ((-90, 180), (-120, 90), (-90, 90)),
            ),
            _hinge("elbow", "humerus", "forearm", (0, -UPPER_ARM, 0), Z, "elbow_flexion", side, (-5, 150)),
        ]
    return made


def _ball(name, parent, child, place, outward, side, ranges):
    """Flexion, adduction and inward rotation, positive on both sides."""
    joint = {"hip": "hip", "arm": "shoulder"}[name]
    names = [f"{name}_{angle}_{side}" for angle in ("flexion", "adduction", "rotation")]
    on = f"{parent}_{side}" if parent not in ("pelvis", "torso") else parent
    return bm.CustomJoint(
        name=f"{joint}_{side}",
        parent=on,
        child=f"{child}_{side}",
        parent_placement=bm.Placement(tuple(round(x, 4) for x in place)),
        coordinates=tuple(_coordinate(n, *r) for n, r in zip(names, ranges, strict=True)),
        rotations=_turns(((Z, names[0]), (outward[0], names[1]), (outward[1], names[2]))),
        translations=STILL,
    )


def _hinge(name, parent, child, place, axis, coordinate, side, span):
    return bm.CustomJoint(
        name=f"{name}_{side}",
        parent=f"{parent}_{side}",
        child=f"{child}_{side}",
        parent_placement=bm.Placement(tuple(round(x, 4) for x in place)),
        coordinates=(_coordinate(f"{coordinate}_{side}", *span),),
        rotations=(
            bm.AxisFunction(axis, bm.Linear(), f"{coordinate}_{side}"),
            bm.AxisFunction(X),
            bm.AxisFunction(Y),
        ),
        translations=STILL,
    )


SOLE = -ANKLE_HEIGHT
TOES_SOLE = -TOE_JOINT_HEIGHT
TOES_LENGTH = FOOT - HEEL_BEHIND_ANKLE - TOE_JOINT_AHEAD
# Where the skin carries a marker: body without side, place on the right (m). Round numbers of our own.
PAIRED = {
    "ASI": ("pelvis", (0.10, 0.06, 0.12)),
    "PSI": ("pelvis", (-0.10, 0.07, 0.05)),
    "ACR": ("torso", (0.0, 0.42, 0.17)),
    "THI1": ("femur", (0.05, -0.15, 0.06)),
    "THI2": ("femur", (0.0, -0.25, 0.08)),
    "THI3": ("femur", (0.06, -0.32, 0.03)),
    "KNL": ("femur", (0.0, -0.42, 0.055)),
    "KNM": ("femur", (0.0, -0.42, -0.055)),
    "SHA1": ("tibia", (0.04, -0.12, 0.04)),
    "SHA2": ("tibia", (0.0, -0.20, 0.055)),
    "SHA3": ("tibia", (0.04, -0.28, 0.02)),
    "ANL": ("tibia", (0.0, -0.44, 0.04)),
    "ANM": ("tibia", (0.0, -0.43, -0.04)),
    "HEE": ("foot", (-0.06, -0.04, 0.0)),
    "MT5": ("foot", (0.12, -0.055, 0.05)),
    "MT1": ("foot", (0.14, -0.045, -0.03)),
    "TOE": ("toes", (0.05, 0.01, -0.01)),
    "UPA": ("humerus", (0.0, -0.15, 0.05)),
    "ELL": ("humerus", (0.0, -0.28, 0.035)),
    "ELM": ("humerus", (0.0, -0.28, -0.035)),
    "WRL": ("forearm", (0.02, -0.26, 0.03)),
    "WRM": ("forearm", (-0.02, -0.26, -0.03)),
}
SINGLE = {
    "C7": ("torso", (-0.10, 0.46, 0.0)),
    "CLAV": ("torso", (0.08, 0.38, 0.0)),
    "T10": ("torso", (-0.11, 0.20, 0.0)),
}


def markers():
    """47 markers: at least three on every segment that turns freely."""
    made = [bm.Marker(name, body, place) for name, (body, place) in SINGLE.items()]
    for side, sign in (("r", 1.0), ("l", -1.0)):
        for name, (body, (x, y, z)) in PAIRED.items():
            frame = body if body in ("pelvis", "torso") else f"{body}_{side}"
            made.append(bm.Marker(f"{side.upper()}{name}", frame, (x, y, sign * z)))
    return made


def skeleton() -> bm.Model:
    """The body without muscles."""
    return bm.Model(name="borelli_walk", bodies=bodies(), joints=joints(), markers=markers())
