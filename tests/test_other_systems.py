"""Windows and macOS, as far as they can be played here: encodings, files that are held open, paths, names."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import borelli as bo
from borelli.errors import WriteError
from borelli.results.on_disk import disk

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TEXT_CALLS = {"read_text": 0, "write_text": 1, "open": 3}
"""Calls that read or write text, and the place of ``encoding`` among their arguments."""


def calls_without_encoding(text):
    """Lines of calls that would take the encoding of the machine: cp1252 on Windows."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name not in TEXT_CALLS or any(keyword.arg == "encoding" for keyword in node.keywords):
            continue
        if name == "open":
            if isinstance(function, ast.Attribute) and getattr(function.value, "id", "") in (
                "os",
                "webbrowser",
            ):
                continue
            modes = [*node.args, *(k.value for k in node.keywords if k.arg == "mode")]
            if any(
                isinstance(m, ast.Constant) and isinstance(m.value, str) and "b" in m.value for m in modes
            ):
                continue
        elif len(node.args) > TEXT_CALLS[name]:
            continue
        found.append(node.lineno)
    return found


def test_every_text_file_is_read_and_written_with_a_stated_encoding():
    silent = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in SOURCES
        for line in calls_without_encoding(path.read_text(encoding="utf-8"))
    ]
    assert silent == []


def test_a_call_without_encoding_is_seen():
    assert calls_without_encoding("path.write_text('x')\nopen(p)\nopen(p, 'rb')\np.read_text('utf-8')") == [
        1,
        2,
    ]


def run_as(environment, *arguments, cwd):
    command = [sys.executable, "-X", "utf8=0", "-m", "borelli", *map(str, arguments)]
    own = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment}
    return subprocess.run(command, cwd=cwd, env=own, capture_output=True)


def test_a_terminal_of_code_page_1252_gets_every_line(tmp_path):
    done = run_as(
        {"PYTHONIOENCODING": "cp1252"}, "demo", "reach", "--out", tmp_path / "Übung 1", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr.decode("cp1252")
    assert "shoulder_torque" in done.stdout.decode("cp1252")
    told = run_as(
        {"PYTHONIOENCODING": "cp1252"},
        "explain",
        tmp_path / "Übung 1" / "reach",
        "--output",
        "shoulder_torque",
        cwd=tmp_path,
    )
    assert told.returncode == 0, told.stderr.decode("cp1252")


def held(*_):
    """What Windows says of a file that another program has open."""
    error = PermissionError(
        13, "The process cannot access the file because it is being used by another process"
    )
    error.winerror = 32
    raise error


def test_a_file_that_a_scanner_holds_for_a_moment_is_written(tmp_path, monkeypatch):
    rename, attempts = os.replace, []

    def busy_twice(one, other):
        attempts.append(other)
        if len(attempts) < 3:
            held()
        rename(one, other)

    monkeypatch.setattr(disk.os, "replace", busy_twice)
    monkeypatch.setattr(disk.time, "sleep", lambda _: None)
    bo.save_model(bo.library.neck(), tmp_path / "neck.toml")
    assert len(attempts) == 3 and bo.load_model(tmp_path / "neck.toml") == bo.library.neck()


def test_a_file_that_stays_open_elsewhere_is_told_with_the_remedy(tmp_path, monkeypatch):
    bo.save_model(bo.library.neck(), tmp_path / "neck.toml")
    before = (tmp_path / "neck.toml").read_bytes()
    monkeypatch.setattr(disk.os, "replace", held)
    monkeypatch.setattr(disk.time, "sleep", lambda _: None)
    with pytest.raises(WriteError, match="close it there"):
        bo.save_model(bo.library.neck(mass_kg=80.0), tmp_path / "neck.toml")
    assert (tmp_path / "neck.toml").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["neck.toml"]  # nothing half-written


def test_a_refusal_for_another_reason_is_told_at_once(tmp_path, monkeypatch):
    def forbidden(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(disk.os, "replace", forbidden)
    monkeypatch.setattr(disk.time, "sleep", lambda _: pytest.fail("waited"))
    with pytest.raises(WriteError, match="may write"):
        bo.save_model(bo.library.neck(), tmp_path / "neck.toml")


def test_folders_are_replaced_where_names_cannot_be_exchanged(tmp_path, monkeypatch):
    # Windows knows no exchange of two names: two renames take its place.
    monkeypatch.setattr(disk, "_exchange_call", lambda: None)
    answer = bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach())
    for _ in range(2):
        bo.save_result(answer, tmp_path / "reach")
    assert bo.load_result(tmp_path / "reach").identical(answer)
    assert [path.name for path in tmp_path.iterdir()] == ["reach"]


def test_lines_end_as_windows_ends_them(tmp_path):
    files = bo.library.sample_walk(tmp_path)
    files.motion.write_bytes(files.motion.read_bytes().replace(b"\n", b"\r\n"))
    files.markers.write_bytes(files.markers.read_bytes().replace(b"\n", b"\r\n"))
    original = bo.library.sample_walk()
    assert (bo.load_table(files.motion).values == bo.load_table(original.motion).values).all()
    assert (bo.load_markers(files.markers).values == bo.load_markers(original.markers).values).all()


def test_paths_of_windows_in_a_loads_file_are_found_beside_it(tmp_path):
    files = bo.library.sample_walk(tmp_path)
    text = files.loads.read_text(encoding="utf-8")
    files.loads.write_text(
        text.replace("<datafile>ground", "<datafile>C:\\Users\\Ann\\Walk 1\\ground"), encoding="utf-8"
    )
    with pytest.warns(bo.BorelliWarning, match="ground_forces"):
        assert len(bo.load_loads(files.loads)) == 2
