"""OpenSim's OutputReporter: outputs of components by their paths, in one table for each kind of value."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.forces.joint_reactions import joint_reactions
from borelli.analyses.movement.paths import paths
from borelli.errors import FileFormatError, UnknownNameError, UnsupportedError
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.mechanics.motion.body_motion import point_motions
from borelli.model.values import ZERO
from borelli.opensim_tools.actuation_tables import actuator_speeds
from borelli.records import dataclass
from borelli.results.labelled.table import Cell, Table

if TYPE_CHECKING:
    from borelli.mechanics.motion.body_motion import PointMotion
    from borelli.opensim_tools.analyze_tool import AnalyzeTool

_PATH = re.compile(r"(?P<component>[^|()]*)\|(?P<output>[^|:()]+)(?:\((?P<alias>[^()]*)\))?$")
_ENDS = {Cell.SCALAR: "Outputs", Cell.VEC3: "OutputsVec3", Cell.SPATIAL_VEC: "OutputsSpatialVec"}
# Output of a muscle -> variable of its states; the rest is made of these below.
_MUSCLE = {
    "activation": "activation",
    "fiber_length": "fiber_length",
    "normalized_fiber_length": "normalized_fiber_length",
    "tendon_length": "tendon_length",
    "pennation_angle": "pennation_angle",
    "fiber_velocity": "fiber_velocity",
    "normalized_fiber_velocity": "normalized_fiber_velocity",
    "pennation_angular_velocity": "pennation_velocity",
    "fiber_force": "fiber_force",
    "active_fiber_force": "active_fiber_force",
    "passive_fiber_force": "passive_fiber_force",
    "active_fiber_force_along_tendon": "active_fiber_force_along_tendon",
    "passive_fiber_force_along_tendon": "passive_fiber_force_along_tendon",
    "tendon_force": "tendon_force",
    "actuation": "tendon_force",
    "tension": "tendon_force",
    "speed": "speed",
    "fiber_active_power": "fiber_active_power",
    "fiber_passive_power": "fiber_passive_power",
    "tendon_power": "tendon_power",
    "muscle_power": "muscle_power",
    "power": "muscle_power",
}


def output_reporter(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Tables of all outputs, by the ends of their names.

    An output that is not supported does not keep the others from being written: ``tool.refused`` names it.
    """
    reader = _Outputs(tool)
    columns: dict[Cell, dict[str, np.ndarray]] = {cell: {} for cell in _ENDS}
    refused = []
    for word in setup.words("output_paths"):
        try:
            label, values = reader.read(word, setup)
        except UnsupportedError as error:
            refused.append(error)
            continue
        cell = {1: Cell.SCALAR, 3: Cell.VEC3, 6: Cell.SPATIAL_VEC}[values.shape[1]]
        columns[cell][label] = values
    if refused and not any(columns.values()):
        raise refused[0]
    tool.refused.extend(refused)
    return {
        _ENDS[cell]: Table(
            tool.motion.time,
            tuple(own),
            np.hstack(list(own.values())) if cell is Cell.SCALAR else np.stack(list(own.values()), axis=1),
            cells=cell,
        )
        for cell, own in columns.items()
        if own
    }


