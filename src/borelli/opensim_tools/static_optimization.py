"""OpenSim's StaticOptimization: activations and forces of all muscles and actuators, in its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from borelli.analyses.muscles.muscle_forces import muscle_forces
from borelli.errors import UnsupportedError
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.io.signals.filtering import natural_quintic
from borelli.mechanics.motion.ordered_motion import Motion, states
from borelli.mechanics.muscles.criterion import Criterion
from borelli.mechanics.muscles.strength import Strength
from borelli.opensim_tools.force_columns import Columns, element_columns, load_columns
from borelli.opensim_tools.options import flag_of
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    import xarray as xr

    from borelli.opensim_tools.analyze_tool import AnalyzeTool


class Optimized(NamedTuple):
    """What a static optimization found: the motion, with the accelerations that demand the load, and the answer."""

    motion: Motion
    found: xr.Dataset
    """Of ``muscle_forces``"""


def _optimize(tool: AnalyzeTool, setup: AnalysisSetup) -> Optimized:
    """Find the activations of least cost by OpenSim's rules.

    The optimum is exact, so that OpenSim's tolerance and number of iterations mean nothing here.
    """
    if not flag_of(setup, "use_model_force_set", True):
        raise UnsupportedError(
            "StaticOptimization without the model's forces is not supported.",
            where=setup.where,
            remedy="set use_model_force_set to true, or run InverseDynamicsTool",
        )
    power = float(setup.options.get("activation_exponent") or 2.0)
    physiology = flag_of(setup, "use_muscle_physiology", True)
    motion = _motion(tool)
    found = muscle_forces(
        tool.model,
        motion,
        tool.loads,
        criterion=Criterion(power=power),
        strength=Strength.OPENSIM if physiology else Strength.ISOMETRIC,
        mode="opensim",
        infeasible=tool.setup.infeasible,
    )
    return Optimized(motion, found)


def optimized(tool: AnalyzeTool, setup: AnalysisSetup) -> Optimized:
    """Run a StaticOptimization; once, however many analyses ask for it."""
    return tool.once(f"static optimization {id(setup)}", lambda: _optimize(tool, setup))


def static_optimization(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Activations and forces, in tables named as OpenSim names them."""
    motion, found = optimized(tool, setup)
    names = (*tool.model.muscle_names, *map(str, found["actuator"].values))

    def table(title: str, parts: tuple[str, str], more: Columns) -> Table:
        values = np.column_stack([*(found[part].values for part in parts), *more.values()])
        return Table(found["time"].values, (*names, *more), values, in_degrees=False, name=title)

    others = element_columns(tool.model, motion)
    others |= load_columns(tool.model, motion, tool.loads, tool.setup.external_loads)
    return {
        "activation": table("Static Optimization", ("activation", "control"), {}),
        "force": table("ModelForces", ("force", "actuator_force"), others),
    }


def _motion(tool: AnalyzeTool) -> Motion:
    """Return the motion with the accelerations of OpenSim's static optimization.

    They are the slopes of a spline through the speeds of all rows, those included by which the recording was
    lengthened for filtering; elsewhere accelerations are second derivatives of the coordinates' spline.
    """
    own = tool.motion
    if tool.mode != "opensim" or own.n_times == 1:
        return own
    rows = states(tool.model, tool.all_rows)
    udot = natural_quintic(rows.time, rows.u)(own.time, 1)
    return Motion(own.time, own.coordinates, own.q, own.u, udot, own.speeds, own.settings)
