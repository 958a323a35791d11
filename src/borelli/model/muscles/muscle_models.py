"""One class a published muscle model: its parameters and its facts.

To add one, see "a muscle model" in CONTRIBUTING.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from borelli.model.functions.function import Function
from borelli.model.muscles.millard_curves import (
    ActiveForceLengthCurve,
    FiberForceLengthCurve,
    ForceVelocityCurve,
    TendonForceLengthCurve,
)
from borelli.model.muscles.muscle import Muscle
from borelli.records import dataclass

# Fibres that stand upright give no force along the tendon; so far from upright it is still a number.
_UPRIGHT = 1e-9
# Activation below which OpenSim does not let fibres fall that balance their tendon by their velocity alone.
_LEAST_TO_BALANCE = 0.01
# Damping below which OpenSim takes a muscle of Millard's for undamped.
_DAMPED = 0.001
# Beyond these, exponentials of the curves overflow or divide by zero; those of people are far inside.
_STRAIN = (1e-9, 10.0)
_SHAPE = (1e-3, 100.0)
_LENGTHENING = (1.0 + 1e-6, 100.0)
_DAMPING = (0.0, 1e3)
_STEEPEST = (1e-6, 0.5 * math.pi)


def _nearly_upright(muscle: Muscle) -> tuple[float, float]:
    """Length of fibres that all but stand upright, and the same along the tendon (m)."""
    along = _UPRIGHT * float(muscle.optimal_fiber_length)
    return math.hypot(muscle.height, along), along


@dataclass(frozen=True, slots=True, kw_only=True)
class Thelen2003Muscle(Muscle):
    """Muscle of [Thelen 2003]; strains and shape factors have no unit, times are in s.

    Its active curve is a bell (``active_shape`` its width), passive fibres and tendon are exponentials, and the
    force–velocity curve is Hill's hyperbola, slower at low activation, with a straight line beyond
    ``force_velocity_extrapolation_threshold`` of the largest lengthening force. Angles are in rad. OpenSim's
    Thelen2003Muscle, with its defaults.

    Examples
    --------
    >>> bm.Thelen2003Muscle(name="bfsh", path=path, max_isometric_force=300.0).tendon_strain
    0.04
    """

    kind: ClassVar[str] = "Thelen2003"
    citation: ClassVar[str] = (
        "Thelen DG (2003) Adjustment of muscle mechanics model parameters to simulate dynamic "
        "contractions in older adults. J Biomech Eng 125:70-77."
    )
    opensim_names: ClassVar[tuple[str, ...]] = ("Thelen2003Muscle",)
    equilibrium: ClassVar[str | None] = "shared"
    shape_ranges: ClassVar[Mapping[str, tuple[float, float]]] = {
        "max_tendon_strain": _STRAIN,
        "max_muscle_strain": _STRAIN,
        "active_shape": _SHAPE,
        "passive_shape": _SHAPE,
        "force_velocity_shape": _SHAPE,
        "max_lengthening_force": _LENGTHENING,
        "force_velocity_extrapolation_threshold": (0.0, 1.0 - 1e-6),
        "maximum_pennation_angle": _STEEPEST,
    }
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

    def curve_parameters(self) -> tuple[float, ...]:
        """Shape of the active curve, strain and shape of the passive one, and three of the force–velocity curve."""
        return (
            self.active_shape,
            self.max_muscle_strain,
            self.passive_shape,
            self.force_velocity_shape,
            self.max_lengthening_force,
            self.force_velocity_extrapolation_threshold,
        )

    @property
    def tendon_strain(self) -> float:
        """Strain of the tendon at maximum isometric force."""
        return self.max_tendon_strain

    @property
    def steepest_pennation(self) -> float:
        """Pennation beyond which the fibres give no force (rad)."""
        return self.maximum_pennation_angle

    @property
    def least_activation(self) -> float:
        """Activation below which it does not fall."""
        return self.minimum_activation


@dataclass(frozen=True, slots=True, kw_only=True)
class Millard2012EquilibriumMuscle(Muscle):
    """Muscle of [Millard et al. 2013] in equilibrium with its tendon.

    Its four curves are Bézier splines with parameters of their own; ``fiber_damping`` is the force, in maximum
    isometric forces, that damping adds at maximum velocity. Times are in s, the angle in rad. OpenSim's
    Millard2012EquilibriumMuscle, with its defaults.

    Examples
    --------
    >>> bm.Millard2012EquilibriumMuscle(name="bfsh", path=path, max_isometric_force=300.0).min_control
    0.01
    """

    kind: ClassVar[str] = "Millard2012Equilibrium"
    citation: ClassVar[str] = (
        "Millard M, Uchida T, Seth A, Delp SL (2013) Flexing computational muscle: "
        "modeling and simulation of musculotendon dynamics. J Biomech Eng 135:021005."
    )
    opensim_names: ClassVar[tuple[str, ...]] = ("Millard2012EquilibriumMuscle",)
    equilibrium: ClassVar[str | None] = "resting"
    shape_ranges: ClassVar[Mapping[str, tuple[float, float]]] = {
        "fiber_damping": _DAMPING,
        "maximum_pennation_angle": _STEEPEST,
    }
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

    @property
    def can_fail_to_balance(self) -> bool:
        """Whether the tendon is elastic and the fibres are not damped.

        The fibres then have a velocity only while they pull and their force depends on the velocity, and OpenSim
        keeps activation and curves from where they do not.
        """
        return not self.ignore_tendon_compliance and self.fiber_damping < _DAMPED

    @property
    def tendon_strain(self) -> float:
        """Strain of the tendon at maximum isometric force."""
        return self.tendon_force_length_curve.strain_at_one_norm_force

    @property
    def steepest_pennation(self) -> float:
        """Pennation beyond which the fibres give no force (rad)."""
        return self.maximum_pennation_angle

    @property
    def shortest_fiber(self) -> tuple[float, float]:
        """Length up to which the fibres give no force, and the same along the tendon (m)."""
        # No super() without arguments: a dataclass with slots is another class than the one written here.
        shortest, along = Muscle.shortest_fiber.fget(self)  # type: ignore[attr-defined]
        curve = self.active_force_length_curve
        least = curve.min_norm_active_fiber_length * float(self.optimal_fiber_length)
        if least > shortest:
            return least, math.sqrt(max(least**2 - self.height**2, 0.0))
        return shortest, along

    @property
    def damping_of_fibers(self) -> float:
        """Damping of the fibres, in maximum isometric forces at maximum velocity."""
        return self.fiber_damping

    @property
    def least_activation(self) -> float:
        """Activation below which it does not fall."""
        least = self.minimum_activation
        return max(least, _LEAST_TO_BALANCE) if self.can_fail_to_balance else least


@dataclass(frozen=True, slots=True, kw_only=True)
class DeGrooteFregly2016Muscle(Muscle):
    """Muscle of [De Groote et al. 2016].

    Its curves are sums of bells, exponentials and a logarithm, so that they have derivatives everywhere; strains,
    scales and damping (in maximum isometric forces at maximum velocity) have no unit, times are in s. OpenSim's
    DeGrooteFregly2016Muscle, with its defaults.

    Examples
    --------
    >>> bm.DeGrooteFregly2016Muscle(name="bfsh", path=path, max_isometric_force=300.0).tendon_is_rigid
    False
    """

    kind: ClassVar[str] = "DeGrooteFregly2016"
    citation: ClassVar[str] = (
        "De Groote F, Kinney AL, Rao AV, Fregly BJ (2016) Evaluation of direct collocation "
        "optimal control problem formulations for solving the muscle redundancy problem. Ann Biomed Eng 44:2922-2936."
    )
    opensim_names: ClassVar[tuple[str, ...]] = ("DeGrooteFregly2016Muscle",)
    equilibrium: ClassVar[str | None] = "path"
    shape_ranges: ClassVar[Mapping[str, tuple[float, float]]] = {
        "active_force_width_scale": _SHAPE,
        "fiber_damping": _DAMPING,
        "passive_fiber_strain_at_one_norm_force": _STRAIN,
        "tendon_strain_at_one_norm_force": _STRAIN,
    }
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

    def curve_parameters(self) -> tuple[float, ...]:
        """Width of the active curve, strain of the passive one, and one where there is no passive force."""
        off = float(self.ignore_passive_fiber_force)
        return self.active_force_width_scale, self.passive_fiber_strain_at_one_norm_force, off

    @property
    def tendon_strain(self) -> float:
        """Strain of the tendon at maximum isometric force."""
        return self.tendon_strain_at_one_norm_force

    @property
    def damping_of_fibers(self) -> float:
        """Damping of the fibres, in maximum isometric forces at maximum velocity."""
        return self.fiber_damping


@dataclass(frozen=True, slots=True, kw_only=True)
class Schutte1993Muscle(Muscle):
    """Muscle of [Schutte et al. 1993], with its curves as functions; None: the model's own.

    ``time_scale`` (s) is one optimal fibre length over the fastest shortening; ``activation1`` and
    ``activation2`` are kept for files and enter nothing here, ``damping`` is in maximum isometric forces at
    maximum velocity. OpenSim's Schutte1993Muscle_Deprecated, with its defaults.

    Examples
    --------
    >>> bm.Schutte1993Muscle(name="bfsh", path=path, max_isometric_force=300.0).kind
    'Schutte1993'
    """

    kind: ClassVar[str] = "Schutte1993"
    citation: ClassVar[str] = (
        "Schutte LM, Rodgers MM, Zajac FE, Glaser RM (1993) Improving the efficacy of electrical "
        "stimulation-induced leg cycle ergometry: an analysis based on a dynamic musculoskeletal model. IEEE Trans "
        "Rehabil Eng 1:109-125."
    )
    opensim_names: ClassVar[tuple[str, ...]] = ("Schutte1993Muscle", "Schutte1993Muscle_Deprecated")
    equilibrium: ClassVar[str | None] = "resting"
    shape_ranges: ClassVar[Mapping[str, tuple[float, float]]] = {
        "time_scale": (1e-6, 1e6),
        "damping": _DAMPING,
    }
    default_activation: ClassVar[float] = 0.0
    default_fiber_length: ClassVar[float] = 0.0
    """OpenSim's class has no defaults of its own: both states are zero until somebody gives them."""
    time_scale: float = 0.1
    activation1: float = 7.667
    activation2: float = 1.459854
    damping: float = 0.1
    tendon_force_length_curve: Function | None = None
    active_force_length_curve: Function | None = None
    passive_force_length_curve: Function | None = None

    def curve_parameters(self) -> tuple[float, ...]:
        """Velocity in which OpenSim's strength of this class counts (m/s)."""
        return (float(self.max_contraction_velocity) * float(self.optimal_fiber_length),)

    @property
    def shortest_fiber(self) -> tuple[float, float]:
        """Length up to which the fibres give no force, and the same along the tendon (m).

        There is no steepest pennation: fibres give no force along the tendon when they stand upright.
        """
        return _nearly_upright(self)

    @property
    def fastest_contraction(self) -> float:
        """Velocity in which the force–velocity curve counts (m/s)."""
        return float(self.optimal_fiber_length) / self.time_scale if self.time_scale else 0.0

    @property
    def damping_of_fibers(self) -> float:
        """Damping of the fibres, in maximum isometric forces at maximum velocity."""
        return self.damping


