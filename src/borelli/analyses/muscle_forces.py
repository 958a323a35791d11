"""Which muscles carry the load?"""

from __future__ import annotations

from collections.abc import Iterable

import xarray as xr

from borelli.analyses.criterion import Criterion
from borelli.analyses.motion import Load, Motion
from borelli.analyses.muscle_forces_frames import share_among_helpers
from borelli.analyses.muscle_forces_result import Answer, dataset, refuse_unmet
from borelli.analyses.muscle_forces_task import Mode, Options, Reserves, choices, sharing_task
from borelli.analyses.muscle_strength import Strength
from borelli.analyses.prepare import in_threads, prepare
from borelli.model.model import Model


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
    options = Options(
        criterion or Criterion(), chosen, passive, passive_elements, reserves, reserve_weight, bounds, rules
    )
    task = sharing_task(model, prepare(model, motion, loads), options)
    answer = Answer(
        *in_threads(len(task.prepared.q), threads, lambda frames: share_among_helpers(task, frames))
    )
    refuse_unmet(model, task, answer, infeasible)
    return dataset(model, task, answer)
