"""Times that are durations, dates, masks and complex numbers are never taken for plain numbers."""

from __future__ import annotations

import datetime
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sympy
import xarray as xr

import borelli as bo
from borelli import planar
from borelli.arrays import plain_numbers, seconds
from borelli.errors import InvalidValueError, ShapeError
from borelli.model import Body, Marker, Path, PathActuator, PathPoint, PinJoint
from borelli.results.labelled.table import Table

STEPS = pd.to_timedelta([0.0, 0.25, 0.5], unit="s")
DATES = pd.Timestamp("2026-01-01") + STEPS
Q = np.array([[0.1], [0.2], [0.4]])


@pytest.mark.parametrize(
    "time",
    [
        STEPS,
        STEPS.to_series(),
        list(STEPS),
        STEPS.to_numpy(),
        STEPS.astype("timedelta64[ms]"),
        STEPS.to_pytimedelta(),
    ],
)
def test_durations_are_seconds(time: object) -> None:
    np.testing.assert_array_equal(seconds(time, "time"), [0.0, 0.25, 0.5])
    motion = bo.Motion(time, ("a",), Q)
    np.testing.assert_array_equal(motion.time, [0.0, 0.25, 0.5])
    np.testing.assert_array_equal(planar.Motion(time, Q, Q, Q).time, motion.time)
    np.testing.assert_array_equal(
        bo.Load("f", "b", np.zeros((3, 3)), np.zeros(3), time=time).time, motion.time
    )
    np.testing.assert_array_equal(Table(time, ("a",), Q).time, motion.time)


@pytest.mark.parametrize(
    "time", [DATES, DATES.to_numpy(), list(DATES), DATES.tz_localize("UTC"), [datetime.date(2026, 1, 1)] * 3]
)
def test_dates_are_refused_with_the_way_out(time: object) -> None:
    for make in (
        lambda: bo.Motion(time, ("a",), Q),
        lambda: planar.Motion(time, Q, Q, Q),
        lambda: bo.Load("f", "b", np.zeros((3, 3)), np.zeros(3), time=time),
        lambda: Table(time, ("a",), Q),
    ):
        with pytest.raises(InvalidValueError, match=r"must be in seconds, not dates(.|\n)*time - time\[0\]"):
            make()


def test_a_duration_that_is_missing_is_no_time() -> None:
    gap = STEPS.to_series().reset_index(drop=True)
    gap[1] = pd.NaT
    with pytest.raises(InvalidValueError, match="time is NaN in instant 1"):
        bo.Motion(gap, ("a",), Q)


@pytest.mark.parametrize("values", [STEPS, DATES, list(STEPS), list(DATES)])
def test_durations_and_dates_are_no_coordinates(values: object) -> None:
    with pytest.raises(InvalidValueError, match="not of dates or durations"):
        plain_numbers(values, "q")


def test_masked_values_are_missing() -> None:
    q = np.ma.masked_array(Q, mask=[[False], [True], [False]])
    motion = bo.Motion([0.0, 0.25, 0.5], ("a",), q)
    assert motion.missing.tolist() == [False, True, False]
    with pytest.raises(InvalidValueError, match="time is NaN in instant 2"):
        bo.Motion(np.ma.masked_equal([0.0, 0.25, 0.5], 0.5), ("a",), Q)
    with pytest.raises(InvalidValueError, match=r"holds NaN or infinity, first at index \(1, 0\)"):
        planar.Motion([0.0, 0.25, 0.5], q)
    whole = np.ma.masked_array(np.arange(3), mask=False)
    np.testing.assert_array_equal(plain_numbers(whole, "q"), [0.0, 1.0, 2.0])


def test_masked_forces_are_not_used() -> None:
    force = np.ma.masked_array(np.ones((3, 3)), mask=np.eye(3, dtype=bool))
    assert np.isnan(bo.Load("f", "b", force, np.zeros(3)).force).sum() == 3


def test_complex_numbers_and_text_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="q of a motion must be real numbers, not complex ones"):
        bo.Motion([0.0, 0.25, 0.5], ("a",), Q + 1j)
    with pytest.raises(InvalidValueError, match="q of a motion must be an array of numbers"):
        bo.Motion([0.0, 0.25, 0.5], ("a",), [["x"], ["y"], ["z"]])
    with pytest.raises(InvalidValueError, match=r"mixes durations and other things: 1\.0"):
        seconds([datetime.timedelta(seconds=1), 1.0], "time")
    with pytest.raises(InvalidValueError, match="must be an array of numbers"):
        plain_numbers([[1.0], [2.0, 3.0]], "q")


def test_tensions_of_another_kind_are_refused() -> None:
    from tests.random_trees import random_model, random_motion

    model = random_model(1, 2)
    motion = random_motion(model, 1)
    with pytest.raises(bo.BorelliError, match="not of dates or durations"):
        bo.forward_dynamics(model, motion, np.zeros(motion.u.shape).astype("timedelta64[s]"))


