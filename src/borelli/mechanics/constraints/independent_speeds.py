"""Independent speeds: directions of motion that locks and constraints leave free, along which loads must balance."""

from __future__ import annotations

import numpy as np

from borelli.errors import UnsolvableError
from borelli.mechanics.constraints.free_speeds import Closure, free_basis
from borelli.mechanics.constraints.system import ConstraintSystem, constraint_system
from borelli.model.model import Model
from borelli.records import dataclass

# Of the largest singular value or pivot: far above the round-off of constraints that repeat each other, far below what
# is left of constraints that are meant to differ.
_REDUNDANT = 1e-9


@dataclass(frozen=True)
class IndependentSpeeds:
    """Speeds whose generalized forces must balance; all others follow them.

    Parameters
    ----------
    speeds : (m,) int
        Independent speeds, in the order of the model.
    system : ConstraintSystem or None
        The constraints by which other speeds follow; None where no speed does more than stand still.
    """

    speeds: np.ndarray
    system: ConstraintSystem | None
    dependent: np.ndarray

    def directions(self, q: np.ndarray, time: np.ndarray) -> np.ndarray | None:
        """Motion of all speeds per unit of each independent one, (n, n_u, m); None for one each."""
        if self.system is None:
            return None
        closure = Closure.of(self.system, set(), {})
        still = np.zeros((len(q), self.system.compiled.mechanism.n_speeds))
        basis = free_basis(closure, self.system.driven_jacobian(q, time))
        rows = self.system.other_rows(q, still, time, moving=False).jacobian @ basis
        free = {speed: position for position, speed in enumerate(closure.free)}
        own = [free[speed] for speed in self.speeds]
        if not rows.shape[1]:
            return np.ascontiguousarray(basis[:, :, own])
        others = [free[speed] for speed in self.dependent]
        follow = -np.linalg.pinv(rows[:, :, others], rcond=_REDUNDANT) @ rows[:, :, own]
        left = np.abs(rows[:, :, others] @ follow + rows[:, :, own]).max(axis=(1, 2))
        # Rows are of the size of one, and round-off leaves 1e-15: more says that they do not determine the speeds.
        if (left > 1e-6).any():
            at = float(time[int(np.argmax(left > 1e-6))])
            names = [self.system.compiled.model.speed_names[speed] for speed in self.dependent]
            raise UnsolvableError(
                f"the constraints do not determine {', '.join(map(repr, names))} from the other coordinates.",
                where=f"instant at {at:g} s",
                remedy="avoid the singular posture of the closed loop",
            )
        return np.ascontiguousarray(basis[:, :, own] + basis[:, :, others] @ follow)


def independent_speeds(model: Model, q: np.ndarray, time: np.ndarray) -> IndependentSpeeds:
    """Find the independent speeds: not locked, not prescribed, not driven by a constraint.

    Where constraints close loops, those speeds are taken as dependent that they determine best in the first
    instant.
    """
    system = constraint_system(model)
    closure = Closure.of(system, set(), {})
    nothing = np.zeros(0, int)
    if not system.names:
        return IndependentSpeeds(np.arange(len(model.speed_names)), None, nothing)
    still = np.zeros((1, len(model.speed_names)))
    if not len(q):
        # No instant is known: which speeds are independent is asked of the posture at rest.
        q, time = np.array([[each.default_value for each in model.coordinates]]), np.zeros(1)
    basis = free_basis(closure, system.driven_jacobian(q[:1], time[:1]))
    rows = (system.other_rows(q[:1], still, time[:1], moving=False).jacobian @ basis)[0]
    if not len(rows):
        moving = bool(np.abs(np.delete(basis[0], closure.free, axis=0)).max(initial=0.0))
        coupled = moving or any(row.arguments for row in system.driven)
        return IndependentSpeeds(closure.free, system if coupled else None, nothing)
    # Loaded here: few models close loops, and it takes a quarter of a second.
    from scipy.linalg import qr

    _, triangle, order = qr(rows, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(triangle))
    rank = int((sizes > _REDUNDANT * sizes.max(initial=0.0)).sum())
    return IndependentSpeeds(np.sort(closure.free[order[rank:]]), system, np.sort(closure.free[order[:rank]]))