@dataclass(frozen=True, slots=True, kw_only=True)
class RigidTendonMuscle(Muscle):
    """Muscle whose tendon does not stretch, with its curves as functions; None: the model's own.

    Fibres are as long as the path leaves them, so that their force follows from length and speed at once, without
    a state. The curves of its own are those of [Delp 1990]. OpenSim's RigidTendonMuscle.

    Examples
    --------
    >>> bm.RigidTendonMuscle(name="bfsh", path=path, max_isometric_force=300.0).tendon_is_rigid
    True
    """

    kind: ClassVar[str] = "RigidTendon"
    citation: ClassVar[str] = (
        "Delp SL (1990) Surgery simulation: a computer graphics system to analyze and design "
        "musculoskeletal reconstructions of the lower limb. PhD thesis, Stanford University."
    )
    opensim_names: ClassVar[tuple[str, ...]] = ("RigidTendonMuscle",)
    active_force_length_curve: Function | None = None
    passive_force_length_curve: Function | None = None
    force_velocity_curve: Function | None = None

    @property
    def tendon_is_rigid(self) -> bool:
        """Always."""
        return True

    @property
    def shortest_fiber(self) -> tuple[float, float]:
        """Length up to which the fibres give no force, and the same along the tendon (m).

        There is no steepest pennation: fibres give no force along the tendon when they stand upright.
        """
        return _nearly_upright(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Geyer2010Muscle(Muscle):
    """Muscle of [Geyer & Herr 2010], with few parameters; OpenSim has none like it.

    Parameters
    ----------
    width : float
        Distance from the optimal length, in optimal lengths, at which 5 % of the active force is left and the
        passive force is one.
    force_velocity_curvature : float
        K of Hill's hyperbola; larger bends more.
    max_lengthening_force : float
        Force at full lengthening velocity, in maximum isometric forces.
    tendon_strain_at_one_norm_force : float

    Examples
    --------
    >>> bm.Geyer2010Muscle(name="bfsh", path=path, max_isometric_force=300.0).kind
    'Geyer2010'
    """

    kind: ClassVar[str] = "Geyer2010"
    citation: ClassVar[str] = (
        "Geyer H, Herr H (2010) A muscle-reflex model that encodes principles of legged mechanics produces human "
        "walking dynamics and muscle activities. IEEE Trans Neural Syst Rehabil Eng 18:263-273."
    )
    shape_ranges: ClassVar[Mapping[str, tuple[float, float]]] = {
        "width": _SHAPE,
        "force_velocity_curvature": _SHAPE,
        "max_lengthening_force": _LENGTHENING,
        "tendon_strain_at_one_norm_force": _STRAIN,
    }
    # All four as in the paper.
    width: float = 0.56
    force_velocity_curvature: float = 5.0
    max_lengthening_force: float = 1.5
    tendon_strain_at_one_norm_force: float = 0.04

    def curve_parameters(self) -> tuple[float, ...]:
        """Width, and curvature and largest force of the force–velocity curve."""
        return self.width, self.force_velocity_curvature, self.max_lengthening_force

    @property
    def tendon_strain(self) -> float:
        """Strain of the tendon at maximum isometric force."""
        return self.tendon_strain_at_one_norm_force


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMuscle(Muscle):
    """A muscle of a class that is kept as data: its path and base parameters count, its curves do not.

    Parameters
    ----------
    class_name : str
        Name of the class in the file it came from.
    properties : tuple of (str, str)
        Its own properties as text.

    Examples
    --------
    >>> bm.OtherMuscle(name="bfsh", class_name="MyMuscle", path=path, max_isometric_force=300.0).max_isometric_force
    300.0
    """

    kind: ClassVar[str] = "other"
    class_name: str
    properties: tuple[tuple[str, str], ...] = ()


MUSCLE_CLASSES: tuple[type[Muscle], ...] = (
    Thelen2003Muscle,
    Millard2012EquilibriumMuscle,
    DeGrooteFregly2016Muscle,
    Schutte1993Muscle,
    RigidTendonMuscle,
    Geyer2010Muscle,
    OtherMuscle,
)
"""Every class of muscle: what readers and writers of files know."""
