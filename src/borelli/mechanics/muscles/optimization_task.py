"""What stays the same in all instants of a static optimization: actuators, bounds, weights of the cost."""

from __future__ import annotations

import enum
from collections.abc import Mapping

import numpy as np

from borelli.arrays import chosen, one_number, two_numbers
from borelli.compiled.muscles import CompiledMuscles, compile_muscles
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.mechanics.constraints.independent_speeds import IndependentSpeeds, independent_speeds
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.actuators import ActuatorSet, actuators_of, control_bounds
from borelli.mechanics.motion.prepare import Prepared
from borelli.mechanics.muscles.criterion import Criterion
from borelli.mechanics.muscles.passive_part import with_passive_part
from borelli.mechanics.muscles.spared_joints import SparedJoints
from borelli.mechanics.muscles.strength import Strength
from borelli.model.model import Model
from borelli.records import dataclass

Reserves = float | Mapping[str, float] | None


class Mode(enum.Enum):
    """Whose rules hold."""

    BORELLI = "borelli"
    """Activations from zero to the model's upper bound; forces along the tendon."""
    OPENSIM = "opensim"
    """OpenSim's static optimization: the model's own bounds, and its strengths as they are."""


@dataclass(frozen=True)
class Options:
    """What the caller chose; :func:`~borelli.muscle_forces` says what each means."""

    criterion: Criterion
    strength: Strength = Strength.RIGID_TENDON
    passive: bool = False
    passive_elements: bool = True
    reserves: Reserves = None
    reserve_weight: float = 1.0
    bounds: tuple[float, float] | None = None
    mode: Mode = Mode.BORELLI


@dataclass(frozen=True)
class Task:
    """What stays the same in all instants; n actuators of all kinds: muscles first, then actuators, then reserves."""

    options: Options
    prepared: Prepared
    muscles: CompiledMuscles
    actuators: ActuatorSet
    independent: IndependentSpeeds
    elements: ActingForces
    """External loads, springs, ligaments, stops and bushings"""
    reserves: np.ndarray
    """(n_reserves, 2): position among the constraints, strength"""
    acting: np.ndarray
    """(n_muscles,): one for a muscle that is switched on, else zero"""
    bounds: np.ndarray
    """(n, 2)"""
    weight: np.ndarray
    """(n,)"""
    spared: SparedJoints | None = None
    """Joints whose reactions count"""

    @property
    def of_muscles(self) -> slice:
        """Where the muscles are among all actuators."""
        return slice(0, len(self.muscles.names))

    @property
    def of_actuators(self) -> slice:
        """Where the actuators are among all actuators."""
        start = len(self.muscles.names)
        return slice(start, start + len(self.actuators.names))

    @property
    def of_reserves(self) -> slice:
        """Where the reserves are among all actuators."""
        return slice(self.of_actuators.stop, len(self.weight))


def choices(mode: Mode | str, strength: Strength | str | None, infeasible: str) -> tuple[Mode, Strength]:
    """Return the rules and strengths that hold.

    Raises
    ------
    UnknownNameError
        If there is no such choice.
    """
    if infeasible not in ("raise", "report"):
        raise UnknownNameError.among(infeasible, "choice", ("raise", "report"), where="argument infeasible")
    rules = chosen(mode, Mode, "mode")
    if strength is None:
        strength = Strength.OPENSIM if rules is Mode.OPENSIM else Strength.RIGID_TENDON
    return rules, chosen(strength, Strength, "strength")


def optimization_task(model: Model, outside: ActingForces, options: Options) -> Task:
    """Collect a static optimization; refuse reserves, weights and bounds that make no sense."""
    muscles, actuators, prepared = tuple(model.muscles), actuators_of(model), outside.prepared
    independent = independent_speeds(model, prepared.q, prepared.time[prepared.known])
    reserves = _reserve_table(model, independent, options.reserves)
    reserve_weight = one_number(options.reserve_weight, "reserve_weight")
    if not reserve_weight > 0.0:
        raise InvalidValueError(f"reserve_weight must be more than zero, not {reserve_weight!r}.")
    own = _muscle_bounds(model, options.bounds, options.mode)
    free = np.tile([-np.inf, np.inf], (len(reserves), 1))
    weights = (
        options.criterion.muscle_weights(model),
        np.ones(len(actuators.names)),
        np.full(len(reserves), reserve_weight),
    )
    return Task(
        options,
        prepared,
        compile_muscles(muscles, curves=options.strength is not Strength.ISOMETRIC or options.passive),
        actuators,
        independent,
        with_passive_part(outside, options.passive_elements),
        reserves,
        np.array([float(muscle.applies_force) for muscle in muscles]),
        np.concatenate([own, control_bounds(actuators.all), free]),
        np.concatenate(weights),
    )


def _muscle_bounds(model: Model, bounds: tuple[float, float] | None, rules: Mode) -> np.ndarray:
    if bounds is not None:
        low, high = two_numbers(bounds, "bounds")
        if not 0.0 <= low < high:
            raise InvalidValueError(f"bounds must rise from zero or more, but are ({low:g}, {high:g}).")
        return np.tile([low, high], (len(model.muscles), 1))
    least = 0.0 if rules is Mode.BORELLI else None
    pairs = [(m.min_control if least is None else least, m.max_control) for m in model.muscles]
    for muscle, (low, high) in zip(model.muscles, pairs, strict=True):
        if not low <= high:
            raise InvalidValueError(
                f"muscle {muscle.name!r} has no activation: it would have to lie between {low:g} and {high:g}.",
                remedy="mend its min_control and max_control, or give bounds",
            )
    return np.array(pairs, dtype=float).reshape(-1, 2)


def _reserve_table(model: Model, independent: IndependentSpeeds, reserves: Reserves) -> np.ndarray:
    names = [model.speed_names[speed] for speed in independent.speeds]
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
        size = one_number(value, f"the reserve of {name!r}")
        if not size > 0.0:
            raise InvalidValueError(f"the reserve of {name!r} must be more than zero, not {value!r}.")
        rows.append((names.index(name), size))
    return np.array(rows, dtype=float).reshape(-1, 2)
