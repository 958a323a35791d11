"""OpenSim's Actuation and ForceReporter: forces, speeds and powers of actuators, and all forces of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.movement.paths import paths
from borelli.arrays import unit_rows
from borelli.errors import UnsupportedError
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.mechanics.motion.body_motion import point_motions
from borelli.model.forces.force import (
    CoordinateActuator,
    PathActuator,
    PointActuator,
    PointToPointActuator,
    TorqueActuator,
)
from borelli.model.values import ZERO, Vector
from borelli.opensim_tools.force_columns import element_columns, load_columns
from borelli.opensim_tools.options import flag_of
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    from borelli.mechanics.motion.ordered_motion import Motion
    from borelli.model.model import Model
    from borelli.opensim_tools.analyze_tool import AnalyzeTool

Columns = dict[str, np.ndarray]


def actuation(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Force, speed and power of every muscle and actuator that is not switched off."""
    forces, speeds = tool.own_forces, actuator_speeds(tool.model, tool.motion)
    # A tension pulls its ends together: it gives power while the path gets shorter.
    powers = {
        name: (-1.0 if name in tool.model.path_names else 1.0) * force * speeds[name]
        for name, force in forces.items()
    }
    return {
        "force": _table(tool, "ActuatorForces", forces),
        "speed": _table(tool, "ActuatorSpeeds", {name: speeds[name] for name in forces}),
        "power": _table(tool, "ActuatorPowers", powers),
    }


def force_reporter(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """All forces of a model: of muscles and actuators, springs and contacts, and external loads."""
    if flag_of(setup, "include_constraint_forces", False) and any(c.enforced for c in tool.model.constraints):
        raise UnsupportedError(
            "ForceReporter does not report the forces of constraints.",
            where=setup.where,
            remedy="set include_constraint_forces to false",
        )
    columns = dict(tool.own_forces)
    columns |= element_columns(tool.model, tool.motion)
    columns |= load_columns(tool.model, tool.motion, tool.loads, tool.setup.external_loads)
    return {"forces": _table(tool, "ModelForces", columns)}


def _table(tool: AnalyzeTool, title: str, columns: Columns) -> Table:
    values = np.column_stack(list(columns.values())) if columns else np.zeros((tool.motion.n_times, 0))
    return Table(tool.motion.time, tuple(columns), values, in_degrees=False, name=title)


def actuator_speeds(model: Model, motion: Motion) -> Columns:
    """Speeds of muscles and actuators as OpenSim defines them, (n_times,) each; m/s or rad/s.

    A path's is that of its lengthening. That of a point actuator is the speed of its point whatever the direction of
    its force, and that of a torque actuator is about an axis in ground even if the axis is the body's: so it is in
    OpenSim.
    """
    along = [*model.muscle_names, *(f.name for f in model.forces if isinstance(f, PathActuator))]
    found: Columns = {}
    if along:
        lengthening = paths(model, motion, names=along)["speed"].values
        found |= {name: lengthening[:, index] for index, name in enumerate(along)}
    points: dict[str, tuple[str, Vector]] = {}
    for force in model.forces:
        if isinstance(force, TorqueActuator):
            points |= {f"{force.name} 1": (force.first, ZERO), f"{force.name} 2": (force.second, ZERO)}
        elif isinstance(force, PointActuator):
            points[f"{force.name} 1"] = (force.body, force.point)
        elif isinstance(force, PointToPointActuator):
            points[f"{force.name} 1"] = (force.first, force.first_location)
            points[f"{force.name} 2"] = (force.second, force.second_location)
    moving = point_motions(model, motion, points) if points else {}
    assert motion.u is not None and motion.speeds is not None
    for force in model.forces:
        first, second = moving.get(f"{force.name} 1"), moving.get(f"{force.name} 2")
        if isinstance(force, CoordinateActuator):
            found[force.name] = motion.u[:, motion.speeds.index(force.coordinate)]
        elif isinstance(force, TorqueActuator):
            assert first is not None and second is not None
            axis = np.array(force.axis, dtype=float) / np.linalg.norm(force.axis)
            found[force.name] = (first.angular_velocity - second.angular_velocity) @ axis
        elif isinstance(force, PointActuator):
            assert first is not None
            found[force.name] = np.linalg.norm(first.velocity, axis=1)
        elif isinstance(force, PointToPointActuator):
            assert first is not None and second is not None
            apart = unit_rows(first.position - second.position)
            speed = np.einsum("ni,ni->n", first.velocity - second.velocity, apart)
            # Points of ground are at rest; a product keeps NaN where the motion has none.
            found[force.name] = 0.0 * speed if force.points_in_ground else speed
    return found
