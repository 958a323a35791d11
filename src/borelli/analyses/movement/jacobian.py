"""How does a point or frame move with every coordinate, and which forces do velocities and weight need?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from borelli.mechanics.engine import engine
from borelli.mechanics.motion.frame_jacobian import frame_jacobian
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import in_threads, prepare
from borelli.model.force_units import FORCE_UNITS, force_units
from borelli.model.model import Model
from borelli.model.values import vector
from borelli.results.labelled.dataset import AXES, dataset, labelled, time_axis

if TYPE_CHECKING:
    import xarray as xr


def jacobian(
    model: Model, motion: Motion, frame: str, point: Sequence[float] = (0.0, 0.0, 0.0)
) -> xr.Dataset:
    """Velocity of a point and angular velocity of its frame per unit of every speed, in ground.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    frame : str
        A body or frame.
    point : 3 floats
        Where the point is, in that frame (m).

    Returns
    -------
    Dataset
        ``linear``, ``angular`` (time, axis, coordinate): velocity = linear u, angular velocity = angular u.
        Their transposes turn a force at the point and a moment into generalized forces.

    Guarantees, each a test
    -----------------------
    - times the speeds, the velocity of the point by differences of its positions
    - its transpose turns a load into the generalized forces of :func:`inverse_dynamics`

    Examples
    --------
    >>> heel = bo.jacobian(model, motion, "foot_r", (-0.06, -0.08, 0.0))
    >>> heel["linear"].dims
    ('time', 'axis', 'coordinate')
    """
    location = vector(point, "the point of a Jacobian")
    found = frame_jacobian(model, motion, frame, location)
    dims = ("time", "axis", "coordinate")
    return dataset(
        {
            "linear": labelled(dims, found.linear, "m or 1", "ground"),
            "angular": labelled(dims, found.angular, "1 or 1/m", "ground"),
        },
        {"time": time_axis(found.time), "axis": list(AXES), "coordinate": list(model.speed_names)},
        {"analysis": "jacobian", "model": model.name, "frame": frame, "point": list(location)},
    )


def bias_forces(model: Model, motion: Motion) -> xr.Dataset:
    """Generalized forces that velocities and weight require, apart: tau = M udot + velocity + gravity.

    Parameters
    ----------
    model : Model
    motion : Motion
        Coordinates and speeds; its accelerations are not used.

    Returns
    -------
    Dataset
        ``velocity_force`` (time, coordinate): Coriolis and centrifugal, quadratic in the speeds;
        ``gravity_force`` (time, coordinate): what carries the weight at rest.

    Guarantees, each a test
    -----------------------
    - with the mass matrix times the accelerations, they add up to :func:`inverse_dynamics`
    - velocity forces are quadratic in the speeds

    Examples
    --------
    >>> bias = bo.bias_forces(model, motion)
    >>> float(bias["gravity_force"].sel(coordinate="pelvis_ty").mean().round(1))  # the body's weight, N
    715.9
    """
    prepared = prepare(model, motion)
    mechanism, backend = prepared.compiled.mechanism, engine()
    still = np.zeros_like(prepared.u)

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        q, rest, loads = prepared.q[instants], still[instants], prepared.fictitious_in(instants)
        both = backend.inverse_dynamics(mechanism, q, prepared.u[instants], rest, loads).generalized_force
        gravity = backend.inverse_dynamics(mechanism, q, rest, rest).generalized_force
        return both - gravity, gravity

    velocity, gravity = in_threads(len(prepared.q), 1, work, prepared.most_at_once)
    dims = ("time", "coordinate")
    return dataset(
        {
            "velocity_force": labelled(dims, prepared.whole(velocity), FORCE_UNITS),
            "gravity_force": labelled(dims, prepared.whole(gravity), FORCE_UNITS),
        },
        {
            "time": time_axis(prepared.time),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
        },
        {"analysis": "bias_forces", "model": model.name},
    )
