"""Which muscles carry the load?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.joint_wrenches import bearing, joint_wrenches
from borelli.mechanics.forces.reaction_frames import reaction_frames
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import in_threads
from borelli.mechanics.muscles.answer import Answer, refuse_unmet
from borelli.mechanics.muscles.criterion import Criterion
from borelli.mechanics.muscles.optimization_task import (
    Mode,
    Options,
    Reserves,
    Task,
    choices,
    optimization_task,
)
from borelli.mechanics.muscles.spared_joints import joints_to_spare, spared_joints
from borelli.mechanics.muscles.static_optimization import static_optimization_of
from borelli.mechanics.muscles.strength import Strength, citations
from borelli.model.force_units import FORCE_UNITS, force_units
from borelli.model.model import Model
from borelli.results.labelled.dataset import labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, PlainVariable, plain_result
from borelli.results.labelled.returns_dataset import returns_dataset

CITATION = (
    "Crowninshield RD, Brand RA (1981) A physiologically based criterion of muscle force prediction in "
    "locomotion. J Biomech 14:793-801."
)


@returns_dataset
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
) -> PlainResult:
    """Static optimization: muscles and actuators balance the load with least Σ weight |activation|^power.

    In every instant the generalized forces of inverse dynamics are balanced at every coordinate that is not
    locked, prescribed or driven by a constraint; constraints bear the rest. The problem is solved exactly, by a
    semismooth Newton method on its dual, and every instant reports how exactly.

    Parameters
    ----------
    model : Model
        Its muscles, and its path, coordinate, torque and point actuators, balance the load.
    motion : Motion
    loads : iterable of Load
    criterion : Criterion, optional
        Power and weights; squares with equal weights by default. ``Criterion(joints={"wrist": 1.0})`` spares a joint.
    strength : Strength or str, optional
        ``"rigid_tendon"`` (default), ``"isometric"``, or ``"opensim"``.
    passive : bool
        Whether passive fibres pull as well (rigid tendon).
    passive_elements : bool
        Whether springs, ligaments, stops and bushings of the model bear what posture and speed make them bear,
        before muscles balance the rest.
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
        If an instant cannot be balanced within the bounds, naming the instant, the coordinate and what is missing.

    Guarantees, each a test
    -----------------------
    - the power of all forces equals that of the generalized forces of inverse dynamics
    - springs, ligaments and stops are balanced as in OpenSim's static optimization
    - antagonists of a single joint stay silent
    - the outcome does not depend on the instant before, nor on the number of threads

    Examples
    --------
    >>> found = bo.muscle_forces(model, motion, loads, reserves=1.0)
    >>> found["activation"].dims, bool(found["activation"].max() < 1.0)
    (('time', 'muscle'), True)
    >>> bool(abs(found["residual"]).max() < 1e-6), bool(found["kkt_residual"].max() < 1e-9)
    (True, True)
    """
    rules, chosen = choices(mode, strength, infeasible)
    options = Options(
        criterion or Criterion(), chosen, passive, passive_elements, reserves, reserve_weight, bounds, rules
    )
    loads = tuple(loads)
    task = optimization_task(model, ActingForces.of_loads(model, motion, loads, threads=threads), options)
    task = _with_spared_joints(model, task, motion, loads, threads)
    answer = Answer.empty(task)

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        static_optimization_of(task, instants, answer)
        return ()

    in_threads(len(task.prepared.q), threads, work)
    refuse_unmet(model, task, answer, infeasible)
    return _labelled(model, task, answer)


def _with_spared_joints(
    model: Model, task: Task, motion: Motion, loads: Iterable[Load], threads: int
) -> Task:
    """Return the task with the net reactions of the joints that its criterion spares, if there are any."""
    spare = joints_to_spare(model, task.options.criterion.joints, task.actuators)
    if not spare:
        return task
    passive = task.options.passive_elements
    frames = reaction_frames(model, list(spare), "child", "ground", None)
    net = joint_wrenches(bearing(model, motion, loads, {}, passive), frames, threads)
    return replace(task, spared=spared_joints(model, spare, net.force[task.prepared.known]))


def _labelled(model: Model, task: Task, answer: Answer) -> PlainResult:
    """Label everything."""
    prepared, speeds, options = task.prepared, task.independent.speeds, task.options
    own, others = task.of_muscles, task.of_actuators
    reserve = np.zeros((len(answer.force), len(model.speed_names)))
    reserve[:, speeds[task.reserves[:, 0].astype(int)]] = answer.force[:, task.of_reserves]
    residual = np.full(reserve.shape, np.nan)
    residual[:, speeds] = answer.unmet
    by_muscle, by_actuator = ("time", "muscle"), ("time", "actuator")

    def table(dims: tuple[str, ...], values: np.ndarray, units: str, **notes: str) -> PlainVariable:
        return labelled(dims, prepared.whole(np.asarray(values, dtype=float)), units, **notes)

    return plain_result(
        {
            "activation": table(by_muscle, answer.activation[:, own], "1"),
            "force": table(by_muscle, answer.force[:, own], "N"),
            "passive_force": table(by_muscle, answer.passive, "N"),
            "strength": table(by_muscle, answer.strength[:, own], "N"),
            "bound": table(by_muscle, answer.bound, "1", meaning="-1 at the lower bound, 1 at the upper"),
            "control": table(by_actuator, answer.activation[:, others], "1"),
            "actuator_force": table(by_actuator, answer.force[:, others], "N or N m"),
            "reserve": table(("time", "coordinate"), reserve, FORCE_UNITS),
            "passive_element": table(("time", "coordinate"), answer.borne, FORCE_UNITS),
            "residual": table(
                ("time", "coordinate"), residual, FORCE_UNITS, meaning="NaN where nothing has to balance"
            ),
            "kkt_residual": table(("time",), answer.violation, "1"),
            "iterations": table(("time",), answer.iterations, "1"),
            "status": table(("time",), answer.status, "1", meaning="0 solved, 1 infeasible, 2 stalled"),
        },
        {
            "time": time_axis(prepared.time),
            "muscle": list(model.muscle_names),
            "actuator": list(task.actuators.names),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
        },
        {
            "analysis": "muscle_forces",
            "model": model.name,
            "mode": options.mode.value,
            "power": float(options.criterion.power),
            **({"spared_joints": list(task.spared.names)} if task.spared else {}),
            "strength": options.strength.value,
            "passive_fibers": str(options.passive),
            "passive_elements": list(task.elements.names),
            "citations": [CITATION, *citations(model)],
        },
    )
