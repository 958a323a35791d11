"""Which force does an activation give in the course of a motion?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.muscles.muscle_states import fiber_states, lengths_and_speeds
from borelli.analyses.muscles.muscle_strength import activation_table
from borelli.compiled.muscles import compile_muscles
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.kernels.muscle.degrootefregly2016 import tendon_force_length
from borelli.kernels.muscle.fiber_integration import integrate_fibers
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import prepare
from borelli.model.model import Model
from borelli.model.muscles.muscle_models import DeGrooteFregly2016Muscle
from borelli.model.plausibility.possible import refuse_elastic_without_tendon

if TYPE_CHECKING:
    import xarray as xr


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
        If instants are missing, or the step is not more than zero.
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
    if not (np.isfinite(step_s) and step_s > 0.0):
        raise InvalidValueError(f"step_s must be more than zero, not {step_s!r}.")
    prepared = prepare(model, motion)
    if not prepared.known.all():
        raise InvalidValueError(
            "fibre lengths cannot be computed across missing instants.",
            where=f"motion of model {model.name!r}",
            remedy="fill the gaps, or take the instants between them",
        )
    muscles = compile_muscles(tuple(model.muscles))
    refuse_elastic_without_tendon(model.muscles)
    level = activation_table(model, motion, activation)
    level = np.maximum(level, muscles.least_activation)
    length, speed = lengths_and_speeds(prepared, muscles)
    fiber = np.full(length.shape, np.nan)
    for name, value in (fiber_length or {}).items():
        if name not in muscles.names:
            raise UnknownNameError.among(name, "muscle", muscles.names, of=f"model {model.name!r}")
        fiber[0, muscles.names.index(name)] = value
    integrate_fibers(
        muscles.tables,
        muscles.tendon_strain,
        muscles.damping,
        muscles.rigid,
        prepared.time,
        length,
        speed,
        level,
        float(step_s),
        fiber,
    )
    along = np.sqrt(np.maximum(fiber**2 - muscles.tables.height**2, 0.0))
    answer = fiber_states(
        model,
        motion,
        activation=dict(zip(muscles.names, level.T, strict=True)),
        fiber_length=dict(zip(muscles.names, fiber.T, strict=True)),
        tendon_force=_tendon_forces(model, length - along),
    )
    return answer.assign_attrs(analysis="muscle_dynamics", step_s=float(step_s))


def _tendon_forces(model: Model, tendon: np.ndarray) -> dict[str, np.ndarray]:
    """Forces, over the largest, of elastic tendons whose force is the state of the muscle (De Groote's)."""
    forces = {}
    for index, muscle in enumerate(model.muscles):
        if isinstance(muscle, DeGrooteFregly2016Muscle) and not muscle.ignore_tendon_compliance:
            stretched = tendon[:, index] / float(muscle.tendon_slack_length)
            strain = muscle.tendon_strain_at_one_norm_force
            forces[muscle.name] = np.array([tendon_force_length(x, strain) for x in stretched])
    return forces
