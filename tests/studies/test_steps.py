"""Steps of a study: scaling, inverse kinematics and analyses, by setups of OpenSim's tools or by our own options."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import FileFormatError
from tests.cli.test_run import study as pendulum_study
from tests.shared_data import DATA, needs_data
from tests.trial.test_recording import INSTANTS, PER_INSTANT, PUSH, swaying, write_c3d

FILE = """\
name = "steps"
out = "results"
pages = "none"
{more}
[trials]
{trials}
"""


def marked_pendulum() -> bm.Model:
    """A pendulum with four markers."""
    body = bm.Body("rod", 2.0, (0.0, -0.25, 0.0), (0.04, 0.001, 0.04))
    joint = bm.PinJoint(name="swing", parent="ground", child="rod")
    places = {"a": (0.0, -0.1, 0.05), "b": (0.0, -0.5, 0.0), "c": (0.1, -0.3, 0.0), "d": (-0.1, -0.2, 0.05)}
    markers = [bm.Marker(name, "rod", place) for name, place in places.items()]
    return bm.Model(name="pendulum", bodies=[body], joints=[joint], markers=markers)


def write_markers(
    path: Path, model: bm.Model, angle: np.ndarray, time: np.ndarray, size: float = 1.0
) -> None:
    """Write what cameras see of a swing, of a pendulum of another size."""
    motion = bo.Motion(time, model.coordinate_names, angle[:, None])
    seen = size * bo.marker_positions(model, motion).transpose("time", "marker", "axis").values * 1000.0
    names = list(model.marker_names)
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{path.name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"50\t50\t{len(time)}\t{len(names)}\tmm\t50\t1\t{len(time)}",
        "Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t",
        "\t\t" + "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, len(names) + 1)),
        "",
    ]
    for k, moment in enumerate(time):
        lines.append("\t".join([str(k + 1), f"{moment:.5f}", *(f"{value:.6f}" for value in seen[k].ravel())]))
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_markers_become_motions_and_subjects_are_scaled(tmp_path):
    model = marked_pendulum()
    bo.save_model(model, tmp_path / "generic.osim")
    time = np.arange(0, 1.0, 0.02)
    angle = 0.4 * np.sin(3 * time)
    for subject, size in (("s1", 1.0), ("s2", 1.2)):
        (tmp_path / subject).mkdir()
        write_markers(tmp_path / subject / "static.trc", model, np.zeros(10), time[:10], size)
        write_markers(tmp_path / subject / "swing_1.trc", model, angle, time, size)
    path = tmp_path / "study.toml"
    trials = 'markers = "{subject}/swing_{trial}.trc"\n\n[ik]\n\n[scale]\nmodel = "generic.osim"\n'
    trials += (
        'static = "{subject}/static.trc"\n\n[[scale.measurement]]\npairs = [["a", "b"]]\nbodies = ["rod"]\n'
    )
    trials += "\n[subjects.s1]\nmass = 2.0\n\n[subjects.s2]\nmass = 3.0\n\n[analysis]\ncutoff_hz = 6.0\n"
    path.write_text(FILE.format(more="", trials=trials))
    found = bo.study(path)
    assert not found.failed, found.failed[0].error
    models = {p.parent.name: bo.load_model(p) for p in (found.folder / "models").glob("*/*.osim")}
    assert models["s1"].bodies[0].mass == pytest.approx(2.0) and models["s2"].bodies[0].mass == pytest.approx(
        3.0
    )
    length = {name: float(-each.markers[1].location[1]) for name, each in models.items()}
    # Written with six digits of a millimetre.
    assert length["s2"] / length["s1"] == pytest.approx(1.2, rel=1e-6)
    for motion in (found.folder / "motions").glob("*/*/*.mot"):
        table = bo.load_motion(motion, models[motion.parts[-3]])
        np.testing.assert_allclose(table.q[:, 0], angle, atol=1e-5)
    assert bo.study(path).computed == 0
    # A new static trial is a new model, and all that follows from it.
    write_markers(tmp_path / "s2" / "static.trc", model, np.zeros(10), time[:10], 1.1)
    states = {entry.trial.subject: entry.state for entry in bo.study_status(path)}
    assert states == {"s1": "done", "s2": "stale"}


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_recordings_in_c3d_bring_events_and_forces_of_plates(tmp_path):
    model, _, places = swaying()
    (tmp_path / "s1").mkdir()
    bo.save_model(model, tmp_path / "s1" / "model.toml")
    strikes = [("0.05", "Left"), ("0.15", "Right"), ("0.2", "Left"), ("0.3", "Right"), ("0.35", "Left")]
    events = [(time, "Foot Strike", side) for time, side in strikes] + [("0.1", "Foot Off", "Left")]
    write_c3d(model, places, tmp_path / "s1" / "sway_1.c3d", "shank_r", events=events)
    path = tmp_path / "study.toml"
    trials = 'model = "{subject}/model.toml"\nmarkers = "{subject}/{condition}_{trial}.c3d"\n[ik]\n'
    trials += '[cycles]\nby = "events"\n[analysis]\ncutoff_hz = 10.0\nloads_cutoff_hz = 10.0\n'
    path.write_text(FILE.format(more="", trials=trials))
    found = bo.study(path)
    assert not found.failed, found.failed[0].error
    rows = found.result.frame("numbers", number="mean", source="total")
    cycles = rows[["side", "cycle", "cycle_s"]].drop_duplicates().sort_values(["side", "cycle"])
    assert cycles[["side", "cycle"]].values.tolist() == [["Left", 1], ["Left", 2], ["Right", 1]]
    # The format stores float32.
    assert cycles["cycle_s"].tolist() == pytest.approx([0.15, 0.15, 0.15], rel=1e-6)
    result = bo.load_result(found.entries[0].folder)
    assert "load:plate_1_shank_r" in result["source"].values
    assert result["load_force"].sel(axis="y").values == pytest.approx(PUSH, rel=1e-6)
    # Another event is another cycle of the same result.
    path.write_text(path.read_text().replace('by = "events"', 'by = "events"\nevent = "foot off"'))
    again = bo.study(path)
    assert again.computed == 0 and "no whole cycle" in again.failed[0].error


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
@pytest.mark.parametrize("removed", [True, False])
def test_what_plates_read_while_nothing_is_on_them_is_removed_on_request(removed, tmp_path):
    model, _, places = swaying()
    bo.save_model(model, tmp_path / "model.toml")
    recording = tmp_path / "s1_sway_1.c3d"
    offset = 20.0
    pushed = np.zeros(INSTANTS * PER_INSTANT)
    pushed[len(pushed) // 2 :] = PUSH
    write_c3d(model, places, recording, "shank_r", push=pushed + offset)
    path = tmp_path / "study.toml"
    trials = 'model = "model.toml"\nmarkers = "{subject}_{condition}_{trial}.c3d"\n[ik]\n[analysis]\ncutoff_hz = 10.0\n'
    path.write_text(FILE.format(more="", trials=f"{trials}remove_offset = {str(removed).lower()}\n"))
    found = bo.study(path)
    assert not found.failed, found.failed[0].error
    up = bo.load_result(found.entries[0].folder)["load_force"].sel(axis="y").values
    # The format stores float32.
    assert up[-1] == pytest.approx(PUSH + (0.0 if removed else offset), rel=1e-6)


def test_an_offset_without_plates_is_refused(tmp_path):
    path = tmp_path / "study.toml"
    trials = 'model = "model.toml"\nmotion = "{subject}_{trial}.mot"\n[analysis]\nremove_offset = true\n'
    path.write_text(FILE.format(more="", trials=trials))
    with pytest.raises(FileFormatError, match="remove_offset is about force plates of trials whose markers"):
        bo.study(path)


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_setups_of_opensim_are_run_as_they_are(tmp_path):
    for subject in ("s1", "s2"):
        (tmp_path / subject).mkdir()
        setup = pendulum_study(tmp_path / subject)
        setup = setup if isinstance(setup, Path) else next((tmp_path / subject).glob("*.xml"))
        setup.rename(setup.with_name("swing_setup.xml"))
    path = tmp_path / "study.toml"
    path.write_text(FILE.format(more="", trials='setup = "{subject}/{condition}_setup.xml"'))
    found = bo.study(path)
    assert not found.failed, found.failed[0].error
    assert [entry.trial.name for entry in found.entries] == ["s1 / swing / 1", "s2 / swing / 1"]
    alone = bo.run(tmp_path / "s1" / "swing_setup.xml", out=tmp_path / "alone.sto", explain=True)
    one = bo.load_result(found.entries[0].folder)
    np.testing.assert_array_equal(one["total_generalized_force"], alone.result["total_generalized_force"])
    assert bo.study(path).computed == 0


@needs_data
@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_scale_kinematics_and_analysis_by_opensims_setups(tmp_path):
    lab = tmp_path / "lab"
    shutil.copytree(DATA / "studies" / "gait2354", lab, ignore=shutil.ignore_patterns("expected", "Results*"))
    path = lab / "study.toml"
    trials = 'markers = "{subject}_walk{trial}.trc"\nloads = "{subject}_walk{trial}_grf.xml"\n'
    trials += '[scale]\nsetup = "{subject}_Setup_Scale.xml"\n[ik]\nsetup = "{subject}_Setup_IK.xml"\n'
    trials += '[analysis]\ncutoff_hz = 6.0\nmuscles = "none"\n[cycles]\nby = "contact"\nkind = "contact"\n'
    path.write_text(
        FILE.format(more='outputs = ["knee_angle_r_moment", "ankle_angle_r_moment"]', trials=trials)
    )
    before = {file.name: file.read_bytes() for file in lab.iterdir() if file.is_file()}
    found = bo.study(path)
    assert not found.failed, found.failed[0].error
    # Nothing is written beside the setups, whatever files they name.
    assert {f.name: f.read_bytes() for f in lab.iterdir() if f.is_file()} == before
    by_hand = bo.run(lab / "subject01_Setup_Scale.xml", out=tmp_path / "scaled")
    own = bo.load_model(next((found.folder / "models").rglob("*.osim")))
    assert sum(b.mass for b in own.bodies) == pytest.approx(
        sum(b.mass for b in by_hand.model.bodies), rel=1e-12
    )
    motion = bo.load_table(next((found.folder / "motions").rglob("*.mot")))
    bo.save_model(by_hand.model, tmp_path / "own.osim")
    alone = bo.run(lab / "subject01_Setup_IK.xml", model=tmp_path / "own.osim", out=tmp_path / "ik")
    np.testing.assert_array_equal(
        motion.values, bo.load_table(next(t for t in alone.tables if t.suffix == ".mot")).values
    )
    rows = found.result.frame("curves", output="knee_angle_r_moment")
    # Of the left foot the recording has no whole contact.
    assert set(rows["side"]) == {"calcn_r"} and rows["percent"].max() == 100.0
