"""``borelli equations``: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import pytest

from borelli.cli.main import main
from borelli.planar import equations


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["equations", *map(str, arguments)])
    return int(caught.value.code or 0)


@pytest.mark.parametrize("space", ["segment", "joint"])
@pytest.mark.parametrize("form", ["text", "latex", "python"])
def test_prints_what_the_library_prints(space, form, capsys):
    assert run("--links", 2, "--space", space, "--as", form) == 0
    assert capsys.readouterr().out == getattr(equations(2, space), form)()


def test_default_is_text_in_segment_space(capsys):
    assert run("--links", 1) == 0
    assert capsys.readouterr().out == equations(1).text()


def test_file_holds_the_print_and_the_screen_stays_empty(tmp_path, capsys):
    path = tmp_path / "two_links.py"
    assert run("--links", 2, "--as", "python", "--out", path) == 0
    assert capsys.readouterr().out == ""
    namespace: dict[str, object] = {}
    exec(path.read_text(encoding="utf-8"), namespace)
    assert callable(namespace["torques_and_reactions"])
    assert [entry.name for entry in tmp_path.iterdir()] == ["two_links.py"]


def test_existing_file_is_replaced_whole(tmp_path):
    path = tmp_path / "equations.txt"
    path.write_text("x" * 100_000)
    assert run("--links", 1, "--out", path) == 0
    assert path.read_text(encoding="utf-8") == equations(1).text()


def test_unknown_form_names_the_nearest_and_writes_nothing(tmp_path, capsys):
    path = tmp_path / "out.py"
    assert run("--links", 2, "--as", "pyton", "--out", path) == 2
    message = capsys.readouterr().err
    assert "'pyton' is not a form of the equations." in message
    assert "Closest: 'python'" in message
    assert not path.exists()


def test_unknown_space_names_those_there_are(capsys):
    assert run("--links", 2, "--space", "world") == 2
    message = capsys.readouterr().err
    assert "'world' is not a space." in message
    assert "use one of: 'segment', 'joint'" in message


@pytest.mark.parametrize("links", [0, -3])
def test_impossible_number_of_links_is_refused(links, capsys):
    assert run("--links", links) == 2
    assert f"A chain cannot have {links} links." in capsys.readouterr().err


def test_links_must_be_said_and_be_a_number(capsys):
    assert run() == 2
    assert "--links" in capsys.readouterr().err
    assert run("--links", "two") == 2
    assert "Invalid value for '--links'" in capsys.readouterr().err


def test_folder_that_does_not_exist_is_refused(tmp_path, capsys):
    assert run("--links", 1, "--out", tmp_path / "nowhere" / "a.txt") == 2
    message = capsys.readouterr().err
    assert "nowhere' does not exist" in message and "make the folder first" in message


def test_folder_in_place_of_a_file_is_refused_and_nothing_is_left_behind(tmp_path, capsys):
    folder = tmp_path / "folder"
    folder.mkdir()
    assert run("--links", 1, "--out", folder) == 2
    assert "Is a directory" in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
