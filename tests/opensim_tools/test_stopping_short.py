"""By how much OpenSim stops short: to first order from the second derivatives, and by the answers that it left."""

from __future__ import annotations

import re
import shutil
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli.analyses.marker_fit.solution import Asked, Solution, solved
from borelli.errors import BorelliWarning
from borelli.io.motion import save_motion
from borelli.kernels.markers.objective import gradient_at
from borelli.kernels.markers.track import aim_at
from borelli.mechanics.markers.uncertainty import reach_of_gradients
from borelli.opensim_tools.stopping_short import (
    gradient_left,
    reach_of_opensim,
    told_of_accuracy,
    told_of_earlier,
    told_of_earlier_markers,
)

from ..analyses.marked_body import TIME, marked_body, recorded, swing, with_coordinate
from ..shared_data import ABSENT, DATA

MODEL = marked_body()
MARKERS = recorded(MODEL, swing(MODEL, TIME[:3]), noise=0.01)


@pytest.fixture(scope="module")
def fit() -> Solution:
    return solved(MODEL, Asked(MARKERS))


def test_postures_off_by_the_reach_have_that_gradient(fit: Solution) -> None:
    problem, found, g = fit.problem, fit.found, 1e-9
    reach = reach_of_gradients(problem, fit.aims, found.q, found.unseen, g)
    wanted = np.random.default_rng(1).uniform(-g, g, found.q.shape)
    work = problem.scratch()
    for t, q in enumerate(found.q):
        away = q + reach[t] @ wanted[t]
        gradient_at(problem.tree, problem.functions, problem.ties, aim_at(fit.aims, t), away, work)
        # The gradient of the optimum itself is below 1e-12.
        np.testing.assert_allclose(work.gradient, wanted[t], atol=2e-3 * g)


@pytest.mark.filterwarnings("ignore:The model misses the markers")  # a knee that is locked where it was not
def test_what_stops_opensim_depends_on_constraints_and_clamps(fit: Solution) -> None:
    assert gradient_left(fit.problem, 1e-5) == pytest.approx(1e-6)
    locked = solved(with_coordinate(MODEL, "knee_r", locked=True), Asked(MARKERS)).problem
    assert gradient_left(locked, 1e-5) == 1e-5
    clamped = solved(with_coordinate(MODEL, "knee_r", clamped=True), Asked(MARKERS))
    assert gradient_left(clamped.problem, 1e-5) is None
    assert "whatever its accuracy" in told_of_accuracy(clamped, 1e-5)


def test_the_worst_angles_are_named(fit: Solution) -> None:
    assert (
        told_of_accuracy(fit, 1e-9)
        == "OpenSim's tool, with accuracy 1e-09, stops within 0.1° of this optimum."
    )
    said = told_of_accuracy(fit, 1e-4)
    reach = reach_of_opensim(fit, 1e-4)
    assert reach is not None
    off = np.abs(reach).sum(axis=2).max(axis=0)[[c.unit == "rad" for c in MODEL.coordinates]]
    assert f"by up to {np.degrees(off.max()):.2g}°" in said
    assert "90° or more" in told_of_accuracy(fit, 1.0)


@pytest.mark.skipif(not (DATA / "ik" / "ik").is_dir(), reason=ABSENT)
@pytest.mark.parametrize("case", ["gait2392", "gait2392_locked"])
def test_opensim_ended_within_what_its_accuracy_allows(case: str) -> None:
    folder = DATA / "ik" / "ik" / case
    stored = np.load(folder / "ref.npz")
    rows = np.arange(0, len(stored["time"]), 10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BorelliWarning)
        model = bo.load_model(next(folder.glob("*.osim")))
        names = [str(name) for name in stored["marker_names"]]
        coords = {"time": stored["time"][rows], "marker": names, "axis": ["x", "y", "z"]}
        markers = xr.DataArray(stored["marker_obs"][rows], coords, ("time", "marker", "axis"))
        weights = dict(zip(names, map(float, stored["marker_weights"]), strict=True))
        fit = solved(model, Asked(markers, weights))
    reach = reach_of_opensim(fit, 1e-5)
    assert reach is not None
    order = [model.coordinate_names.index(str(name)) for name in stored["coord_names"]]
    allowed = np.abs(reach).sum(axis=2)[:, order]
    off = np.abs(stored["q_1e-05"] - stored["q_optimum"])[rows]
    # A tenth of a nanoradian for coordinates that are held.
    assert (off <= allowed + 1e-10).all()
    # It does come near: a bound that is never used would say nothing.
    assert (off > 0.05 * allowed).any(axis=0).mean() > 0.5


