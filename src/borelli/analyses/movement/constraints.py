"""Which directions of motion do the constraints of a model forbid, and how well does a motion obey them?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import BorelliError, warn
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import prepare, prepare_postures
from borelli.model import Model
from borelli.results.labelled.dataset import data_array, labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import plain, returns_dataset

if TYPE_CHECKING:
    import xarray as xr

_ERRORS = {
    "position_error": "m or rad",
    "velocity_error": "m/s or rad/s",
    "acceleration_error": "m/s^2 or rad/s^2",
}


def constraint_jacobian(model: Model, motion: Motion, *, locks: bool = True) -> xr.DataArray:
    """Jacobian G of the constraints: ``G u`` is the rate at which each constraint is violated.

    Couplers, point, point-on-line, weld, constant-distance and rolling constraints that are enforced, and locked
    and prescribed coordinates.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    locks : bool
        Whether locked and prescribed coordinates count.

    Returns
    -------
    DataArray (time, constraint_row, speed)
        Rows are named after their constraint, with ``:x`` and so on where it has several.

    Guarantees, each a test
    -----------------------
    - equal to the coupling that OpenSim uses on its published models

    Examples
    --------
    >>> neck = bo.library.neck()
    >>> rest = bo.Motion.at_rest(neck.coordinate_names, np.zeros(8))
    >>> bo.constraint_jacobian(neck, rest).sizes["constraint_row"]  # seven couplers
    7
    """
    system = constraint_system(model, locks=locks)
    prepared = prepare_postures(model, motion)
    n, n_u = len(prepared.q), len(model.speed_names)
    jacobian = np.empty((n, len(system.names), n_u))
    known_time = prepared.time[prepared.known]
    for block in blocks(n):
        q = prepared.q[block]
        # It depends on the posture alone: speeds enter what the rows have besides.
        jacobian[block] = system.rows(q, np.zeros((len(q), n_u)), known_time[block]).jacobian
    return data_array(
        labelled(("time", "constraint_row", "speed"), prepared.whole(jacobian), "1, m, 1/m (per speed)"),
        {
            "time": time_axis(prepared.time),
            "constraint_row": list(system.names),
            "speed": list(model.speed_names),
        },
        name="constraint_jacobian",
    )


@returns_dataset
def constraint_residuals(model: Model, motion: Motion, *, locks: bool = True) -> PlainResult:
    """How far a motion is from obeying the constraints, in position, speed and acceleration.

    Parameters
    ----------
    model : Model
    motion : Motion
    locks : bool
        Whether locked and prescribed coordinates count.

    Returns
    -------
    Dataset
        ``position_error``, ``velocity_error``, ``acceleration_error`` (time, constraint_row): m or rad, and
        their rates.

    Guarantees, each a test
    -----------------------
    - below round-off for the motions that OpenSim assembled for its published models

    Examples
    --------
    >>> neck = bo.library.neck()
    >>> rest = bo.Motion.at_rest(neck.coordinate_names, np.zeros(8))
    >>> float(abs(bo.constraint_residuals(neck, rest)["position_error"]).max())
    0.0
    """
    system = constraint_system(model, locks=locks)
    prepared = prepare(model, motion)
    n = len(prepared.q)
    errors = np.empty((3, n, len(system.names)))
    known_time = prepared.time[prepared.known]
    for block in blocks(n):
        q, u, udot = prepared.q[block], prepared.u[block], prepared.udot[block]
        rows = system.rows(q, u, known_time[block])
        errors[0, block] = rows.error
        errors[1, block] = np.einsum("nij,nj->ni", rows.jacobian, u) - rows.speed
        errors[2, block] = np.einsum("nij,nj->ni", rows.jacobian, udot) - rows.acceleration
    levels = zip(_ERRORS.items(), map(prepared.whole, errors), strict=True)
    dims = ("time", "constraint_row")
    return plain_result(
        {name: labelled(dims, values, units) for (name, units), values in levels},
        {"time": time_axis(prepared.time), "constraint_row": list(system.names)},
        {"analysis": "constraint_residuals", "model": model.name},
    )


def residuals_if_known(model: Model, motion: Motion) -> PlainResult | None:
    """Return what :func:`constraint_residuals` does, locks apart; None, with a warning, where it cannot be computed."""
    try:
        return plain(constraint_residuals)(model, motion, locks=False)
    except BorelliError as error:
        warn(f"the constraints of the model could not be checked: {error.what}")
        return None
