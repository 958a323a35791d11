"""What fibres and tendons do in a motion, from activations and fibre lengths: lengths, velocities, forces, powers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.arrays import FARTHEST, plain_numbers
from borelli.compiled.muscles import CompiledMuscles, compile_muscles
from borelli.errors import (
    InvalidValueError,
    ShapeError,
    UnknownNameError,
    UnsupportedError,
    warn,
)
from borelli.kernels.muscle.curves import SCHUTTE1993
from borelli.kernels.muscle.fiber_state import ALL, RESTING, SHARED, fiber_motions, moving_equilibrium
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import Prepared, prepare, warn_of_unknown
from borelli.mechanics.muscles.overload import overload
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.model import Model
from borelli.model.muscles.muscle import Muscle
from borelli.model.muscles.muscle_models import DeGrooteFregly2016Muscle
from borelli.model.plausibility.possible import refuse_elastic_without_tendon
from borelli.records import dataclass
from borelli.results.labelled.dataset import dataset, labelled, time_axis
from borelli.results.labelled.plausible import refuse_absurd

if TYPE_CHECKING:
    import xarray as xr

Curves = Mapping[str, np.ndarray] | None
_NEARLY = 0.05
"""By how much an activation may leave its range: curves between instants of a recording overshoot."""
_BEARING = ("tendon", "active_fiber", "passive_fiber")
UNITS = {
    "length": "m",
    "speed": "m/s",
    "activation": "1",
    "fiber_length": "m",
    "normalized_fiber_length": "1",
    "tendon_length": "m",
    "pennation_angle": "rad",
    "fiber_velocity": "m/s",
    "normalized_fiber_velocity": "1",
    "pennation_velocity": "rad/s",
    "tendon_force": "N",
    "fiber_force": "N",
    "active_fiber_force": "N",
    "passive_fiber_force": "N",
    "active_fiber_force_along_tendon": "N",
    "passive_fiber_force_along_tendon": "N",
    "fiber_active_power": "W",
    "fiber_passive_power": "W",
    "tendon_power": "W",
    "muscle_power": "W",
}


def muscle_states(
    model: Model,
    motion: Motion,
    *,
    activation: Curves = None,
    fiber_length: Curves = None,
    tendon_force: Curves = None,
    equilibrium: bool = False,
) -> xr.Dataset:
    """Lengths, velocities, forces and powers of fibres and tendons, by the rules of OpenSim's muscles.

    Parameters
    ----------
    model : Model
    motion : Motion
        Coordinates and speeds.
    activation : mapping of muscle to (n_times,), optional
        The default activation where left out; for muscles without activation dynamics the least there is.
    fiber_length : mapping of muscle to (n_times,) m, optional
        The default fibre length where left out. A rigid tendon leaves no choice and needs none.
    tendon_force : mapping of muscle to (n_times,) maximum forces, optional
        For De Groote's muscles with elastic tendons, in place of a fibre length.
    equilibrium : bool
        Instead find the fibre length at which fibres and tendon balance: for Millard's muscles at rest, for
        De Groote's with fibres as fast as the path, for Thelen's with the path's speed shared by stiffness.

    Returns
    -------
    Dataset
        Variables of :data:`UNITS`, each (time, muscle). Powers are positive where the muscle gives them; that of
        damping counts with the active fibres.

    Raises
    ------
    UnsupportedError
        If the states of a class of muscle are not known here.
    InvalidValueError
        If an activation, a fibre length or a tendon force is none of a muscle.
    UnsolvableError
        If a number would be one that no body has.

    Warns
    -----
    BorelliWarning
        If fibres or tendon would bear more than ten maximum forces, or fibres move at more than ten maximum velocities.

    Guarantees, each a test
    -----------------------
    - fibres and elastic tendon pull equally along the tendon, where fibres can
    - powers of fibres and tendon add up to that of the path

    Examples
    --------
    >>> states = bo.muscle_states(model, motion.instants(slice(0, 3)), equilibrium=True)
    >>> states["tendon_force"].dims
    ('time', 'muscle')
    """
    require_states(model)
    for what, given, low, high, unit in (
        ("activation", activation, -_NEARLY, 1.0 + _NEARLY, ", between 0 and 1"),
        ("fiber_length", fiber_length, 0.0, FARTHEST, " (m), zero or more"),
        ("tendon_force", tendon_force, 0.0, FARTHEST, " (maximum forces), zero or more"),
    ):
        _refuse_outside(what, given, low, high, unit)
    found = fiber_states(
        model,
        motion,
        activation=activation,
        fiber_length=fiber_length,
        tendon_force=tendon_force,
        equilibrium=equilibrium,
    )
    refuse_absurd(found.variables, found.coords)
    _warn_of_overload(model, found)
    return found


def lengths_and_speeds(prepared: Prepared, muscles: CompiledMuscles) -> tuple[np.ndarray, np.ndarray]:
    """Length and lengthening speed of the paths of muscles, each (n, n_muscles): m, m/s."""
    paths = paths_of(prepared.compiled, muscles.names)
    found = path_forces(prepared.compiled, paths, prepared.q, u=prepared.u)
    return np.ascontiguousarray(found.length), np.ascontiguousarray(found.speed)


def fiber_states(
    model: Model,
    motion: Motion,
    *,
    activation: Curves = None,
    fiber_length: Curves = None,
    tendon_force: Curves = None,
    equilibrium: bool = False,
) -> xr.Dataset:
    """:func:`muscle_states` of muscles of every class, which need not have states when nobody says.

    Fibres at a senseless length balance their tendon by a senseless velocity, as OpenSim's do: who asks judges it.
    """
    prepared = prepare(model, motion)
    muscles = compile_muscles(tuple(model.muscles))
    refuse_elastic_without_tendon(model.muscles)
    traits = _Traits.of(model, muscles)
    length, speed = lengths_and_speeds(prepared, muscles)
    level = _table(model, prepared, activation, traits.activation, "activation")
    level = np.maximum(level, muscles.least_activation)
    if equilibrium:
        fiber = np.empty(length.shape)
        moving_equilibrium(
            muscles.tables,
            muscles.tendon_strain,
            muscles.damping,
            traits.taking,
            length,
            speed,
            level,
            fiber,
        )
    else:
        fiber = _table(model, prepared, fiber_length, traits.fiber_length, "fiber_length")
        pull = _table(model, prepared, tendon_force, traits.tendon_force, "tendon_force")
        by_force = np.isfinite(traits.tendon_force)
        fiber[:, by_force] = _fiber_of_force(muscles, length, pull)[:, by_force]
    fiber = _possible(muscles, length, fiber)
    parts = [np.empty(length.shape) for _ in range(4)]
    fiber_motions(
        muscles.tables,
        muscles.tendon_strain,
        muscles.damping,
        muscles.rigid,
        length,
        speed,
        level,
        fiber,
        *parts,
    )
    values = _quantities(muscles, length, speed, level, fiber, *parts)
    unknown = np.isnan(level) | np.isnan(fiber)
    if unknown.any():
        warn_of_unknown(prepared.time[prepared.known], [~unknown])
        for name in set(values) - {"length", "speed"}:
            values[name] = np.where(unknown, np.nan, values[name])
    return dataset(
        {
            name: labelled(("time", "muscle"), prepared.whole(values[name]), unit)
            for name, unit in UNITS.items()
        },
        {"time": time_axis(prepared.time), "muscle": list(muscles.names)},
        {"analysis": "muscle_states", "model": model.name, "equilibrium": str(equilibrium)},
        looked_at=UNITS,
    )


def _refuse_outside(what: str, given: Curves, low: float, high: float, wanted: str) -> None:
    for name, curve in (given or {}).items():
        own = plain_numbers(curve, f"{what} of {name!r}")
        outside = (own < low) | (own > high)
        if outside.any():
            raise InvalidValueError(
                f"{what} of {name!r} is {own[outside].flat[0]:g}, as no muscle has it.",
                where=f"instant {int(np.argwhere(outside)[0][0])}" if own.ndim else None,
                remedy=f"give numbers as they are{wanted}; NaN marks what is not known",
            )


def _warn_of_overload(model: Model, found: xr.Dataset) -> None:
    """Name the muscles that do what no muscle can: their states are far from the balance of fibres and tendon."""
    tables = compile_muscles(tuple(model.muscles)).tables
    borne = np.fmax.reduce([np.abs(found[f"{part}_force"].values) for part in _BEARING])
    names, time = tuple(muscle.name for muscle in model.muscles), found["time"].values
    moved = np.abs(found["fiber_velocity"].values)
    told = (
        overload(borne, tables.force, names, time, "bear up to {:.2g} times the maximum force", "N"),
        overload(moved, tables.fastest, names, time, "move at up to {:.2g} times full speed", "m/s"),
    )
    said = [each for each in told if each]
    if said:
        warn(
            f"{', and '.join(said)}: the fibre lengths or tendon forces, given or by default, are far from the "
            "balance of fibres and tendon. Give others, or let equilibrium=True find them."
        )


def require_states(model: Model) -> None:
    """Refuse a model with muscles whose states are not known."""
    for muscle in model.muscles:
        if muscle.equilibrium is None:
            name = getattr(muscle, "class_name", muscle.kind)
            raise UnsupportedError(
                f"the states of muscle class {name!r} are not known: no fibre velocity follows from them.",
                where=f"muscle {muscle.name!r}",
                remedy="give tensions, such as the forces of static optimization",
            )


@dataclass(frozen=True)
class _Traits:
    """What the states of each muscle are when nobody says, and how it moves, (n_muscles,) each."""

    activation: np.ndarray
    fiber_length: np.ndarray
    tendon_force: np.ndarray
    taking: np.ndarray

    @classmethod
    def of(cls, model: Model, muscles: CompiledMuscles) -> _Traits:
        """Traits of all muscles of a model."""

        def each(name: str, default: float) -> np.ndarray:
            return np.array([float(getattr(muscle, name, default)) for muscle in model.muscles])

        still = np.array([muscle.ignore_activation_dynamics for muscle in model.muscles], dtype=bool)
        return cls(
            # OpenSim's default, for classes that have none of their own.
            np.where(still, muscles.least_activation, each("default_activation", 0.05)),
            each("default_fiber_length", np.nan),
            np.array([_default_tendon_force(muscle) for muscle in model.muscles]),
            np.array([_taking(muscle) for muscle in model.muscles], dtype=np.int64),
        )


def _default_tendon_force(muscle: Muscle) -> float:
    """NaN for muscles whose state is the fibre length."""
    elastic = isinstance(muscle, DeGrooteFregly2016Muscle) and not muscle.ignore_tendon_compliance
    return float(muscle.default_normalized_tendon_force) if elastic else np.nan  # type: ignore[attr-defined]


def _taking(muscle: Muscle) -> int:
    # Fibres of a class without such a state rest while their length is looked for.
    return {None: RESTING, "resting": RESTING, "shared": SHARED, "path": ALL}[muscle.equilibrium]


def _table(model: Model, prepared: Prepared, given: Curves, default: np.ndarray, what: str) -> np.ndarray:
    """One column a muscle in the known instants, given or by default."""
    out = np.tile(default, (len(prepared.q), 1))
    for name, curve in (given or {}).items():
        if name not in model.muscle_names:
            raise UnknownNameError.among(
                name, "muscle", model.muscle_names, of=f"model {model.name!r}", where=what
            )
        own = plain_numbers(curve, f"{what} of {name!r}")
        if own.shape != prepared.time.shape:
            raise ShapeError(
                f"{what} of {name!r} needs one number for each of the {prepared.time.size} instants, "
                f"but has the shape {own.shape}."
            )
        out[:, model.muscle_names.index(name)] = own[prepared.known]
    return out


def _fiber_of_force(muscles: CompiledMuscles, length: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """Fibre length that leaves De Groote's tendon the length of its force: its exponential, inverted."""
    # c2 = 1 and c3 = 0.2 of the curve, as in kernels/muscle/degrootefregly2016.
    stiffness = np.log(1.2 / 0.2) / np.where(muscles.tendon_strain > 0.0, muscles.tendon_strain, np.nan)
    tendon = muscles.tables.tendon * (1.0 + np.log((pull + 0.2) / 0.2) / stiffness)
    return np.hypot(length - tendon, muscles.tables.height)