def test_a_motion_that_was_there_is_compared(fit: Solution, tmp_path: Path) -> None:
    path, motion = tmp_path / "walk_ik.mot", fit.result.borelli.motion()
    save_motion(motion, MODEL, path)
    assert told_of_earlier(path, fit) is None
    q = motion.q.copy()
    q[1, MODEL.coordinate_names.index("knee_l")] += np.radians(2.0)
    save_motion(bo.Motion(motion.time, motion.coordinates, q), MODEL, path)
    said = told_of_earlier(path, fit)
    assert said is not None
    assert f"up to 2° away (knee_l, at {motion.time[1]:.3f} s)" in said
    gap = [
        bo.marker_positions(MODEL, bo.Motion(motion.time, motion.coordinates, each)) for each in (q, motion.q)
    ]
    own, best = (float((((places - MARKERS) ** 2).sum(("marker", "axis")))[1]) for places in gap)
    assert f"{100 * (own / best - 1):.2g} % at most" in said
    # Of another recording, and no motion at all.
    save_motion(bo.Motion(motion.time + 5.0, motion.coordinates, q), MODEL, path)
    assert told_of_earlier(path, fit) is None
    path.write_text("no table")
    assert told_of_earlier(path, fit) is None


def test_an_earlier_motion_that_fits_better_is_told_as_such(fit: Solution, tmp_path: Path) -> None:
    path, motion = tmp_path / "walk_ik.mot", fit.result.borelli.motion()
    save_motion(motion, MODEL, path)
    # As if the fit had been led astray in one instant.
    q = fit.result["q"].copy()
    q[1, MODEL.coordinate_names.index("knee_l")] += np.radians(2.0)
    said = told_of_earlier(path, fit._replace(result=fit.result.assign(q=q)))
    assert said is not None
    expected = rf"It is lower in 1 of {motion.n_times} instants, by \d\.\d % at {motion.time[1]:.3f} s"
    assert re.search(expected, said) and "% lower on average" in said


def test_the_setup_tells_both(tmp_path: Path) -> None:
    from ..cli.test_run_inverse_kinematics import study

    found = bo.run(study(tmp_path, accuracy="1e-4"))
    assert any("with accuracy 0.0001" in line for line in found.lines)
    table = tmp_path / "Results" / "walk_ik.mot"
    shutil.copy(table, tmp_path / "ours.mot")
    text = table.read_text().splitlines()
    cells = text[-1].split("\t")
    cells[1] = str(float(cells[1]) + 3.0)
    table.write_text("\n".join([*text[:-1], "\t".join(cells)]) + "\n")
    again = bo.run(tmp_path / "setup.xml", again=True)
    assert any("up to 3° away (tilt, at 0.100 s)." in line for line in again.lines)
    assert not any("had before" in line for line in bo.run(tmp_path / "setup.xml", again=True).lines)


def test_markers_that_were_placed_elsewhere_are_told(tmp_path: Path) -> None:
    static = recorded(MODEL, swing(MODEL, TIME[:1]), noise=0.01)
    placed = bo.place_markers(MODEL, static)
    path = tmp_path / "placed.toml"
    bo.save_model(placed.model, path)
    assert told_of_earlier_markers(path, placed) is None
    first = placed.model.markers[0]
    away = replace(first, location=tuple(np.add(first.location, (0.003, 0.004, 0.0))))
    bo.save_model(replace(placed.model, markers=(away, *placed.model.markers[1:])), path)
    said = told_of_earlier_markers(path, placed)
    assert said is not None
    assert f"5 mm at most ({first.name})" in said
    bo.save_model(replace(placed.model, markers=()), path)
    assert told_of_earlier_markers(path, placed) is None
    path.write_text("no model")
    assert told_of_earlier_markers(path, placed) is None
