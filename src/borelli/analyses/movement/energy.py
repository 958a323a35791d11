"""How much energy and momentum does a moving model have?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import in_threads, prepare
from borelli.model.model import Model
from borelli.results.labelled.dataset import AXES, dataset, labelled, time_axis

if TYPE_CHECKING:
    import xarray as xr


def energy(model: Model, motion: Motion, *, threads: int = 1) -> xr.Dataset:
    """Kinetic and potential energy, linear and angular momentum of the whole model.

    Parameters
    ----------
    model : Model
    motion : Motion
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``kinetic_energy``, ``potential_energy`` (time), J, the latter zero with all mass at the ground's origin;
        ``momentum`` (time, axis), kg m/s; ``angular_momentum`` (time, axis), kg m²/s about the ground's origin.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits
    - its rate is the power of forces and loads

    Examples
    --------
    >>> of = bo.energy(model, motion)
    >>> float(of["kinetic_energy"].mean().round(-1))  # J, 73 kg at 1.3 m/s
    70.0
    """
    prepared = prepare(model, motion)
    mechanism, backend = prepared.compiled.mechanism, engine()

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        return tuple(backend.energy(mechanism, prepared.q[instants], prepared.u[instants]))

    found = (prepared.whole(part) for part in in_threads(len(prepared.q), threads, work))
    kinetic, potential, momentum, angular = found
    potential = potential + _potential_of_fixed_bodies(prepared.compiled)
    return dataset(
        {
            "kinetic_energy": labelled(("time",), kinetic, "J"),
            "potential_energy": labelled(("time",), potential, "J"),
            "momentum": labelled(("time", "axis"), momentum, "kg m/s", "ground"),
            "angular_momentum": labelled(("time", "axis"), angular, "kg m^2/s", "ground"),
        },
        {"time": time_axis(prepared.time), "axis": list(AXES)},
        {"analysis": "energy", "model": model.name},
    )


def _potential_of_fixed_bodies(compiled: CompiledModel) -> float:
    """Potential energy of the bodies that are welded to the ground, which have no node (J)."""
    total = 0.0
    for body in compiled.model.bodies:
        place = compiled.bodies[body.name]
        if place.node == GROUND:
            total -= float(body.mass) * float(
                np.dot(compiled.model.gravity, place.placement.of_point(body.com))
            )
    return total
