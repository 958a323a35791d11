"""OpenSim's AnalyzeTool: every analysis of a setup file, in files of the same names."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from borelli.cli.trial_run import read_forces, read_loads
from borelli.errors import MissingInputError, UnsupportedError
from borelli.io.analyze_setup import AnalysisSetup, AnalyzeSetup

if TYPE_CHECKING:
    import numpy as np

    from borelli.analyses.motion import Load, Motion
    from borelli.io.filtering import Mode
    from borelli.model.model import Model
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
        """The motion, with speeds and accelerations."""
        from borelli.analyses.motion import Motion, states
        from borelli.io.motion import load_motion

        found = load_motion(
            self.setup.coordinates,
            self.model,
            self.setup.cutoff_hz,
            mode=self.mode,
            time_range=self.setup.time_range,
        )
        own = states(self.model, found)
        names, speeds = self.model.coordinate_names, self.model.speed_names
        return Motion(own.time, names, own.q, own.u, own.udot, speeds, found.settings)

    @cached_property
    def loads(self) -> list[Load]:
        """External loads at the instants of the motion."""
        return read_loads(self.setup.external_loads, self.model, self.motion, self.mode)

    def as_reported(self) -> tuple[Motion, list[Load], dict[str, np.ndarray]]:
        """Motion, loads and tensions of the first JointReaction, or the motion and loads as they are."""
        for analysis in self.setup.analyses:
            if analysis.kind == "JointReaction":
                return self.driven(analysis)
        return self.motion, self.loads, {}

    def driven(self, analysis: AnalysisSetup) -> tuple[Motion, list[Load], dict[str, np.ndarray]]:
        """Return the motion that given forces cause, all loads on bodies, and the tensions.

        The accelerations follow from the forces, as in the tool; with forces that balance the motion they are
        those of the motion.
        """
        from borelli.analyses.driven import actuator_forces, driven_motion
        from borelli.cli.analysis_tables import forces_file

        reference = forces_file(analysis)
        if not reference:
            return driven_motion(self.model, self.motion, self.loads, {}, {}), self.loads, {}
        forces = read_forces(self.setup.file(reference), self.motion)
        lacking = [name for name in self.model.muscle_names if name not in forces]
        if lacking:
            shown = ", ".join(lacking[:6]) + (", …" if len(lacking) > 6 else "")
            raise MissingInputError(
                f"forces_file lacks {len(lacking)} muscles of the model: {shown}.", where=analysis.where
            )
        tensions = {name: values for name, values in forces.items() if name in self.model.paths}
        acting = actuator_forces(self.model, self.motion, list(self.model.forces), forces)
        loads = [*self.loads, *acting.loads]
        motion = driven_motion(self.model, self.motion, loads, tensions, acting.generalized)
        return motion, loads, tensions


def run_analyses(setup: AnalyzeSetup, mode: str) -> tuple[Trial, list[Path]]:
    """Run all analyses of a setup, then write their files; return the trial and the files."""
    from borelli.cli.analysis_tables import RUNNERS, refuse_unsupported, thinned
    from borelli.io.load import save_table

    for analysis in setup.analyses:
        if analysis.kind not in RUNNERS:
            raise UnsupportedError(
                f"{analysis.kind} cannot be run from a setup file.",
                where=analysis.where,
                remedy="supported: " + ", ".join(RUNNERS),
            )
    trial = Trial(setup, cast("Mode", mode))
    for analysis in setup.analyses:
        refuse_unsupported(trial.model, analysis)
    tables: dict[str, Table] = {}
    for analysis in setup.analyses:
        for end, table in RUNNERS[analysis.kind](trial, analysis).items():
            tables[f"{setup.name}_{analysis.name}_{end}.sto"] = thinned(table, analysis)
    setup.results.mkdir(parents=True, exist_ok=True)
    written = []
    for name, table in tables.items():
        save_table(table, setup.results / name)
        written.append(setup.results / name)
    return trial, written
