"""Writing is exclusive, durable and leaves nothing behind: planted links, kills, full disks, hostile manifests."""

from __future__ import annotations

import errno
import fcntl
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import xarray as xr

from borelli.errors import InvalidValueError, WriteError
from borelli.report.page import write_page
from borelli.results.on_disk import disk, temporary, whole
from borelli.results.on_disk.temporary import NEW, OLD, sweep
from borelli.results.on_disk.whole import whole_file
from borelli.results.saving.manifest import PAGE, file_hash, listed, load_manifest
from borelli.results.saving.save import load_result, save_result
from tests.full_disk import no_file_above
from tests.results.problems import result


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    return result()


@pytest.fixture
def folder(tmp_path: Path, answer: xr.Dataset) -> Path:
    return save_result(answer, tmp_path / "leg")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_device_or_pipe_is_not_replaced(tmp_path: Path, folder: Path) -> None:
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    with pytest.raises(InvalidValueError, match=r"'pipe.html' is a device or a pipe(.|\n)*name a file"):
        write_page([folder], pipe)
    assert pipe.is_fifo() and names_in(tmp_path) == ["leg", "pipe.html"]


def names_in(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.iterdir())


def write(path: Path, text: str) -> None:
    with whole_file(path) as partial:
        partial.write_text(text)


# Where nobody asked.


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    target = tmp_path / "report.html"
    (tmp_path / ".report.html.part").symlink_to(precious)
    target.symlink_to(precious)
    with whole_file(target) as partial:
        partial.write_text("page")
    assert precious.read_text() == "mine"
    assert target.read_text() == "page" and not target.is_symlink()


def test_temporary_files_are_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if their name could be foretold: what is there already is never opened."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / f".a.aaaaaaaa{NEW}").symlink_to(precious)
    drawn = iter(["aaaaaaaa", "bbbbbbbb"])
    monkeypatch.setattr(temporary.tempfile, "_get_candidate_names", lambda: drawn)
    with whole_file(tmp_path / "a") as partial:
        assert partial.name == f".a.bbbbbbbb{NEW}"
        partial.write_text("page")
    assert precious.read_text() == "mine"


def test_a_hostile_manifest_gets_no_file_removed(folder: Path, answer: xr.Dataset) -> None:
    (folder / "thesis.tex").write_text("precious")
    outside = folder.parent / "outside.txt"
    outside.write_text("precious")
    manifest = json.loads((folder / "result.json").read_text())
    manifest["files"] |= {
        "thesis.tex": {"sha256": "0" * 64},
        "../outside.txt": listed(outside),
        "notes": None,
    }
    (folder / "result.json").write_text(json.dumps(manifest))
    save_result(answer, folder, tables=())
    assert (folder / "thesis.tex").read_text() == "precious"
    assert outside.read_text() == "precious"


def test_a_link_that_a_user_put_into_the_folder_stays_a_link(folder: Path, answer: xr.Dataset) -> None:
    (folder / "data").symlink_to("/nowhere/at/all")
    save_result(answer, folder)
    assert os.readlink(folder / "data") == "/nowhere/at/all"


# Kills.

_KILLED = """
import os, signal, sys
from pathlib import Path
from borelli.results.on_disk import disk
from borelli.results.on_disk import whole
from borelli.results.saving.save import load_result, save_result
folder, place, swap = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "swap"
answer = load_result(folder)
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
if not swap:
    whole.exchange = lambda *_: False
if place == "writing":
    whole.tree_to_disk = die
elif place == "between":
    rename = Path.rename
    Path.rename = lambda self, target: die() if self.suffix == ".borelli-part" else rename(self, target)
else:
    whole._save_the_late = die
save_result(answer * 2.0, folder)
"""


