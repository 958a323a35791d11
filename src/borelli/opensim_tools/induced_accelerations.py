"""OpenSim's InducedAccelerations, in its tables: one for each coordinate and body, a column for each source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.forces.induced import induced
from borelli.analyses.movement.body_poses import body_poses
from borelli.errors import UnsupportedError
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.io.setups.analyze_setup import AnalyzeSetup
from borelli.io.setups.contact_setup import POINT, ROLLING, WELD
from borelli.io.setups.external_loads import read_external_loads
from borelli.mechanics.constraints.rolling_on_surface import RollingOnSurface
from borelli.mechanics.forces.actuators import actuators_of
from borelli.model.joints.coordinate import MotionType
from borelli.opensim_tools.kinematics import CENTRE, DEGREES
from borelli.opensim_tools.options import flag_of, names_of
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    import xarray as xr

    from borelli.mechanics.constraints.contact_rows import Kind
    from borelli.opensim_tools.analyze_tool import AnalyzeTool

_THRESHOLD_N = 6.0
"""The tool's own, where the setup does not say."""
_KINDS = {POINT: "point", ROLLING: "rolling", WELD: "weld"}
_LINEAR, _ANGULAR = ("X", "Y", "Z"), ("Ox", "Oy", "Oz")


def induced_accelerations(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Accelerations of coordinates and bodies that each force causes, in columns that add up to the total.

    The columns of OpenSim come first: the total, muscles and actuators, gravity, velocity. Then follow those
    that OpenSim leaves out of its own total, or counts in every column: springs, ligaments and loads.
    """
    model, asked = tool.model, setup.words("coordinate_names")
    # Unlike in other analyses, an empty list is none.
    names = names_of(asked, model.speed_names, "coordinate", setup.where) if asked else []
    bodies = _bodies(tool, setup)
    found = induced(
        model,
        tool.caused,
        tool.loads,
        tensions=tool.own_forces,
        contact=_contacts(tool, setup),
        threshold_n=float(setup.options.get("force_threshold") or _THRESHOLD_N),
        bodies=[name for name in bodies if name != CENTRE],
    )
    columns = _Columns(tool, found)
    tables = {name: _coordinate(tool, setup, columns, found, name) for name in names}
    for name in bodies:
        tables[name] = _body(setup, columns, found, name)
    if flag_of(setup, "report_constraint_reactions", False):
        tables["induced_constraint_reactions"] = _reactions(tool, setup, columns, found)
    return tables


def _bodies(tool: AnalyzeTool, setup: AnalysisSetup) -> list[str]:
    """Bodies that are named, and the whole; the whole alone where the setup names none."""
    words = setup.words("body_names") or [CENTRE]
    centre = [CENTRE] if any(word.casefold() == CENTRE for word in words) else []
    others = [word for word in words if word.casefold() != CENTRE]
    return [*(names_of(others, tool.model.body_names, "body", setup.where) if others else []), *centre]


def refuse_contacts(tool: AnalyzeSetup, setup: AnalysisSetup) -> None:
    """Refuse constraints that do not fit the external loads; the tool pairs the two by their order."""
    if not setup.contacts:
        return
    described = tool.external_loads
    loads = () if described is None else read_external_loads(described).forces
    if len(setup.contacts) != len(loads):
        raise UnsupportedError(
            f"ConstraintSet has {len(setup.contacts)} constraints for {len(loads)} external loads.",
            where=setup.where,
            remedy="give one constraint for each load, in the same order",
        )
    for contact, load in zip(setup.contacts, loads, strict=True):
        if contact.body not in ("", load.body):
            raise UnsupportedError(
                f"The constraint {contact.name!r} holds {contact.body!r}, but the load {load.name!r} that it "
                f"replaces acts on {load.body!r}.",
                where=contact.where,
                remedy="give one constraint for each load, in the same order",
            )


def _contacts(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Kind]:
    """Kind of contact of each load."""
    kinds: dict[str, Kind] = {}
    for load, contact in zip(tool.loads, setup.contacts, strict=False):
        kinds[load.name] = _KINDS[contact.kind]
        if contact.kind == ROLLING and tool.mode == "opensim":
            kinds[load.name] = RollingOnSurface(contact.friction, contact.radius)
    return kinds


class _Columns:
    """Sources of the result as columns of a table: the total first."""

    def __init__(self, tool: AnalyzeTool, found: xr.Dataset) -> None:
        own = [_column(str(label)) for label in found["source"].values]
        idle = actuators_of(tool.model).names
        names = dict.fromkeys((*tool.model.muscle_names, *idle, "gravity", "velocity", *own))
        if tool.mode == "opensim":
            # Accelerations follow from the forces alone, so that nothing else provides any.
            names.pop("provided", None)
        for load in found["contact"].values if "contact" in found else ():
            # A contact that never opens leaves nothing of its load.
            if not found["acceleration"].sel(source=f"load:{load}").fillna(0.0).any():
                names.pop(str(load), None)
        self.time, self.names = found["time"].values, ("total", *names)
        self.member = np.array([[1.0, *(name == group for name in names)] for group in own])
        self.member[[group == "provided" and "provided" not in names for group in own]] = 0.0

    def table(self, name: str, values: np.ndarray, ends: tuple[str, ...], in_degrees: bool) -> Table:
        """Make a table of (n, n_ends, n_sources), the ends side by side for each column."""
        grouped = np.swapaxes(values @ self.member, 1, 2)
        labels = [f"{column}{end}" for column in self.names for end in ends]
        return Table(
            self.time, tuple(labels), grouped.reshape(len(values), -1), in_degrees=in_degrees, name=name
        )


def _column(label: str) -> str:
    kind, _, name = label.partition(":")
    return {"weight": "gravity", "velocity": "velocity", "provided": "provided"}.get(kind, name)


def _coordinate(
    tool: AnalyzeTool, setup: AnalysisSetup, columns: _Columns, found: xr.Dataset, name: str
) -> Table:
    turns = tool.model.coordinates[name].motion is MotionType.ROTATIONAL
    factor = DEGREES if turns and setup.in_degrees else 1.0
    values = factor * found["acceleration"].sel(coordinate=name).values
    return columns.table(name, values[:, None], ("",), setup.in_degrees)


def _body(setup: AnalysisSetup, columns: _Columns, found: xr.Dataset, name: str) -> Table:
    if name == CENTRE:
        ends = tuple(f"_{axis}" for axis in _LINEAR)
        return columns.table(name, found["com_acceleration"].values, ends, False)
    own = found.sel(body=name)
    factor = DEGREES if setup.in_degrees else 1.0
    turning = factor * own["body_angular_acceleration"].values
    values = np.concatenate([own["body_acceleration"].values, turning], axis=1)
    return columns.table(name, values, tuple(f"_{axis}" for axis in (*_LINEAR, *_ANGULAR)), False)


def _reactions(tool: AnalyzeTool, setup: AnalysisSetup, columns: _Columns, found: xr.Dataset) -> Table:
    """Forces of the contacts on their bodies, and their moments about the ground's origin and the body's.

    OpenSim's signs: what it lists under the ground is what the ground does to the body.
    """
    poses = body_poses(tool.model, tool.motion)
    parts, ends = [], []
    for load, contact in zip(tool.loads, setup.contacts, strict=False):
        force = found["contact_force"].sel(contact=load.name).values
        moment = found["contact_moment"].sel(contact=load.name).values
        origin = poses["origin"].sel(body=load.body).values
        for body, about, sign in (("ground", np.zeros(3), 1.0), (load.body, origin, -1.0)):
            turn = moment + np.cross((load.point - about)[..., None], force, axis=1)
            parts += [sign * force, sign * turn]
            ends += [f"_{contact.name}_{body}_{kind}{axis}" for kind in "FM" for axis in "xyz"]
    values = np.concatenate(parts, axis=1) if parts else np.zeros((len(columns.time), 0, len(columns.member)))
    return columns.table("induced_constraint_reactions", values, tuple(ends), False)
