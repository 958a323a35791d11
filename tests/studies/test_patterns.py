"""Patterns find files and name their parts; tables of trials say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from borelli.errors import DuplicateNameError, FileFormatError, UnknownNameError
from borelli.studies.patterns import filled, find_matches, part_names
from borelli.studies.plan import plan_study
from borelli.studies.trial_table import read_trial_table

FILE = 'out = "results"\n{more}\n[trials]\n{trials}\n'


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")


def test_parts_of_file_names_are_found(tmp_path):
    touch(
        tmp_path,
        "d/s1/walk_1.mot",
        "d/s1/walk_2.mot",
        "d/s2/run_1.mot",
        "d/s2/deep/run_1.mot",
        "d/s2/walk.mot",
    )
    found = [parts for _, parts in find_matches(tmp_path, "d/{subject}/{condition}_{trial}.mot", {})]
    assert found == [
        {"subject": "s1", "condition": "walk", "trial": "1"},
        {"subject": "s1", "condition": "walk", "trial": "2"},
        {"subject": "s2", "condition": "run", "trial": "1"},
    ]


def test_names_that_are_known_decide_where_a_part_ends(tmp_path):
    touch(tmp_path, "s1_walk_fast_1.mot", "s1_walk_1.mot")
    known = {"condition": ["walk", "walk_fast"]}
    found = {p.name: parts for p, parts in find_matches(tmp_path, "{subject}_{condition}_{trial}.mot", known)}
    assert found["s1_walk_fast_1.mot"]["condition"] == "walk_fast"
    assert found["s1_walk_1.mot"] == {"subject": "s1", "condition": "walk", "trial": "1"}


def test_a_part_that_comes_twice_is_the_same_both_times_and_stars_are_anything(tmp_path):
    touch(tmp_path, "s1/s1_a.mot", "s1/s2_a.mot")
    assert [p.name for p, _ in find_matches(tmp_path, "{subject}/{subject}_*.mot", {})] == ["s1_a.mot"]
    assert filled("{subject}/x_{trial}.xml", {"subject": "s1", "trial": "3"}) == "s1/x_3.xml"
    assert filled("{subject}/{session}.xml", {"subject": "s1"}) is None
    with pytest.raises(FileFormatError, match="a brace that encloses no name"):
        part_names("{subject/x")


def test_files_that_fit_nothing_and_names_without_files_are_told(tmp_path):
    touch(tmp_path, "s1/walk_1.mot", "s1/jump_1.mot", "s3/walk_1.mot")
    more = 'conditions = ["walk", "run"]\n[subjects.s1]\nmass = 70.0\ngroups = ["old"]\n[subjects.s2]'
    (tmp_path / "s.toml").write_text(
        FILE.format(more=more, trials='motion = "{subject}/{condition}_{trial}.mot"')
    )
    plan = plan_study(tmp_path / "s.toml")
    assert [trial.name for trial in plan.trials] == ["s1 / walk / 1"]
    assert plan.trials[0].mass == 70.0 and plan.trials[0].groups == ("old",)
    told = "\n".join(plan.notes)
    assert "2 files fit no named subject or condition: jump_1.mot, walk_1.mot" in told
    assert "condition 'run' has no trial" in told and "subject 's2' has no trial" in told


def test_further_parts_tell_trials_apart_and_twins_are_refused(tmp_path):
    touch(tmp_path, "s1/a_walk_1.mot", "s1/b_walk_1.mot")
    path = tmp_path / "s.toml"
    path.write_text(FILE.format(more="", trials='motion = "{subject}/{session}_{condition}_{trial}.mot"'))
    assert [trial.trial for trial in plan_study(path).trials] == ["1_a", "1_b"]
    path.write_text(FILE.format(more="", trials='motion = "{subject}/*_{condition}_{trial}.mot"'))
    with pytest.raises(DuplicateNameError, match="Two trials are called 's1 / walk / 1'"):
        plan_study(path)
    path.write_text(
        FILE.format(more="", trials='motion = "{subject}/{session}_{condition}_1.mot"\nloads = "{day}.xml"')
    )
    with pytest.raises(UnknownNameError, match="'day' is not a part of a trial's name"):
        plan_study(path)


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_a_table_of_trials_says_the_same(ending, tmp_path):
    import pandas as pd

    rows = pd.DataFrame(
        {
            "subject": ["01", "02"],
            "condition": ["walk", "run"],
            "trial": ["1", "1"],
            "model": ["m.osim", "m.osim"],
            "motion": ["a.mot", "b.mot"],
            "loads": ["", "b.xml"],
            "mass": ["70.5", ""],
            "groups": ["old; men", ""],
        }
    )
    (tmp_path / "lists").mkdir()
    table = tmp_path / "lists" / f"trials{ending}"
    rows.to_csv(table, index=False) if ending == ".csv" else rows.to_excel(table, index=False)
    (tmp_path / "s.toml").write_text(FILE.format(more="", trials=f'table = "lists/trials{ending}"'))
    first, second = plan_study(tmp_path / "s.toml").trials
    assert first.name == "01 / walk / 1" and first.mass == 70.5 and first.groups == ("old", "men")
    assert first.files["motion"] == tmp_path / "lists" / "a.mot" and "loads" not in first.files
    assert second.files["loads"].name == "b.xml" and second.mass is None


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("subject,motoin\n1,a\n", UnknownNameError, "'motoin' is not a column of a table of trials"),
        ("subject,trial\n1,a\n", FileFormatError, "needs a column 'subject', and one of"),
        ("subject,motion\n,a\n", FileFormatError, "A trial has no subject"),
        ("subject,motion,mass\n1,a,heavy\n", FileFormatError, "The mass 'heavy' is not a positive number"),
    ],
)
def test_a_wrong_table_says_where(text, kind, words, tmp_path):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(kind, match=words):
        read_trial_table(tmp_path / "t.csv")


def test_names_of_a_table_cannot_lead_to_other_folders(tmp_path):
    (tmp_path / "t.csv").write_text("subject,motion\n../../x,a.mot\n")
    (tmp_path / "s.toml").write_text(FILE.format(more="", trials='table = "t.csv"'))
    with pytest.raises(FileFormatError, match="cannot be the name of a file"):
        plan_study(tmp_path / "s.toml")
