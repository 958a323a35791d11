"""Muscles: a path with a fibre and a tendon along it.

Each class holds the parameters of one published muscle model and states its facts: what it is called, its paper,
which numbers its curves take, how short and how fast its fibres can be. The curves themselves are kernels
(``kernels/muscle``). Defaults are OpenSim's where OpenSim has the model.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from borelli.errors import InvalidValueError
from borelli.model.paths.path import Path
from borelli.model.values import Number, is_concrete, number
from borelli.records import dataclass

# Pennation beyond which OpenSim's muscles give no force, where a class has no parameter for it.
_STEEPEST = math.acos(0.1)
# Shortest fibre without pennation, in optimal lengths, as in OpenSim.
_SHORTEST = 0.01


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

    Examples
    --------
    >>> biceps = bm.Muscle(
    ...     name="bfsh", path=path, max_isometric_force=300.0, optimal_fiber_length=0.11, tendon_slack_length=0.1
    ... )
    >>> biceps.max_isometric_force, biceps.tendon_is_rigid
    (300.0, False)
    """

    kind: ClassVar[str] = ""
    """Name of the muscle model, in TOML files and in the registry of curves (``kernels/muscle/curves.py``)."""
    citation: ClassVar[str] = ""
    opensim_names: ClassVar[tuple[str, ...]] = ()
    """What OpenSim's files call the class; the last one is written. None where OpenSim has no such muscle."""
    equilibrium: ClassVar[str | None] = None
    """How fast fibres are while OpenSim looks for the length at which they balance the tendon: ``resting``,
    as fast as the ``path``, or the path's speed ``shared`` by stiffness. None: it has no such state."""
    shape_ranges: ClassVar[Mapping[str, tuple[float, float]]] = {}
    """Between which numbers each parameter of its own lies so that its curves are curves."""
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

    def curve_parameters(self) -> tuple[float, ...]:
        """Return the numbers that the curves of this model take, six at the most, in the order of its kernel."""
        return ()

    @property
    def tendon_strain(self) -> float:
        """Strain of the tendon at maximum isometric force."""
        return 0.0

    @property
    def tendon_is_rigid(self) -> bool:
        """Whether the tendon keeps its slack length."""
        return self.ignore_tendon_compliance

    @property
    def steepest_pennation(self) -> float:
        """Pennation beyond which the fibres give no force (rad)."""
        return _STEEPEST

    @property
    def shortest_fiber(self) -> tuple[float, float]:
        """Length up to which the fibres give no force, and the same along the tendon (m)."""
        fiber, steepest = float(self.optimal_fiber_length), self.steepest_pennation
        shortest = self.height / math.sin(steepest) if self.height > 0.0 else _SHORTEST * fiber
        return shortest, shortest * math.cos(steepest)

    @property
    def height(self) -> float:
        """Distance between the aponeuroses, which stays constant (m)."""
        return float(self.optimal_fiber_length) * math.sin(float(self.pennation_angle_at_optimal))

    @property
    def fastest_contraction(self) -> float:
        """Velocity in which the force–velocity curve counts (m/s); zero where the file gives none."""
        return float(self.max_contraction_velocity) * float(self.optimal_fiber_length)

    @property
    def damping_of_fibers(self) -> float:
        """Damping of the fibres, in maximum isometric forces at maximum velocity."""
        return 0.0

    @property
    def least_activation(self) -> float:
        """Activation below which it does not fall."""
        return 0.0
