"""How much of the load at every coordinate do the muscles deliver?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from borelli.kernels.tree.blocks import BLOCK, blocks
from borelli.mechanics.constraints.independent_speeds import independent_speeds
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.passive_forces import passive_generalized_forces
from borelli.mechanics.forces.tensions import tension_table
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.force_units import FORCE_UNITS, force_units
from borelli.model.model import Model
from borelli.results.labelled.dataset import labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import returns_dataset
from borelli.results.labelled.tensions import Tensions, as_mapping

# Instants; tables of all tensions at all speeds are held for so many only, so that memory stays flat.
_AT_ONCE = BLOCK // 2


@returns_dataset
def muscle_balance(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    tensions: Tensions,
    passive: bool = True,
) -> PlainResult:
    """Compare what the motion demands with what tensions along paths deliver, coordinate by coordinate.

    Both are taken along the motion that the constraints leave free: a coupled coordinate counts for the one
    that drives it. Coordinates that are locked, prescribed or driven have nothing to balance and are NaN.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
    tensions : mapping of path to (n_times,) newtons, or Dataset of ``muscle_forces``
    passive : bool
        Whether springs, ligaments, stops and bushings of the model bear their part before.

    Returns
    -------
    Dataset
        ``demanded_moment``: generalized force of inverse dynamics less what acts by itself;
        ``total_muscle_moment``: what all tensions deliver of it; ``missing_moment``: what is left for reserves and
        actuators; all (time, coordinate). ``muscle_moment`` (time, coordinate, source): the part of each path,
        ``muscle:<name>`` or ``passive:<name>`` as in :func:`contributions`.

    Guarantees, each a test
    -----------------------
    - without constraints a path's part is its moment arm times its tension
    - of a load balanced by ``muscle_forces``, what is missing is what its reserves bear

    Examples
    --------
    >>> balance = bo.muscle_balance(model, motion, loads, tensions={"soleus_r": 500.0})
    >>> balance["muscle_moment"].dims
    ('time', 'coordinate', 'source')
    """
    outside = ActingForces.of_loads(model, motion, loads)
    prepared = outside.prepared
    table = tension_table(model, prepared, as_mapping(tensions))
    n, n_u = len(prepared.q), len(model.speed_names)
    demanded = np.full((n, n_u), np.nan)
    parts = np.full((n, n_u, len(table.names)), np.nan)
    resting = np.zeros((n, n_u))
    for name, force in (passive_generalized_forces(model, motion) if passive else {}).items():
        # A tension that is given takes the place of the one that a path has by itself.
        resting += 0.0 if name in table.names else force[prepared.known]
    independent = independent_speeds(model, prepared.q, prepared.time[prepared.known])
    for block in blocks(n, _AT_ONCE):
        needed, delivered = _block(outside, block, table.names)
        ways = independent.directions(prepared.q[block], prepared.time[prepared.known][block])
        if ways is None:
            ways = np.broadcast_to(
                np.eye(n_u)[:, independent.speeds], (len(needed), n_u, len(independent.speeds))
            )
        demanded[block, independent.speeds] = np.einsum("nk,nkb->nb", needed - resting[block], ways)
        arms = np.einsum("npk,nkb->nbp", delivered, ways)
        parts[block, independent.speeds] = arms * table.values[block, None, :]
    total = parts.sum(axis=-1)
    muscles = set(model.muscle_names)
    dims = ("time", "coordinate")
    data = {
        "demanded_moment": labelled(dims, prepared.whole(demanded), FORCE_UNITS),
        "muscle_moment": labelled((*dims, "source"), prepared.whole(parts), FORCE_UNITS),
        "total_muscle_moment": labelled(dims, prepared.whole(total), FORCE_UNITS),
        "missing_moment": labelled(dims, prepared.whole(demanded - total), FORCE_UNITS),
    }
    coordinates = {
        "time": time_axis(prepared.time),
        "coordinate": list(model.speed_names),
        "unit": ("coordinate", force_units(model)),
        "source": [f"{'muscle' if name in muscles else 'passive'}:{name}" for name in table.names],
    }
    return plain_result(data, coordinates, {"analysis": "muscle_balance", "model": model.name})


def _block(outside: ActingForces, block: slice, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Generalized forces (n, n_u), and those of unit tension in each path (n, n_paths, n_u)."""
    prepared, loads = outside.prepared, outside.from_outside(block)
    compiled, q = prepared.compiled, prepared.q[block]
    answer = (
        engine()
        .inverse_dynamics(compiled.mechanism, q, prepared.u[block], prepared.udot[block], loads)
        .generalized_force
    )
    if not names:
        return answer, np.zeros((len(q), 0, answer.shape[1]))
    return answer, path_forces(compiled, paths_of(compiled, names), q).force
