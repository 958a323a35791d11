"""OpenSim's StatesReporter: every state of a model by its path, in radians and metres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.model.forces.force import BushingForce
from borelli.model.muscles.muscle import Muscle
from borelli.model.muscles.muscle_models import DeGrooteFregly2016Muscle, Schutte1993Muscle
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    from borelli.opensim_tools.analyze_tool import AnalyzeTool


def states_reporter(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Coordinates and speeds, activations and fibre lengths, lost energy of bushings, as OpenSim names them."""
    columns = states_columns(tool)
    values = np.column_stack(list(columns.values()))
    return {"states": Table(tool.motion.time, tuple(columns), values, in_degrees=False, name="ModelStates")}


def states_columns(tool: AnalyzeTool) -> dict[str, np.ndarray]:
    """States by their paths, (n_times,) each."""
    model, motion = tool.model, tool.motion
    assert motion.u is not None and motion.speeds is not None
    found: dict[str, np.ndarray] = {}
    for joint in model.joints:
        for coordinate, speed in zip(joint.coordinates, joint.speed_names, strict=True):
            start = f"/jointset/{joint.name}/{coordinate.name.rpartition('/')[2]}"
            found[f"{start}/value"] = motion.q[:, motion.coordinates.index(coordinate.name)]
            found[f"{start}/speed"] = motion.u[:, motion.speeds.index(speed)]
    for muscle in model.muscles:
        start = f"/forceset/{muscle.name}"
        if not muscle.ignore_activation_dynamics:
            found[f"{start}/activation"] = _state(tool, muscle, "activation")
        if muscle.ignore_tendon_compliance:
            continue
        if isinstance(muscle, DeGrooteFregly2016Muscle):
            found[f"{start}/normalized_tendon_force"] = _state(tool, muscle, "normalized_tendon_force")
        else:
            found[f"{start}/fiber_length"] = _state(tool, muscle, "fiber_length")
    for name, values in tool.driving.activations.items():
        found[f"/forceset/{name}/activation"] = values
    for force in model.forces:
        if isinstance(force, BushingForce):
            # A state in OpenSim, which a motion without states leaves at its start.
            energy = tool.file_states.dissipated.get(force.name, np.zeros(len(motion.time)))
            found[f"/forceset/{force.name}/dissipated_energy"] = energy
    return found


def _state(tool: AnalyzeTool, muscle: Muscle, state: str) -> np.ndarray:
    """One state: that of the file, unless it was balanced; else as it was computed with."""
    balanced = tool.setup.equilibrium and state != "activation"
    given = tool.file_states.muscles.get(state, {}).get(muscle.name)
    if given is not None and not balanced:
        return given
    if isinstance(muscle, Schutte1993Muscle) and state == "fiber_length" and not balanced:
        # OpenSim computes with fibres at least as long as their muscle is wide, and shows the state as it is.
        return np.full(tool.motion.n_times, muscle.default_fiber_length)
    found = tool.muscles.sel(muscle=muscle.name)
    if state == "normalized_tendon_force":
        return np.asarray(found["tendon_force"].values / float(muscle.max_isometric_force))
    return np.asarray(found[state].values)
