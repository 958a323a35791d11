"""Results that no body has are refused where they are made: one mechanism for every public function."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli import model as bm
from borelli import planar
from borelli.errors import BorelliError, BorelliWarning, InvalidValueError, UnsolvableError
from borelli.results.labelled.dataset import data_array, dataset, labelled, time_axis
from borelli.results.labelled.plain_result import plain_result

N = 6
TIME = np.arange(N) / 100
BENT = 0.3 + 0.1 * np.sin(10.0 * TIME)[:, None] * np.ones(2)
RATE = np.full((N, 2), 0.1)
LARGEST = 1e12
COORDINATES = {"time": time_axis(TIME), "muscle": ["long", "short"]}


def path(slope: float) -> bm.Path:
    return bm.Path(
        (
            bm.PathPoint("o", "ground", (0.06, 0.3, 0.01)),
            bm.PathPoint("v", "upper", (0.06, -0.1, 0.01)),
            bm.PathPoint("i", "lower", (0.04, -0.08 - slope, 0.0)),
        )
    )


SIZES = {"max_isometric_force": 800.0, "optimal_fiber_length": 0.15, "tendon_slack_length": 0.45}
ARM = bo.Model(
    bodies=[bm.Body(name, 2.0, (0, -0.15, 0), (0.05, 0.05, 0.05)) for name in ("upper", "lower")],
    joints=[
        bm.PinJoint(name="shoulder", parent="ground", child="upper"),
        bm.PinJoint(name="elbow", parent="upper", child="lower", parent_placement=bm.Placement((0, -0.3, 0))),
    ],
    muscles=[
        bm.Millard2012EquilibriumMuscle(name="long", path=path(0.0), **SIZES),
        bm.Thelen2003Muscle(name="short", path=path(0.02), **SIZES),
    ],
    markers=[
        bm.Marker(f"k{k}", ("upper", "lower")[k % 2], (0.1 * (k % 2), -0.05 * k, 0.05)) for k in range(6)
    ],
)
CHAIN = planar.Chain(tuple(planar.Link(name, 0.3, 1.0, 0.01, (0.1, 0.0)) for name in "ab"))


def moved(**changed: np.ndarray) -> bo.Motion:
    values = {"q": BENT, "u": RATE, "udot": RATE} | changed
    return bo.Motion(TIME, ("shoulder", "elbow"), **values)


def pushed(**changed: np.ndarray) -> bo.Load:
    values = {"force": np.tile([0.0, 100.0, 0.0], (N, 1)), "point": np.full((N, 3), 0.1)} | changed
    return bo.Load("push", "lower", **values)


def swung(**changed: np.ndarray) -> planar.Motion:
    values = {"angle": BENT, "velocity": RATE, "acceleration": RATE} | changed
    return planar.Motion(TIME, **values)


ASKED: dict[str, Callable[[bo.Motion, bo.Load], object]] = {
    "forward_dynamics": lambda motion, load: bo.forward_dynamics(ARM, motion, RATE, [load]),
    "driven_motion": lambda motion, load: bo.driven_motion(ARM, motion, [load], {"long": np.full(N, 50.0)}),
    "inverse_dynamics": lambda motion, load: bo.inverse_dynamics(ARM, motion, [load]),
    "joint_reactions": lambda motion, load: bo.joint_reactions(ARM, motion, [load]),
    "energy": lambda motion, load: bo.energy(ARM, motion),
    "bias_forces": lambda motion, load: bo.bias_forces(ARM, motion),
    "lagrangian": lambda motion, load: bo.lagrangian(ARM, motion, [load]),
    "induced": lambda motion, load: bo.induced(ARM, motion, [load]),
    "contributions": lambda motion, load: bo.contributions(ARM, motion, [load]),
    "muscle_balance": lambda motion, load: bo.muscle_balance(ARM, motion, [load], tensions={"long": 50.0}),
    "muscle_dynamics": lambda motion, load: bo.muscle_dynamics(ARM, motion, 0.5),
    "muscle_states": lambda motion, load: bo.muscle_states(ARM, motion),
    "muscle_forces": lambda motion, load: bo.muscle_forces(ARM, motion, [load], reserves=1e3),
    "ground_reaction": lambda motion, load: bo.ground_reaction(ARM, [load], TIME),
    "scene": lambda motion, load: bo.scene(ARM, motion, [load]),
    "joint_power": lambda motion, load: bo.joint_power(ARM, motion, GIVEN["generalized_force"]),
}
GIVEN = bo.inverse_dynamics(ARM, moved())


def arrays(found: object) -> list[np.ndarray]:
    if isinstance(found, xr.Dataset):
        return [each.values for each in found.data_vars.values() if each.dtype.kind == "f"]
    return [found.q, found.u, found.udot] if isinstance(found, bo.Motion) else [found.values]  # type: ignore[attr-defined]


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("size", [1e8, 1e11, 1e30, 1e300])
@pytest.mark.parametrize("what", ["q", "u", "udot", "force", "point"])
def test_no_analysis_returns_numbers_beyond_any_bodys(asked: str, size: float, what: str) -> None:
    values = {"q": BENT, "u": RATE, "udot": RATE, "force": np.ones((N, 3)), "point": np.ones((N, 3))}[
        what
    ].copy()
    values[2] *= size
    try:
        motion = moved(**{what: values}) if what in ("q", "u", "udot") else moved()
        load = pushed(**{what: values}) if what in ("force", "point") else pushed()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BorelliWarning)
            found = ASKED[asked](motion, load)
    except BorelliError as error:
        assert error.what
        return
    for array in arrays(found):
        assert np.nanmax(np.abs(array), initial=0.0) <= LARGEST


@pytest.mark.parametrize("asked", sorted(set(ASKED) - {"muscle_dynamics"}))
@pytest.mark.parametrize("what", ["q", "force"])
def test_every_nan_in_a_result_is_told(asked: str, what: str) -> None:
    values = (BENT if what == "q" else np.ones((N, 3))).copy()
    values[2, 0] = np.nan
    motion, load = (moved(q=values), pushed()) if what == "q" else (moved(), pushed(force=values))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = ASKED[asked](motion, load)
    lost = any(
        np.isnan(array).any(axis=tuple(range(1, array.ndim)))[2] for array in arrays(found) if array.ndim > 1
    )
    words = [str(each.message) for each in told]
    assert not lost or any("1 of 6 instants contain NaN (the first at 0.02 s)" in each for each in words), (
        words
    )


def test_a_motion_without_a_known_instant_has_results_without_numbers() -> None:
    with pytest.warns(BorelliWarning, match="6 of 6 instants contain NaN"):
        found = bo.inverse_dynamics(ARM, moved(q=np.full((N, 2), np.nan)), [pushed()], passive=True)
    assert np.isnan(found["generalized_force"]).all()


def test_accelerations_that_forces_cause_are_unknown_where_the_motion_is() -> None:
    gap = BENT.copy()
    gap[2, 0] = np.nan
    with pytest.warns(BorelliWarning, match="1 of 6 instants contain NaN"):
        driven = bo.driven_motion(ARM, moved(q=gap), [], {})
    assert driven.missing.tolist() == [False, False, True, False, False, False]


PLANAR: dict[str, Callable[[planar.Motion], object]] = {
    "analyze": lambda motion: planar.analyze(CHAIN, motion),
    "energy": lambda motion: planar.energy(CHAIN, motion),
    "forward_dynamics": lambda motion: planar.forward_dynamics(CHAIN, motion),
    "joint_space": lambda motion: planar.joint_space(CHAIN, motion),
    "kinematics": lambda motion: planar.kinematics(CHAIN, motion),
    "newton_euler": lambda motion: planar.newton_euler(CHAIN, motion),
    "sensitivities": lambda motion: planar.sensitivities(CHAIN, motion),
    "support": lambda motion: planar.support(CHAIN, motion),
    "to_motion": lambda motion: planar.to_motion(CHAIN, motion),
}


@pytest.mark.parametrize("asked", PLANAR)
@pytest.mark.parametrize("size", [1e8, 1e11, 1e30, 1e74])
@pytest.mark.parametrize("what", ["angle", "velocity", "acceleration"])
def test_no_planar_analysis_does_either(asked: str, size: float, what: str) -> None:
    values = {"angle": BENT, "velocity": RATE, "acceleration": RATE}[what].copy()
    values[2] *= size
    try:
        found = PLANAR[asked](swung(**{what: values}))
    except BorelliError as error:
        assert error.what
        return
    for array in arrays(found):
        assert np.nanmax(np.abs(array), initial=0.0) <= LARGEST


def test_planar_contacts_and_springs_beyond_any_bodys_are_refused() -> None:
    hand = planar.Contact("hand", "b", (0.3, 0.0), np.full((N, 2), 1e30))
    with pytest.raises(UnsolvableError, match=r"load_force would be 1\.0e\+30 N \(load 'hand'\) at 0 s"):
        planar.drawing(CHAIN, swung(), (hand,))
    long = planar.Chain(tuple(planar.Link(name, 1e12, 1.0, 0.01, (0.1, 0.0)) for name in "ab"))
    with pytest.raises(InvalidValueError, match=r"The force reaches .*, which is not plausible for a body"):
        planar.spring_contact("s", long, swung(), "b", (0.3, 0.0), 100.0, 0.1)


def test_instants_too_near_for_numbers_are_refused_by_name() -> None:
    with pytest.raises(
        InvalidValueError, match=r"rates of the angles are no numbers: 6 instants within 5\.0e-302 s"
    ):
        planar.Motion(TIME * 1e-300, BENT)


def test_turned_angles_are_numbers() -> None:
    for turn in (planar.segment_from_joint, planar.joint_from_segment, planar.internal_from_joint):
        with pytest.raises(InvalidValueError, match="holds NaN or infinity"):
            turn([[0.1, np.nan]])
        with pytest.raises(InvalidValueError, match=r"reaches 1\.0e\+80, which is not plausible"):
            turn([[0.1, 1e80]])


@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1.1e12, -1e300])
@pytest.mark.parametrize("make", [dataset, plain_result])
def test_the_message_says_what_where_and_when(make: Callable, bad: float) -> None:
    values = np.ones((N, 2))
    values[3, 1] = bad
    values[1, 0] = np.nan
    variables = {"power": labelled(("time", "muscle"), values, "W")}
    with pytest.raises(
        UnsolvableError, match=r"^power would be .* W \(muscle 'short'\) at 0\.03 s, which is not"
    ) as told:
        make(variables, COORDINATES)
    assert "a wrong unit in what was given" in str(told.value.remedy)
    assert make(variables, COORDINATES, looked_at=("power",))["power"].values.shape == (N, 2)
    with pytest.raises(UnsolvableError, match="power would be"):
        data_array(variables["power"], COORDINATES, name="power")


def test_the_largest_numbers_of_bodies_and_unknown_ones_pass() -> None:
    values = np.full((N, 2), 1e12)
    values[0] = np.nan
    found = dataset({"force": labelled(("time", "muscle"), values, "N")}, COORDINATES)
    assert found["force"].max() == 1e12
    dataset({"force": labelled(("time", "muscle"), np.full((N, 2), np.nan), "N")}, COORDINATES)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: bo.Motion(np.arange(N) * 1e14, ("a",), BENT[:, :1]),
            r"time of a motion reaches 5\.0e\+14 s",
        ),
        (
            lambda: bo.muscle_forces(ARM, moved(), reserves=1e300),
            r"the reserve of .* is 1\.0e\+300, which is not",
        ),
        (
            lambda: bo.muscle_forces(ARM, moved(), reserve_weight="1"),
            "reserve_weight must be a finite number",
        ),
        (lambda: bo.Criterion(1e300), r"the power of a criterion is 1\.0e\+300, which is not plausible"),
        (lambda: bo.muscle_forces(ARM, moved(), bounds=(0.0,)), "bounds must be two numbers, not"),
        (
            lambda: bo.between(bo.marker_positions(ARM, moved()), None, 1.0),
            "ends of the time range must be two numbers",
        ),
        (
            lambda: bo.ground_reaction(ARM, [pushed()], TIME, threshold_n="a"),
            "threshold_n must be an array of numbers",
        ),
        (
            lambda: bo.sweep(ARM, "elbow", 1e11, 1e11),
            r"The sweep from 1e\+11 to 1e\+11 leaves what can be computed",
        ),
        (lambda: bo.simulate(ARM, TIME, [1e11, 0.0]), r"The coordinate 'shoulder' is 1\.0e\+11 at 0 s"),
        (
            lambda: bo.simulate(ARM, TIME, None, [0.0, 1e8]),
            r"'elbow' would move by 1\.0e\+08 rad/s or m/s at 0 s",
        ),
        (
            lambda: planar.simulate(CHAIN, TIME, [0.1, 0.1], [1e8, 0.0]),
            r"The initial velocity reaches 1\.0e\+08",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_absurd_choices_are_refused_before_they_are_computed_with(ask: Callable, message: str) -> None:
    with pytest.raises(BorelliError, match=message):
        ask()


def test_places_of_markers_beyond_any_body_are_refused_and_infinite_ones_are_unknown() -> None:
    markers = bo.marker_positions(ARM, moved())
    far = markers.values.copy()
    far[2, 1, 0] = 1e30
    measured = [bo.Measurement("x", [("k0", "k4")], ["upper"])]
    with pytest.raises(InvalidValueError, match=r"reach 1\.0e\+30, which is not plausible"):
        bo.scale_factors(ARM, markers.copy(data=far), measured)
    far[2, 1, 0] = np.inf
    placed = bo.inverse_kinematics(ARM, markers.copy(data=far))["marker_measured"]
    assert np.isnan(placed.values[2, 1]).all()
