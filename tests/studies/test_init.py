"""A first study file from what lies in a folder: layouts that labs have, and what could not be matched."""

from __future__ import annotations

from pathlib import Path

import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import InvalidValueError, MissingInputError
from borelli.studies.plan import plan_study

LOADS = "<OpenSimDocument><ExternalLoads name='x'></ExternalLoads></OpenSimDocument>"


def touch(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def names(plan) -> list[tuple[str, str, str]]:
    return [(trial.subject, trial.condition, trial.trial) for trial in plan.trials]


def test_folders_of_subjects_with_models_motions_and_loads(tmp_path, capsys):
    for subject in ("s01", "s02"):
        touch(tmp_path, **{f"{subject}/{subject}_scaled.osim": "x"})
        for trial in ("walk_01", "walk_02", "run_01"):
            touch(
                tmp_path,
                **{
                    f"{subject}/{trial}_ik.mot": "x",
                    f"{subject}/{trial}_grf.xml": LOADS,
                    f"{subject}/{trial}_grf.mot": "x",
                },
            )
    touch(tmp_path, **{"s01/odd.xml": "<other/>", "s01/notes.txt": "x", "results/s03/walk_01_ik.mot": "x"})
    with pytest.raises(SystemExit) as end:
        main(["study", "init", str(tmp_path)])
    assert end.value.code == 0
    told = capsys.readouterr().out
    assert "6 trials of 2 subjects" in told and "1 files were not recognised: s01/odd.xml" in told
    plan = plan_study(tmp_path / "study.toml")
    assert (
        names(plan)[:3] == [("s01", "run", "01"), ("s01", "walk", "01"), ("s01", "walk", "02")]
        and len(plan.trials) == 6
    )
    assert plan.file.analysis.cutoff_hz == plan.file.analysis.loads_cutoff_hz == 6.0
    first = plan.trials[1].files
    assert [first[kind].name for kind in ("model", "motion", "loads")] == [
        "s01_scaled.osim",
        "walk_01_ik.mot",
        "walk_01_grf.xml",
    ]
    with pytest.raises(InvalidValueError, match="there already and is not replaced"):
        bo.init_study(tmp_path)


def test_recordings_in_c3d_with_static_trials_and_a_generic_model(tmp_path):
    touch(tmp_path, **{"generic.osim": "x"})
    for subject in ("AB1", "AB2"):
        for trial in ("static", "gait1", "gait2"):
            touch(tmp_path, **{f"{subject}/{subject}_{trial}.c3d": "x"})
    path, draft = bo.init_study(tmp_path, tmp_path / "first.toml")
    plan = plan_study(path)
    assert names(plan) == [
        ("AB1", "gait", "1"),
        ("AB1", "gait", "2"),
        ("AB2", "gait", "1"),
        ("AB2", "gait", "2"),
    ]
    assert plan.file.analysis.loads_cutoff_hz is None
    assert plan.trials[0].files["static 1"].name == "AB1_static.c3d"
    assert plan.trials[0].files["generic model"].name == "generic.osim"
    assert any("scaling needs measurements" in note for note in draft.notes)


def test_all_subjects_in_one_folder_and_files_of_another_kind_are_told(tmp_path):
    touch(
        tmp_path,
        **{f"p{k}-jump-{t}.trc": "x" for k in (1, 2) for t in (1, 2)},
        **{"model.osim": "x", "walk.trc": "x"},
    )
    path, draft = bo.init_study(tmp_path)
    assert ("p1", "jump", "1") in names(plan_study(path)) and len(plan_study(path).trials) == 4
    assert any("walk.trc" in note for note in draft.notes)
    assert any("all trials have the same model" in note for note in draft.notes)


def test_a_study_in_folders_of_steps_is_told_by_names(tmp_path):
    touch(
        tmp_path,
        **{
            "subject01.osim": "x",
            "IK/subject01_walk_IK.mot": "x",
            "ExperimentalData/subject01_walk_grf.xml": LOADS,
        },
    )
    touch(
        tmp_path,
        **{"IK/subject02_walk_IK.mot": "x", "subject02.osim": "x", "RRA/subject01_walk_RRA_q.sto": "x"},
    )
    path, draft = bo.init_study(tmp_path)
    plan = plan_study(path)
    assert names(plan) == [("subject01", "walk", "1"), ("subject02", "walk", "1")]
    assert plan.trials[0].files["loads"].name == "subject01_walk_grf.xml"
    assert plan.trials[1].files["model"].name == "subject02.osim"
    assert any("subject01_walk_RRA_q.sto" in note for note in draft.notes)


@pytest.mark.parametrize("folder", ["s01", "anna"])
def test_one_folder_is_a_subject_where_it_is_numbered_or_names_of_files_do_not_tell_any(folder, tmp_path):
    own = ("walk_1", "walk_2") if folder == "s01" else ("walk", "run")
    touch(tmp_path, **{f"{folder}/model.osim": "x", **{f"{folder}/{name}.mot": "x" for name in own}})
    path, draft = bo.init_study(tmp_path)
    plan = plan_study(path)
    assert {trial.subject for trial in plan.trials} == {folder} and draft.notes[0] == "2 trials of 1 subjects"
    assert plan.trials[0].files["model"].name == "model.osim"
    # A folder that is called otherwise may hold all subjects, who are in the names of files.
    touch(tmp_path / "all", **{"lab/p1_walk.mot": "x", "lab/p2_walk.mot": "x"})
    found = plan_study(bo.init_study(tmp_path / "all")[0])
    assert [trial.subject for trial in found.trials] == ["p1", "p2"]


def test_tables_that_loads_name_are_no_motions(tmp_path):
    for name in ("free_1", "free_2"):
        loads = LOADS.replace("name='x'>", f"name='x'><datafile>weight_{name}.sto</datafile>")
        touch(
            tmp_path,
            **{f"s01/{name}.sto": "x", f"s01/weight_{name}.sto": "x", f"s01/{name}_loads.xml": loads},
        )
    path, _ = bo.init_study(tmp_path)
    plan = plan_study(path)
    assert names(plan) == [("s01", "free", "1"), ("s01", "free", "2")]
    assert [trial.files["loads"].name for trial in plan.trials] == ["free_1_loads.xml", "free_2_loads.xml"]


def test_folders_without_recordings_say_so(tmp_path):
    with pytest.raises(MissingInputError, match="no motion"):
        bo.init_study(tmp_path)
    with pytest.raises(MissingInputError, match="is not a folder"):
        bo.init_study(tmp_path / "nowhere")
    touch(tmp_path, **{"a.trc": "x"})
    with pytest.raises(InvalidValueError, match="do not say whose they are"):
        bo.init_study(tmp_path)
