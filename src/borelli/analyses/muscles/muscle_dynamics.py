"""Which force does an activation give in the course of a motion?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.muscles.muscle_states import fiber_states, lengths_and_speeds
from borelli.analyses.muscles.muscle_strength import activation_table
from borelli.arrays import FARTHEST, one_number
from borelli.compiled.muscles import compile_muscles
from borelli.errors import InvalidValueError, UnknownNameError, warn
from borelli.kernels.muscle.degrootefregly2016 import tendon_force_length
from borelli.kernels.muscle.fiber_integration import integrate_fibers
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import prepare
from borelli.model.model import Model
from borelli.model.muscles.muscle_models import DeGrooteFregly2016Muscle
from borelli.model.plausibility.possible import refuse_elastic_without_tendon
from borelli.results.labelled.plausible import refuse_absurd

if TYPE_CHECKING:
    import xarray as xr

_MOST_STEPS = 1e7
"""Nearly three hours in milliseconds, which take about a minute a muscle."""


def muscle_dynamics(
    model: Model,
    motion: Motion,
    activation: np.ndarray | xr.DataArray | float,
    *,
    fiber_length: Mapping[str, float] | None = None,
    step_s: float = 1e-3,
) -> xr.Dataset:
    """Follow the fibres of every muscle through a motion: lengths, velocities, forces and powers.

    Where a tendon is elastic, fibres move on their own: their length is integrated from the balance of fibres and
    tendon, with activations given at all times. Where it is rigid they follow the path.

    Parameters
    ----------
    model : Model
    motion : Motion
        Coordinates and speeds.
    activation : number, (n_times, n_muscles) array, or DataArray (time, muscle)
        Between 0 and 1; straight between instants, and never less than a muscle's minimum.
    fiber_length : mapping of muscle to m, optional
        At the first instant; elsewhere there, fibres at rest balance their tendon.
    step_s : float
        Longest step of the integration (s); the error falls with its square: in the sample walk a millisecond
        leaves 0.1 N of 2000 N, ten of them leave 20 N.

    Returns
    -------
    Dataset
        As of :func:`muscle_states`: ``fiber_length``, ``fiber_velocity``, ``tendon_force``, ``fiber_active_power``
        and so on, each (time, muscle).

    Raises
    ------
    InvalidValueError
        If instants are missing, the step is not more than zero, or the motion would take endless steps.
    UnsupportedError
        If the curves of a class of muscle are not known.

    Guarantees, each a test
    -----------------------
    - held still, fibres settle where ``muscle_equilibrium`` finds them
    - lengths equal those of OpenSim's forward integration

    Examples
    --------
    >>> half = motion.instants(slice(0, 21))
    >>> fibres = bo.muscle_dynamics(model, half, 0.3)
    >>> fibres["fiber_length"].dims
    ('time', 'muscle')
    """
    step_s = one_number(step_s, "step_s")
    if not step_s > 0.0:
        raise InvalidValueError(f"step_s must be more than zero, not {step_s!r}.")
    prepared = prepare(model, motion)
    if not prepared.known.all():
        raise InvalidValueError(
            "fibre lengths cannot be computed across missing instants.",
            where=f"motion of model {model.name!r}",
            remedy="fill the gaps, or take the instants between them",
        )
    _refuse_endless(prepared.time, step_s)
    muscles = compile_muscles(tuple(model.muscles))
    refuse_elastic_without_tendon(model.muscles)
    level = activation_table(model, motion, activation)
    level = np.maximum(level, muscles.least_activation)
    length, speed = lengths_and_speeds(prepared, muscles)
    fiber = np.full(length.shape, np.nan)
    for name, value in (fiber_length or {}).items():
        if name not in muscles.names:
            raise UnknownNameError.among(name, "muscle", muscles.names, of=f"model {model.name!r}")
        start = one_number(value, f"the fibre length of {name!r}")
        if start < 0.0:
            raise InvalidValueError(f"the fibre length of {name!r} must be zero or more, not {start:g} m.")
        fiber[0, muscles.names.index(name)] = start
    integrate_fibers(
        muscles.tables,
        muscles.tendon_strain,
        muscles.damping,
        muscles.rigid,
        prepared.time,
        length,
        speed,
        level,
        step_s,
        fiber,
    )
    along = np.sqrt(np.maximum(fiber**2 - muscles.tables.height**2, 0.0))
    answer = fiber_states(
        model,
        motion,
        activation=dict(zip(muscles.names, level.T, strict=True)),
        fiber_length={
            name: curve
            for name, curve, still in zip(muscles.names, fiber.T, muscles.rigid, strict=True)
            if not still
        },
        tendon_force=_tendon_forces(model, length - along),
    )
    answer = _without_snaps(answer)
    refuse_absurd(answer.variables, answer.coords)
    return answer.assign_attrs(analysis="muscle_dynamics", step_s=step_s)


def _without_snaps(answer: xr.Dataset) -> xr.Dataset:
    """Leave out what an instant has no number for: fibres far from balance snap to it, however short a step is."""
    snaps = abs(answer["fiber_velocity"]) > FARTHEST
    if not snaps.any():
        return answer
    row, column = (int(index[0]) for index in np.nonzero(snaps.values))
    warn(
        f"no velocity balances the fibres of {str(answer['muscle'].values[column])!r} and its tendon at "
        f"{float(answer['time'].values[row]):g} s ({int(snaps.sum())} such numbers in all): velocities, forces of the "
        "fibres and powers are NaN there. Give a fibre length nearer to balance, or none."
    )
    kept: tuple[str, ...] = (
        "length",
        "speed",
        "activation",
        "fiber_length",
        "normalized_fiber_length",
        "tendon_length",
    )
    kept += ("pennation_angle", "tendon_force", "muscle_power")
    return answer.assign(
        {name: each.where(~snaps) for name, each in answer.data_vars.items() if name not in kept}
    )


def _refuse_endless(time: np.ndarray, step_s: float) -> None:
    """Refuse a motion of so many steps that nobody waits for its end."""
    steps = float(time[-1] - time[0]) / step_s
    if steps > _MOST_STEPS:
        raise InvalidValueError(
            f"from {time[0]:g} to {time[-1]:g} s the integration would take {steps:.1e} steps of {step_s:g} s.",
            where="muscle_dynamics",
            remedy="give times in seconds, a longer step_s, or a part of the motion",
        )


def _tendon_forces(model: Model, tendon: np.ndarray) -> dict[str, np.ndarray]:
    """Forces, over the largest, of elastic tendons whose force is the state of the muscle (De Groote's)."""
    forces = {}
    for index, muscle in enumerate(model.muscles):
        if isinstance(muscle, DeGrooteFregly2016Muscle) and not muscle.ignore_tendon_compliance:
            stretched = tendon[:, index] / float(muscle.tendon_slack_length)
            strain = muscle.tendon_strain_at_one_norm_force
            forces[muscle.name] = np.array([tendon_force_length(x, strain) for x in stretched])
    return forces