def killed(folder: Path, place: str, way: str) -> None:
    done = subprocess.run([sys.executable, "-c", _KILLED, str(folder), place, way], capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_a_process_killed_while_it_writes_leaves_the_old_result(folder: Path, answer: xr.Dataset) -> None:
    killed(folder, "writing", "swap")
    assert load_result(folder).identical(answer)
    assert len(names_in(folder.parent)) == 2
    save_result(answer, folder)
    assert names_in(folder.parent) == ["leg"]


def test_a_process_killed_after_the_exchange_leaves_the_new_result(folder: Path, answer: xr.Dataset) -> None:
    if not disk._exchange_call():
        pytest.skip("this system cannot exchange two names")
    killed(folder, "after", "swap")
    assert float(load_result(folder)["torque"][0, 0]) == 2.0 * float(answer["torque"][0, 0])
    save_result(answer, folder)
    assert names_in(folder.parent) == ["leg"]


def test_where_names_cannot_be_exchanged_the_next_run_puts_the_old_result_back(
    folder: Path, answer: xr.Dataset
) -> None:
    killed(folder, "between", "two steps")
    assert not folder.exists() and any(name.endswith(OLD) for name in names_in(folder.parent))
    with whole_file(folder.parent / "other.csv") as partial:  # any run that writes beside it
        partial.write_text("x")
    assert load_result(folder).identical(answer)
    assert names_in(folder.parent) == ["leg", "other.csv"]


def test_a_folder_that_another_process_finishes_a_moment_earlier_is_replaced(
    tmp_path: Path, answer: xr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, to_disk = tmp_path / "leg", whole.tree_to_disk

    def meanwhile(partial: Path) -> None:
        if not target.exists():
            (target / "other").mkdir(parents=True)
        to_disk(partial)

    monkeypatch.setattr(whole, "tree_to_disk", meanwhile)
    save_result(answer, target)
    assert load_result(target).identical(answer)
    assert names_in(tmp_path) == ["leg"] and (target / "other").is_dir()


def test_leftovers_are_swept_and_what_is_in_use_is_not(tmp_path: Path) -> None:
    dead = tmp_path / f".walk.sto.abcdefgh{NEW}"
    dead.write_text("half")
    (tmp_path / f".leg.abcdefgh{NEW}").mkdir()
    (tmp_path / f".leg.abcdefgh{NEW}" / "x").write_text("half")
    kept = [tmp_path / name for name in (".notes.part", "a.borelli-part", f".link.abcdefgh{NEW}")]
    for path in kept[:2]:
        path.write_text("mine")
    kept[2].symlink_to(kept[0])
    with whole_file(tmp_path / "a.txt") as one:
        one.write_text("first")
        with whole_file(tmp_path / "b.txt") as other:
            other.write_text("second")
    assert names_in(tmp_path) == sorted([path.name for path in kept] + ["a.txt", "b.txt"])


def held(path: Path) -> bool:
    """Whether somebody has locked a file or folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def test_what_is_removed_is_held_and_who_is_about_to_take_it_takes_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    remove = temporary._remove
    monkeypatch.setattr(
        temporary, "_remove", lambda path, about: (seen.append(held(path)), remove(path, about))
    )
    (tmp_path / f".leg.abcdefgh{NEW}").mkdir()
    (tmp_path / f".leg.csv.abcdefgh{NEW}").write_text("half")
    sweep(tmp_path)
    assert seen == [True, True] and names_in(tmp_path) == []

    # Another process finds a name that was just made, before its maker has locked it.
    caught, make = [], temporary.tempfile.mkdtemp

    def swept_at_once(**about: object) -> str:
        name = make(**about)
        if len(caught) < 2:
            caught.append(os.open(name, os.O_RDONLY))
            fcntl.flock(caught[-1], fcntl.LOCK_EX)
            if len(caught) == 2:
                os.rmdir(name)
        return name

    monkeypatch.setattr(temporary.tempfile, "mkdtemp", swept_at_once)
    with temporary.temporary_folder(tmp_path / "leg") as partial:
        os.rmdir(next(path for path in tmp_path.iterdir() if path != partial))
        for handle in caught:
            os.close(handle)
        assert held(partial)
        sweep(tmp_path)
        assert partial.is_dir()


def test_without_locks_only_what_is_old_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary, "fcntl", None)
    young, old = (tmp_path / f".{name}.abcdefgh{NEW}" for name in ("young", "old"))
    young.write_text("")
    old.write_text("")
    os.utime(old, (0, 0))
    sweep(tmp_path)
    assert names_in(tmp_path) == [young.name]


def test_what_is_written_is_on_disk_before_it_gets_its_name(
    tmp_path: Path, answer: xr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, str]] = []
    fsync, replace, rename = os.fsync, os.replace, Path.rename

    def noting(handle: int) -> None:
        done.append(("sync", os.readlink(f"/proc/self/fd/{handle}")))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", noting)
    for owner, name, call in ((os, "replace", replace), (Path, "rename", rename)):
        monkeypatch.setattr(
            owner, name, lambda old, new, call=call: (done.append(("name", str(old))), call(old, new))[1]
        )
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("which file a handle is of can be asked on Linux alone")
    with whole_file(tmp_path / "a.txt") as partial:
        partial.write_text("x")
    assert done == [("sync", str(partial)), ("name", str(partial)), ("sync", str(tmp_path))]
    done.clear()
    place = save_result(answer, tmp_path / "leg")
    named = [k for k, (what, path) in enumerate(done) if what == "name" and Path(path).parent == tmp_path]
    synced = {Path(path).name for what, path in done[: named[-1]] if what == "sync"}
    assert {path.name for path in place.iterdir()} <= synced
    assert done[-1] == ("sync", str(tmp_path))


# Several at once.


def _report(folder: Path, times: int) -> None:
    for _ in range(times):
        write_page([folder], folder / PAGE)


def test_reports_of_one_folder_at_once_do_not_collide(folder: Path) -> None:
    workers = [
        multiprocessing.get_context("fork").Process(target=_report, args=(folder, 3)) for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert load_manifest(folder)["files"][PAGE]["sha256"] == file_hash(folder / PAGE)
    assert not [name for name in names_in(folder) if name.startswith(".")]


# What the system refuses.


def test_a_full_disk_is_told_and_leaves_the_old_result(folder: Path, answer: xr.Dataset) -> None:
    before = {name: file_hash(folder / name) for name in names_in(folder)}
    with no_file_above(1000), pytest.raises(WriteError, match="could not be written"):
        save_result(answer, folder)
    assert {name: file_hash(folder / name) for name in names_in(folder)} == before
    assert names_in(folder.parent) == ["leg"]


def test_a_table_that_finds_no_room_says_why_and_what_to_do(tmp_path: Path) -> None:
    with (
        no_file_above(1000),
        pytest.raises(WriteError, match=r"'a\.txt' could not be written: File too large") as caught,
    ):
        write(tmp_path / "a.txt", "x" * 5000)
    assert caught.value.where == str(tmp_path / "a.txt")
    assert caught.value.errno == errno.EFBIG
    assert "choose another place" in str(caught.value)
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "not read-only"),
        (errno.EACCES, "you may write to"),
        (errno.EDQUOT, "your disk quota"),
        (errno.EIO, "check the disk"),
    ],
)
def test_every_refusal_of_the_system_has_its_remedy(number: int, words: str) -> None:
    told = disk.write_error(OSError(number, os.strerror(number)), "results/a.sto")
    assert words in str(told) and "'a.sto' could not be written" in str(told)
    assert isinstance(told, OSError)


def test_a_file_that_is_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(WriteError, match=r"'a\.txt' could not be written: Is a directory"):
        write(tmp_path / "a.txt", "x")
    with pytest.raises(WriteError, match="'b' could not be written: Not a directory"):
        (tmp_path / "file").write_text("")
        whole.make_folder(tmp_path / "file" / "b")
