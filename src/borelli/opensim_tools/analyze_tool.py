"""What all analyses of an OpenSim setup share: model, motion, loads and forces, each read or found once."""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from borelli.analyses.muscles.muscle_states import fiber_states, require_states
from borelli.analyses.simulation.driven import driven_motion
from borelli.errors import (
    BorelliError,
    BorelliWarning,
    MissingInputError,
    UnsupportedError,
    few,
    warn,
)
from borelli.io.model_with_forces import load_with_forces
from borelli.io.motion import load_motion, tell_prolonged, within
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.io.setups.analyze_setup import AnalyzeSetup
from borelli.io.states_file import StatesFile, load_speeds, load_states
from borelli.mechanics.forces.actuators import actuators_of
from borelli.mechanics.motion.ordered_motion import Motion, states
from borelli.opensim_tools.assembled import assembled_motion, held_rates
from borelli.opensim_tools.controllers import Controller, controllers_of
from borelli.opensim_tools.driving import driving_of
from borelli.opensim_tools.inputs import read_forces, read_loads
from borelli.opensim_tools.no_fibers import warn_of_no_fibers
from borelli.opensim_tools.options import forces_file
from borelli.records import dataclass

if TYPE_CHECKING:
    import xarray as xr

    from borelli.io.signals.filtering import Mode
    from borelli.mechanics.motion.ordered_motion import Load
    from borelli.model.model import Model
    from borelli.opensim_tools.driving import Driving

T = TypeVar("T")
_SAME_TIME_S = 1e-6
"""Times that the tool makes even drift by less than this from those of the file."""


