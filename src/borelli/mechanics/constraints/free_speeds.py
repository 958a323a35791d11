"""Speeds and accelerations that obey constraints: linear equations, with the driven speeds eliminated.

u = T u_free + c, with T and c from the rows of the driven coordinates. What is left is a least-squares problem in
the free speeds, solved by a pseudo-inverse so that redundant constraints do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from borelli.mechanics.constraints.constraint_rows import Rows
from borelli.mechanics.constraints.system import ConstraintSystem
from borelli.records import dataclass

# Singular values below this part of the largest belong to redundant constraints.
REDUNDANT = 1e-9


@dataclass(frozen=True)
class Closure:
    """How free each speed is to help close the loops.

    Parameters
    ----------
    driven : (n_driven,) int
        Speeds that their own rows determine.
    free : (n_free,) int
        All other speeds.
    mobility : (n_free,) float
        One over the square root of the weight; zero for a speed that is held.
    """

    driven: np.ndarray
    free: np.ndarray
    mobility: np.ndarray

    @classmethod
    def of(cls, system: ConstraintSystem, held: set[str], weights: Mapping[str, float]) -> Closure:
        """Build it from names of coordinates; a speed that mixes several counts as its stiffest one."""
        model, compiled = system.compiled.model, system.compiled
        driven = np.array([compiled.speed_of(row.coordinate) for row in system.driven], dtype=int)
        mobility = np.ones(len(model.speed_names))
        for joint in compiled.joints.values():
            for coordinate in joint.coordinates:
                name = model.coordinate_names[coordinate]
                own = 0.0 if name in held else weights.get(name, 1.0) ** -0.5
                speed = compiled.speed_of(coordinate)
                if speed is not None:
                    mobility[speed] = own
                elif name in held or name in weights:
                    turning = list(joint.speeds[:3])
                    mobility[turning] = np.minimum(mobility[turning], own)
        free = np.setdiff1d(np.arange(len(mobility)), driven)
        return cls(driven, free, mobility[free])


def obey(
    system: ConstraintSystem,
    closure: Closure,
    q: np.ndarray,
    u: np.ndarray,
    udot: np.ndarray,
    time: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest speeds and accelerations that obey the constraints, each (n, n_u)."""
    driven = system.driven_rows(q, u, time)
    basis = free_basis(closure, driven.jacobian)
    others = system.other_rows(q, u, time, moving=False)
    reduced = others.jacobian @ basis * closure.mobility
    u = _nearest(closure, driven, basis, reduced, others.jacobian, u, driven.speed, others.speed)
    # What the constraints ask of accelerations depends on the speeds just found.
    driven, others = system.driven_rows(q, u, time), system.other_rows(q, u, time)
    udot = _nearest(
        closure, driven, basis, reduced, others.jacobian, udot, driven.acceleration, others.acceleration
    )
    return u, udot


def _nearest(
    closure: Closure,
    driven: Rows,
    basis: np.ndarray,
    reduced: np.ndarray,
    jacobian: np.ndarray,
    given: np.ndarray,
    driven_target: np.ndarray,
    target: np.ndarray,
) -> np.ndarray:
    """Solve both sets of linear equations with the least weighted change of the free speeds."""
    constant = driven_part(closure, driven.jacobian, driven_target)
    free = given[:, closure.free]
    found = np.einsum("nij,nj->ni", basis, free) + constant
    if target.shape[1]:
        miss = np.einsum("nij,nj->ni", jacobian, found) - target
        change = -closure.mobility * least_squares(reduced, miss)
        found = found + np.einsum("nij,nj->ni", basis, change)
    return found


def free_basis(closure: Closure, driven_jacobian: np.ndarray) -> np.ndarray:
    """Return T of u = T u_free + c, (n, n_u, n_free)."""
    n, _, n_u = driven_jacobian.shape
    basis = np.zeros((n, n_u, closure.free.size))
    basis[:, closure.free, np.arange(closure.free.size)] = 1.0
    if closure.driven.size:
        square = driven_jacobian[:, :, closure.driven]
        basis[:, closure.driven] = -np.linalg.solve(square, driven_jacobian[:, :, closure.free])
    return basis


def driven_part(closure: Closure, driven_jacobian: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return c of u = T u_free + c, (n, n_u)."""
    constant = np.zeros((len(target), driven_jacobian.shape[2]))
    if closure.driven.size:
        square = driven_jacobian[:, :, closure.driven]
        constant[:, closure.driven] = np.linalg.solve(square, target[..., None])[..., 0]
    return constant


def least_squares(matrix: np.ndarray, right_side: np.ndarray) -> np.ndarray:
    """Smallest solution of batched linear equations, redundant ones included."""
    return np.einsum("nij,nj->ni", np.linalg.pinv(matrix, rcond=REDUNDANT), right_side)
