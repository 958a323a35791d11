"""A motion in the order of a model: q, u and udot as plain arrays."""

from __future__ import annotations

import numpy as np

from borelli.arrays import all_plausible
from borelli.attitude_rates import derivatives, rates_from_angles, rates_from_quaternions
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError, few
from borelli.kernels.side_by_side import side_by_side
from borelli.kernels.tree.blocks import blocks
from borelli.model import (
    Model,
)
from borelli.model.load import Load as Load
from borelli.model.motion import Motion as Motion
from borelli.model.plausibility.limits import (
    LARGEST_COORDINATE,
    LARGEST_RESULT,
    refuse_impossible_accelerations,
    refuse_impossible_numbers,
)
from borelli.records import dataclass

# A look at so many takes longer than to hand it to a thread.
_NUMBERS_AT_ONCE = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """A motion in the order of a model.

    Parameters
    ----------
    time : (n_times,) float
    q : (n_times, n_q) float
        In the order of ``model.coordinate_names``.
    u, udot : (n_times, n_u) float
        In the order of ``model.speed_names``.
    """

    time: np.ndarray
    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    are_known: bool = False
    """Whether all of them were found to be numbers; else nobody looked, or some are NaN."""


def positions(model: Model, motion: Motion) -> np.ndarray:
    """Return q in the order of the model, (n_times, n_q).

    Raises
    ------
    UnknownNameError
        If the motion has a column that is no coordinate of the model.
    MissingInputError
        If it lacks a coordinate.
    InvalidValueError
        If a coordinate is beyond what can be computed with.
    """
    _refuse_planar(model, motion)
    q = _in_order(motion.q, motion.coordinates, model.coordinate_names, "coordinate", model)
    _look_at([("coordinate", q)], model, motion, 1)
    return q


def _refuse_planar(model: object, motion: object) -> None:
    """Say where to go with a planar chain or motion, which the spatial engine does not take."""
    what = "chain" if hasattr(model, "links") else "motion" if hasattr(motion, "angle") else ""
    if what:
        raise InvalidValueError(
            f"A planar {what} was given where the spatial engine needs a model and its motion.",
            remedy="ask borelli planar; in Python the functions of borelli.planar, or turn both over with "
            "planar.to_model(chain), planar.to_motion(chain, motion) and planar.to_loads(chain, motion, contacts)",
        )


def states(model: Model, motion: Motion, threads: int = 1, *, look: bool = True) -> States:
    """Return q, u and udot in the order of the model; what the motion lacks comes from splines.

    So many threads look for numbers that no body has; nobody does where they are given and the caller will.
    """
    _refuse_planar(model, motion)
    if motion.u is not None and motion.udot is not None:
        q = _in_order(motion.q, motion.coordinates, model.coordinate_names, "coordinate", model)
        u, udot = (_rates(model, motion, table) for table in (motion.u, motion.udot))
        given = [("coordinate", q), ("speed", u), ("acceleration", udot)]
        return States(motion.time, q, u, udot, not look or _look_at(given, model, motion, threads))
    q = positions(model, motion)
    if motion.u is not None:
        u = _rates(model, motion, motion.u)
        _look_at([("speed", u)], model, motion, 1)
        udot = derivatives(motion.time, u)[0]
        refuse_impossible_accelerations(motion.time, model.speed_names, udot)
    else:
        u, udot = _from_splines(model, motion.time, q)
        refuse_impossible_accelerations(motion.time, model.speed_names, udot)
    return States(motion.time, q, u, udot)


def _rates(model: Model, motion: Motion, table: np.ndarray) -> np.ndarray:
    """Return speeds or accelerations as they were given, in the order of the model."""
    assert motion.speeds is not None
    return _in_order(table, motion.speeds, model.speed_names, "speed", model)


def _look_at(tables: list[tuple[str, np.ndarray]], model: Model, motion: Motion, threads: int) -> bool:
    """Refuse numbers that nothing can be computed from; return whether all of them are known."""
    limits = {"coordinate": LARGEST_COORDINATE, "speed": LARGEST_RESULT, "acceleration": LARGEST_RESULT}
    pieces = [
        (values[rows], limits[kind])
        for kind, values in tables
        for rows in blocks(len(values), max(1, _NUMBERS_AT_ONCE // max(1, values.shape[1])))
    ]
    if all(side_by_side(lambda piece: all_plausible(*piece), pieces, threads)):
        return True
    for kind, values in tables:
        names = model.coordinate_names if kind == "coordinate" else model.speed_names
        refuse_impossible_numbers(kind, limits[kind], motion.time, names, values)
    return False


def _in_order(
    table: np.ndarray, given: tuple[str, ...], wanted: tuple[str, ...], kind: str, model: Model
) -> np.ndarray:
    if given == wanted:
        return table
    place = {name: index for index, name in enumerate(given)}
    for name in given:
        if name not in wanted:
            raise UnknownNameError.among(
                name, kind, wanted, of=f"model {model.name!r}", where=f"the columns of the motion ({kind}s)"
            )
    missing = [name for name in wanted if name not in place]
    if missing:
        shown = few(map(repr, missing), 8)
        raise MissingInputError(
            f"the motion lacks {len(missing)} of the {len(wanted)} {kind}s of model {model.name!r}: {shown}.",
            remedy="add these columns to its table (those that couplers determine may be left out of a file); in "
            "Python, borelli.assemble(model, motion) finds those that constraints determine",
        )
    return table[:, [place[name] for name in wanted]]


def completed(model: Model, motion: Motion) -> Motion:
    """Return the motion with the coordinates it lacks at their defaults, at rest.

    Parameters
    ----------
    model : Model
    motion : Motion
        Without speeds, or with speeds for every one of its own coordinates.
    """
    lacking = [coordinate for coordinate in model.coordinates if coordinate.name not in motion.coordinates]
    defaults = np.tile([coordinate.default_value for coordinate in lacking], (motion.n_times, 1))
    names = motion.coordinates + tuple(coordinate.name for coordinate in lacking)
    q = np.hstack([motion.q, defaults])
    if motion.u is None or motion.speeds is None:
        return Motion(motion.time, names, q, settings=motion.settings)
    speeds = motion.speeds + tuple(name for name in model.speed_names if name not in motion.speeds)
    still = np.zeros((motion.n_times, len(speeds) - len(motion.speeds)))
    udot = None if motion.udot is None else np.hstack([motion.udot, still])
    return Motion(motion.time, names, q, np.hstack([motion.u, still]), udot, speeds, motion.settings)


def _from_splines(model: Model, time: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Differentiate q; where a joint has an angular velocity for speeds, turn the rates into it."""
    first, second = derivatives(time, q)
    u: list[np.ndarray] = [np.empty((time.size, 0))]
    udot: list[np.ndarray] = [np.empty((time.size, 0))]
    start = 0
    for joint in model.joints:
        stop = start + len(joint.coordinates)
        width = joint.n_attitude
        if width:
            attitude = q[:, start : start + width]
            rates = rates_from_quaternions if width == 4 else rates_from_angles
            velocity, acceleration = rates(time, attitude)
            u.append(velocity)
            udot.append(acceleration)
        u.append(first[:, start + width : stop])
        udot.append(second[:, start + width : stop])
        start = stop
    return np.hstack(u), np.hstack(udot)
