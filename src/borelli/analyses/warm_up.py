"""Every kernel compiled before anybody waits for it: for a classroom, a container, a cluster."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable

import numpy as np

from borelli.analyses.equations.mass_matrix import mass_matrix
from borelli.analyses.forces.contributions import contributions
from borelli.analyses.forces.inverse_dynamics import inverse_dynamics
from borelli.analyses.forces.joint_reactions import joint_reactions
from borelli.analyses.movement.body_poses import body_poses, marker_positions
from borelli.analyses.movement.energy import energy
from borelli.analyses.movement.paths import paths
from borelli.analyses.muscles.muscle_dynamics import muscle_dynamics
from borelli.analyses.muscles.muscle_forces import muscle_forces
from borelli.analyses.muscles.muscle_states import muscle_states
from borelli.analyses.muscles.muscle_strength import muscle_equilibrium, muscle_strength
from borelli.analyses.recordings.inverse_kinematics import inverse_kinematics
from borelli.analyses.simulation.forward_dynamics import forward_dynamics
from borelli.errors import BorelliWarning
from borelli.kernels.quintic_spline import BAND, solve_quintic
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.muscles.criterion import Criterion
from borelli.model import (
    Body,
    Coordinate,
    Marker,
    Millard2012EquilibriumMuscle,
    Model,
    Path,
    PathPoint,
    PathWrap,
    PinJoint,
    Placement,
    WrapCylinder,
    WrapEllipsoid,
    WrapObject,
)
from borelli.model.parts import Parts

_CYLINDER = WrapCylinder(name="cylinder", frame="arm", placement=Placement((0.0, -0.05, 0.0)), radius=0.03)
_ELLIPSOID = WrapEllipsoid(
    name="ellipsoid", frame="arm", placement=Placement((0.0, -0.05, 0.0)), radii=(0.03, 0.04, 0.05)
)

Step = tuple[str, Callable[[], object]]


def warm_up(progress: Callable[[str, int, int], None] | None = None) -> int:
    """Compile the kernels of all analyses for this processor, and keep them in the cache.

    What has been compiled before is only loaded.

    Parameters
    ----------
    progress : callable, optional
        Called before each step with its name, its number from 0, and how many there are.

    Returns
    -------
    int
        Number of steps.

    Examples
    --------
    >>> bo.warm_up() > 0
    True
    """
    steps = _steps()
    for number, (name, work) in enumerate(steps):
        if progress is not None:
            progress(name, number, len(steps))
        with warnings.catch_warnings():
            # They are about the model that is made up here.
            warnings.simplefilter("ignore", BorelliWarning)
            work()
    return len(steps)


def _steps() -> list[Step]:
    """List everything to be done, in the order in which a first trial needs it."""
    bare, round_, bulging = (_arm(surfaces) for surfaces in ((), (_CYLINDER,), (_ELLIPSOID,)))
    motion = _motion(bare)
    force = np.zeros((motion.n_times, 1))
    steps: list[Step] = [
        ("speeds of a recording", lambda: _derive(motion)),
        ("poses", lambda: body_poses(bare, motion)),
        ("inverse dynamics", lambda: inverse_dynamics(bare, motion)),
        ("joint reactions", lambda: joint_reactions(bare, motion)),
        ("mass matrix", lambda: mass_matrix(bare, motion)),
        ("forward dynamics", lambda: forward_dynamics(bare, motion, force)),
        ("energy", lambda: energy(bare, motion)),
    ]
    for name, model in (("without surfaces", bare), ("over cylinders", round_), ("over ellipsoids", bulging)):
        steps += [
            (f"paths {name}", functools.partial(_draw, model, motion)),
            (f"muscle forces {name}", functools.partial(muscle_forces, model, motion, reserves=1e3)),
            (f"shares {name}", functools.partial(contributions, model, motion, tensions=_tensions(model))),
        ]
    return [
        *steps,
        ("high powers", lambda: muscle_forces(bare, motion, criterion=Criterion(power=3.0), reserves=1e3)),
        ("muscle strength", lambda: muscle_strength(bare, motion)),
        ("muscle equilibrium", lambda: muscle_equilibrium(bare, motion, 0.5)),
        ("muscle states", lambda: muscle_states(bare, motion)),
        ("muscle dynamics", lambda: muscle_dynamics(bare, motion, 0.5)),
        ("inverse kinematics", lambda: inverse_kinematics(bare, marker_positions(bare, motion))),
    ]


def _arm(surfaces: tuple[WrapObject, ...]) -> Model:
    """An arm on a hinge with one muscle, over the surfaces given."""
    points = (
        PathPoint("origin", "ground", (0.02, 0.2, 0.0)),
        PathPoint("insertion", "arm", (0.02, -0.2, 0.0)),
    )
    muscle = Millard2012EquilibriumMuscle(
        name="muscle",
        path=Path(points, tuple(PathWrap(surface.name) for surface in surfaces)),
        max_isometric_force=500.0,
        optimal_fiber_length=0.2,
        tendon_slack_length=0.2,
    )
    places = ((0.1, 0.0, 0.0), (0.0, -0.2, 0.1), (0.0, -0.3, -0.1))
    return Model(
        name="warm-up",
        bodies=Parts([Body("arm", 1.0, (0.0, -0.15, 0.0), (0.01, 0.01, 0.01, 0.0, 0.0, 0.0))]),
        joints=Parts(
            [PinJoint(name="hinge", parent="ground", child="arm", coordinates=(Coordinate("angle"),))]
        ),
        wrap_objects=Parts(surfaces),
        muscles=Parts([muscle]),
        markers=Parts(Marker(f"marker {number}", "arm", place) for number, place in enumerate(places)),
    )


def _motion(model: Model) -> Motion:
    time = np.arange(12) * 0.01
    angle = 0.3 * np.sin(4.0 * time)[:, None]
    speed = 1.2 * np.cos(4.0 * time)[:, None]
    return Motion(time, model.coordinate_names, angle, speed, -16.0 * angle)


def _draw(model: Model, motion: Motion) -> None:
    paths(model, motion, points=True)
    paths(model, motion, forces=True)


def _tensions(model: Model) -> dict[str, np.ndarray]:
    return {muscle.name: np.full(12, 10.0) for muscle in model.muscles}


def _derive(motion: Motion) -> None:
    size = 2 * motion.n_times
    solve_quintic(np.diff(motion.time), motion.q, np.zeros((size, BAND)), np.zeros((size, motion.q.shape[1])))
