"""Newton's method that closes loops, on all instants at once.

It moves along the manifold of the driven coordinates, which have their values at every step.
"""

from __future__ import annotations

import numpy as np

from borelli.attitude import normalized
from borelli.errors import UnsolvableError
from borelli.kernels.tree.blocks import blocks
from borelli.kernels.tree.joint_maps import BallMap
from borelli.mechanics.constraints.constraint_rows import Rows
from borelli.mechanics.constraints.free_speeds import Closure, free_basis, least_squares, obey
from borelli.mechanics.constraints.system import ConstraintSystem
from borelli.mechanics.motion.coordinate_rates import rates

# The longest step of 0.5 crosses any range of a joint in a dozen steps; near singular postures convergence is slow.
_MOST_STEPS = 60
# Errors below this are round-off of positions of about a metre.
_ROUND_OFF = 1e-14
# No coordinate moves further than this in one step (rad or m): Newton's method from afar stays on course.
_LONGEST_STEP = 0.5
# Below this an error is a solution; solutions nearer to each other than the second are one.
_SOLVED, _SAME = 1e-9, 1e-6


def close_loops(
    system: ConstraintSystem, closure: Closure, q: np.ndarray, time: np.ndarray, tolerance: float
) -> np.ndarray:
    """Return coordinates that obey the constraints, as far as Newton's method gets, (n, n_q).

    Instants in which it fails start again from the nearest instant in which it did not.
    """
    q = driven_values(system, q, time)
    if not system.closes_loops:
        return q
    q, error = _newton(system, closure, unit_quaternions(system, q), time)
    kept = _kept_coordinates(system, closure)
    failed = np.flatnonzero(~(error <= tolerance))
    while 0 < failed.size < len(q):
        solved = np.flatnonzero(error <= tolerance)
        after = np.clip(np.searchsorted(solved, failed), 1, max(len(solved) - 1, 1))
        pair = solved[np.stack([after - 1, np.minimum(after, len(solved) - 1)])]
        nearest = np.where(np.abs(pair[0] - failed) <= np.abs(pair[1] - failed), pair[0], pair[1])
        start = np.where(kept, q[failed], q[nearest])
        start = unit_quaternions(system, driven_values(system, start, time[failed]))
        q[failed], error[failed] = _newton(system, closure, start, time[failed])
        still_failed = failed[~(error[failed] <= tolerance)]
        if still_failed.size == failed.size:
            break
        failed = still_failed
    return q


def follow_branch(
    system: ConstraintSystem,
    closure: Closure,
    q: np.ndarray,
    time: np.ndarray,
    before: np.ndarray | None,
) -> np.ndarray:
    """Return solutions that continue each other where a loop can be closed in several ways, (n, n_q).

    Each instant is solved again from the instant before it. Where that leads elsewhere, the instant changes to the
    branch of its predecessor, and so on with the instants after it.

    Parameters
    ----------
    q : (n, n_q) float
        Solutions, each on any branch.
    before : (1, n_q) float, optional
        The instant before the first.
    """
    q = q.copy()
    kept = _kept_coordinates(system, closure)
    chain = q if before is None else np.vstack([before, q])
    when = time if before is None else np.concatenate([time[:1], time])

    def from_predecessor(instants: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve instants again from those before them; tell where that is another, much nearer solution."""
        own, last = chain[instants], chain[instants - 1]
        start = unit_quaternions(system, driven_values(system, np.where(kept, own, last), when[instants]))
        found, error = _newton(system, closure, start, when[instants])
        gap, reach, jump = (np.abs(x).max(axis=1) for x in (found - own, found - last, own - last))
        return found, (error <= _SOLVED) & (gap > _SAME) & (jump > 2 * reach)

    suspects = np.arange(1, len(chain))
    for first in suspects[from_predecessor(suspects)[1]]:
        for instant in range(first, len(chain)):
            found, jumps = from_predecessor(np.array([instant]))
            if not jumps[0]:
                break
            chain[instant] = found[0]
    return chain if before is None else chain[1:]


def _kept_coordinates(system: ConstraintSystem, closure: Closure) -> np.ndarray:
    """Coordinates that closing the loops must not move, (n_q,) bool."""
    moving = set(closure.free[closure.mobility > 0].tolist())
    kept = np.zeros(system.compiled.mechanism.n_coordinates, dtype=bool)
    for joint in system.compiled.joints.values():
        for coordinate in joint.coordinates:
            speed = system.compiled.speed_of(coordinate)
            speeds = set(joint.speeds[:3]) if speed is None else {speed}
            kept[coordinate] = not speeds & moving
    return kept


def _newton(
    system: ConstraintSystem, closure: Closure, q: np.ndarray, time: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Run Newton's method on all instants at once; return the best coordinates and their largest error.

    A step after which the error is larger is taken back and shortened.
    """
    best, tried = q.copy(), q.copy()
    error, length = np.full(len(q), np.inf), np.ones(len(q))
    active = np.arange(len(q))
    for _ in range(_MOST_STEPS):
        rows = system.position_rows(tried[active], time[active])
        size = np.abs(rows.error).max(axis=1, initial=0.0)
        better = size < error[active]
        # Near the solution the error falls with its square: where it no longer does, round-off is reached.
        done = (size <= _ROUND_OFF) | ((size < 1e-10) & (size > 0.1 * error[active])) | ~np.isfinite(size)
        length[active] = np.where(better, np.minimum(1.0, 2 * length[active]), 0.25 * length[active])
        improved = active[better]
        best[improved], error[improved] = tried[improved], size[better]
        active, worse, rows = active[~done], ~better[~done], Rows(*(part[~done] for part in rows))
        if not active.size:
            break
        tried[active] = best[active]
        if worse.any():
            rows = system.position_rows(tried[active], time[active])
        tried[active] = _step(system, closure, tried[active], time[active], rows, length[active])
    return best, error


def _step(
    system: ConstraintSystem,
    closure: Closure,
    q: np.ndarray,
    time: np.ndarray,
    rows: Rows,
    length: np.ndarray,
) -> np.ndarray:
    """Make one Newton step, or a part of it, along the manifold of the driven coordinates."""
    basis = free_basis(closure, system.driven_jacobian(q, time))
    reduced = rows.jacobian @ basis * closure.mobility
    change = -closure.mobility * least_squares(reduced, rows.error)
    longest = np.abs(change).max(axis=1, initial=0.0)
    change *= (length * _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))[:, None]
    direction = np.einsum("nij,nj->ni", basis, change)
    moved = unit_quaternions(system, q + rates(system.compiled.mechanism, q, direction))
    return driven_values(system, moved, time)


