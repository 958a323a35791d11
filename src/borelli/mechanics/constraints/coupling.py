"""How do all speeds move when one angle of interest turns at unit rate?

The coupling matrix C of [Sherman, Seth & Delp 2013]: speeds u = C θ̇ that obey every velocity constraint while
all freedoms that the constraints leave open are held. OpenSim's own choice, the least motion in the sense of
least squares, is available for comparison; where a loop leaves several freedoms open it depends on units.
"""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.errors import UnknownNameError
from borelli.mechanics.constraints.angles import Angle
from borelli.mechanics.constraints.system import LOCK, ConstraintSystem, constraint_system
from borelli.mechanics.motion.coordinate_rates import rate_row
from borelli.model.model import Model
from borelli.records import dataclass

CONSTRAINTS, LEAST_SQUARES = "constraints", "least_squares"
COUPLINGS = (CONSTRAINTS, LEAST_SQUARES)

_RANK = 1e-9
"""A row whose part outside the rows before is smaller than this adds nothing."""
_MISS = 1e-6
"""Largest error of a solution of the constraints."""


@dataclass(frozen=True)
class Coupling:
    """Coupled motions.

    Parameters
    ----------
    names : tuple of str
        Angles.
    matrix : (n, n_angles, n_u) float
        Speeds per unit rate of each angle; NaN where the constraints forbid it to turn.
    held : dict of str to tuple of str
        For each angle that several speeds turn, those held so that the rest is determined.
    """

    names: tuple[str, ...]
    matrix: np.ndarray
    held: dict[str, tuple[str, ...]]


def coupling(
    compiled: CompiledModel,
    angles: tuple[Angle, ...],
    q: np.ndarray,
    time: np.ndarray,
    kind: str = CONSTRAINTS,
    moving: str | None = None,
) -> Coupling:
    """Speeds that go with a unit rate of each angle.

    Parameters
    ----------
    compiled : CompiledModel
    angles : tuple of Angle
    q : (n, n_q) float
        Postures that obey the constraints.
    time : (n,) float
        Matters for prescribed coordinates only.
    kind : str
        ``"constraints"``: all freedoms that the constraints leave open are held.
        ``"least_squares"``: OpenSim's way.
    moving : str, optional
        Coordinate that is held last, where several could turn the angle.
    """
    if kind not in COUPLINGS:
        raise UnknownNameError.among(kind, "coupling", COUPLINGS, where="argument coupling")
    model = compiled.model
    system = constraint_system(model)
    n_u = compiled.mechanism.n_speeds
    still = np.zeros((len(q), n_u))
    rows = system.rows(q, still, time).jacobian if system.names else np.zeros((len(q), 0, n_u))
    ties = (rows != 0.0).any(axis=0)
    matrix = np.zeros((len(q), len(angles), n_u))
    held: dict[str, tuple[str, ...]] = {}
    for index, angle in enumerate(angles):
        weights = _weights(compiled, angle, q)
        in_force = [k for k, name in enumerate(system.names) if not _locks(name, angle)]
        if kind == LEAST_SQUARES:
            matrix[:, index] = _least_squares(rows[:, in_force], weights)
            continue
        columns = _component(ties[in_force], (weights != 0.0).any(axis=0))
        if not columns:
            matrix[:, index] = np.nan
            continue
        touching = [k for k in in_force if ties[k, columns].any()]
        if len(columns) == 1 and not touching:
            still = np.abs(weights[:, columns]) <= _RANK
            matrix[:, index, columns] = np.where(
                still, np.nan, 1.0 / np.where(still, 1.0, weights[:, columns])
            )
            continue
        own = rows[:, touching][:, :, columns]
        solved, fixed = _held_elsewhere(own, weights[:, columns], _order(model, system, columns, moving))
        matrix[:, index, columns] = solved
        if touching or fixed:
            held[angle.name] = tuple(model.speed_names[columns[k]] for k in fixed)
    return Coupling(tuple(angle.name for angle in angles), matrix, held)


def _weights(compiled: CompiledModel, angle: Angle, q: np.ndarray) -> np.ndarray:
    """Rate of the angle per unit of each speed, (n, n_u)."""
    total = np.zeros((len(q), compiled.mechanism.n_speeds))
    speeds = compiled.model.speed_names
    for name, weight in angle.slopes(compiled.model, q).items():
        if len(angle.weights) == 1 and name in speeds:
            # The arm about a coordinate is about its own speed, also where that is an angular velocity.
            total[:, speeds.index(name)] += weight
        else:
            total += np.asarray(weight)[..., None] * rate_row(compiled, compiled.coordinate_index(name), q)
    return total


