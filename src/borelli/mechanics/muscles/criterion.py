"""What muscles minimize when they balance a load."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import field

import numpy as np

from borelli.arrays import one_number
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.model.model import Model
from borelli.records import dataclass


class Weight(enum.Enum):
    """How much the activation of a muscle counts."""

    EQUAL = "equal"
    """Every muscle the same."""
    PCSA = "pcsa"
    """By physiological cross-section, taken as proportional to the maximum isometric force."""
    VOLUME = "volume"
    """By volume: cross-section times optimal fibre length."""


@dataclass(frozen=True)
class Criterion:
    """Minimize ``Σ weight |activation|^power`` over muscles, actuators and reserves, and spare joints.

    Parameters
    ----------
    power : float
        More than one. Two spreads the load smoothly [Crowninshield & Brand 1981 use three]; the higher it is, the more
        the largest activation counts.
    weights : Weight, str, or mapping of muscle to number
        ``"equal"``, ``"pcsa"`` or ``"volume"`` (their mean is one), or a weight more than zero for some
        muscles; the others then have the weight one.
    joints : mapping of joint to number
        Joints to spare: adds ``Σ weight |reaction force / 1000 N|²``, with the pull of muscles and of passive elements
        taken out of the reaction. With the weight one, 1000 N count as much as a fully active muscle. Needs the
        power two. Joints of a closed loop cannot be spared.

    Examples
    --------
    >>> gentle = bo.Criterion(joints={"knee_r": 1.0})  # spares the knee
    >>> gentle.power
    2.0
    """

    power: float = 2.0
    weights: Weight | str | Mapping[str, float] = Weight.EQUAL
    joints: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "power", one_number(self.power, "the power of a criterion"))
        if not self.power > 1.0:
            raise InvalidValueError(
                f"the power of a criterion must be more than 1, not {self.power!r}.",
                remedy="use 2 or 3; a high power approaches the least possible largest activation",
            )
        if self.joints and self.power != 2.0:
            raise InvalidValueError(
                f"joints are spared by squares of their reactions, which need the power 2, not {self.power:g}.",
                remedy="leave out power or joints",
            )
        if isinstance(self.weights, str):
            known = [choice.value for choice in Weight]
            if self.weights not in known:
                raise UnknownNameError.among(self.weights, "weight", known)
            object.__setattr__(self, "weights", Weight(self.weights))

    def muscle_weights(self, model: Model) -> np.ndarray:
        """Weight of every muscle of a model, in its order."""
        muscles = tuple(model.muscles)
        if isinstance(self.weights, Mapping):
            for name, value in self.weights.items():
                if name not in model.muscle_names:
                    raise UnknownNameError.among(
                        name, "muscle", model.muscle_names, of=f"model {model.name!r}"
                    )
                if not one_number(value, f"the weight of muscle {name!r}") > 0.0:
                    raise InvalidValueError(
                        f"the weight of muscle {name!r} must be more than zero, not {value!r}."
                    )
            return np.array([float(self.weights.get(muscle.name, 1.0)) for muscle in muscles])
        size = np.ones(len(muscles))
        if self.weights is not Weight.EQUAL:
            size = np.array([float(muscle.max_isometric_force) for muscle in muscles])
        if self.weights is Weight.VOLUME:
            size = size * np.array([float(muscle.optimal_fiber_length) for muscle in muscles])
        # A muscle without strength cannot pull whatever it weighs.
        size[size == 0.0] = size.max(initial=0.0) or 1.0
        return size / size.mean() if len(size) else size