@dataclass(frozen=True)
class AnalyzeTool:
    """Model, motion and loads of a setup file, read when first needed.

    Attributes
    ----------
    whole : AnalyzeTool or None
        The tool that this one has some rows of.
    rows : (n_rows,) int or None
        Which of them.
    """

    setup: AnalyzeSetup
    mode: Mode
    whole: AnalyzeTool | None = None
    rows: np.ndarray | None = None
    done: list[AnalysisSetup] = field(default_factory=list)
    """Analyses whose tables were made"""
    refused: list[BorelliError] = field(default_factory=list)
    """Why others, or some of their tables, were not, beside those that the setup refuses"""

    def every(self, number: int) -> AnalyzeTool:
        """Return the tool at the rows that the tool writes: every so many of its states, the first and the last.

        Speeds and accelerations are those of the whole motion. All else is found at these rows alone.
        """
        if number == 1:
            return self
        count = np.arange(self.motion.n_times)
        kept = (count + self.first_row) % number == 0
        kept[[0, -1]] = True
        return self.once(
            f"every {number}", lambda: dataclasses.replace(self, whole=self, rows=np.flatnonzero(kept))
        )

    @cached_property
    def model(self) -> Model:
        """The model with the forces of the force sets."""
        if self.whole is not None:
            return self.whole.model
        return load_with_forces(self.setup.model, self.setup.force_sets, self.setup.replace_forces)

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
        if self.whole is not None and self.rows is not None:
            return self.whole.motion.instants(self.rows), [
                _at_rows(load, self.rows) for load in self.whole.loads
            ]
        found = self._file_motion
        own = states(self.model, found)
        names, speeds = self.model.coordinate_names, self.model.speed_names
        whole = Motion(own.time, names, own.q, own.u, own.udot, speeds, found.settings)
        setup = self.setup
        return read_loads(
            setup.external_loads, self.model, whole, self.mode, setup.loads_cutoff_hz, setup.cutoff_hz
        )

    @cached_property
    def first_row(self) -> int:
        """Row of the motion's first instant in the tool's table of states."""
        time, own = self.all_rows.time, self.motion.time
        if self.mode == "opensim" or self.setup.cutoff_hz is None or len(own) < 2:
            return int(np.searchsorted(time, own[0] - _SAME_TIME_S))
        # The tool prolongs what it smooths by half its rows at either end; the default mode does not.
        start = 2.0 * time[0] - time[len(time) // 2]
        return round(float((own[0] - start) / (own[1] - own[0])))

    @cached_property
    def all_rows(self) -> Motion:
        """Coordinates in every row of the file, and in those by which smoothing lengthens it, as the tool does."""
        if self.whole is not None:
            return self.whole.all_rows
        return self._read((-math.inf, math.inf))

    def _read(self, span: tuple[float, float]) -> Motion:
        """Read the coordinates of a time span."""
        with warnings.catch_warnings():
            if self.setup.from_states:
                # Speeds and states of muscles are no coordinates, and are used all the same.
                warnings.filterwarnings(
                    "ignore", "(?s).*columns ignored, because they are not coordinates", BorelliWarning
                )
            found = load_motion(
                self.setup.coordinates,
                self.model,
                self.setup.cutoff_hz,
                mode=self.mode,
                time_range=span,
                in_degrees=self.setup.in_degrees,
                allow_violations=self.setup.allow_violations,
            )
        return (
            found if self.mode != "opensim" else assembled_motion(self.model, found, self.setup.from_states)
        )

    @cached_property
    def _file_motion(self) -> Motion:
        """The motion as the file has it: with its own speeds, if it is a states file."""
        span = self.setup.time_range
        # Whoever asks for all rows later must not read the file again.
        needs_all = any(each.every > 1 or each.kind == "StaticOptimization" for each in self.setup.analyses)
        found = within(self.all_rows, span, self.mode) if needs_all else self._read(span)
        tell_prolonged(found)
        if not self.setup.from_states and self.setup.speeds is None:
            return found
        speeds = self._speeds(found.time)
        if not set(self.model.speed_names) <= set(speeds):
            return found
        held = held_rates(self.model, found.time) if self.mode == "opensim" else {}
        u = np.stack([held.get(name, speeds[name]) for name in self.model.speed_names], axis=1)
        return Motion(found.time, found.coordinates, found.q, u, None, self.model.speed_names, found.settings)

    def _speeds(self, time: np.ndarray) -> dict[str, np.ndarray]:
        """Speeds of a states file, or of the file of speeds, at instants of the motion."""
        if self.setup.speeds is None:
            return self.states(time).speeds
        return load_speeds(self.setup.speeds, self.model, time)

    def states(self, time: np.ndarray) -> StatesFile:
        """Read speeds and muscle states of the states file at instants of it; nothing without such a file."""
        if not self.setup.from_states:
            return StatesFile({}, {}, {}, {})
        return load_states(self.setup.coordinates, self.model, time)

    @cached_property
    def file_states(self) -> StatesFile:
        """Speeds and states of the states file at the instants of the motion."""
        return self.states(self.motion.time)

    @cached_property
    def controllers(self) -> tuple[Controller, ...]:
        """Controllers of the model and of the setup that are switched on; an unknown kind is refused by name."""
        added = tuple(Controller(element, self.setup.source) for element in self.setup.controllers)
        return controllers_of(self.model, self.setup.model, added)

    @cached_property
    def muscles(self) -> xr.Dataset:
        """States of the muscles: those of the file, else their defaults, as the tool takes them."""
        given = self.file_states.muscles
        warn_of_no_fibers(self.model, given.get("fiber_length", {}), self.setup.equilibrium)
        require_states(self.model)
        # One muscle at a senseless length leaves out the tables that show it, not all: they judge their columns.
        return fiber_states(
            self.model,
            self.motion,
            activation={**given.get("activation", {}), **self.driving.excited},
            fiber_length=given.get("fiber_length"),
            tendon_force=given.get("normalized_tendon_force"),
            equilibrium=self.setup.equilibrium,
        )

    @cached_property
    def driving(self) -> Driving:
        """What controllers demand of muscles and actuators."""
        return driving_of(self.model, self.controllers, self.motion.time, self.file_states.actuators)

    @cached_property
    def own_forces(self) -> dict[str, np.ndarray]:
        """Forces of the muscles in their states, and of actuators as their controls say (N or N m)."""
        found: dict[str, np.ndarray] = {}
        if self.model.muscles:
            force = self.muscles["tendon_force"].values
            for index, muscle in enumerate(self.model.muscles):
                if muscle.applies_force:
                    found[muscle.name] = force[:, index]
        return {**found, **self.driving.forces}

    @cached_property
    def caused(self) -> Motion:
        """The motion with the accelerations that all forces of the model cause in its states.

        Those are what the tool calls accelerations. With ``--mode default``, and where the states of a muscle
        are not known, they are the motion's own.
        """
        if self.mode != "opensim":
            return self.motion
        try:
            require_states(self.model)
        except UnsupportedError as error:
            warn(f"accelerations are those of the motion, not those caused by the forces: {error.what}")
            return self.motion
        return driven_motion(self.model, self.motion, self.loads, self.own_forces)

    def once(self, what: str, make: Callable[[], T]) -> T:
        """Return what is known by a name, made when first asked for."""
        if what not in self._made:
            self._made[what] = make()
        return cast("T", self._made[what])

    @cached_property
    def _made(self) -> dict[str, object]:
        return {}

    def driven(self, analysis: AnalysisSetup) -> tuple[Motion, list[Load], dict[str, np.ndarray]]:
        """Return the motion that given forces cause, the loads, and the forces of muscles and actuators, once."""
        return self.once(f"driven {id(analysis)}", lambda: self._driven(analysis))

    def _driven(self, analysis: AnalysisSetup) -> tuple[Motion, list[Load], dict[str, np.ndarray]]:
        """Let the forces act.

        The accelerations follow from the forces, as in the tool; with forces that balance the motion they are
        those of the motion. Without a file the muscles pull as their states say.
        """
        reference = forces_file(analysis)
        if not reference:
            own = self.own_forces
            return driven_motion(self.model, self.motion, self.loads, own), self.loads, own
        forces = self._forces(reference)
        lacking = [name for name in self.model.muscle_names if name not in forces]
        if lacking:
            shown = few(lacking, 6)
            raise MissingInputError(
                f"forces_file lacks {len(lacking)} muscles of the model: {shown}.", where=analysis.where
            )
        known = {*self.model.path_names, *actuators_of(self.model).names}
        acting = {name: values for name, values in forces.items() if name in known}
        acting = {**self.driving.forces, **acting}
        return driven_motion(self.model, self.motion, self.loads, acting), self.loads, acting

    def _forces(self, reference: str) -> dict[str, np.ndarray]:
        """Read a table of forces at the instants of the motion."""
        if self.whole is None or self.rows is None:
            return read_forces(self.setup.file(reference), self.motion)
        return {name: values[self.rows] for name, values in self.whole._forces(reference).items()}


def _at_rows(load: Load, rows: np.ndarray) -> Load:
    time = None if load.time is None else load.time[rows]
    return dataclasses.replace(
        load, force=load.force[rows], point=load.point[rows], moment=load.moment[rows], time=time
    )
