"""``borelli report``: a page from saved folders alone."""

from __future__ import annotations

import webbrowser

import pytest

from borelli.cli.main import main
from borelli.results.saving.save import load_result, save_result
from tests.results.problems import result


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["report", *map(str, arguments)])
    return int(caught.value.code or 0)


def test_page_lies_in_the_first_folder_and_leaves_the_result_readable(tmp_path, capsys):
    folder = save_result(result(), tmp_path / "leg")
    assert run(folder) == 0
    assert (folder / "report.html").is_file()
    assert "report.html" in capsys.readouterr().out
    assert load_result(folder).identical(result())


def test_page_of_two_results_is_written_where_asked_and_opened(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    folder = save_result(result(), tmp_path / "leg", tables=())
    assert run(folder, folder, "--out", tmp_path / "both.html", "--open") == 0
    assert opened == [(tmp_path / "both.html").as_uri()]


def test_folder_without_a_result_is_refused(tmp_path, capsys):
    assert run(tmp_path) == 2
    assert "it is not a Borelli result folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
