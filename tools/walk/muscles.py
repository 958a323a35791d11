"""Muscles of the legs, and the actuators of trunk, arms and toes.

Architecture (mass, fibre length at a sarcomere length of 2.7 um, sarcomere length as found, pennation, physiological
cross-section) is that of Ward SR, Eng CM, Smallwood LH, Lieber RL (2009) "Are current measurements of lower
extremity muscle architecture accurate?", Clin. Orthop. Relat. Res. 467:1074-1082. Peak forces follow Arnold EM,
Ward SR, Lieber RL, Delp SL (2010), Ann. Biomed. Eng. 38:269-279: 61 N for each square centimetre of mass / (density
* fibre length), times what young muscles are larger by. Tendons are slack at the length that gives the fibres
Ward's sarcomere length while lying relaxed, the foot pointed by 10 degrees; this posture is ours. Lines of action
are of our own making, in round numbers (m) chosen so that moment arms are near measured ones
(docs/sample_walk.md says which). Toe muscles, deep rotators, gluteus minimus and tensor fasciae latae are
not there: Ward's table does not have them, or they serve joints that nothing here loads. docs/sample_walk.md says
which numbers were compared with print.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

import borelli as bo
from borelli import model as bm

from . import body

SPECIFIC_TENSION = 61.0  # N/cm2
# Donors of Ward were 83 years old. Muscles of young adults are 1.2 (gluteus medius) to 3.0 times (psoas) as large, 1.9
# times in the median (magnetic resonance, Handsfield et al. 2014, J. Biomech. 47:631-638): one round number for all.
YOUNG = 1.8
FASTEST = 15.0  # optimal fibre lengths per second: Arnold EM et al. (2013), J. Exp. Biol. 216:2150-2160
DENSITY = 1.056  # g/cm3
OPTIMAL_SARCOMERE = 2.7  # um
# Muscle: mass (g), fibre length (cm), sarcomere length (um), pennation (deg), cross-section (cm2).
WARD_2009 = {
    "psoas": (97.7, 11.69, 3.11, 10.6, 7.7),
    "iliacus": (113.7, 10.66, 3.02, 14.3, 9.9),
    "gluteus_maximus": (547.2, 15.69, 2.60, 21.9, 33.4),
    "gluteus_medius": (273.5, 7.33, 2.40, 20.5, 33.8),
    "sartorius": (78.4, 40.30, 3.11, 1.3, 1.9),
    "rectus_femoris": (110.6, 7.59, 2.42, 13.9, 13.5),
    "vastus_lateralis": (375.9, 9.94, 2.14, 18.4, 35.1),
    "vastus_intermedius": (171.9, 9.93, 2.17, 4.5, 16.7),
    "vastus_medialis": (239.4, 9.68, 2.24, 29.6, 20.6),
    "gracilis": (52.5, 22.78, 3.24, 8.2, 2.2),
    "adductor_longus": (74.7, 10.82, 3.00, 7.1, 6.5),
    "adductor_brevis": (54.6, 10.31, 2.91, 6.1, 5.0),
    "adductor_magnus": (324.7, 14.44, 2.18, 15.5, 20.5),
    "biceps_femoris_long": (113.4, 9.76, 2.35, 11.6, 11.3),
    "biceps_femoris_short": (59.8, 11.03, 3.31, 12.3, 5.1),
    "semitendinosus": (99.7, 19.30, 2.89, 12.9, 4.8),
    "semimembranosus": (134.3, 6.90, 2.61, 15.1, 18.4),
    "tibialis_anterior": (80.1, 6.83, 3.14, 9.6, 10.9),
    "peroneus_longus": (57.7, 5.08, 2.72, 14.1, 10.4),
    "peroneus_brevis": (24.2, 4.54, 2.76, 11.5, 4.9),
    "gastrocnemius_medialis": (113.5, 5.10, 2.59, 9.9, 21.1),
    "gastrocnemius_lateralis": (62.2, 5.88, 2.71, 12.0, 9.7),
    "soleus": (275.8, 4.40, 2.12, 28.3, 51.8),
    "tibialis_posterior": (58.4, 3.78, 2.56, 13.7, 14.4),
}
KNEE_CAP = "patellar_groove"
# Line: (muscle of the table, share of its cross-section, points, wrap). Points of the right side: body, place.
# Places on the pelvis are from the middle of the hips.
LINES = {
    "psoas": (
        "psoas",
        1,
        [("pelvis", (-0.02, 0.14, 0.03)), ("pelvis", (0.05, 0.0, 0.08)), ("femur", (-0.01, -0.06, 0.005))],
    ),
    "iliacus": (
        "iliacus",
        1,
        [("pelvis", (0.0, 0.09, 0.09)), ("pelvis", (0.05, 0.0, 0.085)), ("femur", (-0.01, -0.065, 0.01))],
    ),
    "glmax1": (
        "gluteus_maximus",
        0.5,
        [("pelvis", (-0.09, 0.08, 0.06)), ("pelvis", (-0.085, 0.0, 0.10)), ("femur", (-0.03, -0.06, 0.045))],
    ),
    "glmax2": (
        "gluteus_maximus",
        0.5,
        [("pelvis", (-0.10, 0.02, 0.02)), ("pelvis", (-0.07, -0.03, 0.06)), ("femur", (-0.02, -0.14, 0.02))],
    ),
    "glmed1": ("gluteus_medius", 0.4, [("pelvis", (0.04, 0.08, 0.13)), ("femur", (-0.005, -0.01, 0.068))]),
    "glmed2": ("gluteus_medius", 0.3, [("pelvis", (-0.01, 0.11, 0.12)), ("femur", (-0.01, 0.0, 0.068))]),
    "glmed3": ("gluteus_medius", 0.3, [("pelvis", (-0.06, 0.08, 0.09)), ("femur", (-0.02, 0.0, 0.065))]),
    "addlong": ("adductor_longus", 1, [("pelvis", (0.05, -0.02, 0.02)), ("femur", (0.01, -0.21, 0.015))]),
    "addbrev": ("adductor_brevis", 1, [("pelvis", (0.03, -0.03, 0.02)), ("femur", (0.0, -0.12, 0.02))]),
    "addmag1": ("adductor_magnus", 0.5, [("pelvis", (-0.02, -0.05, 0.04)), ("femur", (0.0, -0.20, 0.02))]),
    "addmag2": (
        "adductor_magnus",
        0.5,
        [("pelvis", (-0.045, -0.06, 0.045)), ("femur", (0.0, -0.38, -0.025))],
    ),
    "sart": (
        "sartorius",
        1,
        [
            ("pelvis", (0.08, 0.06, 0.12)),
            ("femur", (-0.01, -0.38, -0.04)),
            ("tibia", (0.0, -0.05, -0.035)),
            ("tibia", (0.025, -0.08, -0.015)),
        ],
    ),
    "grac": (
        "gracilis",
        1,
        [
            ("pelvis", (0.015, -0.04, 0.015)),
            ("tibia", (-0.015, -0.04, -0.035)),
            ("tibia", (0.015, -0.08, -0.02)),
        ],
    ),
    "recfem": (
        "rectus_femoris",
        1,
        [("pelvis", (0.04, 0.035, 0.095)), ("femur", (0.04, -0.25, 0.005)), ("tibia", (0.038, -0.07, 0.0))],
        KNEE_CAP,
    ),
    "vasmed": (
        "vastus_medialis",
        1,
        [("femur", (0.02, -0.22, -0.01)), ("femur", (0.04, -0.32, -0.01)), ("tibia", (0.038, -0.07, -0.003))],
        KNEE_CAP,
    ),
    "vasint": (
        "vastus_intermedius",
        1,
        [("femur", (0.03, -0.20, 0.01)), ("femur", (0.04, -0.30, 0.005)), ("tibia", (0.038, -0.07, 0.0))],
        KNEE_CAP,
    ),
    "vaslat": (
        "vastus_lateralis",
        1,
        [("femur", (0.01, -0.18, 0.03)), ("femur", (0.04, -0.32, 0.015)), ("tibia", (0.038, -0.07, 0.003))],
        KNEE_CAP,
    ),
    "bflh": (
        "biceps_femoris_long",
        1,
        [
            ("pelvis", (-0.055, -0.06, 0.06)),
            ("tibia", (-0.025, -0.03, 0.04)),
            ("tibia", (-0.01, -0.06, 0.04)),
        ],
    ),
    "bfsh": (
        "biceps_femoris_short",
        1,
        [("femur", (0.0, -0.22, 0.02)), ("tibia", (-0.025, -0.03, 0.04)), ("tibia", (-0.01, -0.06, 0.04))],
    ),
    "semimem": (
        "semimembranosus",
        1,
        [("pelvis", (-0.05, -0.05, 0.065)), ("tibia", (-0.03, -0.035, -0.025))],
    ),
    "semiten": (
        "semitendinosus",
        1,
        [
            ("pelvis", (-0.055, -0.06, 0.055)),
            ("tibia", (-0.03, -0.045, -0.025)),
            ("tibia", (0.01, -0.08, -0.02)),
        ],
    ),
    "gasmed": (
        "gastrocnemius_medialis",
        1,
        [("femur", (-0.018, -0.41, -0.02)), ("foot", (-0.053, -0.035, -0.005))],
    ),
    "gaslat": (
        "gastrocnemius_lateralis",
        1,
        [("femur", (-0.018, -0.41, 0.022)), ("foot", (-0.053, -0.035, -0.005))],
    ),
    "soleus": ("soleus", 1, [("tibia", (-0.01, -0.15, 0.005)), ("foot", (-0.053, -0.035, -0.005))]),
    "tibpost": (
        "tibialis_posterior",
        1,
        [
            ("tibia", (-0.005, -0.14, 0.0)),
            ("tibia", (-0.015, -0.43, -0.025)),
            ("foot", (0.03, -0.04, -0.025)),
        ],
    ),
    "tibant": (
        "tibialis_anterior",
        1,
        [
            ("tibia", (0.015, -0.16, 0.01)),
            ("tibia", (0.03, -0.40, -0.015)),
            ("foot", (0.065, -0.045, -0.025)),
        ],
    ),
    "perlong": (
        "peroneus_longus",
        1,
        [("tibia", (0.0, -0.15, 0.03)), ("tibia", (-0.015, -0.435, 0.03)), ("foot", (0.03, -0.06, 0.035))],
    ),
    "perbrev": (
        "peroneus_brevis",
        1,
        [("tibia", (-0.005, -0.26, 0.03)), ("tibia", (-0.012, -0.435, 0.03)), ("foot", (0.05, -0.05, 0.04))],
    ),
}
PATELLA_RADIUS = 0.042
RELAXED = {"hip_flexion": 0.0, "knee_angle": 0.0, "ankle_angle": math.radians(-10.0)}
# Strength (N m) of what turns trunk, arms and toes: round numbers, torque generators in place of muscles.
ACTUATORS = {
    "lumbar_extension": 200.0,
    "lumbar_bending": 150.0,
    "lumbar_rotation": 100.0,
    "arm_flexion": 50.0,
    "arm_adduction": 50.0,
    "arm_rotation": 20.0,
    "elbow_flexion": 40.0,
    "mtp_angle": 20.0,
}


def _path(name, points, wrap, side, sign):
    made = tuple(
        bm.PathPoint(
            f"{name}_{side}-P{k}", frame if frame == "pelvis" else f"{frame}_{side}", (x, y, sign * z)
        )
        for k, (frame, (x, y, z)) in enumerate(points, 1)
    )
    return bm.Path(made, tuple(bm.PathWrap(f"{w}_{side}") for w in wrap))


def _muscle(name, of, share, points, wrap, side, sign):
    mass, fiber, _, pennation, _ = WARD_2009[of]
    return bm.Millard2012EquilibriumMuscle(
        name=f"{name}_{side}",
        path=_path(name, points, wrap, side, sign),
        max_isometric_force=round(share * YOUNG * SPECIFIC_TENSION * mass / (DENSITY * fiber), 0),
        optimal_fiber_length=round(fiber / 100.0, 4),
        tendon_slack_length=0.1,
        pennation_angle_at_optimal=round(math.radians(pennation), 4),
        max_contraction_velocity=FASTEST,
    )


def with_muscles(skeleton: bm.Model) -> bm.Model:
    """Add muscles, their wraps and the actuators; tendons get their slack lengths from the relaxed posture."""
    muscles, wraps, actuators = [], [], []
    for side, sign in (("r", 1.0), ("l", -1.0)):
        wraps.append(
            bm.WrapCylinder(
                name=f"{KNEE_CAP}_{side}",
                frame=f"femur_{side}",
                placement=bm.Placement((0.0, round(-body.THIGH, 4), 0.0)),
                radius=PATELLA_RADIUS,
                length=0.1,
                quadrant=bm.Quadrant.PLUS_X,
            )
        )
        for name, (of, share, points, *wrap) in LINES.items():
            muscles.append(_muscle(name, of, share, points, wrap, side, sign))
    for name, strength in ACTUATORS.items():
        paired = [name] if name.startswith("lumbar") else [f"{name}_r", f"{name}_l"]
        actuators += [
            bm.CoordinateActuator(name=f"{each}_actuator", coordinate=each, optimal_force=strength)
            for each in paired
        ]
    model = dataclasses.replace(skeleton, muscles=muscles, wrap_objects=wraps, forces=actuators)
    return dataclasses.replace(model, muscles=_with_tendons(model))


def _with_tendons(model: bm.Model):
    q = np.zeros(len(model.coordinate_names))
    for name, value in RELAXED.items():
        for side in "rl":
            q[model.coordinate_names.index(f"{name}_{side}")] = value
    length = bo.paths(model, bo.Motion.at_rest(model.coordinate_names, q))["length"][0]
    made = []
    for muscle in model.muscles:
        _, fiber, sarcomere, pennation, _ = WARD_2009[LINES[muscle.name[:-2]][0]]
        found = fiber / 100.0 * sarcomere / OPTIMAL_SARCOMERE
        # Fibres keep their height while they change their length, as in the muscle model.
        along = math.sqrt(found**2 - (fiber / 100.0 * math.sin(math.radians(pennation))) ** 2)
        slack = float(length.sel(path=muscle.name)) - along
        made.append(dataclasses.replace(muscle, tendon_slack_length=round(slack, 4)))
    return made


def model() -> bm.Model:
    """The sample subject."""
    return with_muscles(body.skeleton())
