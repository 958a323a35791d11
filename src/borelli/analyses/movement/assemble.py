"""Which motion nearest to a given one obeys the constraints?

Coordinates that a coupler, a lock or a prescribed motion determines are computed from the others, which keep
their values. Where constraints close loops between bodies, the remaining coordinates are moved as little as
possible (least squares, with weights), on all instants at once; speeds and accelerations then follow from linear
equations. Coordinates that the model leaves free to satisfy constraints do not count in the sum of squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.movement.constraints import constraint_residuals
from borelli.arrays import one_number
from borelli.attitude_rates import FEWEST_INSTANTS
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.constraints.free_speeds import Closure, obey
from borelli.mechanics.constraints.loop_closure import close_loops, follow_branch, require_solved
from borelli.mechanics.constraints.nearest_posture import nearest_posture
from borelli.mechanics.constraints.system import ConstraintSystem, constraint_system
from borelli.mechanics.motion.ordered_motion import Motion, completed, positions, states
from borelli.model import Model
from borelli.records import dataclass
from borelli.results.labelled.dataset import labelled
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import plain

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AssembledMotion(Motion):
    """A motion that obeys the constraints of its model.

    Attributes
    ----------
    residuals : Dataset
        ``position_error``, ``velocity_error``, ``acceleration_error`` (time, constraint_row), and
        ``correction`` (time, coordinate): how far each coordinate was moved from its given value.
    """

    checked: PlainResult = field(default_factory=lambda: plain_result({}, {}))
    """The residuals as arrays"""

    @property
    def residuals(self) -> xr.Dataset:
        """What is left of the errors, and how far coordinates were moved."""
        return self.checked.to_dataset()


def assemble(
    model: Model,
    motion: Motion,
    *,
    hold: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    tolerance: float = 1e-9,
) -> AssembledMotion:
    """Return the motion nearest to a given one that obeys all constraints.

    Parameters
    ----------
    model : Model
    motion : Motion
        It may lack coordinates that the constraints determine.
    hold : iterable of str, optional
        Coordinates that must keep their given values while loops are closed. By default nothing is held,
        unless the motion lacks coordinates: then those it has are held.
    weights : mapping of str to float, optional
        How stiff each coordinate is against being moved, more than zero; 1 where not named. Mind that
        radians are compared with metres.
    tolerance : float
        Largest error that is accepted in the end (m or rad); by default far below what is measured, and far above
        round-off.

    Returns
    -------
    AssembledMotion
        A Motion with the model's coordinates in its order, and ``residuals``. Without speeds if they were not
        given and there are too few instants to find them.

    Raises
    ------
    UnsolvableError
        If a constraint cannot be met, naming it and the first such instant.

    Guarantees, each a test
    -----------------------
    - a motion that obeys the constraints is returned as it is, to round-off
    - independent coordinates of couplers keep their values exactly

    Examples
    --------
    >>> neck = bo.library.neck()  # eight joints that couplers make one
    >>> nod = bo.assemble(neck, bo.Motion([0.0, 0.5], ["c7_pitch"], [[0.0], [0.05]]))
    >>> nod.q.shape, bool(abs(nod.residuals["position_error"]).max() < 1e-12)
    ((2, 8), True)
    """
    tolerance = one_number(tolerance, "the tolerance of assembled constraints")
    if not tolerance > 0.0:
        raise InvalidValueError(
            f"the tolerance of assembled constraints must be more than zero, not {tolerance:g}."
        )
    system = constraint_system(model)
    lacking = _lacking(model, motion, system)
    whole = completed(model, motion) if lacking else motion
    given = positions(model, whole)
    closure = _closure(model, system, motion, hold, weights, bool(lacking))
    known = ~np.isnan(given).any(axis=1)
    q, unknown = given.copy(), np.isin(model.coordinate_names, lacking)
    q[known] = _assembled_positions(system, closure, q[known], motion.time[known], tolerance, unknown)
    require_solved(system, q, motion.time, np.flatnonzero(known), tolerance)
    result = _with_rates(model, system, closure, whole, q, known)
    residuals = _residuals(model, result, q - given, set(lacking))
    record = {**motion.settings, "assembled": f"to {tolerance:g} m or rad"}
    names = (result.coordinates, result.speeds)
    return AssembledMotion(
        result.time, names[0], result.q, result.u, result.udot, names[1], record, residuals
    )


def assembled_postures(
    model: Model, q: np.ndarray, time: np.ndarray, hold: Iterable[str], tolerance: float = 1e-9
) -> np.ndarray:
    """Return the postures nearest to given ones that obey all constraints, (n, n_q): no speeds are looked for.

    Parameters
    ----------
    model : Model
    q : (n, n_q) float
        In the model's order (rad or m).
    time : (n,) float
        When prescribed coordinates have their values (s).
    hold, tolerance
        As for :func:`assemble`.

    Raises
    ------
    UnsolvableError
        If a constraint cannot be met, naming it and the first such instant.
    """
    motion = Motion(time, model.coordinate_names, q)
    system = constraint_system(model)
    closure = _closure(model, system, motion, hold, None, False)
    given = positions(model, motion)
    found = _assembled_positions(
        system, closure, given, time, tolerance, np.zeros(given.shape[1], dtype=bool)
    )
    require_solved(system, found, time, np.arange(len(found)), tolerance)
    return found


def _lacking(model: Model, motion: Motion, system: ConstraintSystem) -> list[str]:
    """List the coordinates that the motion lacks; refuse those that no constraint can determine."""
    lacking = [name for name in model.coordinate_names if name not in motion.coordinates]
    driven = {model.coordinate_names[row.coordinate] for row in system.driven}
    open_ones = [name for name in lacking if name not in driven]
    if open_ones and not system.closes_loops:
        raise MissingInputError(
            f"the motion lacks {', '.join(map(repr, open_ones))}, and no constraint determines them.",
            where=f"model {model.name!r}",
            remedy="add these columns to the motion",
        )
    return lacking


def _closure(
    model: Model,
    system: ConstraintSystem,
    motion: Motion,
    hold: Iterable[str] | None,
    weights: Mapping[str, float] | None,
    lacks: bool,
) -> Closure:
    """Translate names into mobilities of speeds: zero where held, else one over the square root of the weight."""
    held = set(motion.coordinates if hold is None and lacks else hold or ())
    weights = dict(weights or {})
    for name in (*held, *weights):
        if name not in model.coordinate_names:
            raise UnknownNameError.among(
                name, "coordinate", model.coordinate_names, of=f"model {model.name!r}"
            )
    for name, weight in weights.items():
        if not one_number(weight, f"the weight of coordinate {name!r}") > 0.0:
            raise InvalidValueError(
                f"the weight of coordinate {name!r} must be more than zero, not {weight!r}."
            )
    return Closure.of(system, held, weights)


def _assembled_positions(
    system: ConstraintSystem,
    closure: Closure,
    given: np.ndarray,
    time: np.ndarray,
    tolerance: float,
    unknown: np.ndarray,
) -> np.ndarray:
    """Solve block by block; ``unknown`` marks the coordinates that were not given, (n_q,) bool."""
    q = given.copy()
    before: np.ndarray | None = None
    for block in blocks(len(q)):
        start = q[block]
        if before is not None:
            start = np.where(unknown, before, start)
        # Closed first, by short steps: the nearest posture is looked for along the constraints, from a posture on
        # them.
        q[block] = close_loops(system, closure, start, time[block], tolerance)
        if not unknown.any():
            q[block] = nearest_posture(system, closure, q[block], given[block], time[block], tolerance)
        # Without values to be near to, the only sensible branch is the one on which the motion goes on.
        if unknown.any() and system.closes_loops:
            q[block] = follow_branch(system, closure, q[block], time[block], before)
            before = q[block][-1:]
    return q


def _with_rates(
    model: Model, system: ConstraintSystem, closure: Closure, whole: Motion, q: np.ndarray, known: np.ndarray
) -> Motion:
    """Add speeds and accelerations that obey the constraints."""
    if whole.u is None and int(known.sum()) < FEWEST_INSTANTS:
        return Motion(whole.time, model.coordinate_names, q, speeds=model.speed_names)
    names = model.coordinate_names
    if whole.u is None:
        own = states(model, Motion(whole.time, names, q))
    else:
        own = states(model, whole)
    u, udot = own.u.copy(), own.udot.copy()
    instants = np.flatnonzero(known)
    for block in blocks(len(instants)):
        chosen = instants[block]
        u[chosen], udot[chosen] = obey(
            system, closure, q[chosen], u[chosen], udot[chosen], whole.time[chosen]
        )
    return Motion(whole.time, names, q, u, udot, model.speed_names)


def _residuals(model: Model, result: Motion, correction: np.ndarray, lacking: set[str]) -> PlainResult:
    """Report what remains, and how far the given coordinates were moved."""
    if result.u is None:
        still = np.zeros((result.n_times, len(model.speed_names)))
        at_rest = Motion(result.time, result.coordinates, result.q, still, still, model.speed_names)
        residuals = plain(constraint_residuals)(model, at_rest).only(["position_error"])
    else:
        residuals = plain(constraint_residuals)(model, result)
    moved = correction.copy()
    for index, name in enumerate(model.coordinate_names):
        if name in lacking:
            moved[:, index] = np.nan
    corrections = plain_result(
        {"correction": labelled(("time", "coordinate"), moved, "rad or m")},
        {"time": residuals["time"], "coordinate": list(model.coordinate_names)},
    )
    return residuals.merged(corrections)