MODEL = bo.Model(
    bodies=[Body("thigh", 5.0, (0, -0.2, 0), (0.05, 0.05, 0.05))],
    joints=[PinJoint(name="hip", parent="ground", child="thigh")],
    markers=[Marker(f"k{k}", "thigh", (0.1 * (k % 2), -0.1 * k, 0.05 * (k % 3))) for k in range(4)],
    forces=[
        PathActuator(
            name="cable",
            path=Path((PathPoint("o", "ground", (0.1, 0, 0)), PathPoint("i", "thigh", (0.05, -0.3, 0)))),
        )
    ],
)
TIME = np.arange(6) / 100
MOTION = bo.Motion(TIME, ("hip",), 0.1 * TIME[:, None], np.zeros((6, 1)), np.zeros((6, 1)))
CHAIN, REACH = bo.library.reaching_arm(), bo.library.reach()


def not_numbers(shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    """What NumPy would turn into numbers, or fail at."""
    ones = np.ones(shape)
    return {
        "complex": ones + 1j,
        "dates": ones.astype(int).astype("datetime64[ns]"),
        "durations": ones.astype(int).astype("timedelta64[ns]"),
        "records": np.zeros(shape, [("x", float)]),
        "words": np.full(shape, "a"),
        "too large for a float": np.full(shape, 10**400, dtype=object),
        "symbols": np.full(shape, sympy.Symbol("x")),
    }


def recorded(values: np.ndarray | None = None, time: object = TIME) -> xr.DataArray:
    markers = bo.marker_positions(MODEL, MOTION)
    if values is not None:
        markers = markers.copy(data=values)
    return markers.assign_coords(time=("time", time))


ASKED_OF_MARKERS: dict = {
    "inverse kinematics": lambda markers: bo.inverse_kinematics(MODEL, markers),
    "placing markers": lambda markers: bo.place_markers(MODEL, markers),
    "scale factors": lambda markers: bo.scale_factors(
        MODEL, markers, [bo.Measurement("thigh", [("k0", "k3")], ["thigh"])]
    ),
    "hip centres": lambda markers: bo.hip_centers(markers, ("k0", "k1", "k2", "k3")),
    "a functional axis": lambda markers: bo.functional_axis(markers, ["k0", "k1", "k2"], ["k1", "k2", "k3"]),
    "steps": bo.recording_steps,
    "loads of plates": lambda markers: bo.plate_loads(MODEL, markers, []),
    "a part": lambda markers: bo.between(markers, 0.0, 0.03),
}


@pytest.mark.parametrize("asked", ASKED_OF_MARKERS)
@pytest.mark.parametrize("kind", not_numbers((1,)))
def test_places_of_markers_are_numbers(asked: str, kind: str) -> None:
    with pytest.raises(InvalidValueError, match=r"(markers|trial|recording) must be"):
        ASKED_OF_MARKERS[asked](recorded(not_numbers((6, 4, 3))[kind]))


@pytest.mark.parametrize("asked", ASKED_OF_MARKERS)
def test_times_of_markers_are_seconds_or_durations_never_dates(asked: str) -> None:
    steps = pd.to_timedelta(TIME, unit="s")
    for time in (DATES[0] + steps, (DATES[0] + steps).tz_localize("Europe/Berlin"), list(DATES[0] + steps)):
        with pytest.raises(InvalidValueError, match=r"must be in seconds, not dates(.|\n)*time - time\[0\]"):
            ASKED_OF_MARKERS[asked](recorded(time=time))


def test_durations_of_markers_are_seconds() -> None:
    part = bo.between(recorded(time=pd.to_timedelta(TIME, unit="s")), 0.01, 0.03)
    np.testing.assert_allclose(part["time"].values, [0.01, 0.02, 0.03])
    with pytest.raises(ShapeError, match="the recording must be a DataArray with times along 'time'"):
        bo.between(np.zeros((6, 4, 3)), 0.01, 0.03)


CURVES: dict = {
    "of a trial": lambda x: bo.analyze(MODEL, MOTION, tensions={"cable": x}),
    "of a scene": lambda x: bo.scene(MODEL, MOTION, tensions={"cable": x}),
    "of shares": lambda x: bo.contributions(MODEL, MOTION, tensions={"cable": x}),
}


@pytest.mark.parametrize("asked", CURVES)
@pytest.mark.parametrize("kind", not_numbers((1,)))
def test_tensions_are_numbers(asked: str, kind: str) -> None:
    with pytest.raises(InvalidValueError, match="the tension of 'cable' must be"):
        CURVES[asked](not_numbers((6,))[kind])
    with pytest.raises(ShapeError, match=r"the tension of 'cable' needs one number for each of the 6"):
        CURVES[asked](np.ones(5))


def test_a_masked_tension_is_not_pulled_with() -> None:
    masked = np.ma.array(np.full(6, 100.0), mask=[1, 0, 0, 0, 0, 0])
    with pytest.raises(InvalidValueError, match="not finite in instant 0"):
        bo.analyze(MODEL, MOTION, tensions={"cable": masked})


@pytest.mark.parametrize(
    "value", [1j, np.complex128(1), np.datetime64(1, "ns"), np.timedelta64(1, "ns"), STEPS[1], DATES[0], pd.NA, pd.NaT,
              datetime.date(2026, 1, 1), 10**400, np.datetime64("NaT"), DATES.to_period("s")[0]]
)  # fmt: skip
def test_numbers_of_a_model_are_numbers(value: object) -> None:
    for make in (
        lambda: Body("b", value),
        lambda: Body("b", 1.0, (value, 0.0, 0.0)),
        lambda: Marker("k", "b", np.array([value] * 3)),
        lambda: bo.jacobian(MODEL, MOTION, "thigh", [value] * 3),
    ):
        with pytest.raises(InvalidValueError):
            make()


@pytest.mark.parametrize("symbol", [sympy.Symbol("x"), Fraction(1, 3)])
def test_symbols_and_fractions_stay(symbol: object) -> None:
    assert Body("b", symbol).mass == symbol


ABSURD: dict = {
    "a force": lambda x: bo.Load("l", "thigh", np.full(3, x), np.zeros(3)),
    "a tension": lambda x: bo.joint_reactions(MODEL, MOTION, tensions={"cable": x}),
    "a moment": lambda x: bo.forward_dynamics(MODEL, MOTION, np.full((6, 1), x)),
    "a right-hand side": lambda x: bo.mass_matrix_solve(MODEL, MOTION, np.full((6, 1), x)),
    "a planar angle": lambda x: planar.analyze(CHAIN, planar.Motion.static(np.full(CHAIN.n_links, x))),
    "a planar velocity": lambda x: planar.analyze(
        CHAIN,
        planar.Motion(REACH.time, REACH.angle, np.full_like(REACH.angle, x), np.zeros_like(REACH.angle)),
    ),
    "a planar mass": lambda x: planar.Link("thigh", 0.4, x, 0.1, (0.2, 0.0)),
    "planar gravity": lambda x: planar.Chain(CHAIN.links, gravity=(0.0, x)),
    "a planar contact": lambda x: planar.analyze(CHAIN, REACH, (planar.Contact("c", 1, (0, 0), (x, 0.0)),)),
    "a planar couple": lambda x: planar.analyze(CHAIN, REACH, (), (planar.Couple("c", 1, x),)),
    "times": lambda x: bo.simulate(MODEL, [0.0, x]),
    "the end of a sweep": lambda x: bo.sweep(MODEL, "hip", 0.0, x),
    "the other end": lambda x: bo.sweep(MODEL, "hip", x, 0.0),
}


@pytest.mark.parametrize("what", ABSURD)
@pytest.mark.parametrize("size", [1e300, 1e20])
def test_absurd_numbers_are_refused_not_computed_with(what: str, size: float) -> None:
    with pytest.raises(InvalidValueError):
        ABSURD[what](size)


def test_pelvis_markers_on_one_line_have_no_hips() -> None:
    line = np.arange(12.0).reshape(4, 3)
    with pytest.raises(InvalidValueError, match="lie on one line at 0 s"):
        bo.hip_centers(recorded(np.tile(line, (6, 1, 1))), ("k0", "k1", "k2", "k3"))


def test_one_number_is_no_table_of_angles() -> None:
    for turn in (planar.joint_from_segment, planar.segment_from_joint, planar.internal_from_joint):
        with pytest.raises(ShapeError, match="is one number"):
            turn(0.1)


def test_states_of_muscles_are_not_endless() -> None:
    walk = bo.load_model(bo.library.sample_walk().model)
    motion = bo.load_motion(bo.library.sample_walk().motion, walk)
    name = walk.muscle_names[0]
    for value in (np.inf, 1e300):
        with pytest.raises(InvalidValueError, match=f"activation of '{name}' is"):
            bo.muscle_states(walk, motion, activation={name: np.full(motion.n_times, value)})


@pytest.mark.parametrize("weight", ["2.0", [2.0], 1j, np.datetime64(1, "ns"), np.nan])
def test_weights_and_masses_are_single_numbers(weight: object) -> None:
    for ask in (
        lambda: bo.inverse_kinematics(MODEL, recorded(), weights={"k0": weight}),
        lambda: bo.assemble(MODEL, MOTION, weights={"hip": weight}),
        lambda: bo.scale(MODEL, {"thigh": 1.0}, mass=weight),
    ):
        with pytest.raises(InvalidValueError):
            ask()
