"""Impossible muscles, ligaments and springs: named by the check of the model, refused by whoever needs them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import borelli as bo
from borelli.errors import InvalidValueError, UnsolvableError
from borelli.model import (
    Blankevoort1991Ligament,
    Body,
    CoordinateSpring,
    FiberForceLengthCurve,
    Force,
    ForceVelocityCurve,
    Ligament,
    Millard2012EquilibriumMuscle,
    Model,
    Muscle,
    PathPoint,
    PathSpring,
    PinJoint,
    Schutte1993Muscle,
    TendonForceLengthCurve,
    Thelen2003Muscle,
)
from borelli.model import Path as MusclePath
from borelli.model.muscles.muscle_models import MUSCLE_CLASSES
from borelli.model.plausibility.oddities import oddities

PATH = MusclePath((PathPoint("o", "ground", (0.05, 0.1, 0.0)), PathPoint("i", "b", (0.05, -0.2, 0.0))))
TIME = np.linspace(0.0, 1.0, 8)
MOTION = bo.Motion(TIME, ("q",), 0.3 * np.sin(2.0 * TIME)[:, None])


def model(*parts: Muscle | Force) -> Model:
    body = Body("b", 1.0, com=(0.0, -0.3, 0.0), inertia=(0.1, 0.1, 0.1))
    muscles = [part for part in parts if isinstance(part, Muscle)]
    forces = [part for part in parts if isinstance(part, Force)]
    joint = PinJoint(name="q", parent="ground", child="b")
    return Model(name="m", bodies=[body], joints=[joint], muscles=muscles, forces=forces)


@pytest.mark.parametrize("kind", [Thelen2003Muscle, Millard2012EquilibriumMuscle])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("optimal_fiber_length", 0.0),
        ("optimal_fiber_length", math.inf),
        ("optimal_fiber_length", 1e-300),
        ("tendon_slack_length", -1.0),
        ("tendon_slack_length", math.inf),
        ("pennation_angle_at_optimal", 2.0),
        ("pennation_angle_at_optimal", -1.0),
        ("max_contraction_velocity", math.inf),
    ],
)
def test_impossible_fibres_and_tendons_are_named_and_have_no_curves(
    kind: type, name: str, value: float
) -> None:
    odd = model(kind(name="x", path=PATH, **{name: value}))
    assert any(f"Muscle 'x' is not valid: its {name} is {value:g}" in text for text in oddities(odd))
    with pytest.raises(InvalidValueError, match=f"{name} of muscle 'x' is .* curves cannot be drawn"):
        bo.muscle_forces(odd, MOTION, reserves=1.0)
    with pytest.raises(InvalidValueError, match=f"{name} of muscle 'x'"):
        bo.muscle_states(odd, MOTION)
    # What does not need them is computed: OpenSim reads such files, and many questions are not about muscles.
    assert np.isfinite(bo.inverse_dynamics(odd, MOTION)["generalized_force"]).all()
    assert np.isfinite(bo.muscle_forces(odd, MOTION, reserves=1.0, strength="isometric")["force"]).all()


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in MUSCLE_CLASSES for name in kind.shape_ranges]
)
def test_shapes_that_are_none_are_named_and_refused(kind: type, name: str) -> None:
    numbers = {"path": PATH, "pennation_angle_at_optimal": 0.1}
    for value in (math.nan, math.inf, -1.0, 1e300):
        odd = model(kind(name="x", **{**numbers, name: value}))
        assert any(f"Muscle 'x' is not valid: its {name} is {value:g}" in text for text in oddities(odd))
        with pytest.raises(InvalidValueError, match=f"{name} of muscle 'x' is {value:g}".replace("+", r"\+")):
            bo.muscle_strength(odd, MOTION)
    least, most = kind.shape_ranges[name]
    assert least <= getattr(kind(name="x", **numbers), name) <= most


@pytest.mark.parametrize(
    "curve",
    [
        {"force_velocity_curve": ForceVelocityCurve(eccentric_curviness=math.nan)},
        {"fiber_force_length_curve": FiberForceLengthCurve(strain_at_one_norm_force=0.0)},
        {"fiber_force_length_curve": FiberForceLengthCurve(curviness=math.inf)},
        {"tendon_force_length_curve": TendonForceLengthCurve(stiffness_at_one_norm_force=0.0)},
    ],
)
def test_numbers_that_give_no_curve_are_refused_with_it(curve: dict[str, object]) -> None:
    (name,) = curve
    odd = model(Millard2012EquilibriumMuscle(name="x", path=PATH, **curve))
    with pytest.raises(InvalidValueError, match=f"no curve has the numbers of the {name} of muscle 'x'"):
        bo.muscle_strength(odd, MOTION)


def test_a_muscle_of_no_time_scale_is_named() -> None:
    assert any(
        "its time_scale is 0." in text
        for text in oddities(model(Schutte1993Muscle(name="x", path=PATH, time_scale=0.0)))
    )


@pytest.mark.parametrize("value", [math.inf, 1e300])
def test_an_infinite_force_is_refused_whatever_the_strength(value: float) -> None:
    odd = model(Thelen2003Muscle(name="x", path=PATH, max_isometric_force=value))
    assert any("its max_isometric_force is" in text for text in oddities(odd))
    for strength in ("isometric", "rigid_tendon"):
        with pytest.raises(
            InvalidValueError, match=r"max_isometric_force of muscle 'x' is .* force cannot be computed"
        ):
            bo.muscle_forces(odd, MOTION, reserves=1.0, strength=strength)


def test_a_muscle_without_strength_or_tendon_is_no_fault() -> None:
    """Published models have both: a muscle that is switched off by its strength, and one without a tendon."""
    weak = model(Thelen2003Muscle(name="x", path=PATH, max_isometric_force=0.0))
    short = model(Thelen2003Muscle(name="x", path=PATH, optimal_fiber_length=0.3, tendon_slack_length=0.0))
    for odd in (weak, short):
        assert not [text for text in oddities(odd) if "'x'" in text]
        assert np.isfinite(bo.muscle_forces(odd, MOTION, reserves=10.0)["force"]).all()
    with pytest.raises(InvalidValueError, match="a tendon without length cannot stretch"):
        bo.muscle_states(short, MOTION)


def test_controls_in_the_wrong_order_leave_no_activation() -> None:
    odd = model(Thelen2003Muscle(name="x", path=PATH, min_control=0.9, max_control=0.1))
    assert any("min_control (0.9) above its max_control (0.1)" in text for text in oddities(odd))
    with pytest.raises(InvalidValueError, match=r"would have to lie between 0\.9 and 0\.1"):
        bo.muscle_forces(odd, MOTION, reserves=1.0, mode="opensim")


@pytest.mark.parametrize(
    "part",
    [
        Ligament(name="x", path=PATH, resting_length=0.0, pcsa_force=100.0),
        Ligament(name="x", path=PATH, resting_length=-0.1, pcsa_force=100.0),
        Ligament(name="x", path=PATH, resting_length=0.2, pcsa_force=math.inf),
        Blankevoort1991Ligament(name="x", path=PATH, slack_length=0.0),
        Blankevoort1991Ligament(name="x", path=PATH, slack_length=0.2, transition_strain=-1.0),
        Blankevoort1991Ligament(name="x", path=PATH, slack_length=0.2, linear_stiffness=math.inf),
        PathSpring(name="x", path=PATH, resting_length=-1.0, stiffness=100.0),
        PathSpring(name="x", path=PATH, resting_length=0.2, stiffness=math.inf),
    ],
)
def test_ligaments_and_springs_that_cannot_be_computed_are_named_and_refused(part: Force) -> None:
    odd = model(part)
    assert any("'x' cannot be computed: its" in text for text in oddities(odd))
    with pytest.raises(
        InvalidValueError, match=r"of .*'x' is .*, with which its pull cannot be computed"
    ) as caught:
        bo.contributions(odd, MOTION)
    assert "appliesForce" in str(caught.value)


def test_a_ligament_without_any_numbers_pulls_nothing() -> None:
    """OpenSim's defaults: no length and no force."""
    empty = model(Ligament(name="x", path=PATH, resting_length=0.0, pcsa_force=0.0))
    found = bo.contributions(empty, MOTION)
    assert np.isfinite(found["total_generalized_force"]).all()
    assert (found["generalized_force"].sel(source="passive:x") == 0.0).all()