def project(
    system: ConstraintSystem, q: np.ndarray, u: np.ndarray, time: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the states nearest to given ones that obey the constraints, with unit quaternions.

    Raises
    ------
    UnsolvableError
        If there is none near.
    """
    closure = Closure.of(system, set(), {})
    q = unit_quaternions(system, close_loops(system, closure, q, time, _SOLVED))
    require_solved(system, q, time, np.arange(len(q)), _SOLVED)
    if not system.names:
        return q, u
    return q, obey(system, closure, q, u, np.zeros_like(u), time)[0]


def require_solved(
    system: ConstraintSystem, q: np.ndarray, time: np.ndarray, instants: np.ndarray, tolerance: float
) -> None:
    """Raise, naming constraint and instant, if some of the instants do not obey the constraints."""
    n_u = system.compiled.mechanism.n_speeds
    for block in blocks(len(instants)):
        chosen = instants[block]
        error = np.abs(system.rows(q[chosen], np.zeros((len(chosen), n_u)), time[chosen]).error)
        failed = ~(error.max(axis=1, initial=0.0) <= tolerance)
        if failed.any():
            first = int(np.argmax(failed))
            row = int(np.nanargmax(error[first]))
            instant = int(chosen[first])
            raise UnsolvableError(
                f"constraint {system.names[row]!r} cannot be met in instant {instant} ({time[instant]:g} s): "
                f"{error[first, row]:.3g} m or rad remain.",
                where=f"{int(failed.sum())} of {len(chosen)} instants, model {system.compiled.model.name!r}",
                remedy="start nearer to a solution, hold fewer coordinates, or check the constraint",
            )


def driven_values(system: ConstraintSystem, q: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Give every driven coordinate its value; couplers that follow each other need as many passes."""
    if not system.driven:
        return q
    q = q.copy()
    for _ in range(len(system.driven) + 1):
        before = q.copy()
        for row in system.driven:
            q[:, row.coordinate] = row.target(q, time)
        if np.array_equal(before, q, equal_nan=True):
            return q
    names = ", ".join(repr(row.name) for row in system.driven if row.arguments)
    raise UnsolvableError(
        f"the couplers of model {system.compiled.model.name!r} depend on each other in a circle.",
        where=names,
        remedy="make one coordinate of the circle independent",
    )


def unit_quaternions(system: ConstraintSystem, q: np.ndarray) -> np.ndarray:
    """Return q with its quaternions at unit length."""
    q = q.copy()
    for mobilizer in system.compiled.mechanism.mobilizers:
        if isinstance(mobilizer.map, BallMap) and mobilizer.map.quaternion:
            places = list(mobilizer.coordinates[:4])
            q[:, places] = normalized(q[:, places])
    return q
