"""OpenSim's AnalyzeTool: every analysis of a setup file, in files of the same names."""

from __future__ import annotations

import dataclasses
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from borelli.errors import BorelliWarning, MissingInputError, UnsupportedError
from borelli.instants import distinct
from borelli.io.analysis_setup import AnalysisSetup
from borelli.io.analyze_setup import AnalyzeSetup
from borelli.opensim_tools.inputs import read_forces, read_loads
from borelli.results.whole import make_folder

if TYPE_CHECKING:
    import xarray as xr

    from borelli.io.filtering import Mode
    from borelli.io.states_file import StatesFile
    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model
    from borelli.opensim_tools.static_optimization import Sharing
    from borelli.results.table import Table


@dataclass(frozen=True)
class Trial:
    """Model, motion and loads of a setup file, read when first needed."""

    setup: AnalyzeSetup
    mode: Mode

    @cached_property
    def model(self) -> Model:
        """The model with the actuators of the force sets."""
        from borelli.io.force_set_xml import load_force_set
        from borelli.io.load_model import load_model
        from borelli.model.parts import Parts

        model = load_model(self.setup.model)
        added = [force for path in self.setup.force_sets for force in load_force_set(path)]
        return dataclasses.replace(model, forces=Parts((*model.forces, *added))) if added else model

    @cached_property
    def motion(self) -> Motion:
        """The motion, with speeds and accelerations, where the loads are known."""
        return self._with_loads[0]

    @cached_property
    def loads(self) -> list[Load]:
        """External loads at the instants of the motion."""
        return self._with_loads[1]

    @cached_property
    def _with_loads(self) -> tuple[Motion, list[Load]]:
        from borelli.mechanics.motion.ordered_motion import Motion, states

        found = self._file_motion
        own = states(self.model, found)
        names, speeds = self.model.coordinate_names, self.model.speed_names
        whole = Motion(own.time, names, own.q, own.u, own.udot, speeds, found.settings)
        return read_loads(self.setup.external_loads, self.model, whole, self.mode)

    @cached_property
    def first_row(self) -> int:
        """Row of the motion's first frame in the tool's table of states."""
        from borelli.io.load import load_table

        time, own = load_table(self.setup.coordinates).time, self.motion.time
        if self.setup.cutoff_hz is None or len(own) < 2:
            return int(np.searchsorted(time, own[0] - 1e-6))
        # The tool prolongs what it smooths by half its rows at either end, then makes the steps even.
        time = time[distinct(time)]
        start = 2.0 * time[0] - time[len(time) // 2]
        return round(float((own[0] - start) / (own[1] - own[0])))

    @cached_property
    def _file_motion(self) -> Motion:
        """The motion as the file has it: with its own speeds, if it is a states file."""
        from borelli.io.motion import load_motion
        from borelli.mechanics.motion.ordered_motion import Motion

        with warnings.catch_warnings():
            if self.setup.from_states:
                # Speeds and states of muscles are no coordinates, and are used all the same.
                warnings.filterwarnings("ignore", "(?s).*columns that are no coordinate", BorelliWarning)
            found = load_motion(
                self.setup.coordinates,
                self.model,
                self.setup.cutoff_hz,
                mode=self.mode,
                time_range=self.setup.time_range,
            )
        if not self.setup.from_states:
            return found
        speeds = self.states(found.time).speeds
        if not set(self.model.speed_names) <= set(speeds):
            return found
        u = np.stack([speeds[name] for name in self.model.speed_names], axis=1)
        return Motion(found.time, found.coordinates, found.q, u, None, self.model.speed_names, found.settings)

    def states(self, time: np.ndarray) -> StatesFile:
        """Read speeds and muscle states of the states file at instants of it; nothing without such a file."""
        from borelli.io.states_file import StatesFile, load_states

        if not self.setup.from_states:
            return StatesFile({}, {})
        return load_states(self.setup.coordinates, self.model, time)

    @cached_property
    def muscles(self) -> xr.Dataset:
        """States of the muscles: those of the file, else their defaults, as the tool takes them."""
        from borelli.analyses.muscle_states import muscle_states

        given = self.states(self.motion.time).muscles
        return muscle_states(
            self.model,
            self.motion,
            activation=given.get("activation"),
            fiber_length=given.get("fiber_length"),
            tendon_force=given.get("normalized_tendon_force"),
            equilibrium=self.setup.equilibrium,
        )

    @cached_property
    def own_tensions(self) -> dict[str, np.ndarray]:
        """Forces of the muscles in their states (N)."""
        if not self.model.muscles:
            return {}
        force = self.muscles["tendon_force"].values
        acting = [
            (index, muscle.name) for index, muscle in enumerate(self.model.muscles) if muscle.applies_force
        ]
        return {name: force[:, index] for index, name in acting}

    @cached_property
    def caused(self) -> Motion:
        """The motion with the accelerations that all forces of the model cause in its states.

        Those are what the tool calls accelerations. With ``--mode default``, and where the states of a muscle
        are not known, they are the motion's own.
        """
        from borelli.analyses.driven import driven_motion
        from borelli.analyses.muscle_states import require_states

        if self.mode != "opensim":
            return self.motion
        try:
            require_states(self.model)
        except UnsupportedError as error:
            warnings.warn(
                f"accelerations are those of the motion, not those that forces cause: {error.what}",
                BorelliWarning,
                stacklevel=2,
            )
            return self.motion
        return driven_motion(self.model, self.motion, self.loads, self.own_tensions)

    def sharing(self, analysis: AnalysisSetup) -> Sharing:
        """Share the load as a StaticOptimization asks, once."""
        from borelli.opensim_tools.static_optimization import share_load

        if analysis.name not in self._sharings:
            self._sharings[analysis.name] = share_load(self, analysis)
        return self._sharings[analysis.name]

    @cached_property
    def _sharings(self) -> dict[str, Sharing]:
        return {}

    def driven(self, analysis: AnalysisSetup) -> tuple[Motion, list[Load], dict[str, np.ndarray]]:
        """Return the motion that given forces cause, the loads, and the forces of muscles and actuators.

        The accelerations follow from the forces, as in the tool; with forces that balance the motion they are
        those of the motion. Without a file the muscles pull as their states say.
        """
        from borelli.analyses.driven import driven_motion
        from borelli.mechanics.forces.actuators import actuators_of
        from borelli.opensim_tools.analysis_tables import forces_file

        reference = forces_file(analysis)
        if not reference:
            tensions = self.own_tensions
            return driven_motion(self.model, self.motion, self.loads, tensions), self.loads, tensions
        forces = read_forces(self.setup.file(reference), self.motion)
        lacking = [name for name in self.model.muscle_names if name not in forces]
        if lacking:
            shown = ", ".join(lacking[:6]) + (", …" if len(lacking) > 6 else "")
            raise MissingInputError(
                f"forces_file lacks {len(lacking)} muscles of the model: {shown}.", where=analysis.where
            )
        known = {*self.model.path_names, *actuators_of(self.model).names}
        acting = {name: values for name, values in forces.items() if name in known}
        return driven_motion(self.model, self.motion, self.loads, acting), self.loads, acting


def refuse_rest(setup: AnalyzeSetup) -> None:
    """End with an error for the analyses that were not run; those that can be run have been written."""
    if not setup.refused:
        return
    done = ", ".join(analysis.name for analysis in setup.analyses)
    rest = "; ".join(f"{error.what} ({error.where})" for error in setup.refused)
    raise UnsupportedError(
        f"Tables of {done} are written, but not of every analysis of the setup: {rest}",
        remedy=setup.refused[0].remedy,
    )


def run_analyses(setup: AnalyzeSetup, mode: str) -> tuple[Trial, list[Path]]:
    """Run all analyses of a setup, then write their files; return the trial and the files."""
    from borelli.io.references import table_name
    from borelli.io.sto import write_sto
    from borelli.model.limits import refuse_absurd_results
    from borelli.opensim_tools.analysis_tables import (
        RUNNERS,
        refuse_controls,
        refuse_unsupported,
        tell_unused_times,
        thinned,
    )
    from borelli.opensim_tools.induced_accelerations import refuse_contacts

    for analysis in setup.analyses:
        if analysis.kind not in RUNNERS:
            raise UnsupportedError(
                f"{analysis.kind} cannot be run from a setup file.",
                where=analysis.where,
                remedy="supported: " + ", ".join(RUNNERS),
            )
        refuse_contacts(setup, analysis)
    trial = Trial(setup, cast("Mode", mode))
    for analysis in setup.analyses:
        refuse_unsupported(trial, analysis)
    refuse_controls(trial.model, setup)
    tables: dict[str, Table] = {}
    for analysis in setup.analyses:
        tell_unused_times(trial, analysis)
        for end, table in RUNNERS[analysis.kind](trial, analysis).items():
            refuse_absurd_results(f"{analysis.kind} {end}", table.time, table.columns, table.values)
            thin = table if analysis.every == 1 else thinned(table, analysis.every, trial.first_row)
            tables[table_name(f"{setup.name}_{analysis.name}_{end}")] = thin
    make_folder(setup.results)
    written = []
    for name, table in tables.items():
        write_sto(table, setup.results / name)
        written.append(setup.results / name)
    return trial, written
