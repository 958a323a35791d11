"""Fibres and tendons in motion: forces balance, powers add up, and nothing is made up."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import borelli as bo
from borelli.analyses.muscles.muscle_states import UNITS, fiber_states, muscle_states
from borelli.errors import InvalidValueError, ShapeError, UnknownNameError, UnsolvableError, UnsupportedError
from borelli.model import (
    Body,
    DeGrooteFregly2016Muscle,
    Millard2012EquilibriumMuscle,
    Model,
    OtherMuscle,
    PathPoint,
    PinJoint,
    Thelen2003Muscle,
)
from borelli.model import Path as MusclePath

PATH = MusclePath((PathPoint("a", "ground", (0.05, 0.02, 0)), PathPoint("b", "bob", (0.03, -0.35, 0.01))))
FIBRES = {
    "path": PATH,
    "max_isometric_force": 500.0,
    "optimal_fiber_length": 0.12,
    "tendon_slack_length": 0.24,
    "pennation_angle_at_optimal": 0.2,
}
KINDS = (Thelen2003Muscle, Millard2012EquilibriumMuscle, DeGrooteFregly2016Muscle)


def swinging(*muscles):
    model = Model(
        bodies=[Body("bob", 2.0, (0, -0.4, 0), (0.05, 0.05, 0.05))],
        joints=[PinJoint(name="swing", parent="ground", child="bob")],
        muscles=muscles,
    )
    time = np.arange(40) / 40
    return model, bo.Motion(time, ("swing",), 0.4 + 0.5 * np.sin(7 * time)[:, None])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rigid", [False, True])
def test_forces_balance_and_powers_add_up(kind, rigid):
    model, motion = swinging(kind(name="m", **FIBRES, ignore_tendon_compliance=rigid))
    activation = {"m": 0.5 + 0.3 * np.cos(5 * motion.time)}
    found = muscle_states(model, motion, activation=activation, equilibrium=True).sel(muscle="m")
    assert float(found["tendon_force"].min()) > 10.0
    along = found["active_fiber_force_along_tendon"] + found["passive_fiber_force_along_tendon"]
    np.testing.assert_allclose(along, found["tendon_force"], atol=1e-9)
    given = found["fiber_active_power"] + found["fiber_passive_power"] + found["tendon_power"]
    np.testing.assert_allclose(given, found["muscle_power"], atol=1e-9)
    parts = found["tendon_length"] + found["fiber_length"] * np.cos(found["pennation_angle"])
    np.testing.assert_allclose(parts, found["length"], rtol=1e-12)


def test_at_rest_equilibrium_is_that_of_elastic_tendons_without_speed():
    model, motion = swinging(*(kind(name=kind.kind, **FIBRES) for kind in KINDS))
    still = bo.Motion(motion.time, ("swing",), motion.q, 0 * motion.q, 0 * motion.q)
    level = {name: np.full(motion.n_times, 0.3) for name in model.muscle_names}
    found = muscle_states(model, still, activation=level, equilibrium=True)
    expected = bo.muscle_equilibrium(model, still, 0.3)
    np.testing.assert_allclose(found["fiber_length"], expected["fiber_length"], rtol=1e-9)
    np.testing.assert_allclose(found["tendon_force"], expected["tendon_force"], rtol=1e-7)
    np.testing.assert_allclose(found["fiber_velocity"], 0.0, atol=1e-7)


def test_fibres_lengthen_as_fast_as_their_length_changes_with_a_rigid_tendon():
    model, motion = swinging(Millard2012EquilibriumMuscle(name="m", **FIBRES, ignore_tendon_compliance=True))
    found = muscle_states(model, motion)
    # Central differences over a fortieth of a second.
    slope = np.gradient(found["fiber_length"].values[:, 0], motion.time)
    np.testing.assert_allclose(found["fiber_velocity"].values[1:-1, 0], slope[1:-1], atol=3e-3)


def test_fibres_at_a_senseless_length_balance_their_tendon_all_the_same():
    model, motion = swinging(Thelen2003Muscle(name="m", **{**FIBRES, "pennation_angle_at_optimal": 0.0}))
    # Four optimal lengths: longer than the path, so that the tendon is slack and the fibres give nothing in sum.
    long = {"m": np.full(motion.n_times, 0.48)}
    states = {"activation": {"m": np.full(motion.n_times, 0.05)}, "fiber_length": long}
    found = fiber_states(model, motion, **states)
    assert float(found["passive_fiber_force"].min()) > 1e8
    assert float(abs(found["tendon_force"]).max()) == 0.0
    np.testing.assert_allclose(found["active_fiber_force"], -found["passive_fiber_force"], rtol=1e-12)
    # Who asks for the states gets none that no muscle has.
    with pytest.raises(
        UnsolvableError, match=r"fiber_velocity would be .* m/s \(muscle 'm'\) at 0 s, which is not"
    ):
        muscle_states(model, motion, **states)


def test_every_quantity_has_its_unit():
    model, motion = swinging(Thelen2003Muscle(name="m", **FIBRES))
    found = muscle_states(model, motion, equilibrium=True)
    assert {name: array.attrs["units"] for name, array in found.data_vars.items()} == UNITS


def test_muscles_of_other_classes_are_refused_by_name():
    model, motion = swinging(OtherMuscle(name="m", class_name="Hyfydy", **FIBRES))
    with pytest.raises(UnsupportedError, match="the states of muscle class 'Hyfydy' are not known"):
        muscle_states(model, motion)


def test_states_of_unknown_muscles_and_of_other_lengths_are_refused():
    model, motion = swinging(Thelen2003Muscle(name="m", **FIBRES))
    with pytest.raises(UnknownNameError, match="'n' is not a muscle"):
        muscle_states(model, motion, activation={"n": np.zeros(40)})
    with pytest.raises(ShapeError, match="activation of 'm' needs one number for each of the 40 instants"):
        muscle_states(model, motion, activation={"m": np.zeros(3)})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"activation": 1.5},
            "activation of 'm' is 1.5, as no muscle has it(.|\n)*instant 3(.|\n)*between 0 and 1",
        ),
        ({"activation": -1.0}, "activation of 'm' is -1, as no muscle has it"),
        (
            {"fiber_length": -0.1},
            r"fiber_length of 'm' is -0.1, as no muscle has it(.|\n)*\(m\), zero or more",
        ),
        ({"tendon_force": -0.5}, "tendon_force of 'm' is -0.5, as no muscle has it"),
    ],
)
def test_states_that_no_muscle_has_are_refused_with_the_instant(given, message):
    model, motion = swinging(DeGrooteFregly2016Muscle(name="m", **FIBRES))
    (name, value), *_ = given.items()
    curve = np.full(motion.n_times, 0.3)
    curve[3] = value
    with pytest.raises(InvalidValueError, match=message):
        muscle_states(model, motion, **{name: {"m": curve}})


def test_fibres_of_a_metre_are_refused_because_their_power_would_be_absurd():
    model, motion = swinging(Thelen2003Muscle(name="m", **FIBRES))
    with pytest.raises(
        UnsolvableError, match=r"would be .* \(muscle 'm'\) at 0 s, which is not plausible for a body"
    ):
        muscle_states(model, motion, fiber_length={"m": np.full(motion.n_times, 1.0)})


def test_states_that_are_not_known_are_counted():
    model, motion = swinging(Millard2012EquilibriumMuscle(name="m", **FIBRES))
    curve = np.full(motion.n_times, 0.3)
    curve[5:7] = np.nan
    with pytest.warns(bo.BorelliWarning, match=r"2 of 40 instants contain NaN \(the first at 0.125 s\)"):
        found = muscle_states(model, motion, activation={"m": curve}, equilibrium=True)
    for name, values in found.data_vars.items():
        assert np.isnan(values[5:7]).all() == (name not in ("length", "speed")), name
        assert np.isfinite(np.delete(values.values, (5, 6), axis=0)).all(), name


@pytest.mark.parametrize("kind", [Thelen2003Muscle, Millard2012EquilibriumMuscle])
def test_states_that_would_tear_a_muscle_are_told(kind):
    model, motion = swinging(kind(name="m", **FIBRES))
    with pytest.warns(bo.BorelliWarning, match=r"m would bear up to .* times the maximum force \(m at 0"):
        muscle_states(model, motion, fiber_length={"m": np.full(motion.n_times, 1e-9)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        muscle_states(model, motion, equilibrium=True)


def test_fibres_faster_than_fibres_are_told():
    model, motion = swinging(DeGrooteFregly2016Muscle(name="m", **FIBRES))
    with pytest.warns(bo.BorelliWarning, match=r"m would move at up to .* times full speed .* m/s\)"):
        muscle_states(model, motion, tendon_force={"m": np.full(motion.n_times, 1.2)})


def test_unknown_states_that_a_muscle_does_not_have_are_no_gap():
    model, motion = swinging(Thelen2003Muscle(name="m", **FIBRES))
    level = {"m": np.full(motion.n_times, 0.5)}
    balanced = muscle_states(model, motion, activation=level, equilibrium=True)["fiber_length"].values[:, 0]
    unknown = {"m": np.full(motion.n_times, np.nan)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = muscle_states(
            model, motion, activation=level, fiber_length={"m": balanced}, tendon_force=unknown
        )
    assert np.isfinite(found["tendon_force"]).all()
