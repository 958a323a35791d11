"""How strong is every muscle in every instant, and which force does an activation give?"""

from __future__ import annotations

import numpy as np
import xarray as xr

from borelli.arrays import chosen, plain_numbers
from borelli.compiled.muscles import compile_muscles
from borelli.errors import InvalidValueError, ShapeError, warn
from borelli.kernels.muscle.compliant_tendon import BALANCED, SLACK, TAUT, compliant_tendon
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import prepare
from borelli.mechanics.muscles.overload import overload
from borelli.mechanics.muscles.strength import Strength, citations, strengths
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.model import Model
from borelli.model.plausibility.possible import refuse_elastic_without_tendon
from borelli.results.labelled.dataset import dataset, labelled, time_axis


def muscle_strength(
    model: Model, motion: Motion, *, strength: Strength | str = Strength.RIGID_TENDON
) -> xr.Dataset:
    """Force of every muscle at full activation and at rest, its tendon taken as rigid.

    Parameters
    ----------
    model : Model
    motion : Motion
    strength : Strength or str
        ``"rigid_tendon"`` (force along the tendon), ``"opensim"`` (as OpenSim's static optimization takes
        it), or ``"isometric"``.

    Returns
    -------
    Dataset
        ``active_force``, ``passive_force`` (N), ``fiber_length``, ``path_length`` (m) and ``path_speed``
        (m/s), each (time, muscle).

    Warns
    -----
    BorelliWarning
        If fibres at rest would bear more than ten maximum forces.

    Guarantees, each a test
    -----------------------
    - equal to the numbers of the papers that the curves come from; with ``"opensim"``, to OpenSim's

    Examples
    --------
    >>> strength = bo.muscle_strength(model, motion)["active_force"]
    >>> bool(strength.sel(muscle="soleus_r").max() > 3000.0)  # N
    True
    """
    kind = chosen(strength, Strength, "strength")
    prepared = prepare(model, motion)
    muscles = compile_muscles(tuple(model.muscles), curves=kind is not Strength.ISOMETRIC)
    found = path_forces(prepared.compiled, paths_of(prepared.compiled, muscles.names), prepared.q)
    speed = -np.einsum("npk,nk->np", found.force, prepared.u)
    own = strengths(muscles, found.length, speed, kind, passive=True)
    torn = overload(
        own.passive,
        muscles.tables.force,
        muscles.names,
        prepared.time[prepared.known],
        "bear up to {:.2g} times the maximum force",
        "N",
    )
    if torn:
        warn(
            f"{torn} while they rest: their paths are too long for them. Check optimal fibre lengths, slack lengths of "
            "tendons, and the scaling of the model."
        )
    dims = ("time", "muscle")
    return dataset(
        {
            "active_force": labelled(dims, prepared.whole(own.active), "N"),
            "passive_force": labelled(dims, prepared.whole(own.passive), "N"),
            "fiber_length": labelled(dims, prepared.whole(own.fiber), "m"),
            "path_length": labelled(dims, prepared.whole(found.length), "m"),
            "path_speed": labelled(dims, prepared.whole(speed), "m/s"),
        },
        {"time": time_axis(prepared.time), "muscle": list(muscles.names)},
        {
            "analysis": "muscle_strength",
            "model": model.name,
            "strength": kind.value,
            "citations": citations(model),
        },
    )


def muscle_equilibrium(
    model: Model, motion: Motion, activation: np.ndarray | xr.DataArray | float
) -> xr.Dataset:
    """Force that an activation gives when fibres at rest balance an elastic tendon.

    A tendon that is rigid by its class, or because its compliance is to be ignored, keeps its slack length.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    activation : number, (n_times, n_muscles) array, or DataArray (time, muscle)
        Between 0 and 1.

    Returns
    -------
    Dataset
        ``tendon_force`` (N), ``fiber_length`` (m), ``tendon_length`` (m, along the path), ``imbalance`` (N:
        tendon less fibre force), each (time, muscle), and ``state``: 0 balanced, 1 tendon slack, 2 path too
        short for the fibres.

    Guarantees, each a test
    -----------------------
    - a tendon with no strain gives the force of a rigid one
    - more activation never gives less force at optimal length

    Examples
    --------
    >>> still = bo.muscle_equilibrium(model, motion.instants(slice(0, 3)), 0.5)
    >>> still["tendon_force"].dims
    ('time', 'muscle')
    """
    prepared = prepare(model, motion)
    refuse_elastic_without_tendon(model.muscles)
    muscles = compile_muscles(tuple(model.muscles))
    level = activation_table(model, motion, activation)[prepared.known]
    found = path_forces(prepared.compiled, paths_of(prepared.compiled, muscles.names), prepared.q)
    force, fiber, gap = (np.empty(level.shape) for _ in range(3))
    state = np.empty(level.shape, np.int64)
    compliant_tendon(muscles.tables, muscles.tendon_strain, found.length, level, force, fiber, gap, state)
    if muscles.rigid.any():
        still = strengths(muscles, found.length, np.zeros(level.shape), Strength.RIGID_TENDON, True)
        held = np.broadcast_to(muscles.rigid, level.shape)
        np.copyto(force, level * still.active + still.passive, where=held)
        np.copyto(fiber, still.fiber, where=held)
        np.copyto(gap, 0.0, where=held)
        short = found.length - muscles.tables.tendon <= muscles.tables.shortest_along
        np.copyto(state, np.where(short, SLACK, BALANCED), where=held)
    along = np.sqrt(np.maximum(fiber**2 - muscles.tables.height**2, 0.0))
    dims = ("time", "muscle")
    return dataset(
        {
            "tendon_force": labelled(dims, prepared.whole(force), "N"),
            "fiber_length": labelled(dims, prepared.whole(fiber), "m"),
            "tendon_length": labelled(dims, prepared.whole(found.length - along), "m"),
            "imbalance": labelled(dims, prepared.whole(gap), "N"),
            "state": labelled(
                dims,
                prepared.whole(state),
                "1",
                meaning=f"0 balanced, {SLACK} tendon slack, {TAUT} path too short",
            ),
        },
        {"time": time_axis(prepared.time), "muscle": list(muscles.names)},
        {"analysis": "muscle_equilibrium", "model": model.name, "citations": citations(model)},
    )


def activation_table(
    model: Model, motion: Motion, activation: np.ndarray | xr.DataArray | float
) -> np.ndarray:
    """Activations of all muscles, (n_times, n_muscles), checked.

    Raises
    ------
    ShapeError
        If there is not one for each instant and muscle.
    InvalidValueError
        If one is not between 0 and 1.
    """
    shape = (motion.n_times, len(model.muscle_names))
    if isinstance(activation, xr.DataArray):
        activation = activation.transpose("time", "muscle").sel(muscle=list(model.muscle_names)).values
    table = plain_numbers(activation, "activation")
    if table.ndim == 0:
        table = np.full(shape, float(table))
    if table.shape != shape:
        raise ShapeError(
            f"activation needs the shape {shape}, one row for each instant and one column for each muscle of "
            f"model {model.name!r}, but has {table.shape}."
        )
    if not ((table >= 0.0) & (table <= 1.0)).all():
        raise InvalidValueError("activation must be between 0 and 1.", where=f"model {model.name!r}")
    return np.ascontiguousarray(table)
