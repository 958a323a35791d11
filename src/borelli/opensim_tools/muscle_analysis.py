"""OpenSim's MuscleAnalysis: what fibres and tendons do, moment arms and moments, in its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.movement.paths import paths
from borelli.analyses.muscles.moment_arms import moment_arms
from borelli.analyses.muscles.muscle_states import require_states
from borelli.errors import (
    InvalidValueError,
    UnsolvableError,
    UnsupportedError,
    few,
    warn,
)
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.model.plausibility.limits import absurd_numbers
from borelli.opensim_tools.options import flag_of, names_of
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    import xarray as xr

    from borelli.opensim_tools.analyze_tool import AnalyzeTool

FILES = {
    "PennationAngle": "pennation_angle",
    "PennationAngularVelocity": "pennation_velocity",
    "Length": "length",
    "FiberLength": "fiber_length",
    "NormalizedFiberLength": "normalized_fiber_length",
    "TendonLength": "tendon_length",
    "FiberVelocity": "fiber_velocity",
    "NormFiberVelocity": "normalized_fiber_velocity",
    "TendonForce": "tendon_force",
    "FiberForce": "fiber_force",
    "ActiveFiberForce": "active_fiber_force",
    "PassiveFiberForce": "passive_fiber_force",
    "ActiveFiberForceAlongTendon": "active_fiber_force_along_tendon",
    "PassiveFiberForceAlongTendon": "passive_fiber_force_along_tendon",
    "FiberActivePower": "fiber_active_power",
    "FiberPassivePower": "fiber_passive_power",
    "TendonPower": "tendon_power",
    "MuscleActuatorPower": "muscle_power",
}
"""File of OpenSim and variable of ``muscle_states``."""
_OF_VELOCITY = (
    "PennationAngularVelocity",
    "FiberVelocity",
    "NormFiberVelocity",
    "FiberActivePower",
    "FiberPassivePower",
)
"""Files that only tell how fast fibres shorten; nothing else depends on it."""
_DEFAULTS = (
    "activations{0} have their default values, because the setup names no states_file: forces and "
    "{1} of MuscleAnalysis are OpenSim's, but say nothing about this motion"
)


def muscle_analysis(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Lengths, velocities, forces and powers of the muscles, and moment arms and moments of the coordinates."""
    model, motion = tool.model, tool.motion
    names = names_of(setup.words("muscle_list"), model.muscle_names, "muscle", setup.where)

    def table(title: str, values: np.ndarray) -> Table:
        return Table(motion.time, tuple(names), values, in_degrees=False, name=title)

    states = _states(tool)
    found = {}
    if states is None:
        found["Length"] = table("Length", paths(model, motion, names=names)["length"].values)
    else:
        states = states.sel(muscle=names)
        found = {
            title: table(title, values)
            for title, values in _plausible(
                {key: states[name].values for key, name in FILES.items()}, names
            ).items()
        }
    if not flag_of(setup, "compute_moments", True):
        return found
    asked = setup.words("moment_arm_coordinate_list")
    coordinates = names_of(asked, model.coordinate_names, "coordinate", setup.where)
    # Where a loop leaves a choice, OpenSim takes the least motion of all speeds.
    coupling = "least_squares" if tool.mode == "opensim" else "constraints"
    arms = moment_arms(model, motion, paths=names, coordinates=coordinates, coupling=coupling)
    for name in coordinates:
        values = arms.sel(path=names, coordinate=name).values
        found[f"MomentArm_{name}"] = table(f"MomentArm_{name}", values)
        if states is not None:
            found[f"Moment_{name}"] = table(f"Moment_{name}", values * states["tendon_force"].values)
    return found


def _plausible(tables: dict[str, np.ndarray], names: list[str]) -> dict[str, np.ndarray]:
    """Leave out how fast fibres shorten that cannot be in their states, and name the muscles.

    A fibre has the velocity that its force-velocity curve gives at the force of its tendon. In a state in which it has
    hardly any force of its own this is 1e12 m/s and more, in OpenSim as well; all other numbers of the tables hold.

    Parameters
    ----------
    tables : dict of str to (n_times, n_muscles) float
    """
    found, absurd = dict(tables), {title: absurd_numbers(tables[title]) for title in _OF_VELOCITY}
    muscles = np.any([part.any(axis=0) for part in absurd.values()], axis=0)
    if not muscles.any():
        return found
    count = max(int(part.any(axis=1).sum()) for part in absurd.values())
    largest = max(float(np.abs(tables[title][part]).max(initial=0.0)) for title, part in absurd.items())
    for title, part in absurd.items():
        found[title] = np.where(part, np.nan, tables[title])
    warn(
        f"MuscleAnalysis {few((title for title, part in absurd.items() if part.any()), 6)}: numbers that no fibre has, "
        f"up to {largest:.1e}, are left out (nan), of {few((names[k] for k in np.flatnonzero(muscles)), 6)} at up to "
        f"{count} instants. These fibres cannot be in the states that they are given: name a states_file, or solve for "
        "equilibrium"
    )
    return found


def _states(tool: AnalyzeTool) -> xr.Dataset | None:
    """States of the muscles; None where they are not known, with a warning or the error kept to be told."""
    try:
        require_states(tool.model)
    except UnsupportedError as error:
        warn(f"MuscleAnalysis writes only lengths and moment arms: {error.what}")
        return None
    if not tool.setup.from_states:
        lengths = (
            ("", "fibre lengths in equilibrium with them")
            if tool.setup.equilibrium
            else (
                " and fibre lengths",
                "fibre quantities",
            )
        )
        warn(_DEFAULTS.format(*lengths))
    try:
        return tool.muscles
    except (InvalidValueError, UnsolvableError) as error:
        tool.refused.append(error)
        return None
