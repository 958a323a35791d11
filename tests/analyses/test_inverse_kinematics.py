"""Markers give the motion back: exactly where they are exact, at the optimum of the objective where they are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from scipy.optimize import minimize

import borelli as bo
from borelli import model as bm
from borelli.errors import (
    BorelliWarning,
    DuplicateNameError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnknownNameError,
    UnsolvableError,
)

from .linkages import four_bar, slider_crank
from .marked_body import TIME, marked_body, recorded, swing, with_coordinate

MODEL = marked_body()
MOTION = swing(MODEL)
# Bounds, locks, tasks and moved markers keep the model from its markers on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:The model misses the markers")


def solved(result: xr.Dataset) -> bool:
    return bool(
        (result["status"] == 0).all()
        and result["kkt_residual"].max() < 1e-10
        and result["constraint_error"].max() < 1e-12
    )


def objectives(
    model: bm.Model, markers: xr.DataArray, q: np.ndarray, weights: dict[str, float] | None = None
) -> np.ndarray:
    """The objective of one instant in many postures, from public functions alone."""
    names = list(weights or {str(n): 1.0 for n in markers["marker"].values})
    w = np.array([1.0 if weights is None else weights[n] for n in names])
    motion = bo.Motion(np.arange(float(len(q))), model.coordinate_names, q)
    gap = bo.marker_positions(model, motion).sel(marker=names).values - markers.sel(marker=names).values[0]
    seen = np.isfinite(gap[0]).all(axis=1)
    return 0.5 * (w[seen] * (gap[:, seen] ** 2).sum(axis=2)).sum(axis=1) / w[seen].sum()


def objective(
    model: bm.Model, markers: xr.DataArray, q: np.ndarray, weights: dict[str, float] | None = None
) -> float:
    """The objective of one instant in one posture."""
    return float(objectives(model, markers, q[None], weights)[0])


def with_gradient(
    model: bm.Model, markers: xr.DataArray, q: np.ndarray, weights: dict[str, float] | None = None
) -> tuple[float, np.ndarray]:
    """The objective, ten thousand times, and its central differences: all postures in one call."""
    step = 1e-5
    aside = np.concatenate([np.zeros((1, len(q))), step * np.eye(len(q)), -step * np.eye(len(q))])
    here, up, down = np.split(1e4 * objectives(model, markers, q + aside, weights), [1, len(q) + 1])
    return float(here[0]), (up - down) / (2.0 * step)


def test_exact_markers_give_the_motion_back() -> None:
    result = bo.inverse_kinematics(MODEL, recorded(MODEL, MOTION))
    assert solved(result)
    np.testing.assert_allclose(result["q"].values, MOTION.q, atol=1e-9)
    assert result["marker_error"].max() < 1e-10
    motion = result.borelli.motion()
    np.testing.assert_array_equal(motion.q, result["q"].values)
    assert motion.coordinates == MODEL.coordinate_names


@pytest.mark.parametrize("turned", [np.pi, -2.0, 1.5])
def test_a_body_that_faces_elsewhere_is_found(turned: float) -> None:
    motion = swing(MODEL, TIME[:3], turned)
    result = bo.inverse_kinematics(MODEL, recorded(MODEL, motion))
    assert solved(result)
    assert result["rms_error"].max() < 1e-9
    found = bo.body_poses(MODEL, result.borelli.motion())["rotation"]
    np.testing.assert_allclose(found, bo.body_poses(MODEL, motion)["rotation"], atol=1e-8)


def test_a_planted_flip_does_not_stay() -> None:
    # The prior has the body upside down and facing back, and the legs crossed.
    prior = {"tilt": np.pi, "turn": np.pi, "hip_flexion_r": 3.0, "hip_flexion_l": -3.0}
    result = bo.inverse_kinematics(MODEL, recorded(MODEL, swing(MODEL, TIME[:2])), prior=prior)
    assert solved(result)
    assert result["rms_error"].max() < 1e-9


def test_noisy_markers_are_fitted_as_well_as_another_optimizer_does() -> None:
    markers = recorded(MODEL, swing(MODEL, TIME[:1]), noise=0.01)
    weights = {str(n): 1.0 + 0.5 * k for k, n in enumerate(markers["marker"].values)}
    result = bo.inverse_kinematics(MODEL, markers, weights=weights)
    assert solved(result)
    q = result["q"].values[0]
    own = objective(MODEL, markers, q, weights)
    assert own == pytest.approx(float(result["objective"][0]), rel=1e-12)
    other = minimize(
        lambda x: with_gradient(MODEL, markers, x, weights), q + 0.05, jac=True, options={"gtol": 1e-9}
    )
    # BFGS with differences for a gradient stops short of the optimum, never below it.
    assert 1e4 * own <= other.fun * (1 + 1e-12)
    assert 1e4 * own == pytest.approx(other.fun, rel=1e-6)


def test_clamped_coordinates_stop_at_their_bounds_as_in_another_optimizer() -> None:
    model = with_coordinate(MODEL, "knee_r", clamped=True, range=(-0.55, 0.1))
    model = with_coordinate(model, "hip_flexion_r", clamped=True, range=(-0.05, 0.05))
    markers = recorded(MODEL, swing(MODEL, TIME[:1]), noise=0.005)
    result = bo.inverse_kinematics(model, markers)
    assert solved(result)
    q = result["q"].values[0]
    low, high = np.array([c.range if c.clamped else (-9, 9) for c in model.coordinates]).T
    assert (q >= low).all()
    assert (q <= high).all()
    assert (q == low).any()
    other = minimize(
        lambda x: with_gradient(model, markers, x),
        np.clip(q + 0.01, low, high),
        method="L-BFGS-B",
        jac=True,
        bounds=np.column_stack([low, high]),
        options={"ftol": 1e-15, "gtol": 1e-8, "maxfun": 100000},
    )
    assert 1e4 * objective(model, markers, q) <= other.fun * (1 + 1e-9)
    assert 1e4 * objective(model, markers, q) == pytest.approx(other.fun, rel=1e-5)


def test_locked_prescribed_and_coupled_coordinates_keep_to_their_word() -> None:
    model = with_coordinate(MODEL, "arm_flexion", locked=True, default_value=0.3)
    wave = bm.Sine(amplitude=0.2, omega=5.0, phase=0.4, offset=0.1)
    model = with_coordinate(model, "knee_l", prescribed=True, prescribed_function=wave)
    coupler = bm.CoordinateCoupler(
        name="knees",
        dependent="knee_r",
        independent=("hip_flexion_r",),
        function=bm.Polynomial((0.4, 0.3, -0.6)),
    )
    model = replace(model, constraints=(coupler,))
    result = bo.inverse_kinematics(model, recorded(MODEL, MOTION), tasks={"arm_flexion": (5.0, 1.0)})
    assert solved(result)
    q = {name: result["q"].sel(coordinate=name).values for name in model.coordinate_names}
    np.testing.assert_array_equal(q["arm_flexion"], 0.3)
    np.testing.assert_allclose(q["knee_l"], wave.value(TIME), atol=1e-14)
    np.testing.assert_allclose(q["knee_r"], coupler.function.value(q["hip_flexion_r"]), atol=1e-13)


def test_a_bounded_follower_holds_the_coordinate_that_drives_it() -> None:
    model = with_coordinate(MODEL, "knee_r", clamped=True, range=(-0.3, 0.1))
    coupler = bm.CoordinateCoupler(
        name="knees", dependent="knee_r", independent=("hip_flexion_r",), function=bm.Linear((1.0,), -0.2)
    )
    model = replace(model, constraints=(coupler,))
    markers = recorded(MODEL, swing(MODEL, TIME[:3]))
    result = bo.inverse_kinematics(model, markers)
    assert solved(result)
    knee = result["q"].sel(coordinate="knee_r").values
    assert knee.min() == pytest.approx(-0.3, abs=1e-12)
    np.testing.assert_allclose(result["q"].sel(coordinate="hip_flexion_r"), knee + 0.2, atol=1e-12)


@pytest.mark.parametrize("closing", ["point", "distance", "weld", "line"])
def test_loops_are_closed_exactly(closing: str) -> None:
    model = slider_crank() if closing == "line" else four_bar(closing)
    rng = np.random.default_rng(3)
    spots = [bm.Marker(f"{b}_{k}", b, rng.normal(0, 0.2, 3)) for b in model.body_names for k in range(2)]
    model = replace(model, markers=tuple(spots))
    turn = np.linspace(0.3, 1.0, 8)
    given = bo.assemble(
        model, bo.Motion(turn, ("crank",), turn[:, None], 0 * turn[:, None], 0 * turn[:, None])
    )
    exact = bo.marker_positions(model, given)
    result = bo.inverse_kinematics(model, exact)
    assert solved(result)
    np.testing.assert_allclose(np.cos(result["q"]), np.cos(given.q), atol=1e-8)
    # With noise the optimum is that of an optimizer on the loop's one freedom.
    noisy = exact + 0.01 * rng.normal(size=exact.shape)
    result = bo.inverse_kinematics(model, noisy)
    assert solved(result)
    t = 4
    crank = float(result["q"].sel(coordinate="crank")[t])

    def misfit(angle: float) -> float:
        start = result["q"].values[t].copy()
        start[model.coordinate_names.index("crank")] = angle
        still = bo.Motion(np.zeros(1), model.coordinate_names, start[None])
        return objective(model, noisy[t : t + 1], bo.assemble(model, still, hold=["crank"]).q[0])

    here = misfit(crank)
    assert here == pytest.approx(float(result["objective"][t]), rel=1e-9)
    for step in (1e-3, -1e-3):
        assert misfit(crank + step) > here
    slope = (misfit(crank + 1e-4) - misfit(crank - 1e-4)) / 2e-4
    assert abs(slope) < 1e-6


def test_missing_markers_are_left_out_and_the_others_reweighted() -> None:
    markers = recorded(MODEL, MOTION, noise=0.004)
    markers[3:6, 2] = np.nan
    markers[4, 5, 1] = np.nan
    result = bo.inverse_kinematics(MODEL, markers)
    assert solved(result)
    assert np.isnan(result["marker_error"].values[4, [2, 5]]).all()
    assert np.isfinite(result["marker_error"].values).sum() == markers[..., 0].size - 4
    for t in (2, 4):
        own = objective(MODEL, markers[t : t + 1], result["q"].values[t])
        assert own == pytest.approx(float(result["objective"][t]), rel=1e-12)


def test_a_moved_marker_and_two_that_are_swapped_show_in_their_errors() -> None:
    markers = recorded(MODEL, MOTION)
    markers[:, 1, 0] += 0.05
    result = bo.inverse_kinematics(MODEL, markers)
    assert solved(result)
    assert int(np.argmax(result["marker_error"].mean("time").values)) == 1
    swapped = recorded(MODEL, MOTION)
    swapped.values[:, [4, 11]] = swapped.values[:, [11, 4]]
    result = bo.inverse_kinematics(MODEL, swapped)
    assert solved(result)
    worst = np.argsort(result["marker_error"].mean("time").values)[-2:]
    assert set(worst) == {4, 11}


def test_instants_without_markers_are_nan_and_say_why() -> None:
    markers = recorded(MODEL, MOTION)
    markers[7:9] = np.nan
    with pytest.warns(
        BorelliWarning, match="2 of 26 instants have no answer .* no marker is seen, first at 0.14 s"
    ):
        result = bo.inverse_kinematics(MODEL, markers)
    assert list(np.flatnonzero(result["status"])) == [7, 8]
    assert "1 no marker is seen" in result["status"].attrs["meaning"]
    assert np.isnan(result["q"].values[7:9]).all()
    known = np.delete(np.arange(26), [7, 8])
    np.testing.assert_allclose(result["q"].values[known], MOTION.q[known], atol=1e-9)


def test_a_fit_without_any_answer_is_refused_with_the_reason() -> None:
    with pytest.raises(UnsolvableError, match="No instant of the 26 has an answer: no marker is seen"):
        bo.inverse_kinematics(MODEL, np.nan * recorded(MODEL, MOTION))


def test_constraints_that_cannot_be_met_say_why() -> None:
    model = replace(four_bar("distance"), markers=(bm.Marker("tip", "crank", (0.2, 0, 0)),))
    model = replace(model, constraints=(replace(model.constraints[0], distance=3.0),))
    there = bo.marker_positions(model, bo.Motion(np.zeros(1), model.coordinate_names, np.zeros((1, 2))))
    with pytest.raises(UnsolvableError, match="has an answer: the constraints cannot be met"):
        bo.inverse_kinematics(model, there)


def test_a_coordinate_that_no_marker_sees_stays_at_its_prior_and_is_named() -> None:
    names = [m.name for m in MODEL.markers if not m.name.startswith("shank_l")]
    markers = recorded(MODEL, MOTION).sel(marker=names)
    with pytest.warns(BorelliWarning, match="No marker sees coordinate 'knee_l': it stays .* at its prior"):
        result = bo.inverse_kinematics(MODEL, markers, prior={"knee_l": -0.4})
    np.testing.assert_array_equal(result["q"].sel(coordinate="knee_l"), -0.4)
    assert not result["seen"].sel(coordinate="knee_l").any()
    assert result["seen"].sel(coordinate="knee_r").all()


def test_coordinates_that_no_marker_sees_are_named_together() -> None:
    names = [m.name for m in MODEL.markers if not m.name.startswith(("shank_l", "shank_r"))]
    with pytest.warns(
        BorelliWarning, match="coordinates 'knee_r', 'knee_l': they stay .* at their priors"
    ) as told:
        bo.inverse_kinematics(MODEL, recorded(MODEL, MOTION).sel(marker=names))
    assert len(told) == 1


def test_markers_that_the_model_cannot_follow_are_told() -> None:
    markers = recorded(MODEL, MOTION)
    far = markers.copy()
    far.loc[{"marker": MODEL.markers[0].name}] += 0.3
    with pytest.warns(
        BorelliWarning, match=f"misses the markers by .*'{MODEL.markers[0].name}' by .* mm; 20 mm and 40"
    ):
        bo.inverse_kinematics(MODEL, far)


def test_markers_that_swap_their_labels_on_the_way_are_told() -> None:
    markers = recorded(MODEL, MOTION)
    first, second = (MODEL.markers[k].name for k in (0, -1))
    swapped = markers.copy()
    swapped.loc[{"marker": first}].values[12:] = markers.sel(marker=second).values[12:]
    swapped.loc[{"marker": second}].values[12:] = markers.sel(marker=first).values[12:]
    at = float(markers["time"][12])
    told = rf"'({first}|{second})' jumps by .* m at {at:g} s, and 1 more of the markers jump: labels may be swapped"
    with pytest.warns(BorelliWarning, match=told):
        bo.inverse_kinematics(MODEL, swapped)
    # Carried along at 10 m/s every marker takes long steps, and none jumps.
    moved = markers.copy()
    moved.values[..., 0] += 10.0 * markers["time"].values[:, None]
    assert np.linalg.norm(np.diff(moved.values, axis=0), axis=2).min() > 0.1
    assert not [note for note in bo.inverse_kinematics(MODEL, moved).attrs["warnings"] if "jumps" in note]


def test_a_limb_that_fits_its_markers_turned_round_is_told() -> None:
    model = with_coordinate(MODEL, "knee_r", range=(0.9, 1.0))
    with pytest.warns(
        BorelliWarning, match=r"'knee_r' leaves its range \(52° to 57°\) in 26 of 26 instants, by up to"
    ):
        bo.inverse_kinematics(model, recorded(MODEL, MOTION))


def test_a_coordinate_out_of_sight_for_a_while_stays_where_it_was() -> None:
    markers = recorded(MODEL, MOTION)
    lost = [k for k, m in enumerate(MODEL.markers) if m.name.startswith("shank_l")]
    markers.values[10:15, lost] = np.nan
    with pytest.warns(BorelliWarning, match="'knee_l' in 5 of 26 instants: it stays where it was before"):
        result = bo.inverse_kinematics(MODEL, markers)
    knee = result["q"].sel(coordinate="knee_l").values
    np.testing.assert_array_equal(knee[10:15], knee[9])
    np.testing.assert_allclose(
        np.delete(result["q"].values, np.s_[10:15], 0), np.delete(MOTION.q, np.s_[10:15], 0), atol=1e-9
    )


def test_tasks_pull_coordinates_towards_their_values() -> None:
    markers = recorded(MODEL, swing(MODEL, TIME[:3]))
    wanted = np.array([0.2, np.nan, -0.1])
    result = bo.inverse_kinematics(MODEL, markers, tasks={"knee_r": (1e6, wanted), "tx": (0.0, 9.0)})
    assert (result["status"] == 0).all()
    np.testing.assert_allclose(result["q"].sel(coordinate="knee_r")[[0, 2]], wanted[[0, 2]], atol=1e-6)
    assert float(result["q"].sel(coordinate="knee_r")[1]) == pytest.approx(
        MOTION.column("knee_r")[1], abs=1e-9
    )


def broken(**changes: object) -> xr.DataArray:
    markers = recorded(MODEL, swing(MODEL, TIME[:3]))
    return markers.assign_coords(changes) if changes else markers


def test_what_cannot_be_recorded_is_refused() -> None:
    good = broken()
    with pytest.raises(MissingInputError, match="the recording has no instants"):
        bo.inverse_kinematics(MODEL, good[:0])
    with pytest.raises(
        ShapeError,
        match=r"must be a DataArray with the dimensions time, marker and axis.*\n.*\n.*load_markers",
    ):
        bo.inverse_kinematics(MODEL, good.rename(marker="point"))
    with pytest.raises(InvalidValueError, match="times of the markers must increase; instant 2"):
        bo.inverse_kinematics(MODEL, broken(time=[0.0, 0.0, 1.0]))
    names = [str(n) for n in good["marker"].values]
    with pytest.raises(DuplicateNameError, match="marker 'pelvis_0' 2 times"):
        bo.inverse_kinematics(MODEL, broken(marker=["pelvis_0", *names[:1], *names[2:]]))
    with pytest.raises(MissingInputError, match="model 'bare' has no markers"):
        bo.inverse_kinematics(replace(MODEL, name="bare", markers=()), good)
    with pytest.raises(MissingInputError, match=r"no marker with a weight is both(.*\n)*.*'pelvis_0'"):
        bo.inverse_kinematics(MODEL, broken(marker=[f"x{n}" for n in names]))
    with pytest.raises(InvalidValueError, match="markers are in 'inch'"):
        bo.inverse_kinematics(MODEL, good.assign_attrs(units="inch"))


def test_weights_and_tasks_that_make_no_sense_are_refused() -> None:
    good = broken()
    with pytest.raises(UnknownNameError, match="'pelvis_9' is not a marker"):
        bo.inverse_kinematics(MODEL, good, weights={"pelvis_9": 1.0})
    with pytest.raises(InvalidValueError, match="weight of marker 'pelvis_0' must be zero or more"):
        bo.inverse_kinematics(MODEL, good, weights={"pelvis_0": -1.0})
    with pytest.raises(UnknownNameError, match="'knee' is not a coordinate"):
        bo.inverse_kinematics(MODEL, good, tasks={"knee": (1.0, 0.0)})
    with pytest.raises(InvalidValueError, match="must be a weight and a value"):
        bo.inverse_kinematics(MODEL, good, tasks={"knee_r": 1.0})
    with pytest.raises(InvalidValueError, match="weight of coordinate 'knee_r' must be zero or more"):
        bo.inverse_kinematics(MODEL, good, tasks={"knee_r": (-1.0, 0.0)})
    with pytest.raises(ShapeError, match=r"have shape \(7,\); there are 3 instants"):
        bo.inverse_kinematics(MODEL, good, tasks={"knee_r": (1.0, np.zeros(7))})
    with pytest.warns(BorelliWarning, match="lacks 1 markers that have weights: 'arm_0'"):
        bo.inverse_kinematics(
            MODEL,
            good.sel(marker=[n for n in good["marker"].values if n != "arm_0"]),
            weights={m.name: 1.0 for m in MODEL.markers},
        )


def test_millimetres_are_told_by_the_unit() -> None:
    good = broken()
    result = bo.inverse_kinematics(MODEL, (1000.0 * good).assign_attrs(units="mm"))
    np.testing.assert_allclose(result["q"], MOTION.q[:3], atol=1e-9)
