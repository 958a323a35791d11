"""The instants of a static optimization: the load, what every actuator can do about it, and the tension of each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.static_optimization.instants import solve_instants
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.actuators import straight_forces
from borelli.mechanics.muscles.answer import Answer
from borelli.mechanics.muscles.optimization_task import Task
from borelli.mechanics.muscles.spared_joints import FULL, SparedJoints
from borelli.mechanics.muscles.strength import Strength, strengths
from borelli.mechanics.paths.path_pass import PathForces, path_forces, paths_of

_AT_ONCE = 512
"""Instants at a time; a divisor of the kernels' blocks, so that threads do not change where instants start anew."""


def static_optimization_of(task: Task, instants: slice) -> tuple[np.ndarray, ...]:
    """Solve a piece of the instants, block by block; each block starts anew."""
    start = instants.start or 0
    parts = [
        _solve_block(task, slice(start + block.start, start + block.stop))
        for block in blocks(instants.stop - start, _AT_ONCE)
    ]
    if not parts:
        parts = [_solve_block(task, slice(0, 0))]
    return tuple(np.concatenate(pieces) for pieces in zip(*parts, strict=True))


def _solve_block(task: Task, instants: slice) -> Answer:
    prepared, compiled = task.prepared, task.prepared.compiled
    q, u, udot = prepared.q[instants], prepared.u[instants], prepared.udot[instants]
    loads = task.elements.from_outside(instants)
    target = engine().inverse_dynamics(compiled.mechanism, q, u, udot, loads).generalized_force
    borne = task.elements.generalized_force(instants)
    pulled = (*task.muscles.names, *(actuator.name for actuator in task.actuators.along_paths))
    paths = path_forces(compiled, paths_of(compiled, pulled), q)
    directions = task.independent.directions(q, prepared.time[prepared.known][instants])
    arms = _arms(task, paths.force, q, directions)
    most, resting = _strengths(task, paths, u)
    needed = _projected(task, (target - borne)[:, None], directions)[:, 0]
    if task.options.passive:
        needed = needed - np.einsum("npm,np->nm", arms[:, task.of_muscles], resting)
    problem = _Problem(arms, most, needed, task.bounds[:, 0], task.bounds[:, 1], task.weight)
    if task.spared is not None:
        problem = _sparing(task, task.spared, problem, resting, pulled, instants)
    power = float(task.options.criterion.power)
    found = solve_instants(*problem, power)
    return Answer(
        found.activation[:, : most.shape[1]],
        most,
        resting,
        borne,
        needed,
        found.unmet[:, : needed.shape[1]],
        found.violation,
        found.status,
        found.iterations,
    )


class _Problem(NamedTuple):
    """What the solver is asked, n instants, h actuators, m constraints."""

    arms: np.ndarray
    """(n, h, m)"""
    strength: np.ndarray
    """(n, h)"""
    needed: np.ndarray
    """(n, m)"""
    lower: np.ndarray
    """(h,)"""
    upper: np.ndarray
    """(h,)"""
    weight: np.ndarray
    """(h,)"""


def _sparing(
    task: Task,
    spared: SparedJoints,
    problem: _Problem,
    resting: np.ndarray,
    pulled: tuple[str, ...],
    instants: slice,
) -> _Problem:
    """Add the reactions of joints to spare: three unknowns and three constraints each."""
    n, actuators, constraints = problem.arms.shape
    rows = spared.n_rows
    q = task.prepared.q[instants]
    pulls = spared.pulls(pulled, q)
    arms = np.zeros((n, actuators + rows, constraints + rows))
    arms[:, :actuators, :constraints] = problem.arms
    arms[:, : len(pulled), constraints:] = pulls
    arms[:, actuators:, constraints:] = np.eye(rows)
    net = spared.net[instants].reshape(n, rows)
    if task.options.passive:
        net = net - np.einsum("npr,np->nr", pulls[:, task.of_muscles], resting)
    free = np.full(rows, np.inf)
    return _Problem(
        arms,
        np.hstack([problem.strength, np.full((n, rows), FULL)]),
        np.hstack([problem.needed, net]),
        np.concatenate([problem.lower, -free]),
        np.concatenate([problem.upper, free]),
        np.concatenate([problem.weight, np.repeat(spared.weight, 3)]),
    )


def _arms(task: Task, pulls: np.ndarray, q: np.ndarray, directions: np.ndarray | None) -> np.ndarray:
    """Generalized force of each actuator on each balance per newton (or newton metre) of its force.

    Parameters
    ----------
    pulls : (n, n_paths, n_speeds) float
        Generalized force per newton of tension, of muscles and of actuators along paths.

    Returns
    -------
    (n, n_actuators, n_balances) float
    """
    arms = np.zeros((len(q), len(task.weight), len(task.independent.speeds)))
    along = pulls.shape[1]
    arms[:, :along] = _projected(task, pulls, directions)
    if task.actuators.straight:
        straight = straight_forces(task.prepared.compiled, task.actuators.straight, q)
        arms[:, along : task.of_actuators.stop] = _projected(task, straight, directions)
    for index, position in enumerate(task.reserves[:, 0].astype(int), task.of_reserves.start):
        arms[:, index, position] = 1.0
    return arms


def _strengths(task: Task, paths: PathForces, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force of each actuator at full activation, (n, n_actuators), and of passive fibres, (n, n_muscles)."""
    own, isometric = task.of_muscles, task.options.strength is Strength.ISOMETRIC
    speed = -np.einsum("npk,nk->np", paths.force[:, own], u)
    fibers = strengths(task.muscles, paths.length[:, own], speed, task.options.strength, task.options.passive)
    most = np.empty((len(u), len(task.weight)))
    most[:, own] = (task.muscles.tables.force if isometric else fibers.active) * task.acting
    most[:, task.of_actuators] = [float(actuator.optimal_force) for actuator in task.actuators.all]
    most[:, task.of_reserves] = task.reserves[:, 1]
    return most, fibers.passive * task.acting


def _projected(task: Task, force: np.ndarray, directions: np.ndarray | None) -> np.ndarray:
    """Turn generalized forces into what counts at each balance, (n, ..., n_balances)."""
    if directions is not None:
        return np.asarray(force @ directions)
    everything = len(task.independent.speeds) == force.shape[-1]
    return force if everything else force[..., task.independent.speeds]
