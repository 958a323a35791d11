"""A leg that moves in a plane."""

from __future__ import annotations

from borelli import model as bm
from tests.conformance.own_models.parts import named, path, pull


def leg() -> bm.Model:
    """A planar leg with a knee that slides as it bends, eight muscles, a ligament, a stop and a spring."""
    bodies = (
        bm.Body("pelvis", 11.8, (-0.07, 0.0, 0.0), (0.10, 0.09, 0.06)),
        bm.Body("femur", 9.3, (0.0, -0.17, 0.0), (0.13, 0.035, 0.14)),
        bm.Body("tibia", 3.7, (0.0, -0.19, 0.0), (0.05, 0.005, 0.051)),
        bm.Body("foot", 1.25, (0.1, -0.03, 0.0), (0.0014, 0.0039, 0.0041)),
    )
    slide = bm.SimmSpline(
        (-2.1, -1.6, -1.0, -0.5, -0.2, 0.0, 0.4), (-0.003, 0.002, 0.004, 0.0, -0.004, -0.005, -0.006)
    )
    knee = bm.CustomJoint(
        name="knee",
        parent="femur",
        child="tibia",
        coordinates=named("knee_angle", limits=(-2.1, 0.3)),
        parent_placement=bm.Placement((0.0, -0.39, 0.0)),
        rotations=(
            bm.AxisFunction((0, 0, 1), bm.Linear(), ("knee_angle",)),
            bm.AxisFunction((0, 1, 0), bm.Constant(0.0)),
            bm.AxisFunction((1, 0, 0), bm.Constant(0.0)),
        ),
        translations=(
            bm.AxisFunction((1, 0, 0), slide, ("knee_angle",)),
            bm.AxisFunction((0, 1, 0), bm.Multiplier(slide, -0.7), ("knee_angle",)),
            bm.AxisFunction((0, 0, 1), bm.Constant(0.0)),
        ),
    )
    joints = (
        bm.PlanarJoint(
            name="root", parent="ground", child="pelvis", coordinates=named("tilt", "forward", "up")
        ),
        bm.PinJoint(
            name="hip",
            parent="pelvis",
            child="femur",
            coordinates=named("hip_angle"),
            parent_placement=bm.Placement((-0.07, -0.065, 0.08)),
        ),
        knee,
        bm.PinJoint(
            name="ankle",
            parent="tibia",
            child="foot",
            coordinates=named("ankle_angle", limits=(-1.0, 0.7)),
            parent_placement=bm.Placement.from_angles((0.0, -0.42, 0.0), (0.0, 0.05, 0.0)),
            child_placement=bm.Placement((0.005, 0.04, 0.0)),
        ),
    )
    patella = bm.MovingPathPoint(
        "patella",
        "tibia",
        bm.Component(
            bm.SimmSpline((-2.1, -1.2, -0.6, 0.0, 0.3), (0.01, 0.035, 0.046, 0.05, 0.05)), "knee_angle"
        ),
        bm.Component(bm.SimmSpline((-2.1, -1.0, 0.0, 0.3), (0.002, 0.015, 0.025, 0.026)), "knee_angle"),
        bm.Component(bm.Constant(0.002)),
    )
    over_knee = bm.ConditionalPathPoint("over", "femur", (0.033, -0.404, 0.002), "knee_angle", (-2.62, -0.8))
    behind_knee = bm.ConditionalPathPoint("behind", "femur", (-0.024, -0.40, 0.0), "knee_angle", (-0.6, 0.2))
    strong = bm.Thelen2003Muscle
    muscles = (
        pull(
            strong,
            "glutei",
            path(
                [
                    ("pelvis", (-0.15, 0.05, 0.07)),
                    ("pelvis", (-0.16, -0.01, 0.07)),
                    ("femur", (-0.03, -0.06, 0.04)),
                ]
            ),
            1900.0,
            0.15,
            0.05,
            0.02,
        ),
        pull(
            strong,
            "psoas",
            path(
                [
                    ("pelvis", (-0.06, 0.09, 0.03)),
                    ("pelvis", (-0.02, -0.05, 0.08)),
                    ("femur", (0.01, -0.06, 0.01)),
                ]
            ),
            2300.0,
            0.10,
            0.12,
            0.14,
        ),
        pull(
            strong,
            "rectus",
            path([("pelvis", (-0.03, -0.03, 0.09))], between={1: over_knee, 2: patella}),
            1170.0,
            0.114,
            0.25,
            0.09,
        ),
        pull(
            strong,
            "vasti",
            path([("femur", (0.03, -0.19, 0.03)), ("femur", (0.033, -0.30, 0.02))], between={2: patella}),
            5000.0,
            0.107,
            0.08,
            0.05,
        ),
        pull(
            strong,
            "hamstrings",
            path(
                [
                    ("pelvis", (-0.13, -0.10, 0.07)),
                    ("tibia", (-0.03, -0.04, -0.02)),
                    ("tibia", (-0.02, -0.06, -0.02)),
                ]
            ),
            2700.0,
            0.109,
            0.32,
        ),
        pull(
            strong,
            "gastroc",
            path([("femur", (-0.02, -0.38, 0.0)), ("foot", (-0.045, 0.03, 0.0))], between={1: behind_knee}),
            2500.0,
            0.09,
            0.36,
            0.3,
        ),
        pull(
            strong,
            "soleus",
            path([("tibia", (-0.002, -0.15, 0.007)), ("foot", (-0.045, 0.03, 0.0))]),
            5100.0,
            0.05,
            0.25,
            0.43,
        ),
        pull(
            strong,
            "tibialis",
            path(
                [
                    ("tibia", (0.018, -0.16, 0.01)),
                    ("tibia", (0.033, -0.39, -0.01)),
                    ("foot", (0.07, 0.02, -0.02)),
                ]
            ),
            3000.0,
            0.098,
            0.223,
            0.09,
        ),
    )
    forces = (
        bm.Ligament(
            name="capsule",
            path=path([("pelvis", (0.0, -0.03, 0.08)), ("femur", (0.02, -0.05, 0.0))]),
            resting_length=0.05,
            pcsa_force=60.0,
        ),
        bm.CoordinateLimitForce(
            name="stop",
            coordinate="knee_angle",
            upper_limit=0.1,
            upper_stiffness=25.0,
            lower_limit=-1.2,
            lower_stiffness=15.0,
            damping=0.4,
            transition=0.2,
        ),
        bm.CoordinateSpring(name="brace", coordinate="ankle_angle", stiffness=12.0, rest=0.1, viscosity=0.3),
    )
    markers = (bm.Marker("hip", "pelvis", (0.0, 0.02, 0.12)), bm.Marker("toe", "foot", (0.21, -0.01, 0.02)))
    return bm.Model(name="leg", bodies=bodies, joints=joints, muscles=muscles, forces=forces, markers=markers)
