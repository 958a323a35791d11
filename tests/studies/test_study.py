"""A study runs all its trials, computes only what is missing, keeps what fails, and says how far it is."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import threading
import warnings

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import FileFormatError, InvalidValueError, MissingInputError
from borelli.io.load_model import READERS, shared_models
from borelli.results.on_disk.temporary import NEW
from borelli.studies import task as study_task
from borelli.studies.running import MOST_ATTEMPTS, claimed, remove_forgotten, running
from tests.analyses.muscle_arms import arm
from tests.studies.arm_study import QUICK, write_arm_study

# The arms hold steady weights, which need no filter.
pytestmark = pytest.mark.filterwarnings("ignore:the loads are not filtered")


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    return bo.study(write_arm_study(folder, 2, 1, **QUICK))


@pytest.fixture
def own(ran, tmp_path):
    """A copy of the study that was run, to be changed."""
    shutil.copytree(ran.folder.parent, tmp_path / "copy")
    return tmp_path / "copy" / "study.toml"


def command(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, words)])
    return int(end.value.code or 0)


def test_every_trial_has_a_whole_result_named_by_its_content(ran):
    assert ran.computed == 4 and not ran.failed
    for entry in ran.entries:
        assert entry.state == "done" and bo.verify_result(entry.folder).whole
        assert entry.folder.parts[-4:-1] == ("trials", entry.trial.subject, entry.trial.condition)
        alone = bo.load_result(entry.folder)
        model = bo.load_model(entry.trial.files["model"])
        motion = bo.load_motion(entry.trial.files["motion"], model, 6.0)
        poses = bo.body_poses(model, motion)
        loads = bo.load_loads(entry.trial.files["loads"], at=motion, poses=poses, cutoff_hz=6.0)
        again = bo.analyze(model, motion, loads)
        np.testing.assert_array_equal(alone["reaction_force"], again["reaction_force"])


def test_the_same_command_computes_nothing_again(own, monkeypatch):
    monkeypatch.setattr(study_task, "compute", None)
    assert bo.study(own).computed == 0


def test_what_changed_is_stale_and_computed_anew_beside_the_old(own, capsys):
    changed = next((own.parent / "data" / "s01").glob("empty_1.sto"))
    changed.write_text(changed.read_text().replace("0.05\t", "0.0500\t", 1) + "\n")
    assert [entry.state for entry in bo.study_status(own)].count("stale") == 1
    assert command("study", "status", own) == 0
    assert "3 done, 0 running, 0 failed, 1 stale" in capsys.readouterr().out
    found = bo.study(own)
    assert found.computed == 1 and not found.failed
    assert len(list((own.parent / "results" / "trials" / "s01" / "empty").iterdir())) == 2
    assert bo.remove_superseded(own) == 1
    assert [entry.state for entry in bo.study_status(own)] == ["done"] * 4


def test_trials_of_the_same_content_keep_their_names(own):
    for ending in (".sto", "_loads.xml"):
        shutil.copy(own.parent / f"data/s01/empty_1{ending}", own.parent / f"data/s01/empty_2{ending}")
    found = bo.study(own)
    assert len(found.entries) == 5 and not found.failed
    rows = found.result.frame("numbers", subject="s01", condition="empty")
    assert set(rows["trial"]) == {"1", "2"}


def test_axes_groups_and_what_a_page_says_are_those_of_the_study_file(own):
    text = 'express_in = "child"\non = "parent"\nloops = true\ngroups = {flexors = ["flexor"]}\n'
    text += 'about = {session = "May"}\n'
    own.write_text(own.read_text().replace("loads_cutoff_hz", text + "loads_cutoff_hz"))
    found = bo.study(own)
    assert found.computed == 4 and not found.failed
    result = bo.load_result(found.entries[1].folder)
    about = {"title": "1", "subject": "s01", "condition": "empty", "session": "May"}
    assert result.attrs["about"] == {**about, "condition": found.entries[1].trial.condition}
    assert result.attrs["groups"] == {"flexors": ["flexor"]}
    trial = found.entries[1].trial
    model = bo.load_model(trial.files["model"])
    motion = bo.load_motion(trial.files["motion"], model, 6.0)
    loads = bo.load_loads(trial.files["loads"], at=motion, poses=bo.body_poses(model, motion), cutoff_hz=6.0)
    again = bo.analyze(model, motion, loads, express_in="child", on="parent")
    np.testing.assert_array_equal(result["reaction_force"], again["reaction_force"])


def test_a_damaged_result_is_computed_anew(own):
    entry = bo.study_status(own)[0]
    (entry.folder / "result.nc").write_bytes(b"gone")
    assert bo.study_status(own)[0].state == "missing"
    assert bo.study(own).computed == 1
    assert bo.verify_result(entry.folder).whole


def test_a_trial_that_fails_stops_no_other_and_its_error_is_kept(own, capsys):
    loads = own.parent / "data" / "s01" / "empty_1_loads.xml"
    text = loads.read_text()
    loads.write_text(text.replace("fore<", "forearm<"))
    assert command("study", own, "--workers", 0) == 1
    told = capsys.readouterr()
    assert "4 trials of 2 subjects, 3 done (3 were there), 1 failed" in told.out
    assert "failed: s01 / empty / 1" in told.err and "forearm" in told.err
    kept = next((own.parent / "results").rglob("*.error.json"))
    assert "forearm" in json.loads(kept.read_text())["error"] and kept.name.startswith("1-")
    assert [entry.state for entry in bo.study_status(own)].count("failed") == 1
    loads.write_text(text)
    assert command("study", own, "--workers", 0) == 0
    assert not bo.study(own).failed


def test_a_trial_that_brings_down_its_process_again_and_again_is_called_failed(own, monkeypatch):
    shutil.rmtree(own.parent / "results" / "trials" / "s02")
    key = bo.study_status(own)[2].folder.name.rpartition("-")[2]
    marker = own.parent / "results" / "running" / f"{key}.json"
    marker.write_text(json.dumps({"attempt": MOST_ATTEMPTS}))
    found = bo.study(own)
    assert [entry.trial.subject for entry in found.failed] == ["s02"] and len(found.failed) == 1
    assert f"brought down its process {MOST_ATTEMPTS} times" in found.failed[0].error
    # Innocent until then: the next run counts anew.
    assert not bo.study(own).failed


def test_one_claims_a_trial_at_a_time_and_who_is_killed_leaves_the_count(tmp_path):
    with claimed(tmp_path, "k", "s / c / 1") as attempt:
        assert attempt == 1 and [each.name for each in running(tmp_path)] == ["s / c / 1"]
        with claimed(tmp_path, "k", "s / c / 1") as other:
            assert other is None
    assert not running(tmp_path) and not list((tmp_path / "running").iterdir())
    (tmp_path / "running" / "k.json").write_text('{"attempt": 3}')
    with claimed(tmp_path, "k", "s / c / 1") as attempt:
        assert attempt == 4


def test_a_marker_that_is_only_looked_at_is_removed_all_the_same(tmp_path):
    marker = tmp_path / "running" / "key.json"
    marker.parent.mkdir()
    marker.write_text("{}")
    fcntl = pytest.importorskip("fcntl")
    with marker.open() as looked_at:
        fcntl.flock(looked_at, fcntl.LOCK_SH)
        end = threading.Timer(0.03, fcntl.flock, (looked_at, fcntl.LOCK_UN))
        end.start()
        remove_forgotten(tmp_path, {"key"})
        end.join()
    assert not marker.exists()


def test_a_trial_that_somebody_else_computes_is_waited_for(own):
    shutil.rmtree(own.parent / "results" / "trials" / "s02")
    key = bo.study_status(own)[2].folder.name.rpartition("-")[2]
    folder = own.parent / "results"
    held = claimed(folder, key, "elsewhere")
    held.__enter__()
    seen = []

    class Impatient(bo.Watcher):
        def ended(self, receipt):
            seen.append(receipt.name)
            if len(seen) == 3:
                # All others have ended before the claim is given back.
                held.__exit__(None, None, None)

    assert not bo.study(own, watcher=Impatient()).failed
    assert seen[-1] == "s02 / dumbbell / 1" and len(seen) == 4


def test_a_trial_that_another_run_looks_at_is_in_the_dataset_all_the_same(own):
    class LookedAt(bo.Watcher):
        def ended(self, receipt):
            # As another run does for a moment, at the worst one: when this run comes to its end.
            if receipt.name == "s01 / dumbbell / 1":
                looking.enter_context(claimed(own.parent / "results", receipt.key, receipt.name))

    with contextlib.ExitStack() as looking:
        found = bo.study(own, watcher=LookedAt())
    assert {entry.state for entry in found.entries} == {"done"} and len(found.entries) == 4


def test_a_folder_in_which_another_run_begins_or_died_is_that_of_the_study(own, tmp_path):
    begun = tmp_path / "begun"
    begun.mkdir()
    (begun / f".study.json.abcdefgh{NEW}").write_text("{")
    assert not bo.study(own, out=begun).failed
    assert not list(begun.glob(".*"))


def test_a_folder_with_other_things_is_left_alone(own, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("hello")
    with pytest.raises(InvalidValueError, match="exists and is not a study folder"):
        bo.study(own, out=tmp_path / "mine")
    own.write_text(own.read_text().replace('"curls"', '"jumps"'))
    with pytest.raises(InvalidValueError, match="holds the study 'curls', not 'jumps'"):
        bo.study(own)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("motion =", "motoin ="), "'trials.motoin' is not allowed here.*\n.*\n  Closest: 'motion'"),
        (("6.0", '"six"'), "analysis.cutoff_hz: input should be a valid number"),
        (("6.0", "-1.0"), "analysis.cutoff_hz: input should be greater than 0"),
        (('out = "results"\n', ""), "'out' is missing"),
        (("[analysis]", '[cycles]\nby = "events"\n[analysis]'), "cycles by events need the pattern events"),
        (("[analysis]", '[analysis]\non = "both"'), "analysis.on: input should be 'child' or 'parent'"),
        (
            ("[analysis]", "[analysis]\nabout.knee = 'x'"),
            "analysis.about.knee.*: input should be 'title', 'subject'",
        ),
        (("[analysis]", "[analysis]\ngroups = {a = ['x'], b = ['x']}"), "analysis: 'x' is in two groups"),
    ],
)
def test_what_a_study_file_says_wrongly_is_named(change, words, tmp_path):
    path = write_arm_study(tmp_path, 0)
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(FileFormatError) as told:
        bo.study(path)
    assert re.search(words, str(told.value)), str(told.value)


def test_a_study_without_trials_or_file_says_so(tmp_path, capsys):
    with pytest.raises(MissingInputError, match=r"no file fits 'data/{subject}/{condition}_{trial}.sto'"):
        bo.study(write_arm_study(tmp_path, 0))
    assert command("study", tmp_path / "none.toml") == 2
    assert "borelli study init FOLDER" in capsys.readouterr().err
    assert command("study", "status") == 2
    assert "needs a study file" in capsys.readouterr().err
    with pytest.raises(MissingInputError, match="not the folder of a study"):
        bo.load_study(tmp_path)


def test_models_are_read_once_and_their_warnings_told_every_time(tmp_path, monkeypatch):
    bo.save_model(arm(), tmp_path / "arm.toml")
    kept = type(study_task._models)()
    with shared_models(kept):
        assert bo.load_model(tmp_path / "arm.toml") is bo.load_model(tmp_path / "arm.toml")
    assert bo.load_model(tmp_path / "arm.toml") is not bo.load_model(tmp_path / "arm.toml")

    def warned(path):
        warnings.warn("a wheel is not used", bo.BorelliWarning, stacklevel=2)
        return arm()

    monkeypatch.setitem(READERS, ".osim", warned)
    (tmp_path / "arm.osim").write_text("")
    told = []
    with shared_models(kept):
        for _ in range(2):
            with pytest.warns(bo.BorelliWarning) as caught:
                bo.load_model(tmp_path / "arm.osim")
            told.append([str(each.message) for each in caught])
    assert told[0] == told[1] == ["a wheel is not used"]


def test_what_trials_warn_of_is_saved_with_them_and_not_printed(tmp_path):
    file = write_arm_study(tmp_path, 1, 1, **QUICK)
    file.write_text(file.read_text().replace("loads_cutoff_hz = 6.0\n", ""))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ran = bo.study(file, workers=0)
    assert not ran.failed
    assert [str(each.message) for each in caught if issubclass(each.category, bo.BorelliWarning)] == []
    for entry in ran.entries:
        saved = json.loads((entry.folder / "result.json").read_text())
        assert any("the loads are not filtered" in note for note in saved["warnings"])
