"""Which muscles carry the load?"""

from __future__ import annotations

import enum
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from borelli.analyses.actuators import (
    ActuatorSet,
    actuators_of,
    control_bounds,
    passive_forces,
    straight_forces,
)
from borelli.analyses.balance import Balances, balances_of
from borelli.analyses.criterion import Criterion
from borelli.analyses.engine import compilation_notice, engine
from borelli.analyses.motion import Load, Motion
from borelli.analyses.muscle_forces_result import Answer, dataset, refuse_unmet
from borelli.analyses.muscle_strength import Strength, strengths
from borelli.analyses.path_pass import path_forces, paths_of
from borelli.analyses.prepare import Prepared, in_threads, prepare
from borelli.compiled.muscles import CompiledMuscles, compile_muscles
from borelli.errors import BorelliWarning, InvalidValueError, UnknownNameError
from borelli.kernels.frames import blocks
from borelli.kernels.recruitment.frames import share
from borelli.model.model import Model

Reserves = float | Mapping[str, float] | None
_AT_ONCE = 512
"""Frames at a time; a divisor of the kernels' blocks, so that threads do not change where frames start anew."""


class Mode(enum.Enum):
    """Whose rules hold."""

    BORELLI = "borelli"
    """Activations from zero to the model's upper bound; forces along the tendon."""
    OPENSIM = "opensim"
    """OpenSim's static optimization: the model's own bounds, and its strengths as they are."""


@dataclass(frozen=True)
class _Task:
    """What stays the same in all frames."""

    prepared: Prepared
    muscles: CompiledMuscles
    actuators: ActuatorSet
    balances: Balances
    strength: Strength
    passive: bool
    reserves: np.ndarray
    """(n_reserves, 2): position among the balances, strength"""
    acting: np.ndarray
    """(n_muscles,): one for a muscle that is switched on, else zero"""
    bounds: np.ndarray
    """(n, 2)"""
    weight: np.ndarray
    """(n,)"""
    power: float


