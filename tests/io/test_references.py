"""Files that setups name are found wherever they are; results stay in the study, and names are names of files."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest

from borelli.errors import BorelliWarning, FileFormatError, MissingInputError
from borelli.io.text.files import read_bytes
from borelli.io.text.references import (
    file_name,
    find_file,
    refuse_to_replace,
    results_folder,
    table_name,
)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study as laboratories have it: setups in one folder, data in another."""
    for name in ("study/ID/setup.xml", "study/Data/Walk.mot", "elsewhere/deep/walk.mot"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    return tmp_path / "study"


@pytest.mark.parametrize(
    "reference", ["../Data/Walk.mot", r" ..\Data\Walk.mot ", "../../../{0}/study/Data/Walk.mot"]
)
def test_files_that_are_there_are_found_however_far_the_path_climbs(study, reference):
    reference = reference.format(study.parent.name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = find_file(study / "ID" / "setup.xml", reference)
    assert found.samefile(study / "Data" / "Walk.mot")


def test_absolute_paths_that_exist_are_read(study):
    named = study.parent / "elsewhere" / "deep" / "walk.mot"
    assert find_file(study / "ID" / "setup.xml", str(named)) == named


@pytest.mark.parametrize(
    "reference",
    [r"C:\Users\me\Desktop\study\Data\Walk.mot", "/home/nobody/study/Data/Walk.mot", "../data/walk.MOT"],
)
def test_a_path_of_another_machine_is_found_nearby_and_told(study, reference):
    with pytest.warns(BorelliWarning, match=r"which does not exist; .*Walk.mot is read instead"):
        found = find_file(study / "ID" / "setup.xml", reference)
    assert found.samefile(study / "Data" / "Walk.mot")


def test_the_longest_end_of_a_path_wins(study):
    (study / "ID" / "Walk.mot").write_text("another trial")
    with pytest.warns(BorelliWarning):
        found = find_file(study / "ID" / "setup.xml", r"D:\Data\Walk.mot")
    assert found.samefile(study / "Data" / "Walk.mot")


def test_two_names_that_differ_in_case_alone_are_not_guessed(study):
    (study / "Data" / "walk.MOT").write_text("another trial")
    assert not find_file(study / "ID" / "setup.xml", "../Data/WALK.mot").exists()


def test_an_absent_file_keeps_its_name(study):
    assert find_file(study / "ID" / "setup.xml", "run.mot") == study / "ID" / "run.mot"
    assert find_file(study / "ID" / "setup.xml", "/nowhere/run.mot") == Path("/nowhere/run.mot")


def test_an_empty_reference_is_refused():
    with pytest.raises(FileFormatError, match="empty or contains a zero byte"):
        find_file("study/setup.xml", " ")


@pytest.mark.parametrize("reference", ["Results", "../Results", "../../Results", "./", "{0}/study/Results"])
def test_results_stay_in_the_study(study, reference):
    named = reference.format(study.parent)
    assert results_folder(study / "ID" / "setup.xml", named) == study / "ID" / named


@pytest.mark.parametrize("reference", ["/nowhere/Results", "{0}x/Results"])
def test_a_folder_outside_the_study_is_not_made(study, reference):
    with pytest.raises(
        FileFormatError, match="outside the study folder of the setup file and does not exist"
    ):
        results_folder(study / "ID" / "setup.xml", reference.format(study.parent))


def test_results_do_not_climb_out_of_the_study_even_where_there_is_a_folder(study):
    with pytest.raises(FileFormatError, match="goes 3 folders up; nothing is written there"):
        results_folder(study / "ID" / "setup.xml", "../x/../../..")


def test_a_folder_outside_the_study_is_used_where_it_exists(study):
    there = study.parent.parent / "results"
    there.mkdir(exist_ok=True)
    assert results_folder(study / "ID" / "setup.xml", str(there)) == there


@pytest.mark.skipif(os.name == "nt", reason="drives are folders of this machine")
def test_results_for_another_machine_go_beside_the_setup(study):
    with pytest.warns(BorelliWarning, match="a folder of another computer: results go to"):
        found = results_folder(study / "ID" / "setup.xml", "C:\\Users\\me\\Results\\")
    assert found == study / "ID" / "Results"


@pytest.mark.parametrize(
    "name", ["/anywhere/own", "../own", "..", "a\\b", "C:own", ".bashrc", "a\x00b", "a\nb"]
)
def test_a_name_that_leads_elsewhere_is_refused(name):
    with pytest.raises(FileFormatError, match="cannot be the name of a file"):
        file_name(name, "The name of the tool", "setup.xml")


def test_names_of_tables_get_the_ending_that_opensim_gives_them():
    assert table_name("walk_q") == "walk_q.sto"
    assert table_name("walk_q.mot") == "walk_q.mot"
    # OpenSim takes what follows the last point for an ending.
    assert table_name("walk_1.2_q") == "walk_1.2_q"
    assert table_name("MomentArm_knee/angle") == "MomentArm_knee_angle.sto"


def test_a_name_that_no_file_can_have_is_not_there(tmp_path: Path) -> None:
    """As long as no file system allows, or with a zero byte in it."""
    setup = tmp_path / "setup.xml"
    for name in ("9" * 400, "/" + "9" * 400 + "/walk.mot", "C:/" + "9" * 400):
        found = find_file(setup, name)
        with pytest.raises(MissingInputError):
            read_bytes(found, "a table")
    with pytest.raises(FileFormatError, match="empty or contains a zero byte"):
        find_file(setup, "a\0b")


def test_a_file_that_is_no_table_is_not_written_over(tmp_path: Path) -> None:
    for name, content in (("notes.txt", b"mine"), ("run.sh", b"echo"), ("empty", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FileFormatError, match=f"{name} exists and is not a table"):
            refuse_to_replace(tmp_path / name)
    (tmp_path / "old.txt").write_bytes(b"x\nnRows=0\nendheader\n")
    for name in ("old.txt", "new.txt", "id.sto"):
        refuse_to_replace(tmp_path / name)


def test_a_setup_does_not_replace_files_in_a_folder_that_it_names(tmp_path: Path, capsys) -> None:
    from tests.cli.test_analyze_options import command, files

    files(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    (home / "notes.txt").write_text("mine")
    text = (tmp_path / "setup.xml").read_text().replace("id.sto", "notes.txt")
    (tmp_path / "setup.xml").write_text(
        text.replace("<model_file>", f"<results_directory>{home}</results_directory><model_file>")
    )
    assert command("run", tmp_path / "setup.xml") == 2
    assert "notes.txt exists and is not a table" in " ".join(capsys.readouterr().err.split())
    assert (home / "notes.txt").read_text() == "mine"
