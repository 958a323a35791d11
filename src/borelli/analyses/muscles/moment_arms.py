"""What is the moment arm of every path about every coordinate?

The moment arm is torque per tension, r = τ/s: positive drives the coordinate up [Sherman, Seth & Delp 2013].
Four ways to the same number share one path: generalized force fᵀC, path velocity -l̇/θ̇, partial velocity
-P N C, perturbation -dl/dθ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from borelli.arrays import listed
from borelli.compiled.paths import CompiledPaths
from borelli.errors import UnknownNameError, UnsolvableError, warn
from borelli.kernels.tree.blocks import columns, fill
from borelli.kernels.tree.mechanism import speeds_from_rates
from borelli.mechanics.constraints.angles import Angle, AngleSpec, angles_of
from borelli.mechanics.constraints.coupling import CONSTRAINTS, Coupling, coupling
from borelli.mechanics.memory import curves_plausible, sparse_zeros
from borelli.mechanics.motion.coordinate_rates import rates
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import Prepared, prepare_postures
from borelli.mechanics.paths.path_pass import (
    path_forces,
    path_speeds,
    paths_of,
    warn_of_status,
)
from borelli.model.model import Model
from borelli.results.labelled.dataset import labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import returns_array

GENERALIZED_FORCE = "generalized_force"
METHODS = (GENERALIZED_FORCE, "path_velocity", "partial_velocity", "perturbation")

_STEP = 1e-3
"""Perturbation (rad or m): with a five-point formula the error is of order step⁴."""


@returns_array("moment_arm")
def moment_arms(
    model: Model,
    motion: Motion,
    method: str = GENERALIZED_FORCE,
    *,
    coordinates: Iterable[str] | str | None = None,
    angles: Mapping[str, AngleSpec] | None = None,
    paths: Iterable[str] | str | None = None,
    coupling: str = CONSTRAINTS,
    threads: int = 1,
) -> PlainResult:
    """Moment arms of paths about coordinates, along the motion that the constraints allow.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter; they obey the constraints.
    method : str
        ``"generalized_force"``, ``"path_velocity"``, ``"partial_velocity"`` or ``"perturbation"``.
    coordinates : str or iterable of str, optional
        Only these; all speeds of the model by default. For a ball joint they stand for the components of its
        angular velocity.
    angles : mapping of str to weights, formula or function, optional
        Angles of interest besides the coordinates, by name. Weights: coordinate -> derivative of the angle by it;
        ``{"wrist": {"flexion_1": 1, "flexion_2": 1}}`` is the sum of two coupled angles. A formula of coordinates:
        ``{"wrist": "flexion_1 + flexion_2"}``. A function of a mapping of coordinate to (n_times,) values:
        ``{"wrist": lambda q: q["flexion_1"] + q["flexion_2"]}``.
    paths : str or iterable of str, optional
        Only these; all by default.
    coupling : str
        ``"constraints"``: all freedoms that the constraints leave open are held; ``"least_squares"``: OpenSim's
        choice, which differs only in loops that leave several freedoms open.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    DataArray (time, path, coordinate)
        m for angles. It equals -dl/dθ: tension times arm is the generalized force that the path exerts. With
        moving points, whose guides are part of the mechanism, two more arrays of the same shape come along
        as coordinates: ``effective_torque_arm``, the arm of [Sherman et al. 2013] without the guides, and
        ``undriven_work``, the difference. With `angles`, ``angle`` (time, coordinate) is their value (rad). The
        attribute ``held`` says which freedoms were held in loops.

    Raises
    ------
    UnsolvableError
        If the constraints forbid an angle that was asked for to turn.

    Guarantees, each a test
    -----------------------
    - the slope of the length along the coupled motion, by differences, to 1e-7 m on every reference model
    - four methods agree

    Examples
    --------
    >>> arms = bo.moment_arms(model, motion)
    >>> arms.dims, float(arms.sel(path="soleus_r", coordinate="ankle_angle_r").mean().round(2))  # m
    (('time', 'path', 'coordinate'), -0.05)
    """
    require_method(method)
    prepared = prepare_postures(model, motion)
    wanted = angles_of(model, coordinates, angles)
    chosen = paths_of(prepared.compiled, listed(paths))
    coupled = _coupling(prepared, wanted, coupling)
    if coordinates is not None or angles:
        require_motion(coupled)
    arms = arms_by(method, prepared, chosen, coupled.matrix, threads)
    warn_of_moving(chosen)
    values = np.stack([angle.value(model, prepared.q) for angle in wanted], axis=1) if angles else None
    return _labelled(model, prepared, chosen, coupled, arms, values, method, coupling)


def require_method(method: str, where: str = "argument method") -> None:
    """Refuse a method that is not one of the four."""
    if method not in METHODS:
        raise UnknownNameError.among(method, "method", METHODS, where=where)


class Arms(NamedTuple):
    """Moment arms in n instants, (n, n_paths, n_angles), and what comes along."""

    values: np.ndarray
    extra: Mapping[str, np.ndarray] = MappingProxyType({})
    is_plausible: bool = False
    """Whether somebody has looked at all of them"""


def arms_by(
    method: str, prepared: Prepared, chosen: CompiledPaths, matrix: np.ndarray, threads: int = 1
) -> Arms:
    """Return arms along motions (n, n_angles, n_u) by one method."""
    if method == GENERALIZED_FORCE:
        return _by_force(prepared, chosen, matrix, threads)
    ways: dict[str, Callable[[Prepared, CompiledPaths, np.ndarray], np.ndarray]] = {
        "path_velocity": _by_velocity,
        "partial_velocity": _by_partial_velocity,
        "perturbation": _by_perturbation,
    }
    return Arms(ways[method](prepared, chosen, matrix))


def _coupling(prepared: Prepared, wanted: tuple[Angle, ...], kind: str) -> Coupling:
    return coupling(prepared.compiled, wanted, prepared.q, prepared.time[prepared.known], kind)


def require_motion(coupled: Coupling) -> None:
    """Refuse an angle that turns in no instant."""
    for index, name in enumerate(coupled.names):
        if len(coupled.matrix) and np.isnan(coupled.matrix[:, index]).any(axis=-1).all():
            raise UnsolvableError(
                f"{name!r} cannot turn: the constraints and locks of the model fix it.",
                remedy="unlock or release what holds it, or ask about the coordinate that drives it",
            )


def _by_force(prepared: Prepared, chosen: CompiledPaths, matrix: np.ndarray, threads: int) -> Arms:
    """Return f^T C."""
    found = path_forces(prepared.compiled, chosen, prepared.q, threads, time_last=True)
    warn_of_status(chosen.names, found.status, prepared.time[prepared.known])
    arms, pairs = _projected(found.force, matrix, found.felt(chosen))
    is_plausible = (found.is_plausible and arms is found.force) or curves_plausible(arms, pairs, threads)
    if not found.guided:
        return Arms(arms, is_plausible=is_plausible)
    work, torque = _time_last(*arms.shape), _time_last(*arms.shape)
    for path, speed, done in found.guides:
        for index in np.flatnonzero((matrix[:, :, speed] != 0.0).any(axis=0)):
            work[:, path, index] += done * matrix[:, index, speed]
    for path, angle in pairs:
        torque[:, path, angle] = arms[:, path, angle] - work[:, path, angle]
    return Arms(arms, {"effective_torque_arm": torque, "undriven_work": work}, is_plausible)


def _projected(
    force: np.ndarray, matrix: np.ndarray, felt: frozenset[tuple[int, int]]
) -> tuple[np.ndarray, set[tuple[int, int]]]:
    """Forces (n, n_paths, n_u) along motions (n, n_angles, n_u); the forces themselves where that is all there is.

    Parameters
    ----------
    felt : set of (path, speed)
        Where the forces are not zero throughout.

    Returns
    -------
    arms : (n, n_paths, n_angles) float
    pairs : set of (path, angle)
        Where the arms are not zero throughout. The rest of the memory is not touched.
    """
    used, ones = (matrix != 0.0).any(axis=0), (matrix == 1.0).all(axis=0)
    if used.shape[0] == used.shape[1] and (used == np.eye(len(used))).all() and ones.diagonal().all():
        return force, set(felt)
    out, pairs = _time_last(len(force), force.shape[1], matrix.shape[1]), set[tuple[int, int]]()
    columns_of = [
        [(int(angle), None if ones[angle, speed] else matrix[:, angle, speed].copy()) for angle in angles]
        for speed, angles in enumerate(map(np.flatnonzero, used.T))
    ]
    for path, speed in sorted(felt):
        own = force[:, path, speed]
        for angle, column in columns_of[speed]:
            out[:, path, angle] += own if column is None else column * own
            pairs.add((path, angle))
    for index in np.flatnonzero((used & ~ones).any(axis=1)):
        lost = np.isnan(matrix[:, index]).any(axis=1)
        # An angle that cannot turn in an instant has no arm there, not even of a path that feels nothing.
        if lost.any():
            out[lost, :, index] = np.nan
            pairs |= {(path, int(index)) for path in range(force.shape[1])}
    return out, pairs


def _time_last(*shape: int) -> np.ndarray:
    """Zeros (n, n_paths, n_angles) with the instants of each pair side by side in memory."""
    n, n_paths, n_angles = shape
    return np.moveaxis(sparse_zeros((n_paths, n_angles, n)), 2, 0)


def _by_velocity(prepared: Prepared, chosen: CompiledPaths, matrix: np.ndarray) -> np.ndarray:
    """Return -l' for θ' = 1."""
    _, speed, _ = path_speeds(prepared.compiled, chosen, prepared.q, matrix)
    return -np.moveaxis(speed, 1, 2)


def _by_partial_velocity(prepared: Prepared, chosen: CompiledPaths, matrix: np.ndarray) -> np.ndarray:
    """Return -P N C, with P the slope of the length by every coordinate."""
    q, mechanism = prepared.q, prepared.compiled.mechanism
    slope = partial_slopes(prepared, chosen)
    return -np.stack(
        [np.einsum("ncp,nc->np", slope, rates(mechanism, q, matrix[:, k])) for k in range(matrix.shape[1])],
        axis=-1,
    )


def partial_slopes(prepared: Prepared, chosen: CompiledPaths) -> np.ndarray:
    """Return P = dl/dq, (n, n_q, n_paths)."""
    q, mechanism = prepared.q, prepared.compiled.mechanism
    own = columns(q)
    units = np.zeros((len(q), mechanism.n_coordinates, mechanism.n_speeds))
    still = [np.zeros(len(q))] * mechanism.n_coordinates
    for coordinate in range(mechanism.n_coordinates):
        qdot = [np.full(len(q), float(k == coordinate)) for k in range(mechanism.n_coordinates)]
        fill(units[:, coordinate], speeds_from_rates(mechanism, own, qdot, still)[0])
    _, slope, _ = path_speeds(prepared.compiled, chosen, q, units)
    return np.asarray(slope)


def _by_perturbation(prepared: Prepared, chosen: CompiledPaths, matrix: np.ndarray) -> np.ndarray:
    """Return -dl/dθ by a five-point formula.

    Along the tangent of the coupled motion: the curvature of that motion does not enter the first derivative.
    """
    q, compiled = prepared.q, prepared.compiled
    arms = np.empty((len(q), len(chosen.names), matrix.shape[1]))
    for index in range(matrix.shape[1]):
        qdot = rates(compiled.mechanism, q, matrix[:, index])
        step = _STEP / max(1.0, float(np.nanmax(np.abs(qdot), initial=0.0)))
        slope = np.zeros(arms.shape[:2])
        for distance, weight in ((1, 8.0), (2, -1.0)):
            for sign in (1.0, -1.0):
                moved = path_forces(compiled, chosen, q + sign * distance * step * qdot).length
                slope += sign * weight * moved
        arms[:, :, index] = -slope / (12.0 * step)
    return arms


def warn_of_moving(chosen: CompiledPaths) -> None:
    """Say which points move in their bodies, and what the arms count."""
    if chosen.moving:
        named = ", ".join(f"{moving.point.name!r} of {moving.path!r}" for moving in chosen.moving[:6])
        more = f" and {len(chosen.moving) - 6} more" if len(chosen.moving) > 6 else ""
        warn(
            f"points of paths move in their bodies with coordinates ({named}{more}): no force drives them, so "
            "the arms count their guides as part of the mechanism (-dl/dq); effective_torque_arm leaves them out."
        )


def _labelled(
    model: Model,
    prepared: Prepared,
    chosen: CompiledPaths,
    coupled: Coupling,
    arms: Arms,
    angles: np.ndarray | None,
    method: str,
    kind: str,
) -> PlainResult:
    dims = ("time", "path", "coordinate")
    units = "m (per radian); no unit for a translation"
    says = {
        "convention": "positive drives the coordinate up: -dl/dθ",
        "method": method,
        "coupling": kind,
        "held": "; ".join(f"{name}: {', '.join(held) or 'nothing'}" for name, held in coupled.held.items()),
        "model": model.name,
    }
    coordinates = {
        "time": time_axis(prepared.time),
        "path": list(chosen.names),
        "coordinate": list(coupled.names),
        **{name: labelled(dims, prepared.whole(values), units) for name, values in arms.extra.items()},
    }
    if angles is not None:
        coordinates["angle"] = labelled(("time", "coordinate"), prepared.whole(angles), "rad")
    return plain_result(
        {"moment_arm": labelled(dims, prepared.whole(arms.values), units, **says)},
        coordinates,
        looked_at=("moment_arm",) if arms.is_plausible else (),
    )
