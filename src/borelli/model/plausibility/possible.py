"""Numbers of muscles, ligaments and springs with which nothing can be computed.

Published files hold odd ones for parts that nobody uses (a muscle without strength, a velocity that its class does not
need), so that a model with them is read. The check of a model names them, and whoever needs them refuses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from borelli.errors import InvalidValueError
from borelli.model.forces.force import Blankevoort1991Ligament, Force, Ligament, PathSpring
from borelli.model.model import Model
from borelli.model.muscles.muscle import Muscle
from borelli.model.values import Number, is_concrete

_STRONGEST = 1e9
"""N, or N per strain or per metre; ten thousand times the strongest of any body."""
_SHORTEST, _LONGEST = 1e-6, 1e3
"""m."""
_FASTEST = 1e6
"""m/s."""


class Fault(NamedTuple):
    """A number that is none of a real part."""

    name: str
    value: float
    unit: str

    def __str__(self) -> str:
        return f"{self.name} is {self.value:g}{f' {self.unit}' if self.unit else ''}"


def muscle_faults(muscle: Muscle, *, curves: bool = True) -> Iterator[Fault]:
    """Numbers with which a muscle's force, or with ``curves`` its curves, cannot be computed."""
    yield from _outside("max_isometric_force", muscle.max_isometric_force, 0.0, _STRONGEST, "N")
    if not curves:
        return
    yield from _outside("optimal_fiber_length", muscle.optimal_fiber_length, _SHORTEST, _LONGEST, "m")
    yield from _outside("tendon_slack_length", muscle.tendon_slack_length, 0.0, _LONGEST, "m")
    for name, (least, most) in muscle.shape_ranges.items():
        yield from _outside(name, getattr(muscle, name), least, most, "")
    # Not every class takes its fastest contraction from this number; one that does not may have any.
    if is_concrete(muscle.optimal_fiber_length) and is_concrete(muscle.max_contraction_velocity):
        speed = float(muscle.max_contraction_velocity)
        if not 0.0 < muscle.fastest_contraction <= _FASTEST:
            yield Fault("max_contraction_velocity", speed, "optimal fibre lengths per second")
    # OpenSim's pennation model, too, has fibres that pull forwards.
    angle = muscle.pennation_angle_at_optimal
    yield from _outside("pennation_angle_at_optimal", angle, 0.0, 0.5 * math.pi - 1e-9, "rad")


def force_faults(force: Force) -> Iterator[Fault]:
    """Numbers with which the pull of a ligament or spring along a path cannot be computed."""
    if isinstance(force, Ligament) and not (is_concrete(force.pcsa_force) and force.pcsa_force == 0.0):
        yield from _outside("resting_length", force.resting_length, _SHORTEST, _LONGEST, "m")
        yield from _outside("pcsa_force", force.pcsa_force, -_STRONGEST, _STRONGEST, "N")
    if isinstance(force, Blankevoort1991Ligament):
        yield from _outside("slack_length", force.slack_length, _SHORTEST, _LONGEST, "m")
        yield from _outside("linear_stiffness", force.linear_stiffness, 0.0, _STRONGEST, "N")
        yield from _outside("transition_strain", force.transition_strain, 0.0, _LONGEST, "")
        yield from _outside("damping_coefficient", force.damping_coefficient, 0.0, _STRONGEST, "N s")
    if isinstance(force, PathSpring):
        yield from _outside("resting_length", force.resting_length, 0.0, _LONGEST, "m")
        yield from _outside("stiffness", force.stiffness, 0.0, _STRONGEST, "N/m")
        yield from _outside("dissipation", force.dissipation, 0.0, _STRONGEST, "s/m")


def refuse_muscle(muscle: Muscle, *, curves: bool) -> None:
    """Raise for a muscle that cannot be computed with."""
    for fault in muscle_faults(muscle, curves=curves):
        only = fault.name != "max_isometric_force"
        raise InvalidValueError(
            f"{fault.name} of muscle {muscle.name!r} is {fault.value:g}{f' {fault.unit}' if fault.unit else ''}, "
            f"with which its {'curves cannot be drawn' if only else 'force cannot be computed'}.",
            remedy=f"give a {fault.name} of a real muscle"
            + (', or use strength="isometric"' if only else ", or leave the muscle out"),
        )


def refuse_elastic_without_tendon(muscles: Iterable[Muscle]) -> None:
    """Raise for a tendon that should stretch and has no length: its strain is no number."""
    for muscle in muscles:
        slack = muscle.tendon_slack_length
        if not muscle.tendon_is_rigid and is_concrete(slack) and float(slack) == 0.0:
            raise InvalidValueError(
                f"tendon_slack_length of muscle {muscle.name!r} is zero: a tendon without length cannot stretch.",
                remedy="let it be rigid (ignore_tendon_compliance), or give its length",
            )


def refuse_force(force: Force) -> None:
    """Raise for a ligament or spring whose pull cannot be computed."""
    for fault in force_faults(force):
        raise InvalidValueError(
            f"{fault.name} of {force.kind} {force.name!r} is {fault.value:g}{f' {fault.unit}' if fault.unit else ''}, "
            "with which its pull cannot be computed.",
            remedy=f"give its {fault.name}, or switch the force off (appliesForce false)",
        )


def impossible_parts(model: Model) -> Iterator[str]:
    """Yield a sentence for each muscle, ligament or spring with such numbers."""
    for muscle in model.muscles:
        for fault in muscle_faults(muscle):
            yield f"Muscle {muscle.name!r} is not valid: its {fault}."
        low, high = muscle.min_control, muscle.max_control
        if is_concrete(low) and is_concrete(high) and low > high:
            yield f"Muscle {muscle.name!r} has a min_control ({low:g}) above its max_control ({high:g})."
    for force in model.forces:
        for fault in force_faults(force):
            yield f"The {force.kind} {force.name!r} cannot be computed: its {fault}."


def _outside(name: str, value: Number, least: float, most: float, unit: str) -> Iterator[Fault]:
    if is_concrete(value) and not least <= float(value) <= most:
        yield Fault(name, float(value), unit)
