"""Which muscles carry the load?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import xarray as xr

from borelli.analyses.actuators import straight_forces
from borelli.analyses.criterion import Criterion
from borelli.analyses.engine import compilation_notice, engine
from borelli.analyses.motion import Load, Motion
from borelli.analyses.muscle_forces_result import Answer, dataset, refuse_unmet
from borelli.analyses.muscle_forces_task import Mode, Reserves, Task, choices, sharing_task
from borelli.analyses.muscle_strength import Strength, strengths
from borelli.analyses.path_pass import path_forces, paths_of
from borelli.analyses.prepare import in_threads, prepare
from borelli.kernels.frames import blocks
from borelli.kernels.recruitment.frames import share
from borelli.model.model import Model

_AT_ONCE = 512
"""Frames at a time; a divisor of the kernels' blocks, so that threads do not change where frames start anew."""


def muscle_forces(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    criterion: Criterion | None = None,
    strength: Strength | str | None = None,
    passive: bool = False,
    passive_elements: bool = True,
    reserves: Reserves = None,
    reserve_weight: float = 1.0,
    bounds: tuple[float, float] | None = None,
    mode: Mode | str = Mode.BORELLI,
    infeasible: str = "raise",
    threads: int = 1,
) -> xr.Dataset:
    """Share the load among muscles and actuators: least Σ weight |activation|^power that balances it.

    In every frame the generalized forces of inverse dynamics are balanced at every coordinate that is not
    locked, prescribed or driven by a constraint; constraints bear the rest. The problem is solved exactly, by a
    semismooth Newton method on its dual, and every frame reports how exactly.

    Parameters
    ----------
    model : Model
        Its muscles, and its path, coordinate, torque and point actuators, share the load.
    motion : Motion
    loads : iterable of Load
    criterion : Criterion, optional
        Power and weights; squares with equal weights by default.
    strength : Strength or str, optional
        ``"rigid_tendon"`` (default), ``"isometric"``, or ``"opensim"``.
    passive : bool
        Whether passive fibres pull as well (rigid tendon).
    passive_elements : bool
        Whether springs, ligaments, stops and bushings of the model bear what posture and speed make them bear,
        before muscles share the rest.
    reserves : number or mapping of coordinate to number, optional
        Strength of an unbounded reserve at every balanced coordinate, or at some (N m or N): its activation is
        its generalized force over this strength.
    reserve_weight : float
        Weight of their activations in the criterion.
    bounds : (float, float), optional
        Least and largest activation of all muscles; by default from zero to ``max_control`` of each.
    mode : Mode or str
        ``"opensim"`` follows OpenSim's static optimization: activations from ``min_control`` (0.01 for most
        muscles) to ``max_control``, and its strengths.
    infeasible : str
        ``"raise"``, or ``"report"`` to warn only and leave what cannot be met in ``residual``.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``activation``, ``force`` (N, tension), ``strength`` (N) and ``bound`` (-1 at the lower bound, 1 at the
        upper, else 0) (time, muscle); ``control``, ``actuator_force`` (time, actuator); ``reserve``,
        ``passive_element``, ``residual`` (time, coordinate): generalized force of the reserves, of springs,
        ligaments, stops and bushings, and what is left unbalanced;
        ``kkt_residual``, ``iterations``, ``status`` (time).

    Raises
    ------
    UnsolvableError
        If a frame cannot be balanced within the bounds, naming the frame, the coordinate and what is missing.

    Guarantees, each a test
    -----------------------
    - the power of all forces equals that of the generalized forces of inverse dynamics
    - springs, ligaments and stops are balanced as in OpenSim's static optimization
    - antagonists of a single joint stay silent
    - the outcome does not depend on the frame before, nor on the number of threads
    """
    rules, chosen = choices(mode, strength, infeasible)
    prepared = prepare(model, motion, loads)
    task = sharing_task(
        model,
        prepared,
        criterion or Criterion(),
        chosen,
        passive,
        reserves,
        reserve_weight,
        bounds,
        rules,
        passive_elements,
    )
    parts = in_threads(len(prepared.q), threads, lambda frames: _solve(task, frames))
    answer = Answer(*parts)
    refuse_unmet(model, prepared, task.balances.speeds, answer, infeasible)
    return dataset(
        model,
        prepared,
        task.actuators,
        task.balances.speeds,
        task.reserves,
        answer,
        task.bounds,
        {
            "mode": rules.value,
            "power": task.power,
            "strength": chosen.value,
            "passive_fibers": str(passive),
            "passive_elements": list(task.elements.names),
        },
    )


def _solve(task: Task, frames: slice) -> tuple[np.ndarray, ...]:
    """Solve a piece of the frames, block by block; each block starts anew."""
    start = frames.start or 0
    parts = [
        _solve_block(task, slice(start + block.start, start + block.stop))
        for block in blocks(frames.stop - start, _AT_ONCE)
    ]
    if not parts:
        parts = [_solve_block(task, slice(0, 0))]
    return tuple(np.concatenate(pieces) for pieces in zip(*parts, strict=True))


def _solve_block(task: Task, frames: slice) -> Answer:
    prepared, compiled = task.prepared, task.prepared.compiled
    q, u, udot = prepared.q[frames], prepared.u[frames], prepared.udot[frames]
    mechanism, loads = compiled.mechanism, prepared.loads_in(frames)
    target = engine().inverse_dynamics(mechanism, q, u, udot, loads).generalized_force
    borne = task.elements.generalized_force(frames)
    n_muscles, n_actuators = len(task.muscles.names), len(task.actuators.names)
    along = n_muscles + len(task.actuators.along_paths)
    pulled = (*task.muscles.names, *(actuator.name for actuator in task.actuators.along_paths))
    paths = path_forces(compiled, paths_of(compiled, pulled), q)
    arms = np.zeros((len(q), len(task.weight), len(task.balances.speeds)))
    most = np.empty((len(q), len(task.weight)))
    directions = task.balances.directions(q, prepared.time[prepared.known][frames])

    def projected(force: np.ndarray) -> np.ndarray:
        if directions is not None:
            return force @ directions
        everything = len(task.balances.speeds) == force.shape[-1]
        return force if everything else force[..., task.balances.speeds]

    speed = -np.einsum("npk,nk->np", paths.force[:, :n_muscles], u)
    own = strengths(task.muscles, paths.length[:, :n_muscles], speed, task.strength, task.passive)
    most[:, :n_muscles] = own.active * task.acting
    resting = own.passive * task.acting
    if task.strength is Strength.ISOMETRIC:
        most[:, :n_muscles] = task.muscles.tables.force * task.acting
    most[:, n_muscles : n_muscles + n_actuators] = [float(a.optimal_force) for a in task.actuators.all]
    most[:, n_muscles + n_actuators :] = task.reserves[:, 1]
    arms[:, :along] = projected(paths.force)
    if task.actuators.straight:
        arms[:, along : n_muscles + n_actuators] = projected(
            straight_forces(compiled, task.actuators.straight, q)
        )
    for index, position in enumerate(task.reserves[:, 0].astype(int)):
        arms[:, n_muscles + n_actuators + index, position] = 1.0
    needed = projected((target - borne)[:, None])[:, 0]
    if task.passive:
        needed = needed - np.einsum("npm,np->nm", arms[:, :n_muscles], resting)
    with compilation_notice("recruitment"):
        found = share(arms, most, needed, task.bounds[:, 0], task.bounds[:, 1], task.weight, task.power)
    return Answer(
        found.activation,
        most,
        resting,
        borne,
        needed,
        found.unmet,
        found.violation,
        found.status,
        found.iterations,
    )
