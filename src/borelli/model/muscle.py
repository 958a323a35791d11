"""Muscles: a path with a fibre and a tendon along it.

The dataclasses hold the parameters that each published muscle model has; the curves themselves are
computed elsewhere. Defaults are OpenSim's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from borelli.errors import InvalidValueError
from borelli.model.function import Function
from borelli.model.path import Path
from borelli.model.values import Number, is_concrete, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Muscle:
    """What all muscles have.

    Parameters
    ----------
    name : str
        Unique among muscles and forces.
    path : Path
    max_isometric_force : number
        N.
    optimal_fiber_length, tendon_slack_length : number
        m.
    pennation_angle_at_optimal : number
        rad.
    max_contraction_velocity : number
        Optimal fibre lengths per second.
    min_control, max_control : float
        Bounds of the excitation.
    ignore_tendon_compliance, ignore_activation_dynamics : bool
    applies_force : bool
        False for a muscle that is present but switched off.
    """

    kind: ClassVar[str] = ""
    name: str
    path: Path
    max_isometric_force: Number = 1000.0
    optimal_fiber_length: Number = 0.1
    tendon_slack_length: Number = 0.2
    pennation_angle_at_optimal: Number = 0.0
    max_contraction_velocity: Number = 10.0
    min_control: float = 0.0
    max_control: float = 1.0
    ignore_tendon_compliance: bool = False
    ignore_activation_dynamics: bool = False
    applies_force: bool = True

    def __post_init__(self) -> None:
        # Published files have zeros here: a muscle switched off, a velocity that its class does not use.
        # Whoever needs the curves refuses what they cannot be drawn with.
        sizes = ("max_isometric_force", "optimal_fiber_length", "max_contraction_velocity")
        for name in (
            *sizes,
            "tendon_slack_length",
            "pennation_angle_at_optimal",
            "min_control",
            "max_control",
        ):
            value = number(getattr(self, name), f"{name} of muscle {self.name!r}")
            object.__setattr__(self, name, value)
            if name in sizes and is_concrete(value) and value < 0:
                raise InvalidValueError(f"{name} of muscle {self.name!r} is below zero: {value:g}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thelen2003Muscle(Muscle):
    """Muscle of [Thelen 2003]; strains and shape factors have no unit, times are in s."""

    kind: ClassVar[str] = "Thelen2003"
    min_control: float = 0.01
    default_activation: float = 0.05
    default_fiber_length: float = 0.1
    max_tendon_strain: float = 0.04
    max_muscle_strain: float = 0.6
    active_shape: float = 0.45
    passive_shape: float = 5.0
    force_velocity_shape: float = 0.25
    max_lengthening_force: float = 1.4
    force_velocity_extrapolation_threshold: float = 0.95
    maximum_pennation_angle: float = 1.4706289056333368
    activation_time_constant: float = 0.015
    deactivation_time_constant: float = 0.05
    minimum_activation: float = 0.01


@dataclass(frozen=True, slots=True)
class ActiveForceLengthCurve:
    """Parameters of the active force–length curve of [Millard et al. 2013]."""

    min_norm_active_fiber_length: float = 0.4441
    transition_norm_fiber_length: float = 0.73
    max_norm_active_fiber_length: float = 1.8123
    shallow_ascending_slope: float = 0.8616
    minimum_value: float = 0.1


@dataclass(frozen=True, slots=True)
class ForceVelocityCurve:
    """Parameters of the force–velocity curve of [Millard et al. 2013]."""

    concentric_slope_at_vmax: float = 0.0
    concentric_slope_near_vmax: float = 0.25
    isometric_slope: float = 5.0
    eccentric_slope_at_vmax: float = 0.0
    eccentric_slope_near_vmax: float = 0.15
    max_eccentric_velocity_force_multiplier: float = 1.4
    concentric_curviness: float = 0.6
    eccentric_curviness: float = 0.9


@dataclass(frozen=True, slots=True)
class FiberForceLengthCurve:
    """Parameters of the passive fibre curve of [Millard et al. 2013]; None: derived from the strain."""

    strain_at_zero_force: float = 0.0
    strain_at_one_norm_force: float = 0.7
    stiffness_at_low_force: float | None = None
    stiffness_at_one_norm_force: float | None = None
    curviness: float | None = None


@dataclass(frozen=True, slots=True)
class TendonForceLengthCurve:
    """Parameters of the tendon curve of [Millard et al. 2013]; None: derived from the strain."""

    strain_at_one_norm_force: float = 0.049
    stiffness_at_one_norm_force: float | None = None
    norm_force_at_toe_end: float | None = None
    curviness: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Millard2012EquilibriumMuscle(Muscle):
    """Muscle of [Millard et al. 2013] in equilibrium with its tendon."""

    kind: ClassVar[str] = "Millard2012Equilibrium"
    min_control: float = 0.01
    fiber_damping: float = 0.1
    default_activation: float = 0.05
    default_fiber_length: float = 0.1
    activation_time_constant: float = 0.01
    deactivation_time_constant: float = 0.04
    minimum_activation: float = 0.01
    maximum_pennation_angle: float = 1.4706289056333368
    active_force_length_curve: ActiveForceLengthCurve = field(default_factory=ActiveForceLengthCurve)
    force_velocity_curve: ForceVelocityCurve = field(default_factory=ForceVelocityCurve)
    fiber_force_length_curve: FiberForceLengthCurve = field(default_factory=FiberForceLengthCurve)
    tendon_force_length_curve: TendonForceLengthCurve = field(default_factory=TendonForceLengthCurve)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeGrooteFregly2016Muscle(Muscle):
    """Muscle of [De Groote et al. 2016]."""

    kind: ClassVar[str] = "DeGrooteFregly2016"
    default_activation: float = 0.5
    default_normalized_tendon_force: float = 0.5
    activation_time_constant: float = 0.015
    deactivation_time_constant: float = 0.06
    active_force_width_scale: float = 1.0
    fiber_damping: float = 0.0
    passive_fiber_strain_at_one_norm_force: float = 0.6
    tendon_strain_at_one_norm_force: float = 0.049
    ignore_passive_fiber_force: bool = False
    tendon_compliance_dynamics_mode: str = "explicit"
    activation_dynamics_smoothing: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Schutte1993Muscle(Muscle):
    """Muscle of [Schutte et al. 1993], with its curves as functions; None: the model's own."""

    kind: ClassVar[str] = "Schutte1993"
    time_scale: float = 0.1
    activation1: float = 7.667
    activation2: float = 1.459854
    damping: float = 0.1
    tendon_force_length_curve: Function | None = None
    active_force_length_curve: Function | None = None
    passive_force_length_curve: Function | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RigidTendonMuscle(Muscle):
    """Muscle whose tendon does not stretch, with its curves as functions; None: the model's own."""

    kind: ClassVar[str] = "RigidTendon"
    active_force_length_curve: Function | None = None
    passive_force_length_curve: Function | None = None
    force_velocity_curve: Function | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMuscle(Muscle):
    """A muscle of a class that is kept as data: its path and base parameters count, its curves do not.

    Parameters
    ----------
    class_name : str
        Name of the class in the file it came from.
    properties : tuple of (str, str)
        Its own properties as text.
    """

    kind: ClassVar[str] = "other"
    class_name: str
    properties: tuple[tuple[str, str], ...] = ()
