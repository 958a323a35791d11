"""What does the inverse of the mass matrix make of forces?"""

from __future__ import annotations

import numpy as np
import xarray as xr

from borelli.analyses.simulation.forward_dynamics import require_determined, require_mass_beyond_every_joint
from borelli.arrays import FARTHEST, plain_numbers
from borelli.errors import InvalidValueError, ShapeError
from borelli.mechanics.engine import engine
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import in_threads, prepare_postures
from borelli.model.model import Model
from borelli.results.labelled.dataset import data_array, labelled, time_axis


def mass_matrix_solve(
    model: Model, motion: Motion, right_hand_side: np.ndarray | xr.DataArray, *, threads: int = 1
) -> xr.DataArray:
    """Solve M(q) x = b in every instant without writing the mass matrix out, constraints and locks ignored.

    By articulated bodies [Featherstone 1983]: the work grows with the number of bodies, not with its cube, and no
    matrix goes through memory. With generalized forces for b it is the acceleration that they alone cause, from rest.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    right_hand_side : (n_times, n_speeds) or (n_times, n_speeds, n_columns) array, or DataArray (time, coordinate, …)
        b, in the order of ``model.speed_names``; N m or N. Several columns are solved one by one.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    DataArray (time, coordinate) or (time, coordinate, column)
        x, rad/s² or m/s² where b is N m or N.

    Raises
    ------
    UnsolvableError
        If the mass matrix is singular, naming joint and instant.

    Guarantees, each a test
    -----------------------
    - the numbers of a dense solution with :func:`mass_matrix`, for every column
    - neither speeds nor gravity have a part in it, and threads give the same bits

    Examples
    --------
    >>> forces = bo.inverse_dynamics(model, motion, loads)["generalized_force"]
    >>> x = bo.mass_matrix_solve(model, motion, forces)
    >>> back = np.einsum("tij,tj->ti", bo.mass_matrix(model, motion), x)
    >>> x.dims, bool(np.allclose(back, forces, atol=1e-6))
    (('time', 'coordinate'), True)
    """
    prepared = prepare_postures(model, motion)
    table = _table(model, motion, right_hand_side)
    columns = table.reshape(*table.shape[:2], -1)[prepared.known]
    require_mass_beyond_every_joint(prepared.compiled)
    mechanism, backend = prepared.compiled.mechanism, engine()

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        q, b = prepared.q[instants], columns[instants]
        x = np.empty_like(b)
        for k in range(b.shape[2]):
            x[:, :, k] = backend.mass_matrix_solve(mechanism, q, np.ascontiguousarray(b[:, :, k]))
        return (x,)

    # A vanishing pivot is reported below, with its instant and coordinate.
    with np.errstate(divide="ignore", invalid="ignore"):
        (x,) = in_threads(len(prepared.q), threads, work, prepared.most_at_once)
    for k in range(x.shape[2]):
        require_determined(model, prepared, x[:, :, k])
    dims = ("time", "coordinate", "column")[: table.ndim]
    where = {"time": time_axis(prepared.time), "coordinate": list(model.speed_names)}
    return data_array(
        labelled(dims, prepared.whole(x).reshape(table.shape), "rad/s^2 or m/s^2 for N m or N"),
        where,
        name="mass_matrix_solution",
    )


def _table(model: Model, motion: Motion, given: np.ndarray | xr.DataArray) -> np.ndarray:
    """Return the right-hand side as an array, checked."""
    if isinstance(given, xr.DataArray) and "coordinate" in given.dims:
        given = given.transpose("time", "coordinate", ...).sel(coordinate=list(model.speed_names))
    table = plain_numbers(given, "right_hand_side")
    expected = (motion.n_times, len(model.speed_names))
    if table.ndim not in (2, 3) or table.shape[:2] != expected:
        raise ShapeError(
            f"right_hand_side needs the shape {expected}, or that with one more axis of columns: one row for each "
            f"instant and speed of model {model.name!r}; it has {table.shape}."
        )
    bad = ~(np.abs(table) <= FARTHEST)
    if bad.any():
        instant, speed = (int(index[0]) for index in np.nonzero(bad)[:2])
        raise InvalidValueError(
            f"right_hand_side is {table[instant, speed]} at {model.speed_names[speed]!r}.",
            where=f"{motion.time[instant]:g} s (instant {instant})",
            remedy="fill the gap, or leave the instant out",
        )
    return table
