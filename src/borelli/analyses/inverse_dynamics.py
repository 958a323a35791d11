"""Which generalized forces does a motion need, and which accelerations do forces cause?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import xarray as xr

from borelli.analyses.engine import engine
from borelli.analyses.generalized import FORCE_UNITS, force_units
from borelli.analyses.motion import Load, Motion
from borelli.analyses.prepare import in_threads, prepare, prepare_postures
from borelli.errors import ShapeError
from borelli.model.model import Model
from borelli.results.dataset import labelled, time_axis

CITATION = "Luh JYS, Walker MW, Paul RPC (1980) On-line computational scheme for mechanical manipulators."


def inverse_dynamics(
    model: Model, motion: Motion, loads: Iterable[Load] = (), *, threads: int = 1
) -> xr.Dataset:
    """Generalized forces that produce a motion against gravity and external loads.

    tau = M(q) udot + c(q, u) + g(q) - J(q)^T (loads). Constraints and locks are ignored: each coordinate is
    taken as it moves.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; brought to the instants of the motion.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``generalized_force`` (time, coordinate), conjugate to the speeds u; the coordinate ``unit`` says N m
        or N for each.

    Guarantees, each a test
    -----------------------
    - zero for a model in free fall
    - ``forward_dynamics`` of the result gives back the accelerations
    - force times speed is the growth of energy less the power of the loads
    """
    prepared = prepare(model, motion, loads)
    mechanism, backend = prepared.compiled.mechanism, engine()

    def work(frames: slice) -> tuple[np.ndarray, ...]:
        q, u, udot = prepared.q[frames], prepared.u[frames], prepared.udot[frames]
        loads_here = prepared.loads_in(frames)
        return (backend.inverse_dynamics(mechanism, q, u, udot, loads_here).generalized_force,)

    (force,) = in_threads(len(prepared.q), threads, work, prepared.most_at_once)
    return xr.Dataset(
        {"generalized_force": labelled(("time", "coordinate"), prepared.whole(force), FORCE_UNITS)},
        {
            "time": time_axis(prepared.time),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
        },
        {"analysis": "inverse_dynamics", "model": model.name, "citations": [CITATION]},
    )


def mass_matrix(model: Model, motion: Motion, *, threads: int = 1) -> xr.DataArray:
    """Mass matrix, conjugate to the speeds u, constraints and locks ignored.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    DataArray (time, coordinate, coordinate_)
        kg m² between rotations, kg m between a rotation and a translation, kg between translations.
    """
    prepared = prepare_postures(model, motion)
    mechanism, backend = prepared.compiled.mechanism, engine()

    def work(frames: slice) -> tuple[np.ndarray, ...]:
        return (backend.mass_matrix(mechanism, prepared.q[frames]),)

    (matrix,) = in_threads(len(prepared.q), threads, work)
    names = list(model.speed_names)
    return xr.DataArray(
        labelled(("time", "coordinate", "coordinate_"), prepared.whole(matrix), "kg m^2, kg m or kg"),
        {"time": time_axis(prepared.time), "coordinate": names, "coordinate_": names},
        name="mass_matrix",
    )


def forward_dynamics(
    model: Model,
    motion: Motion,
    generalized_force: np.ndarray | xr.DataArray,
    loads: Iterable[Load] = (),
    *,
    threads: int = 1,
) -> xr.Dataset:
    """Accelerations that generalized forces, gravity and loads cause in given states.

    udot = M(q)^-1 (tau - c(q, u) - g(q) + J(q)^T loads), by articulated bodies [Featherstone 1983].

    Parameters
    ----------
    model : Model
    motion : Motion
        Coordinates and speeds; its accelerations are not used.
    generalized_force : (n_times, n_speeds) array in the order of ``model.speed_names``, or DataArray
        (time, coordinate), as ``inverse_dynamics`` gives it; N m or N.
    loads : iterable of Load
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``acceleration`` (time, coordinate): udot (rad/s² or m/s²).
    """
    force = _force_table(model, motion, generalized_force)
    prepared = prepare(model, motion, loads)
    force = force[prepared.known]
    mechanism, backend = prepared.compiled.mechanism, engine()

    def work(frames: slice) -> tuple[np.ndarray, ...]:
        q, u, loads_here = prepared.q[frames], prepared.u[frames], prepared.loads_in(frames)
        return (backend.forward_dynamics(mechanism, q, u, force[frames], loads_here),)

    (udot,) = in_threads(len(prepared.q), threads, work, prepared.most_at_once)
    units = "rad/s^2 for rotations, m/s^2 for translations"
    return xr.Dataset(
        {"acceleration": labelled(("time", "coordinate"), prepared.whole(udot), units)},
        {"time": time_axis(prepared.time), "coordinate": list(model.speed_names)},
        {"analysis": "forward_dynamics", "model": model.name},
    )


def _force_table(model: Model, motion: Motion, force: np.ndarray | xr.DataArray) -> np.ndarray:
    if isinstance(force, xr.DataArray) and "coordinate" in force.dims:
        force = force.transpose("time", "coordinate").sel(coordinate=list(model.speed_names))
    table = np.asarray(force, dtype=float)
    expected = (motion.n_times, len(model.speed_names))
    if table.shape != expected:
        raise ShapeError(
            f"generalized_force needs the shape {expected}, one row for each frame and one column for each "
            f"speed of model {model.name!r}, but has {table.shape}."
        )
    return table