def muscle_forces(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    criterion: Criterion | None = None,
    strength: Strength | str | None = None,
    passive: bool = False,
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
        ``residual`` (time, coordinate): generalized force of the reserves, and what is left unbalanced;
        ``kkt_residual``, ``iterations``, ``status`` (time).

    Raises
    ------
    UnsolvableError
        If a frame cannot be balanced within the bounds, naming the frame, the coordinate and what is missing.

    Guarantees, each a test
    -----------------------
    - the power of all forces equals that of the generalized forces of inverse dynamics
    - antagonists of a single joint stay silent
    - the outcome does not depend on the frame before, nor on the number of threads
    """
    rules, chosen = _choices(mode, strength, infeasible)
    prepared = prepare(model, motion, loads)
    task = _task(
        model, prepared, criterion or Criterion(), chosen, passive, reserves, reserve_weight, bounds, rules
    )
    _warn_of_what_is_left_out(model)
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
        },
    )


def _choices(mode: Mode | str, strength: Strength | str | None, infeasible: str) -> tuple[Mode, Strength]:
    for value, kinds, what in ((mode, Mode, "mode"), (strength, Strength, "strength")):
        names = [kind.value for kind in kinds]
        if isinstance(value, str) and value not in names:
            raise UnknownNameError.among(value, what, names, where=f"argument {what}")
    if infeasible not in ("raise", "report"):
        raise UnknownNameError.among(infeasible, "choice", ("raise", "report"), where="argument infeasible")
    rules = Mode(mode)
    if strength is None:
        strength = Strength.OPENSIM if rules is Mode.OPENSIM else Strength.RIGID_TENDON
    return rules, Strength(strength)


def _task(
    model: Model,
    prepared: Prepared,
    criterion: Criterion,
    strength: Strength,
    passive: bool,
    reserves: Reserves,
    reserve_weight: float,
    bounds: tuple[float, float] | None,
    rules: Mode,
) -> _Task:
    muscles = tuple(model.muscles)
    actuators = actuators_of(model)
    balances = balances_of(model, prepared.q, prepared.time[prepared.known])
    reserve_table = _reserve_table(model, balances, reserves)
    if not (np.isfinite(reserve_weight) and reserve_weight > 0.0):
        raise InvalidValueError(f"reserve_weight must be more than zero, not {reserve_weight!r}.")
    own = _muscle_bounds(model, bounds, rules)
    free = np.tile([-np.inf, np.inf], (len(reserve_table), 1))
    weight = np.concatenate(
        [
            criterion.muscle_weights(model),
            np.ones(len(actuators.names)),
            np.full(len(reserve_table), reserve_weight),
        ]
    )
    return _Task(
        prepared,
        compile_muscles(muscles, curves=strength is not Strength.ISOMETRIC or passive),
        actuators,
        balances,
        strength,
        passive,
        reserve_table,
        np.array([float(muscle.applies_force) for muscle in muscles]),
        np.concatenate([own, control_bounds(actuators.all), free]),
        weight,
        float(criterion.power),
    )


def _muscle_bounds(model: Model, bounds: tuple[float, float] | None, rules: Mode) -> np.ndarray:
    if bounds is not None:
        low, high = map(float, bounds)
        if not 0.0 <= low < high:
            raise InvalidValueError(f"bounds must rise from zero or more, but are ({low:g}, {high:g}).")
        return np.tile([low, high], (len(model.muscles), 1))
    least = 0.0 if rules is Mode.BORELLI else None
    pairs = [(m.min_control if least is None else least, m.max_control) for m in model.muscles]
    return np.array(pairs, dtype=float).reshape(-1, 2)


def _reserve_table(model: Model, balances: Balances, reserves: Reserves) -> np.ndarray:
    names = [model.speed_names[speed] for speed in balances.speeds]
    given = dict(reserves) if isinstance(reserves, Mapping) else dict.fromkeys(names, reserves)
    rows = []
    for name, value in given.items():
        if value is None:
            continue
        if name not in names:
            if name in model.speed_names:
                raise InvalidValueError(
                    f"coordinate {name!r} needs no reserve: it is locked, prescribed or driven by a constraint.",
                    remedy="leave it out of reserves",
                )
            raise UnknownNameError.among(name, "coordinate", names, of=f"model {model.name!r}")
        if not (np.isfinite(value) and value > 0.0):
            raise InvalidValueError(f"the reserve of {name!r} must be more than zero, not {value!r}.")
        rows.append((names.index(name), float(value)))
    return np.array(rows, dtype=float).reshape(-1, 2)


def _warn_of_what_is_left_out(model: Model) -> None:
    ignored = passive_forces(model)
    if ignored:
        shown = ", ".join(map(repr, ignored[:5])) + (", …" if len(ignored) > 5 else "")
        warnings.warn(
            f"{len(ignored)} springs, ligaments, limits or other passive forces of model {model.name!r} take no "
            f"part in sharing the load ({shown}); give what they do as loads.",
            BorelliWarning,
            stacklevel=3,
        )


def _solve(task: _Task, frames: slice) -> tuple[np.ndarray, ...]:
    """Solve a piece of the frames, block by block; each block starts anew."""
    start = frames.start or 0
    parts = [
        _solve_block(task, slice(start + block.start, start + block.stop))
        for block in blocks(frames.stop - start, _AT_ONCE)
    ]
    if not parts:
        parts = [_solve_block(task, slice(0, 0))]
    return tuple(np.concatenate(pieces) for pieces in zip(*parts, strict=True))


def _solve_block(task: _Task, frames: slice) -> Answer:
    prepared, compiled = task.prepared, task.prepared.compiled
    q, u, udot = prepared.q[frames], prepared.u[frames], prepared.udot[frames]
    mechanism, loads = compiled.mechanism, prepared.loads_in(frames)
    target = engine().inverse_dynamics(mechanism, q, u, udot, loads).generalized_force
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
    needed = projected(target[:, None])[:, 0]
    if task.passive:
        needed = needed - np.einsum("npm,np->nm", arms[:, :n_muscles], resting)
    with compilation_notice("recruitment"):
        found = share(arms, most, needed, task.bounds[:, 0], task.bounds[:, 1], task.weight, task.power)
    return Answer(
        found.activation, most, resting, needed, found.unmet, found.violation, found.status, found.iterations
    )
