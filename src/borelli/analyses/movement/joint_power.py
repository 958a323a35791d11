"""How fast do joints move, and how much power do they give and take?"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from borelli.arrays import plain_numbers
from borelli.errors import MissingInputError
from borelli.mechanics.motion.ordered_motion import Motion, states
from borelli.mechanics.motion.prepare import warn_of_unknown
from borelli.model.force_units import force_units
from borelli.model.model import Model
from borelli.results.labelled.dataset import labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, plain_result

if TYPE_CHECKING:
    import xarray as xr

# What goes with the unit of a generalized force, so that force times speed is a power.
_VALUE_UNITS = {"N m": "rad", "N": "m", "J": "1"}
_SPEED_UNITS = {"N m": "rad/s", "N": "m/s", "J": "1/s"}


def joint_power(model: Model, motion: Motion, generalized_force: xr.DataArray) -> xr.Dataset:
    """Coordinates, their speeds, and the power and work of the generalized forces that drive them.

    Parameters
    ----------
    model : Model
    motion : Motion
    generalized_force : DataArray (time, coordinate)
        Conjugate to the speeds, such as that of :func:`inverse_dynamics` or ``total_generalized_force`` of
        :func:`analyze` (N m, N).

    Returns
    -------
    Dataset
        ``coordinate_value`` (time, coordinate), rad or m, NaN of a speed that is no coordinate's own (the angular
        velocity of a ball); ``coordinate_speed`` (time, coordinate), rad/s or m/s; ``power`` (time, coordinate), W:
        force times speed, positive where muscles shorten, all in all; ``joint_power`` (time, joint), W: the sum over a
        joint's speeds, whatever axes they are about; ``joint_work`` (time, joint), J: its integral from the first
        instant on (trapezoids; instants without a number count as none).

    Guarantees, each a test
    -----------------------
    - power is force times speed; the powers of all joints are the rate of change of the energy less the power of the
      loads
    - the work of a joint is the integral of its power

    Examples
    --------
    >>> forces = bo.inverse_dynamics(model, motion, loads)["generalized_force"]
    >>> given = bo.joint_power(model, motion, forces)["joint_power"].sel(joint="ankle_r")
    >>> bool(given.max() > 100.0)  # W, at push-off
    True
    """
    force = _in_order(generalized_force, list(model.speed_names), motion.n_times)
    warn_of_unknown(motion.time, [~motion.missing, force])
    return power_and_work(model, motion, force).to_dataset()


def power_and_work(model: Model, motion: Motion, force: np.ndarray) -> PlainResult:
    """Return what :func:`joint_power` does of generalized forces in the order of the model, (n_times, n_u)."""
    own = states(model, motion)
    names = list(model.speed_names)
    place = {name: k for k, name in enumerate(model.coordinate_names)}
    unknown = np.full(len(own.time), np.nan)
    value = np.column_stack(
        [own.q[:, place[name]] if name in place else unknown for name in names] or [own.q]
    )
    power = force * own.u
    starts = np.cumsum([0, *(len(joint.speed_names) for joint in model.joints)])
    by_joint = np.column_stack(
        [power[:, a:b].sum(axis=1) for a, b in pairwise(starts)] or [np.zeros((len(own.time), 0))]
    )
    dims = ("time", "coordinate")
    data = {
        "coordinate_value": labelled(dims, value, "rad, m", unit_of=_VALUE_UNITS),
        "coordinate_speed": labelled(dims, own.u, "rad/s, m/s", unit_of=_SPEED_UNITS),
        "power": labelled(dims, power, "W"),
        "joint_power": labelled(("time", "joint"), by_joint, "W"),
        "joint_work": labelled(("time", "joint"), _integral(own.time, by_joint), "J"),
    }
    coordinates = {
        "time": time_axis(own.time),
        "coordinate": names,
        "unit": ("coordinate", force_units(model)),
        "joint": list(model.joint_names),
    }
    return plain_result(data, coordinates, {"analysis": "joint_power", "model": model.name})


def _in_order(force: xr.DataArray, names: list[str], n_times: int) -> np.ndarray:
    """Forces in the order of the model; every speed needs one."""
    known = [str(name) for name in force["coordinate"].values] if "coordinate" in force.dims else []
    missing = [name for name in names if name not in known]
    if missing or force.sizes.get("time") != n_times:
        lacking = f"of {missing[0]!r}" if missing else "at every instant of the motion"
        raise MissingInputError(
            f"There is no generalized force {lacking}.",
            remedy="give that of inverse_dynamics(model, motion, loads), of the same model and motion",
        )
    order = [known.index(name) for name in names]
    return plain_numbers(force.transpose("time", "coordinate").values, "generalized_force")[:, order]


def _integral(time: np.ndarray, power: np.ndarray) -> np.ndarray:
    """Trapezoids from the first instant on, (n_times, n)."""
    filled = np.nan_to_num(power)
    steps = 0.5 * (filled[1:] + filled[:-1]) * np.diff(time)[:, None]
    return np.concatenate([np.zeros((1, power.shape[1])), np.cumsum(steps, axis=0)])