def _locks(row: str, angle: Angle) -> bool:
    """Whether a row locks the very coordinate that is asked about: it is set free, as in OpenSim."""
    return len(angle.weights) == 1 and row == f"{LOCK}:{next(iter(angle.weights))}"


def _component(ties: np.ndarray, reached: np.ndarray) -> list[int]:
    """Speeds that constraints tie to those already reached, directly or through others, ascending.

    Parameters
    ----------
    ties : (n_rows, n_u) bool
        Which speeds each row involves.
    reached : (n_u,) bool
    """
    while True:
        touched = ties[(ties & reached).any(axis=1)]
        wider = reached | touched.any(axis=0)
        if (wider == reached).all():
            return [int(k) for k in np.flatnonzero(reached)]
        reached = wider


def _order(model: Model, system: ConstraintSystem, columns: list[int], moving: str | None) -> list[int]:
    """Order in which to hold speeds: independent coordinates first, those that follow others last."""
    names = model.coordinate_names
    following = {names[row.coordinate] for row in (*system.driven, *system.mixed) if row.arguments}
    last = [model.speed_names[k] in following or model.speed_names[k] == moving for k in columns]
    return sorted(range(len(columns)), key=lambda k: (last[k], k))


def _held_elsewhere(rows: np.ndarray, weights: np.ndarray, order: list[int]) -> tuple[np.ndarray, list[int]]:
    """Solve [G; dθ/du; holds] C = [0; 1; 0] with as few holds as make C unique.

    The speeds to hold are chosen in the middle instant, one after the other in the given order.

    Returns
    -------
    C : (n, n_columns) float
        NaN where there is no solution.
    held : list of int
        Columns that are held.
    """
    n, n_rows, width = rows.shape
    equations = np.concatenate([rows, weights[:, None]], axis=1)
    held = _holds(equations[n // 2], order)
    holds = np.broadcast_to(np.eye(width)[held], (n, len(held), width))
    whole = np.concatenate([equations, holds], axis=1)
    target = np.zeros((n, whole.shape[1]))
    target[:, n_rows] = 1.0
    solution = _solved(whole, target)
    miss = np.abs(np.einsum("nij,nj->ni", whole, solution) - target).max(axis=1, initial=0.0)
    solution[miss > _MISS] = np.nan
    return solution, held


def _solved(equations: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Solve a system in every instant; where one is singular, in the sense of least squares."""
    if equations.shape[1] == equations.shape[2]:
        try:
            return np.linalg.solve(equations, target[..., None])[..., 0]
        except np.linalg.LinAlgError:
            pass
    # Far above the round-off of rows that repeat each other (1e-16), far below rows that are meant to differ.
    return np.einsum("nij,nj->ni", np.linalg.pinv(equations, rcond=1e-12), target)


def _holds(equations: np.ndarray, order: list[int]) -> list[int]:
    """Choose speeds to hold until the equations of one instant determine all."""
    width = equations.shape[1]
    basis: list[np.ndarray] = []

    def adds(row: np.ndarray) -> bool:
        size = np.linalg.norm(row)
        rest = row / size if size > 0 else row
        for _ in range(2):
            for direction in basis:
                rest = rest - (rest @ direction) * direction
        if np.linalg.norm(rest) <= _RANK:
            return False
        basis.append(rest / np.linalg.norm(rest))
        return True

    for row in equations:
        adds(row)
    return [k for k in order if len(basis) < width and adds(np.eye(width)[k])]


def _least_squares(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """P w / (w P w), with P the projection on the motions that the constraints allow."""
    # Redundant rows leave round-off of 1e-16; 1e-14 and 1e-6 pass the same tests of moment arms.
    inverse = np.linalg.pinv(rows, rcond=1e-12) if rows.shape[1] else np.zeros((len(rows), rows.shape[2], 0))
    allowed = weights - np.einsum("nij,njk,nk->ni", inverse, rows, weights)
    own = np.einsum("ni,ni->n", weights, allowed)
    with np.errstate(divide="ignore", invalid="ignore"):
        return allowed / own[:, None]
