"""A floating body with the joints, constraint and elements that leg and arm lack."""

from __future__ import annotations

from borelli import model as bm
from tests.conformance.own_models.parts import named, path, pull


def body() -> bm.Model:
    """A floating trunk with a ball, a screw of splines, a slider that a coupler moves, a weld, and elements."""
    place = bm.Placement.from_angles
    spread = (0.01, 0.006, 0.009, 0.0002, 0.0004, 0.0)
    bodies = tuple(
        bm.Body(name, mass, (0.02, -0.1, 0.01), tuple(mass * part for part in spread))
        for name, mass in (("trunk", 30.0), ("thigh", 8.0), ("shank", 4.0), ("cap", 0.3), ("pack", 5.0))
    )
    bend = bm.SimmSpline((-2.0, -1.0, -0.2, 0.6, 1.5, 2.2), (0.01, 0.03, -0.01, 0.02, 0.015, -0.02))
    screw = bm.CustomJoint(
        name="screw",
        parent="thigh",
        child="shank",
        coordinates=named("bend", "twist"),
        parent_placement=place((0.0, -0.4, 0.0), (0.1, 0.0, 0.05)),
        rotations=(
            bm.AxisFunction((0.6, 0.0, 0.8), bm.Linear(), ("bend",)),
            bm.AxisFunction((0.0, 1.0, 0.0), bm.Linear(), ("twist",)),
            bm.AxisFunction((0.0, 0.6, 0.8), bm.Constant(0.2)),
        ),
        translations=(
            bm.AxisFunction((1.0, 0.0, 0.0), bend, ("bend",)),
            bm.AxisFunction((0.0, 1.0, 0.0), bm.Polynomial((0.01, 0.02, 0.0)), ("bend",)),
            bm.AxisFunction((0.0, 0.0, 1.0), bm.Multiplier(bend, 1.7), ("twist",)),
        ),
    )
    angles = bm.Attitude.ANGLES
    joints = (
        bm.FreeJoint(
            name="root",
            parent="ground",
            child="trunk",
            attitude=angles,
            coordinates=named("rx", "ry", "rz", "tx", "ty", "tz"),
        ),
        bm.BallJoint(
            name="hip",
            parent="trunk",
            child="thigh",
            attitude=angles,
            coordinates=named("hip1", "hip2", "hip3"),
            parent_placement=place((0.0, -0.3, 0.1), (0.0, 0.2, 0.0)),
        ),
        screw,
        bm.SliderJoint(
            name="groove",
            parent="thigh",
            child="cap",
            coordinates=named("glide"),
            parent_placement=place((0.04, -0.38, 0.0), (0.0, 0.0, -1.4)),
        ),
        bm.WeldJoint(
            name="strap",
            parent="trunk",
            child="pack",
            parent_placement=place((-0.15, 0.2, 0.0), (0.1, 0.2, 0.3)),
        ),
    )
    coupler = bm.CoordinateCoupler(
        name="follow", dependent="glide", independent=("bend",), function=bm.Polynomial((0.008, 0.02, 0.01))
    )
    muscles = (
        pull(
            bm.DeGrooteFregly2016Muscle,
            "extensor",
            path([("thigh", (0.04, -0.1, 0.0)), ("cap", (0.01, 0.0, 0.0)), ("shank", (0.05, -0.08, 0.0))]),
            3000.0,
            0.11,
            0.25,
            0.1,
        ),
        pull(
            bm.DeGrooteFregly2016Muscle,
            "adductor",
            path([("trunk", (0.02, -0.35, 0.02)), ("thigh", (0.0, -0.2, -0.03))]),
            900.0,
            0.12,
            0.09,
        ),
        pull(
            bm.Thelen2003Muscle,
            "flexor",
            path([("trunk", (-0.08, -0.36, 0.08)), ("shank", (-0.03, -0.06, 0.0))]),
            1500.0,
            0.11,
            0.3,
            0.1,
        ),
    )
    forces = (
        bm.PathSpring(
            name="cord",
            path=path([("pack", (0.0, 0.1, 0.0)), ("thigh", (-0.05, -0.15, 0.0))]),
            resting_length=0.3,
            stiffness=700.0,
            dissipation=0.05,
        ),
        bm.BushingForce(
            name="cuff",
            first="thigh",
            second="shank",
            first_placement=place((0.0, -0.4, 0.0), (0.1, 0.0, 0.1)),
            rotational_stiffness=(2.0, 3.0, 4.0),
            translational_stiffness=(90.0, 80.0, 70.0),
            rotational_damping=(0.1, 0.2, 0.3),
            translational_damping=(2.0, 3.0, 4.0),
        ),
        bm.PointToPointSpring(
            name="band",
            first="ground",
            second="trunk",
            first_location=(0.3, 1.5, 0.0),
            second_location=(0.1, 0.2, 0.0),
            stiffness=60.0,
            rest_length=0.4,
        ),
    )
    markers = (bm.Marker("tip", "shank", (0.0, -0.4, 0.03)), bm.Marker("flag", "pack", (0.0, 0.3, 0.0)))
    return bm.Model(
        name="body",
        bodies=bodies,
        joints=joints,
        muscles=muscles,
        forces=forces,
        constraints=(coupler,),
        markers=markers,
    )
