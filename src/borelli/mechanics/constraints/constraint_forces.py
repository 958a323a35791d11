"""Accelerations under forces where constraints are in force, and what the constraints do for it.

M u̇ = f + Gᵀ λ with G u̇ = b. Driven speeds are left out, u̇ = T a + c: what is locked needs no mass.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.tree.articulated import LEAST_RESISTANCE
from borelli.mechanics.constraints.constraint_rows import Rows
from borelli.mechanics.constraints.free_speeds import Closure, driven_part, free_basis
from borelli.mechanics.constraints.system import ConstraintSystem
from borelli.records import dataclass

# Singular values below this part of the largest belong to redundant constraints, which leave round-off.
# 1e-11 and 1e-9 pass the same tests.
_REDUNDANT = 1e-10


@dataclass(frozen=True)
class Constrained:
    """Answer of :func:`constrained_accelerations`.

    Parameters
    ----------
    udot : (n, n_u) float
        NaN in the speeds of something without inertia that would have to move, and of a joint at gimbal lock; the
        others of such an instant have no meaning.
    multiplier : (n, n_rows) float
        λ in the order of ``system.names``: N for a distance, N m for an angle. Of redundant rows the smallest
        that do.
    force : (n, n_u) float
        Gᵀ λ, the generalized forces of the constraints.
    power : (n,) float
        Of constraints that move something by themselves; those at rest do no work (W).
    """

    udot: np.ndarray
    multiplier: np.ndarray
    force: np.ndarray
    power: np.ndarray


def constrained_accelerations(
    system: ConstraintSystem,
    closure: Closure,
    mass: np.ndarray,
    force: np.ndarray,
    time: np.ndarray,
    q: np.ndarray,
    u: np.ndarray,
) -> Constrained:
    """Solve for accelerations and multipliers in every instant.

    Parameters
    ----------
    system, closure
        All constraints of the model, and which speeds their rows drive.
    mass : (n, n_u, n_u) float
    force : (n, n_u) float
        All generalized forces but those of the constraints, velocity terms and weight included.
    time, q, u : (n,), (n, n_q), (n, n_u) float
    """
    driven, others = system.driven_rows(q, u, time), system.other_rows(q, u, time)
    basis = free_basis(closure, driven.jacobian)
    constant = driven_part(closure, driven.jacobian, driven.acceleration)
    reduced = np.swapaxes(basis, 1, 2) @ mass @ basis
    across = others.jacobian @ basis
    pull = _apply(np.swapaxes(basis, 1, 2), force - _apply(mass, constant))
    # An undetermined instant gets a matrix that can be solved, and loses its answer below.
    lost, slack = _undetermined(reduced)
    reduced[lost] = np.eye(reduced.shape[1])
    solved = np.linalg.solve(reduced, np.concatenate([pull[..., None], np.swapaxes(across, 1, 2)], axis=2))
    free, response = solved[..., 0], solved[..., 1:]
    miss = others.acceleration - _apply(others.jacobian, constant) - _apply(across, free)
    tied = _apply(np.linalg.pinv(across @ response, rcond=_REDUNDANT, hermitian=True), miss)
    udot = _apply(basis, free + _apply(response, tied)) + constant
    held = _apply(np.swapaxes(others.jacobian, 1, 2), tied)
    # More than round-off of the directions that nothing determines; 1e-7 and 1e-5 pass the same tests.
    moved = np.abs(_apply(basis[lost], slack))
    udot[lost] = np.where(moved > 1e-6 * moved.max(axis=1, keepdims=True, initial=0.0), np.nan, udot[lost])
    drive = _driving(closure, driven, _apply(mass, udot) - force - held)
    return Constrained(
        udot,
        np.concatenate([drive, tied], axis=1),
        held + _apply(np.swapaxes(driven.jacobian, 1, 2), drive),
        (tied * others.speed).sum(axis=1) + (drive * driven.speed).sum(axis=1),
    )


def _undetermined(mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the instants in which a mass matrix (n, n_free, n_free) is singular up to round-off.

    Returns
    -------
    lost : (n,) bool
    slack : (n_lost, n_free) float
        Speeds that nothing resists in each of them.
    """
    size = np.sqrt(np.abs(np.diagonal(mass, axis1=1, axis2=2)))
    size = np.where(size > 0.0, size, 1.0)
    # Scaled to a diagonal of ones, or kilograms would be compared with kilogram square metres.
    scaled = mass / size[:, :, None] / size[:, None, :]
    lost = ~(np.linalg.eigvalsh(scaled).min(axis=1, initial=1.0) > LEAST_RESISTANCE)
    if not lost.any():
        return lost, np.empty((0, mass.shape[1]))
    return lost, np.linalg.eigh(scaled[lost])[1][..., 0] / size[lost]


def _driving(closure: Closure, driven: Rows, missing: np.ndarray) -> np.ndarray:
    """Multipliers of the driven rows that provide the generalized forces still missing, (n, n_driven)."""
    if not closure.driven.size:
        return np.zeros((len(missing), 0))
    square = np.swapaxes(driven.jacobian[:, :, closure.driven], 1, 2)
    return np.asarray(np.linalg.solve(square, missing[:, closure.driven, None])[..., 0])


def _apply(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Multiply each matrix with its vector."""
    return np.einsum("nij,nj->ni", matrices, vectors)
