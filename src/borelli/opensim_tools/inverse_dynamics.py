"""OpenSim's InverseDynamicsTool: generalized forces that a motion demands, in its table."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from borelli.errors import warn
from borelli.io.load_model import load_model
from borelli.io.motion import load_motion, tell_prolonged
from borelli.io.setups.setup_xml import InverseDynamicsSetup
from borelli.io.signals.filtering import Mode
from borelli.io.tables.inverse_dynamics_table import generalized_force_table
from borelli.opensim_tools.body_forces import body_forces
from borelli.opensim_tools.excluded_forces import without_excluded
from borelli.opensim_tools.inputs import read_loads
from borelli.opensim_tools.obeying import obeying
from borelli.records import dataclass
from borelli.results.labelled.returns_dataset import plain

if TYPE_CHECKING:
    from borelli.model.load import Load
    from borelli.model.model import Model
    from borelli.model.motion import Motion
    from borelli.results.labelled.plain_result import PlainResult
    from borelli.results.labelled.table import Table


@dataclass(frozen=True)
class InverseDynamicsTool:
    """Model, motion, loads and forces of a setup file, read or found when first needed."""

    setup: InverseDynamicsSetup
    mode: Mode

    @cached_property
    def model(self) -> Model:
        """The model without the forces that the setup excludes."""
        return without_excluded(load_model(self.setup.model), self.setup.excluded_forces)

    @property
    def motion(self) -> Motion:
        """The motion, where the loads are known."""
        return self._with_loads[0]

    @property
    def loads(self) -> list[Load]:
        """External loads at the instants of the motion."""
        return self._with_loads[1]

    @cached_property
    def _with_loads(self) -> tuple[Motion, list[Load]]:
        setup = self.setup
        motion = load_motion(
            setup.coordinates,
            self.model,
            setup.cutoff_hz,
            mode=self.mode,
            time_range=setup.time_range,
            in_degrees=setup.in_degrees,
            allow_violations=setup.allow_violations,
        )
        tell_prolonged(motion)
        motion = obeying(self.model, motion, setup.allow_violations)
        return read_loads(
            setup.external_loads, self.model, motion, self.mode, setup.loads_cutoff_hz, setup.cutoff_hz
        )

    @cached_property
    def demand(self) -> PlainResult:
        """Generalized forces that the motion demands beside springs, ligaments, stops and bushings."""
        # Loaded here, because a setup that is up to date needs no engine.
        from borelli.analyses.forces.inverse_dynamics import inverse_dynamics

        return plain(inverse_dynamics)(self.model, self.motion, self.loads, passive=True)

    def tables(self) -> dict[Path, Table]:
        """Return the tool's tables by the files that they belong in."""
        # Loaded here, because it brings numba, which a setup that is up to date need not wait for.
        from borelli.opensim_tools.resting_forces import resting_forces

        found, pulling = self.demand, resting_forces(self.model, self.motion, self.setup.model)
        if pulling is not None:
            own = found["generalized_force"]
            found = found.with_variables({"generalized_force": own._replace(values=own.values - pulling)})
        tables = {self.setup.output: generalized_force_table(self.model, found)}
        at_joints = body_forces(self.setup, self.model, self.motion, found["generalized_force"].values)
        if at_joints is not None:
            tables[self.setup.body_forces_output] = at_joints
        return tables


def tell_unknown(options: tuple[str, ...]) -> None:
    """Say that a setup has options that its tool does not have."""
    if options:
        shown = ", ".join(f"<{option}>" for option in options)
        warn(f"unknown options are ignored: {shown}; check their spelling")
