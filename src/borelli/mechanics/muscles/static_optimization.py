"""The instants of a static optimization: the load, what every actuator can do about it, and the tension of each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.static_optimization.columns import columns_of_rows
from borelli.kernels.static_optimization.instants import solve_columns, solve_instants
from borelli.kernels.tree.blocks import BLOCK, blocks
from borelli.mechanics.engine import engine
from borelli.mechanics.muscles.answer import Answer
from borelli.mechanics.muscles.optimization_task import Task
from borelli.mechanics.muscles.spared_joints import FULL, SparedJoints
from borelli.mechanics.muscles.strength import Strength, strengths
from borelli.mechanics.muscles.unit_forces import unit_forces
from borelli.mechanics.paths.path_pass import PathForces, paths_of

_AT_ONCE = BLOCK // 2
"""Instants at a time; a divisor of the kernels' blocks, so that threads do not change where instants start anew."""


def static_optimization_of(task: Task, instants: slice, answer: Answer) -> None:
    """Solve a piece of the instants, block by block, into the answer of all; each block starts anew."""
    for part in blocks(instants.stop - instants.start, _AT_ONCE):
        block = slice(instants.start + part.start, instants.start + part.stop)
        _solve_block(task, block, Answer(*(whole[block] for whole in answer)))


def _solve_block(task: Task, instants: slice, answer: Answer) -> None:
    """Fill the answer of some instants."""
    prepared, compiled = task.prepared, task.prepared.compiled
    q, u, udot = prepared.q[instants], prepared.u[instants], prepared.udot[instants]
    loads = task.elements.from_outside(instants)
    target = engine().inverse_dynamics(compiled.mechanism, q, u, udot, loads).generalized_force
    borne = task.elements.generalized_force(instants)
    directions = task.independent.directions(q, prepared.time[prepared.known][instants])
    pulled = (*task.muscles.names, *(actuator.name for actuator in task.actuators.along_paths))
    rows, paths = unit_forces(task, paths_of(compiled, pulled), q, u)
    most, resting = _strengths(task, paths, len(q))
    needed = _projected(task, (target - borne)[:, None], directions)[:, 0]
    bounds = (task.bounds[:, 0], task.bounds[:, 1], task.weight)
    power = float(task.options.criterion.power)
    if directions is None and task.spared is None and not task.options.passive:
        found = solve_columns(columns_of_rows(*rows.listed(task, paths)), most, needed, *bounds, power)
    else:
        arms = _arms(task, rows.by_time(paths), directions)
        if task.options.passive:
            needed = needed - np.einsum("npm,np->nm", arms[:, task.of_muscles], resting)
        problem = _Problem(arms, most, needed, *bounds)
        if task.spared is not None:
            problem = _sparing(task, task.spared, problem, resting, pulled, instants)
        found = solve_instants(*problem, power)
    own, (low, high) = task.of_muscles, task.bounds[task.of_muscles].T
    activation = answer.activation
    activation[:] = found.activation[:, : most.shape[1]]
    np.multiply(activation, most, out=answer.force)
    if resting.any():
        answer.force[:, own] += resting
    np.subtract(activation[:, own] >= high, activation[:, own] <= low, out=answer.bound, dtype=float)
    parts = (
        (answer.strength, most),
        (answer.passive, resting),
        (answer.borne, borne),
        (answer.needed, needed),
        (answer.unmet, found.unmet[:, : needed.shape[1]]),
        (answer.violation, found.violation),
        (answer.status, found.status),
        (answer.iterations, found.iterations),
    )
    for out, values in parts:
        out[:] = values


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


def _arms(task: Task, unit: np.ndarray, directions: np.ndarray | None) -> np.ndarray:
    """Generalized force of each actuator on each constraint per newton (or newton metre) of its force.

    Parameters
    ----------
    unit : (n, n_actuators without reserves, n_speeds) float
        Generalized forces.

    Returns
    -------
    (n, n_actuators, n_constraints) float
    """
    arms = np.zeros((len(unit), len(task.weight), len(task.independent.speeds)))
    arms[:, : unit.shape[1]] = _projected(task, unit, directions)
    for index, position in enumerate(task.reserves[:, 0].astype(int), task.of_reserves.start):
        arms[:, index, position] = 1.0
    return arms


def _strengths(task: Task, paths: PathForces, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Force of each actuator at full activation, (n, n_actuators), and of passive fibres, (n, n_muscles)."""
    own, isometric = task.of_muscles, task.options.strength is Strength.ISOMETRIC
    length, speed = paths.length[:, own], paths.speed[:, own]
    fibers = strengths(task.muscles, length, speed, task.options.strength, task.options.passive)
    most = np.empty((n, len(task.weight)))
    np.multiply(task.muscles.tables.force if isometric else fibers.active, task.acting, out=most[:, own])
    most[:, task.of_actuators] = [float(actuator.optimal_force) for actuator in task.actuators.all]
    most[:, task.of_reserves] = task.reserves[:, 1]
    return most, fibers.passive * task.acting


def _projected(task: Task, force: np.ndarray, directions: np.ndarray | None) -> np.ndarray:
    """Turn generalized forces into what counts at each constraint, (n, ..., n_constraints)."""
    if directions is not None:
        return np.asarray(force @ directions)
    everything = len(task.independent.speeds) == force.shape[-1]
    return force if everything else force[..., task.independent.speeds]