def _possible(muscles: CompiledMuscles, length: np.ndarray, fiber: np.ndarray) -> np.ndarray:
    """Fibre lengths with what a rigid tendon leaves of the path, and none shorter than fibres can be."""
    tables = muscles.tables
    along = length - tables.tendon
    left = np.where(along < tables.shortest_along, 0.0, np.hypot(along, tables.height))
    return np.maximum(np.where(muscles.rigid, left, fiber), tables.shortest)


def _quantities(
    muscles: CompiledMuscles,
    length: np.ndarray,
    speed: np.ndarray,
    level: np.ndarray,
    fiber: np.ndarray,
    velocity: np.ndarray,
    active: np.ndarray,
    passive: np.ndarray,
    tendon: np.ndarray,
) -> dict[str, Any]:
    """Everything that follows from fibre length, velocity and forces."""
    tables = muscles.tables
    sine = np.minimum(tables.height / fiber, 1.0)
    angle = np.arcsin(sine)
    cosine = np.cos(angle)
    # The height between the aponeuroses is constant, so that the fibres' end moves with v / cos along the tendon.
    # Fibres across the tendon move it at once: not divided by zero.
    tendon_speed = np.where(muscles.rigid, 0.0, speed - velocity / np.maximum(cosine, 1e-9))
    damped = tables.force * muscles.damping * velocity / tables.fastest
    # Schutte's muscles count damping with the active force, and show velocities by another scale than their curve's.
    whole = tables.curves.kind == SCHUTTE1993
    damped = np.where(whole, 0.0, damped)
    shown = np.where(whole, tables.curves.values[:, 0], tables.fastest)
    with np.errstate(divide="ignore", invalid="ignore"):
        shown_velocity = velocity / shown
    return {
        "length": length,
        "speed": speed,
        "activation": level,
        "fiber_length": fiber,
        "normalized_fiber_length": fiber / tables.fiber,
        "tendon_length": length - fiber * cosine,
        "pennation_angle": angle,
        "fiber_velocity": velocity,
        "normalized_fiber_velocity": shown_velocity,
        "pennation_velocity": -velocity / fiber * np.tan(angle),
        "tendon_force": tendon,
        "fiber_force": active + passive,
        "active_fiber_force": active,
        "passive_fiber_force": passive,
        "active_fiber_force_along_tendon": active * cosine,
        "passive_fiber_force_along_tendon": passive * cosine,
        "fiber_active_power": -(active + damped) * velocity,
        "fiber_passive_power": -(passive - damped) * velocity,
        "tendon_power": -tendon * tendon_speed,
        "muscle_power": -tendon * speed,
    }