@dataclass(frozen=True)
class _Outputs:
    """Outputs of the components of the model of a tool, (n_times, 1, 3 or 6) each."""

    tool: AnalyzeTool

    def read(self, word: str, setup: AnalysisSetup) -> tuple[str, np.ndarray]:
        """Return label and values of one output."""
        found = _PATH.fullmatch(word)
        if found is None:
            raise FileFormatError(
                f"{word!r} is not the path of an output.",
                where=setup.where,
                remedy="write a component and an output: /jointset/knee_r/knee_angle_r|value",
            )
        parts = tuple(part for part in found["component"].split("/") if part)
        reader = self._reader(parts, setup)
        values = reader(found["output"])
        if values is None:
            raise UnsupportedError(
                f"The output {word!r} is not supported or does not exist.",
                where=setup.where,
                remedy="remove it from output_paths",
            )
        label = found["alias"] or f"/{'/'.join(parts)}|{found['output']}"
        return label, values.reshape(len(values), -1)

    def _reader(self, parts: tuple[str, ...], setup: AnalysisSetup) -> Callable[[str], np.ndarray | None]:
        """Find what reads the outputs of a component."""
        model = self.tool.model
        if not parts:
            return self._whole
        readers: dict[tuple[str, int], tuple[tuple[str, ...], Callable[[str, str], np.ndarray | None]]] = {
            ("jointset", 2): (model.joint_names, self._joint),
            ("jointset", 3): (model.coordinate_names, self._coordinate),
            ("bodyset", 2): (model.body_names, self._frame),
            ("markerset", 2): (model.markers.names, self._marker),
            ("forceset", 2): ((*model.muscle_names, *model.forces.names), self._force),
            ("forceset", 3): (model.path_names, self._path),
        }
        known = readers.get((parts[0], len(parts)))
        name = parts[1] if parts[0] == "forceset" else parts[-1]
        if known is None or (len(parts) == 3 and parts[0] == "jointset" and name not in known[0]):
            frame = "/".join(parts[1:]) if len(parts) > 1 else parts[0]
            frame = frame if model.frames.has(frame) or frame == "ground" else parts[-1]
            if frame != "ground" and not model.frames.has(frame):
                raise UnsupportedError(
                    f"Outputs of the component {'/' + '/'.join(parts)!r} are not supported, or it does not exist.",
                    where=setup.where,
                    remedy="remove them from output_paths",
                )
            return lambda output: self._frame(frame, output)
        names, reader = known
        if name not in names:
            raise UnknownNameError.among(name, "component", names, where=setup.where)
        return lambda output: reader(name, output)

    def _coordinate(self, name: str, output: str) -> np.ndarray | None:
        motion = self.tool.caused if output == "acceleration" else self.tool.motion
        table = {"value": motion.q, "speed": motion.u, "acceleration": motion.udot}.get(output)
        return None if table is None else table[:, motion.coordinates.index(name)]

    def _moving(self, place: str, point: tuple[float, float, float], output: str) -> PointMotion:
        # Accelerations alone need those that forces cause.
        motion = self.tool.caused if "acceleration" in output else self.tool.motion
        return point_motions(self.tool.model, motion, {"point": (place, point)})["point"]

    def _frame(self, name: str, output: str) -> np.ndarray | None:
        own = self._moving(name, ZERO, output)
        if output in ("velocity", "acceleration"):
            return np.hstack([getattr(own, f"angular_{output}"), getattr(own, output)])
        field = output.removeprefix("linear_")
        known = (
            "position",
            "linear_velocity",
            "linear_acceleration",
            "angular_velocity",
            "angular_acceleration",
        )
        return np.asarray(getattr(own, field)) if output in known else None

    def _marker(self, name: str, output: str) -> np.ndarray | None:
        marker = self.tool.model.markers[name]
        if output not in ("location", "velocity", "acceleration"):
            return None
        own = self._moving(marker.frame, marker.location, output)
        return np.asarray(getattr(own, {"location": "position"}.get(output, output)))

    def _whole(self, output: str) -> np.ndarray | None:
        """Outputs of the model itself: its mass centre."""
        field = {"com_position": "position", "com_velocity": "velocity", "com_acceleration": "acceleration"}
        if output not in field:
            return None
        model = self.tool.model
        motion = self.tool.caused if "acceleration" in output else self.tool.motion
        moving = point_motions(model, motion, {body.name: (body.name, body.com) for body in model.bodies})
        mass = np.array([float(body.mass) for body in model.bodies])
        parts = [getattr(moving[body.name], field[output]) for body in model.bodies]
        return np.asarray(np.einsum("b,bni->ni", mass, np.array(parts)) / mass.sum())

    def _joint(self, name: str, output: str) -> np.ndarray | None:
        """Reactions as OpenSim gives them: moment before force, in ground, at the joint's frame on either body."""
        sides = {"reaction_on_child": "child", "reaction_on_parent": "parent"}
        if output not in sides:
            return None
        tool = self.tool
        found = joint_reactions(
            tool.model,
            tool.caused,
            tool.loads,
            tensions=tool.own_forces,
            passive=True,
            # Accelerations of the motion itself are not what these forces cause.
            loops=tool.caused is not tool.motion,
            joints=[name],
            on=sides[output],
            express_in="ground",
        )
        return np.hstack([found["moment"].values[:, 0], found["force"].values[:, 0]])

    @cached_property
    def _speeds(self) -> dict[str, np.ndarray]:
        return actuator_speeds(self.tool.model, self.tool.motion)

    def _force(self, name: str, output: str) -> np.ndarray | None:
        if name in self.tool.model.muscle_names:
            return self._muscle(name, output)
        force = self.tool.own_forces.get(name)
        if name not in self._speeds:
            return None
        if output == "speed":
            return self._speeds[name]
        along = name in self.tool.model.path_names
        if force is None or output not in ("actuation", "power", *(("tension",) if along else ())):
            return None
        return (-1.0 if along else 1.0) * force * self._speeds[name] if output == "power" else force

    def _muscle(self, name: str, output: str) -> np.ndarray | None:
        if output == "excitation":
            return self.tool.driving.controls.get(name, np.zeros(self.tool.motion.n_times))
        states = self.tool.muscles.sel(muscle=name)
        cosine = np.cos(states["pennation_angle"].values)
        if output in _MUSCLE:
            return np.asarray(states[_MUSCLE[output]].values)
        slack = float(self.tool.model.muscles[name].tendon_slack_length)
        made: dict[str, Callable[[], np.ndarray]] = {
            "cos_pennation_angle": lambda: cosine,
            "fiber_length_along_tendon": lambda: states["fiber_length"].values * cosine,
            "fiber_force_along_tendon": lambda: states["fiber_force"].values * cosine,
            "tendon_strain": lambda: states["tendon_length"].values / slack - 1.0,
        }
        return np.asarray(made[output]()) if output in made else None

    def _path(self, name: str, output: str) -> np.ndarray | None:
        field = {"length": "length", "lengthening_speed": "speed"}.get(output)
        if field is None:
            return None
        return np.asarray(paths(self.tool.model, self.tool.motion, names=[name])[field].values[:, 0])
