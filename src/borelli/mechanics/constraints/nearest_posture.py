"""Of all postures that obey the constraints, the one nearest to a given one.

Newton's method ends at one that is near: it steps along the Jacobian of where it is, so that a body may have turned
although the constraints, once met, do not depend on it. From there this goes on along the constraints, by sequential
quadratic programming, to the least sum of squares of what the coordinates were moved.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.tree.joint_maps import BallMap
from borelli.mechanics.constraints.free_speeds import REDUNDANT, Closure, free_basis
from borelli.mechanics.constraints.loop_closure import close_loops, driven_values, unit_quaternions
from borelli.mechanics.constraints.system import ConstraintSystem
from borelli.mechanics.motion.coordinate_rates import rate_row, rates

# Convergence is linear, with a rate of about the angle (rad) by which the given posture is off.
_MOST_STEPS = 100
# A first step below the one (rad or m) is not made: files and filters leave as much. Below the other it is found.
_NEAR, _FOUND = 1e-9, 1e-13
# No speed moves a posture further than this in one step (rad or m).
_LONGEST_STEP = 0.5


def nearest_posture(
    system: ConstraintSystem,
    closure: Closure,
    q: np.ndarray,
    given: np.ndarray,
    time: np.ndarray,
    tolerance: float,
) -> np.ndarray:
    """Return coordinates that obey the constraints and are as near to given ones as they can be, (n, n_q).

    Parameters
    ----------
    q : (n, n_q) float
        Postures that obey the constraints; one from which no nearer one is found is returned as it is.
    given : (n, n_q) float
        What they should be near to. Coordinates that others determine do not count, nor do those that the model leaves
        free to satisfy constraints.
    tolerance : float
        Largest error of a constraint that is accepted (m or rad).
    """
    if not system.closes_loops:
        return q
    counted, weight = _counted(system, closure)
    if not counted:
        return q
    found = _along_constraints(system, closure, q, given, time, counted, weight)
    changed = np.flatnonzero((found != q).any(axis=1))
    if not changed.size:
        return q
    closed = close_loops(system, closure, found[changed], time[changed], tolerance)
    error = np.abs(system.position_rows(closed, time[changed]).error).max(axis=1, initial=0.0)
    here, there = (
        np.square(weight * (x - given[changed])[:, counted]).sum(axis=1) for x in (q[changed], closed)
    )
    better = (error <= tolerance) & (there < here)
    q = q.copy()
    q[changed[better]] = closed[better]
    return q


def _along_constraints(
    system: ConstraintSystem,
    closure: Closure,
    q: np.ndarray,
    given: np.ndarray,
    time: np.ndarray,
    counted: list[int],
    weight: np.ndarray,
) -> np.ndarray:
    """Go along the constraints, which hold in the end but for what a last step of Newton's method mends."""
    q = q.copy()
    active = np.arange(len(q))
    for count in range(_MOST_STEPS):
        step = _step(system, closure, q[active], given[active], time[active], counted, weight)
        longest = np.abs(step).max(axis=1, initial=0.0)
        far = longest > (_FOUND if count else _NEAR)
        active, step, longest = active[far], step[far], longest[far]
        if not active.size:
            break
        step *= (_LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))[:, None]
        moved = q[active] + rates(system.compiled.mechanism, q[active], step)
        q[active] = driven_values(system, unit_quaternions(system, moved), time[active])
    return q


def _counted(system: ConstraintSystem, closure: Closure) -> tuple[list[int], np.ndarray]:
    """Coordinates that should stay where they are, and the square roots of their weights."""
    compiled, model = system.compiled, system.compiled.model
    mobility = np.zeros(compiled.mechanism.n_speeds)
    mobility[closure.free] = closure.mobility
    quaternions = {
        place
        for mobilizer in compiled.mechanism.mobilizers
        if isinstance(mobilizer.map, BallMap) and mobilizer.map.quaternion
        for place in mobilizer.coordinates[:4]
    }
    counted, weight = [], []
    for joint in compiled.joints.values():
        for coordinate in joint.coordinates:
            speed = compiled.speed_of(coordinate)
            own = mobility[joint.speeds[0] if speed is None else speed]
            free = model.coordinates[model.coordinate_names[coordinate]].free_to_satisfy_constraints
            if own > 0 and not free:
                counted.append(coordinate)
                # A unit quaternion changes by half the angle.
                weight.append((2.0 if coordinate in quaternions else 1.0) / own)
    return counted, np.array(weight)


def _step(
    system: ConstraintSystem,
    closure: Closure,
    q: np.ndarray,
    given: np.ndarray,
    time: np.ndarray,
    counted: list[int],
    weight: np.ndarray,
) -> np.ndarray:
    """Solve the quadratic program of one step: change of all speeds, (n, n_u)."""
    compiled = system.compiled
    basis = free_basis(closure, system.driven_jacobian(q, time))[:, :, closure.mobility > 0]
    rows = system.position_rows(q, time)
    bound = rows.jacobian @ basis
    inverse = np.linalg.pinv(bound, rcond=REDUNDANT)
    back = -np.einsum("nij,nj->ni", inverse, rows.error)
    along = np.eye(bound.shape[2]) - inverse @ bound
    rate = np.stack([rate_row(compiled, coordinate, q) for coordinate in counted], axis=1)
    slope = weight[:, None] * (rate @ basis)
    miss = weight * (q - given)[:, counted] + np.einsum("nij,nj->ni", slope, back)
    nearer = np.einsum("nij,nj->ni", np.linalg.pinv(slope @ along, rcond=REDUNDANT), miss)
    return np.einsum("nij,nj->ni", basis, back - np.einsum("nij,nj->ni", along, nearer))
