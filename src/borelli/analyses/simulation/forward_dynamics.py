"""Which accelerations do forces cause?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import xarray as xr

from borelli.arrays import FARTHEST, plain_numbers
from borelli.compiled.compile import CompiledModel
from borelli.errors import InvalidValueError, ShapeError, UnsolvableError
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.constraints.constraint_forces import Constrained, constrained_accelerations
from borelli.mechanics.constraints.free_speeds import Closure
from borelli.mechanics.constraints.system import ConstraintSystem, constraint_system
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import Prepared, in_threads
from borelli.model.model import Model
from borelli.results.labelled.dataset import dataset, labelled, time_axis


def forward_dynamics(
    model: Model,
    motion: Motion,
    generalized_force: np.ndarray | xr.DataArray,
    loads: Iterable[Load] = (),
    *,
    threads: int = 1,
) -> xr.Dataset:
    """Accelerations that generalized forces, gravity and loads cause in given states.

    M(q) udot + c(q, u) + g(q) = tau + J(q)^T loads + G(q)^T lambda, with G(q) udot as the model's constraints, locks
    and prescribed motions demand; without them by articulated bodies [Featherstone 1983].

    Parameters
    ----------
    model : Model
    motion : Motion
        Coordinates and speeds; its accelerations are not used. They obey the constraints, or the accelerations are
        those of another mechanism; :func:`assemble` makes them obey.
    generalized_force : (n_times, n_speeds) array in the order of ``model.speed_names``, or DataArray
        (time, coordinate), as ``inverse_dynamics`` gives it; N m or N.
    loads : iterable of Load
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``acceleration`` (time, coordinate): udot (rad/s² or m/s²). With constraints also ``multiplier`` (time,
        constraint_row): lambda, named as in :func:`constraint_jacobian`, and ``constraint_force`` (time, coordinate):
        G^T lambda, what the constraints do (N m or N).

    Guarantees, each a test
    -----------------------
    - undoes :func:`inverse_dynamics`
    - constraints and locks hold, and their multipliers balance the forces
    - equal to OpenSim's accelerations

    Examples
    --------
    >>> forces = bo.inverse_dynamics(model, motion, loads)["generalized_force"]
    >>> caused = bo.forward_dynamics(model, motion, forces, loads)["acceleration"]  # rad/s² or m/s²
    >>> caused.dims
    ('time', 'coordinate')
    """
    force = _force_table(model, motion, generalized_force)
    outside = ActingForces.of_loads(model, motion, loads)
    prepared = outside.prepared
    force = force[prepared.known]
    _require_finite(model, prepared, force)
    system = constraint_system(model)
    work = _constrained(system, outside, force) if system.names else _unconstrained(outside, force)
    # A vanishing pivot is reported below, with its instant and coordinate.
    with np.errstate(divide="ignore", invalid="ignore"):
        udot, *constrained = in_threads(len(prepared.q), threads, work, prepared.most_at_once)
    require_determined(model, prepared, udot)
    data = {
        "acceleration": labelled(
            ("time", "coordinate"), prepared.whole(udot), "rad/s^2 for rotations, m/s^2 for translations"
        )
    }
    where: dict[str, Any] = {"time": time_axis(prepared.time), "coordinate": list(model.speed_names)}
    if constrained:
        multiplier, held = (prepared.whole(part) for part in constrained)
        data["multiplier"] = labelled(("time", "constraint_row"), multiplier, "N m or N")
        data["constraint_force"] = labelled(("time", "coordinate"), held, "N m or N")
        where["constraint_row"] = list(system.names)
    return dataset(data, where, {"analysis": "forward_dynamics", "model": model.name})


def _unconstrained(outside: ActingForces, force: np.ndarray) -> Callable[[slice], tuple[np.ndarray, ...]]:
    prepared, backend = outside.prepared, engine()
    mechanism = prepared.compiled.mechanism
    require_mass_beyond_every_joint(prepared.compiled)

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        q, u, loads_here = prepared.q[instants], prepared.u[instants], outside.from_outside(instants)
        return (backend.forward_dynamics(mechanism, q, u, force[instants], loads_here),)

    return work


def _constrained(
    system: ConstraintSystem, outside: ActingForces, force: np.ndarray
) -> Callable[[slice], tuple[np.ndarray, ...]]:
    prepared, backend = outside.prepared, engine()
    mechanism = prepared.compiled.mechanism
    time, closure = prepared.time[prepared.known], Closure.of(system, set(), {})

    def block(instants: slice) -> Constrained:
        q, u = prepared.q[instants], prepared.u[instants]
        still = np.zeros_like(u)
        loads_here = outside.from_outside(instants)
        bias = backend.inverse_dynamics(mechanism, q, u, still, loads_here).generalized_force
        mass = backend.mass_matrix(mechanism, q)
        return constrained_accelerations(system, closure, mass, force[instants] - bias, time[instants], q, u)

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        # Matrices of all instants at once would need much memory.
        parts = [
            block(slice(instants.start + part.start, instants.start + part.stop))
            for part in blocks(instants.stop - instants.start)
        ] or [block(instants)]
        return (
            np.concatenate([part.udot for part in parts]),
            np.concatenate([part.multiplier for part in parts]),
            np.concatenate([part.force for part in parts]),
        )

    return work


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


def require_determined(model: Model, prepared: Prepared, udot: np.ndarray) -> None:
    """Refuse accelerations that a singular mass matrix leaves open, naming joint and instant."""
    bad = ~np.isfinite(udot)
    if not bad.any():
        return
    instant, speed = (int(index[0]) for index in np.nonzero(bad))
    joint = next(j for j in model.joints if model.speed_names[speed] in j.speed_names)
    several = len(joint.speed_names) > 1
    names = ", ".join(map(repr, joint.speed_names))
    raise UnsolvableError(
        f"the mass matrix is singular: the acceleration{'s' if several else ''} of joint {joint.name!r} "
        f"({names}) {'are' if several else 'is'} not determined.",
        where=_instant(prepared, instant),
        remedy="give bodies an inertia about every axis they turn about"
        + (
            "; where two axes of the joint coincide (gimbal lock) keep away from that posture, or use a ball joint"
            if several
            else ""
        ),
    )


def _instant(prepared: Prepared, instant: int) -> str:
    return f"{prepared.time[prepared.known][instant]:g} s (instant {int(np.flatnonzero(prepared.known)[instant])})"


def _require_finite(model: Model, prepared: Prepared, force: np.ndarray) -> None:
    bad = ~(np.abs(force) <= FARTHEST)
    if bad.any():
        instant, speed = (int(index[0]) for index in np.nonzero(bad))
        raise InvalidValueError(
            f"generalized_force is {force[instant, speed]} at {model.speed_names[speed]!r}, which moves no body.",
            where=_instant(prepared, instant),
            remedy="fill the gap, or leave the instant out",
        )


def _force_table(model: Model, motion: Motion, force: np.ndarray | xr.DataArray) -> np.ndarray:
    if isinstance(force, xr.DataArray) and "coordinate" in force.dims:
        force = force.transpose("time", "coordinate").sel(coordinate=list(model.speed_names))
    table = plain_numbers(force, "generalized_force")
    expected = (motion.n_times, len(model.speed_names))
    if table.shape != expected:
        raise ShapeError(
            f"generalized_force needs the shape {expected}, one row for each instant and one column for each "
            f"speed of model {model.name!r}, but has {table.shape}."
        )
    return table
