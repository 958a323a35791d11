"""From a recording to forces: markers become the motion, force plates the loads, and the result keeps the markers."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning, MissingInputError
from borelli.io.toml.trial_toml import load_trial
from borelli.results.labelled.table import Cell, Table
from tests.analyses.marked_body import marked_body

pytestmark = pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
INSTANTS, PER_INSTANT = 40, 4
# From y up to z up.
TO_LAB = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
PUSH = 400.0


def swaying() -> tuple[bo.Model, bo.Motion, np.ndarray]:
    """A body that sways a little, and its markers (time, marker, axis)."""
    model = marked_body()
    time = np.arange(INSTANTS) / 100.0
    q = np.zeros((INSTANTS, len(model.coordinate_names)))
    q[:, list(model.coordinate_names).index("ty")] = 0.95
    q[:, list(model.coordinate_names).index("tilt")] = 0.03 * np.sin(2 * np.pi * time / 0.4)
    motion = bo.Motion(time, model.coordinate_names, q)
    return model, motion, bo.marker_positions(model, motion).values


def write_trc(model: bo.Model, motion: bo.Motion, places: np.ndarray, path: Path) -> None:
    table = Table(motion.time, model.marker_names, 1000.0 * places, ("mm",) * len(places[0]), cells=Cell.VEC3)
    bo.save_table(table, path)


def foot_of(model: bo.Model, places: np.ndarray, body: str) -> np.ndarray:
    own = [k for k, marker in enumerate(model.markers) if marker.frame == body]
    middle = places[:, own].mean(axis=(0, 1))
    return np.array([middle[0], 0.0, middle[2]])


def write_c3d(
    model: bo.Model,
    places: np.ndarray,
    path: Path,
    body: str,
    push: np.ndarray | float = PUSH,
    **more: object,
) -> None:
    """Let ezc3d write the markers, and a plate that pushes one foot up."""
    if importlib.util.find_spec("ezc3d") is None:
        pytest.skip("ezc3d is not installed")
    centre = TO_LAB @ foot_of(model, places, body)
    corners = centre + np.array([[0.3, -0.2, 0.0], [-0.3, -0.2, 0.0], [-0.3, 0.2, 0.0], [0.3, 0.2, 0.0]])
    channels = np.zeros((INSTANTS * PER_INSTANT, 6))
    # A plate's z axis points down, and it records what pushes it.
    channels[:, 2] = push
    np.savez(
        path.with_suffix(".npz"),
        labels=list(model.marker_names),
        markers=1000.0 * places @ TO_LAB.T,
        channels=channels,
        units=["N"] * 3 + ["Nmm"] * 3,
        USED=[1],
        TYPE=[2],
        CORNERS=corners.T[:, :, None] * 1000.0,
        ORIGIN=np.zeros((3, 1)),
        CHANNEL=np.arange(1, 7)[:, None],
        CAL_MATRIX=np.eye(6)[:, :, None],
        **more,
    )
    script = Path(__file__).parents[1] / "io" / "write_c3d.py"
    subprocess.run([sys.executable, str(script), str(path.with_suffix(".npz")), str(path)], check=True)


def run(folder: Path, markers: str, **more: object) -> bo.RunResult:
    trial = bo.Trial(
        folder / "model.toml", None, folder / "out", markers=folder / markers, cutoff_hz=10.0, **more
    )
    found = bo.run(trial, page=False)
    assert isinstance(found, bo.RunResult)
    return found


@pytest.mark.parametrize("body", ["shank_r", "shank_l"])
def test_a_force_plate_pushes_the_foot_that_stands_on_it(body: str, tmp_path: Path) -> None:
    model, _, places = swaying()
    bo.save_model(model, tmp_path / "model.toml")
    write_c3d(model, places, tmp_path / "walk.c3d", body)
    found = run(tmp_path, "walk.c3d")
    assert any(f": {body} (100 % of the instants" in line for line in found.lines)
    loads = [str(s) for s in found.result["source"].values if str(s).startswith("load:")]
    assert loads == [f"load:plate_1_{body}"]
    up = found.result["load_force"].sel(axis="y").values
    # The format stores float32.
    assert up == pytest.approx(np.full(up.shape, PUSH), rel=1e-6)


def test_without_plates_nothing_pushes_and_the_markers_are_kept(tmp_path: Path) -> None:
    model, motion, places = swaying()
    bo.save_model(model, tmp_path / "model.toml")
    write_trc(model, motion, places, tmp_path / "walk.trc")
    found = run(tmp_path, "walk.trc")
    assert not any(str(source).startswith("load:") for source in found.result["source"].values)
    result = bo.load_result(tmp_path / "out")
    # The table is written in millimetres with six decimals.
    assert np.nanmax(result["marker_error"].values) < 1e-6
    assert result["marker_measured"].values == pytest.approx(places, abs=1e-6)
    assert result["segment_length"].sel(segment="thigh_r") == pytest.approx(0.42)
    assert (tmp_path / "out_ik.mot").is_file()
    assert (
        found.computed
        and not bo.run(
            bo.Trial(
                tmp_path / "model.toml", None, tmp_path / "out", markers=tmp_path / "walk.trc", cutoff_hz=10.0
            ),
            page=False,
        ).computed
    )


def test_a_foot_that_is_nowhere_near_a_plate_is_told(tmp_path: Path) -> None:
    model, _, places = swaying()
    bo.save_model(model, tmp_path / "model.toml")
    away = places + np.array([3.0, 0.0, 0.0])
    write_c3d(model, places, tmp_path / "walk.c3d", "shank_r")
    given = dict(np.load(tmp_path / "walk.npz"))
    given["markers"] = 1000.0 * away @ TO_LAB.T
    np.savez(tmp_path / "walk.npz", **given)
    script = Path(__file__).parents[1] / "io" / "write_c3d.py"
    subprocess.run(
        [sys.executable, str(script), str(tmp_path / "walk.npz"), str(tmp_path / "walk.c3d")], check=True
    )
    with pytest.warns(
        BorelliWarning, match="the assignment of feet to force plates is uncertain.*no foot is near"
    ):
        found = run(tmp_path, "walk.c3d")
    assert not any(str(source).startswith("load:") for source in found.result["source"].values)


def test_a_trial_has_a_motion_or_markers(tmp_path: Path) -> None:
    with pytest.raises(MissingInputError, match="neither a motion nor markers"):
        bo.Trial(tmp_path, None, tmp_path)
    with pytest.raises(MissingInputError, match="both a motion and markers"):
        bo.Trial(tmp_path, tmp_path, tmp_path, markers=tmp_path)
    for name in ("model.osim", "walk.c3d"):
        (tmp_path / name).touch()
    (tmp_path / "trial.toml").write_text('model = "model.osim"\nmarkers = "walk.c3d"\nout = "out"\n')
    trial = load_trial(tmp_path / "trial.toml")
    assert trial.motion is None and trial.markers == tmp_path / "walk.c3d"
    assert set(trial.inputs) == {"model", "markers"}