def test_a_spring_beyond_any_body_is_named_by_the_split() -> None:
    stiff = CoordinateSpring(name="x", coordinate="q", stiffness=1e300, rest=0.0, viscosity=0.0)
    with pytest.raises(UnsolvableError, match=r"The share of source 'passive:x' is .*e\+29. at 0"):
        bo.contributions(model(stiff), MOTION)
    sound = CoordinateSpring(name="x", coordinate="q", stiffness=1e6, rest=0.0, viscosity=0.0)
    assert np.isfinite(bo.contributions(model(sound), MOTION)["total_generalized_force"]).all()


def test_a_body_heavier_than_any_is_refused() -> None:
    joint = PinJoint(name="q", parent="ground", child="b")
    for mass, inertia in ((1e300, 0.1), (1.0, 1e300)):
        with pytest.raises(InvalidValueError, match=r"has (a mass|an inertia) of 1e.300"):
            Model(name="m", bodies=[Body("b", mass, inertia=(inertia,) * 3)], joints=[joint])


def test_what_lies_beyond_any_body_is_refused() -> None:
    with pytest.raises(
        InvalidValueError, match=r"has a component of 1e\+300, which is not plausible for a body"
    ):
        Body("b", 1.0, com=(0.0, 1e300, 0.0))
    assert Body("b", 1.0, com=(0.0, 1e6, 0.0)).com[1] == 1e6
