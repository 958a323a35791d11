"""A walker in the air with two feet, and setup files that put constraints in the place of its loads."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import borelli as bo
from borelli.model import (
    AxisFunction,
    Body,
    Coordinate,
    CustomJoint,
    Joint,
    Linear,
    Model,
    MotionType,
    PathPoint,
    PinJoint,
    Placement,
    Thelen2003Muscle,
)
from borelli.model import Path as MusclePath

TIME = np.arange(101) / 100
SIDES = ("right", "left")
POINT = (0.1, -0.05, 0.02)
"""Of the loads, in the feet."""
CONSTRAINTS = {
    "rolling": "<RollingOnSurfaceConstraint name='{0}'><rolling_body>{0}_foot</rolling_body>"
    "<surface_body>ground</surface_body>{1}</RollingOnSurfaceConstraint>",
    "point": "<PointConstraint name='{0}'><body_1>ground</body_1><body_2>{0}_foot</body_2>{1}</PointConstraint>",
    "weld": "<WeldConstraint name='{0}'><body_1>ground</body_1><body_2>{0}_foot</body_2>{1}</WeldConstraint>",
}
_LOAD = """<ExternalForce name="{0}"><applied_to_body>{0}_foot</applied_to_body>
<force_expressed_in_body>ground</force_expressed_in_body><point_expressed_in_body>{0}_foot</point_expressed_in_body>
<force_identifier>{0}_f</force_identifier><point_identifier>{0}_p</point_identifier></ExternalForce>"""


def floating() -> CustomJoint:
    """Six freedoms of the trunk: angles, which OpenSim's analysis does not mistake for a quaternion."""
    axes = {
        "rz": (0, 0, 1),
        "rx": (1, 0, 0),
        "ry": (0, 1, 0),
        "tx": (1, 0, 0),
        "ty": (0, 1, 0),
        "tz": (0, 0, 1),
    }
    functions = tuple(AxisFunction(axis, Linear((1.0,)), (name,)) for name, axis in axes.items())
    return CustomJoint(
        name="root",
        parent="ground",
        child="trunk",
        coordinates=tuple(
            Coordinate(name, MotionType.ROTATIONAL if name[0] == "r" else MotionType.TRANSLATIONAL)
            for name in axes
        ),
        rotations=functions[:3],
        translations=functions[3:],
    )


def walker(root: Joint) -> Model:
    bodies = [Body("trunk", 20.0, (0, 0.2, 0), (1.0, 0.5, 1.1))]
    joints, muscles = [root], []
    for side, out in zip(SIDES, (0.1, -0.1), strict=True):
        leg, foot = f"{side}_leg", f"{side}_foot"
        bodies += [
            Body(leg, 5.0, (0, -0.2, 0.01), (0.1, 0.02, 0.1)),
            Body(foot, 2.0, (0.05, -0.02, 0), (0.02, 0.03, 0.02)),
        ]
        hip, ankle = Placement((0, 0, out)), Placement((0, -0.5, 0))
        joints += [
            PinJoint(name=f"{side}_hip", parent="trunk", child=leg, parent_placement=hip),
            PinJoint(name=f"{side}_ankle", parent=leg, child=foot, parent_placement=ankle),
        ]
        points = (PathPoint("a", "trunk", (0.05, 0.02, out)), PathPoint("b", leg, (0.03, -0.35, 0.01)))
        muscles.append(
            Thelen2003Muscle(
                name=f"{side}_flexor",
                path=MusclePath(points),
                max_isometric_force=400.0,
                optimal_fiber_length=0.12,
                tendon_slack_length=0.24,
                pennation_angle_at_optimal=0.2,
            )
        )
    return Model(name="walker", bodies=bodies, joints=joints, muscles=muscles, gravity=(0, -9.81, 0))


def write_study(folder: Path, model: Model, kind: str, options: str = "", in_degrees: bool = False) -> Path:
    """Write model, motion, loads and setup; the left foot is in the air in the second half."""
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(1)
    middle, width, rate, phase = rng.uniform(
        (-0.3, 0.1, 2.0, 0.0), (0.3, 0.4, 5.0, 6.0), (len(model.coordinates), 4)
    ).T
    angles = middle + width * np.sin(rate * TIME[:, None] + phase)
    bo.save_model(model, folder / "walker.osim")
    bo.save_table(bo.Table(TIME, model.coordinate_names, angles, in_degrees=False), folder / "walk.sto")
    loads = np.tile([20.0, 250.0, 30.0, *POINT], (len(TIME), 2))
    loads[TIME > 0.5, 6:9] = 0.0
    columns = tuple(f"{side}_{kind}{axis}" for side in SIDES for kind in "fp" for axis in "xyz")
    bo.save_table(bo.Table(TIME, columns, loads), folder / "grf.sto")
    (folder / "grf.xml").write_text(
        "<OpenSimDocument Version='40000'><ExternalLoads name='l'><objects>"
        + "".join(_LOAD.format(side) for side in SIDES)
        + "</objects><datafile>grf.sto</datafile></ExternalLoads></OpenSimDocument>"
    )
    constraints = "".join(CONSTRAINTS[kind].format(side, options) for side in SIDES)
    setup = folder / "setup.xml"
    setup.write_text(
        "<OpenSimDocument Version='20302'><AnalyzeTool name='walk'><model_file>walker.osim</model_file>"
        "<results_directory>out</results_directory><coordinates_file>walk.sto</coordinates_file>"
        "<external_loads_file>grf.xml</external_loads_file><initial_time>0.1</initial_time>"
        "<final_time>0.9</final_time><AnalysisSet><objects><InducedAccelerations name='I'>"
        f"<step_interval>4</step_interval><in_degrees>{str(in_degrees).lower()}</in_degrees>"
        "<coordinate_names>all</coordinate_names><body_names>right_foot center_of_mass</body_names>"
        "<report_constraint_reactions>true</report_constraint_reactions>"
        f"<ConstraintSet><objects>{constraints}</objects></ConstraintSet></InducedAccelerations>"
        "</objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"
    )
    return setup
