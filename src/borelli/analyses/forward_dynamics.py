"""Which accelerations do forces cause?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import xarray as xr

from borelli.analyses.engine import engine
from borelli.analyses.motion import Load, Motion
from borelli.analyses.prepare import Prepared, in_threads, prepare
from borelli.compiled.compile import CompiledModel
from borelli.errors import ShapeError, UnsolvableError
from borelli.model.model import Model
from borelli.results.dataset import labelled, time_axis


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

    require_mass_beyond_every_joint(prepared.compiled)
    # A vanishing pivot is reported below, with its frame and coordinate.
    with np.errstate(divide="ignore", invalid="ignore"):
        (udot,) = in_threads(len(prepared.q), threads, work, prepared.most_at_once)
    _require_determined(model, prepared, udot)
    units = "rad/s^2 for rotations, m/s^2 for translations"
    return xr.Dataset(
        {"acceleration": labelled(("time", "coordinate"), prepared.whole(udot), units)},
        {"time": time_axis(prepared.time), "coordinate": list(model.speed_names)},
        {"analysis": "forward_dynamics", "model": model.name},
    )


def require_mass_beyond_every_joint(compiled: CompiledModel) -> None:
    """Refuse a model in which a moving joint carries nothing that resists its motion."""
    heavy = set()
    for index, node in enumerate(compiled.mechanism.nodes):
        if node.inertia is not None:
            heavy.update(compiled.mechanism.path(index))
    for name, joint in compiled.joints.items():
        if joint.speeds and joint.node not in heavy:
            raise UnsolvableError(
                f"joint {name!r} carries no mass: forces do not determine its acceleration.",
                where=f"model {compiled.model.name!r}",
                remedy="give the body beyond it a mass and an inertia, or weld it",
            )


def _require_determined(model: Model, prepared: Prepared, udot: np.ndarray) -> None:
    bad = ~np.isfinite(udot)
    if not bad.any():
        return
    frame, speed = (int(index[0]) for index in np.nonzero(bad))
    raise UnsolvableError(
        f"the mass matrix is singular: the acceleration of {model.speed_names[speed]!r} is not determined.",
        where=f"{prepared.time[prepared.known][frame]:g} s (frame {int(np.flatnonzero(prepared.known)[frame])})",
        remedy="give bodies an inertia about every axis they turn about",
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
