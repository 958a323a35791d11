"""Generalized forces as the table that OpenSim's inverse-dynamics tool writes."""

from __future__ import annotations

import numpy as np

from borelli.model.joints.coordinate import MotionType
from borelli.model.model import Model
from borelli.model.plausibility.limits import refuse_impossible_forces
from borelli.results.labelled.plain_result import Result, labels
from borelli.results.labelled.table import Table

NAME = "Inverse Dynamics Generalized Forces"


def generalized_force_table(model: Model, result: Result) -> Table:
    """Return ``<coordinate>_moment`` and ``<coordinate>_force`` columns in the tool's order.

    Parameters
    ----------
    model : Model
    result : Dataset of ``bo.inverse_dynamics``
        With ``generalized_force`` (time, coordinate).

    Notes
    -----
    The order is that of the joints from ground outwards, level by level. Forces that no body needs are refused.
    """
    coordinates = [coordinate for joint in model.joints_from_ground() for coordinate in joint.coordinates]
    rotational = [coordinate.motion is MotionType.ROTATIONAL for coordinate in coordinates]
    names = [coordinate.name for coordinate in coordinates]
    known = labels(result, "coordinate").places
    own = result.variables["generalized_force"].transpose("time", "coordinate").values
    forces = own[:, [known[name] for name in names]]
    time = np.asarray(result.variables["time"].values, dtype=np.float64)
    refuse_impossible_forces(model, time, names, forces)
    return Table(
        time=time,
        columns=tuple(f"{n}_{'moment' if r else 'force'}" for n, r in zip(names, rotational, strict=True)),
        values=np.asarray(forces, dtype=np.float64),
        units=tuple("N m" if r else "N" for r in rotational),
        in_degrees=False,
        name=NAME,
    )
