"""Everything about one trial: what `borelli analyze` computes and saves, from objects to one Dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from borelli.arrays import curve_of
from borelli.io.toml.trial_toml import MUSCLES, SHARED, VARIABLES, require
from borelli.results.labelled.plain_result import PlainResult, is_dataset
from borelli.results.labelled.returns_dataset import returns_dataset
from borelli.results.labelled.tensions import given_forces
from borelli.trial.forces import Forces
from borelli.trial.muscles import shared_load
from borelli.trial.result import split

if TYPE_CHECKING:
    from borelli.model.load import Load
    from borelli.model.model import Model
    from borelli.model.motion import Motion
    from borelli.results.labelled.tensions import Tensions

Progress = Callable[[str], None]
"""Told which stage begins: "reading", "optimizing", "splitting" or "writing"."""


def silent(stage: str) -> None:
    """Tell nobody."""


@returns_dataset
def analyze(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    muscles: str = SHARED,
    tensions: Tensions = None,
    variables: str = "body",
    power: float = 2.0,
    reserves: float = 1.0,
    spare: Mapping[str, float] | None = None,
    express_in: str = "ground",
    on: str = "child",
    loops: bool = False,
    progress: Progress = silent,
) -> PlainResult:
    """Compute all that ``borelli analyze`` saves: torques and reactions with their shares, muscles, residuals.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; brought to the instants of the motion.
    muscles : "shared" or "none"
        Whether the muscles of the model balance the load, instant by instant, where no tensions are given.
    tensions : mapping of path to (n_times,) newtons, or Dataset of ``muscle_forces``, optional
        Taken as they are; forces of actuators (N or N m) may be among them.
    variables : "body" or "coordinates"
        How the motion is split, as in :func:`contributions`.
    power : float
        Of the activations in the criterion of static optimization.
    reserves : float
        Strength of the reserve at every balanced coordinate (N m or N).
    spare : mapping of joint to weight, optional
        Joints that the criterion spares, as in :class:`~borelli.Criterion`; needs the power two.
    express_in, on : str
        Axes and side of the joint reactions, as in :func:`joint_reactions`.
    loops : bool
        Let constraints between bodies bear their part, as in :func:`joint_reactions`; muscles that balance the load
        leave it to them.
    progress : function of a stage, optional
        Called when a stage begins: "optimizing", "splitting".

    Returns
    -------
    Dataset
        That of :func:`contributions`, the generalized forces without the muscles that deliver them; coordinates,
        speeds, power and work of :func:`joint_power`; ground reaction and centre of pressure of
        :func:`ground_reaction`; moment arms and, with tensions, what the muscles deliver; activations and reserves
        where muscles were optimized; positions for drawing; events of contact; residuals: forces at a floating root,
        reserves, violated constraints, optimality. ``save_result`` saves it, ``write_report`` shows it.

    Guarantees, each a test
    -----------------------
    - the numbers are those that ``borelli analyze`` saves

    Examples
    --------
    >>> result = bo.analyze(model, motion, loads)
    >>> bool(result["closure"] < 1e-12), float(abs(result["largest_reserve_moment"]).round(1))  # N m
    (True, 0.0)
    """
    require(muscles, MUSCLES, "muscles")
    require(variables, VARIABLES, "variables")
    external = [load.at(motion.time) for load in loads]
    progress("optimizing")
    forces = _forces(model, motion, external, muscles, tensions, power, reserves, spare)
    progress("splitting")
    settings = {
        "variables": variables,
        "muscles": muscles,
        "power": power,
        "reserves": reserves,
        "spare": spare,
    }
    return split(model, motion, forces, variables, settings, express_in=express_in, on=on, loops=loops)


def _forces(
    model: Model,
    motion: Motion,
    external: list[Load],
    muscles: str,
    tensions: Any,
    power: float,
    reserves: float,
    spare: Mapping[str, float] | None,
) -> Forces:
    """What acts: given tensions, else those of muscles that balance the load, else the loads alone."""
    if tensions is not None:
        optimized = PlainResult.of(tensions) if is_dataset(tensions) and "kkt_residual" in tensions else None
        given = {
            name: curve_of(values, motion.time.size, f"the tension of {name!r}")
            for name, values in given_forces(tensions).items()
        }
        return Forces.told_apart(model, external, given, optimized)
    if muscles != SHARED or not model.muscles:
        return Forces(external)
    return Forces.from_optimization(
        model, external, shared_load(model, motion, external, power, reserves, spare)
    )
