"""Compiled kernels survive on disk, and a bad disk never hurts."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from borelli import notice
from borelli.kernels import backend
from borelli.kernels.lanes.code import cache, compile
from borelli.kernels.lanes.code.cache import cache_directory, cache_key, read_object, write_object
from borelli.kernels.lanes.code.compile import Kernel, load_kernel


def _emit(emitter, x):
    x.store(0, 3.0 * x.load(0))


TRIPLE = Kernel("triple", {"x": "doubles"}, _emit)


class Notices:
    """Counts compilations through the notice hook."""

    def __init__(self):
        self.names = []

    def __call__(self, name):
        self.names.append(name)
        return threading.Lock()  # any context manager will do


@pytest.fixture
def directory(tmp_path, monkeypatch):
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _works(notice=None):
    x = np.arange(8.0)
    load_kernel(TRIPLE, width=8, notice=notice)(x.ctypes.data)
    return x.tolist() == (3 * np.arange(8.0)).tolist()


def test_the_second_load_does_not_compile(directory):
    notices = Notices()
    assert _works(notices)
    assert _works(notices)
    assert notices.names == ["triple"]
    assert len(list(directory.iterdir())) == 1, "a temporary file was left behind"


def test_each_width_is_its_own_entry(directory):
    load_kernel(TRIPLE, width=4)
    load_kernel(TRIPLE, width=8)
    assert len(list(directory.iterdir())) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"something else entirely",
    ],
    ids=["empty", "cut off", "one bit", "foreign"],
)
def test_a_damaged_entry_is_compiled_again(directory, damage):
    _works()
    (entry,) = directory.iterdir()
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    notices = Notices()
    assert _works(notices)
    assert notices.names == ["triple"]
    assert entry.read_bytes() == good, "the entry was not repaired"


def test_an_entry_under_another_name_is_foreign(directory):
    write_object("one", b"code")
    os.rename(directory / "one.kernel", directory / "two.kernel")
    assert read_object("two") is None


def test_intact_bytes_that_are_no_object_are_compiled_again(directory):
    key = cache_key(TRIPLE.name, "8", compile._fingerprint())
    write_object(key, b"not machine code")
    notices = Notices()
    assert _works(notices)
    assert notices.names == ["triple"]


def test_a_cache_directory_that_is_a_file_means_no_cache(directory):
    directory.write_text("in the way")
    assert _works()
    assert write_object("key", b"code") is False
    assert directory.read_text() == "in the way"


def test_a_full_disk_means_no_cache(directory, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.os, "replace", full)
    assert _works()
    assert list(directory.iterdir()) == [], "the partial file was left behind"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_directory_means_no_cache(directory):
    directory.mkdir()
    directory.chmod(0o500)
    assert _works()


def test_the_unwritable_path_of_a_pseudo_file_system_means_no_cache(monkeypatch):
    monkeypatch.setenv("BORELLI_CACHE_DIR", "/proc/borelli-cache")
    assert _works()


def test_an_unknown_home_means_no_cache(monkeypatch):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("BORELLI_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(cache.Path, "home", unknown)
    assert read_object("key") is None
    assert write_object("key", b"code") is False


owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system knows no owners")


@owners
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o722, 0o777])
def test_code_in_a_directory_that_others_may_write_is_never_run(directory, mode):
    write_object("key", b"code")
    directory.chmod(mode)
    assert read_object("key") is None
    assert write_object("other", b"code") is False
    assert [entry.name for entry in directory.iterdir()] == ["key.kernel"]
    directory.chmod(0o755)
    assert read_object("key") == b"code"


@owners
def test_code_in_a_directory_of_another_user_is_never_run(directory, monkeypatch):
    write_object("key", b"code")
    monkeypatch.setattr(cache.os, "geteuid", lambda: directory.stat().st_uid + 1)
    assert read_object("key") is None
    assert write_object("other", b"code") is False


@owners
@pytest.mark.parametrize("planted", ["writable", "link", "owner"])
def test_code_that_others_left_in_a_directory_is_never_run_after_it_is_closed_to_them(directory, planted):
    write_object("key", b"code")
    entry = directory / "key.kernel"
    if planted == "writable":
        entry.chmod(0o666)
    elif planted == "link":
        entry.rename(directory.parent / "elsewhere")
        entry.symlink_to(directory.parent / "elsewhere")
    elif os.geteuid() == 0:
        os.chown(entry, 12345, -1)
    else:
        pytest.skip("only root gives files away")
    assert read_object("key") is None
    # What is compiled instead takes its place.
    assert write_object("key", b"code") and read_object("key") == b"code"


@owners
def test_a_new_directory_is_the_users_alone_whatever_the_mask(directory):
    before = os.umask(0)
    try:
        assert write_object("key", b"code")
    finally:
        os.umask(before)
    assert directory.stat().st_mode & 0o777 == 0o700


def test_where_systems_know_no_owners_the_cache_is_used(directory, monkeypatch):
    monkeypatch.delattr(cache.os, "geteuid", raising=False)
    assert write_object("key", b"code")
    assert read_object("key") == b"code"


@owners
def test_the_notice_of_a_compilation_says_why_it_comes_again(directory, monkeypatch, capsys):
    monkeypatch.setattr(notice, "_wording", list(notice._wording))
    monkeypatch.setattr(notice, "_shown", threading.Event())
    monkeypatch.setattr(notice, "_PATIENCE_S", 0.0)
    write_object("key", b"code")
    directory.chmod(0o777)
    read_object("key")
    for kernel in ("mass_matrix", "poses"):
        with notice.compilation_notice(kernel):
            time.sleep(0.2)
    said = capsys.readouterr().err
    assert said.startswith(
        "borelli: preparing kernels for this processor, each time (others may write to the cache"
    )
    assert said.count("\n") == 1, "one line for all kernels"
    assert str(directory) in said and "chmod go-w" in said


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked in another way there")
def test_two_processes_do_not_compile_the_same_kernel(directory):
    script = (
        "import sys, time\n"
        "from borelli.kernels.lanes.code.cache import alone_with, read_object, write_object\n"
        "with alone_with('key'):\n"
        "    found = read_object('key')\n"
        "    if found is None:\n"
        "        time.sleep(0.5)\n"
        "        write_object('key', b'code')\n"
        "    print(found)\n"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert sorted(one.communicate()[0].strip() for one in both) == ["None", "b'code'"]
    assert [file.suffix for file in directory.iterdir()] == [".kernel"]


def test_a_progress_display_hears_of_every_kernel_in_place_of_the_line(monkeypatch, capsys):
    monkeypatch.setattr(notice, "_heard", [0])
    monkeypatch.setattr(notice, "_shown", threading.Event())
    monkeypatch.setattr(notice, "_PATIENCE_S", 0.0)
    told: list[str] = []
    with notice.told_to(told.append):
        for kernel in ("mass_matrix", "poses"):
            with notice.compilation_notice(kernel):
                time.sleep(0.1)
    line = "preparing kernels for this processor, once"
    assert told == [f"{line}: 1, mass matrix", f"{line}: 2, poses"]
    assert capsys.readouterr().err == ""


def test_what_was_used_longest_ago_makes_room(directory, monkeypatch):
    monkeypatch.setattr(cache, "LARGEST_FOLDER", 400)
    for age, key in ((300.0, "old"), (200.0, "older_but_used"), (100.0, "new")):
        write_object(key, bytes(100))
        os.utime(directory / f"{key}.kernel", (time.time() - 1e6 - age,) * 2)
    assert read_object("older_but_used") == bytes(100)
    (directory / "left.part").touch()
    os.utime(directory / "left.part", (0, 0))
    write_object("newest", bytes(100))
    assert {entry.stem for entry in directory.iterdir()} == {"older_but_used", "newest"}


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "chosen/borelli"),
        ("linux", None, ".cache/borelli"),
        ("darwin", None, "Library/Caches/borelli"),
        ("win32", "LOCALAPPDATA", "chosen/borelli"),
    ],
)
def test_the_cache_is_where_each_system_expects_it(tmp_path, monkeypatch, platform, variable, expected):
    for name in ("BORELLI_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "chosen"))
    monkeypatch.setattr(cache.sys, "platform", platform)
    monkeypatch.setattr(cache.Path, "home", lambda: tmp_path)
    assert cache_directory() == tmp_path / expected


def test_a_key_changes_with_every_part():
    keys = {cache_key("a", "b"), cache_key("ab"), cache_key("a", "c"), cache_key("a", b"b", "")}
    assert len(keys) == 4


def test_the_fingerprint_knows_processor_and_compiler():
    import llvmlite.binding as llvm
    from llvmlite import __version__

    fingerprint = compile._fingerprint()
    assert llvm.get_host_cpu_name().encode() in fingerprint
    assert __version__.encode() in fingerprint


def test_the_fingerprint_knows_every_source_that_kernels_are_traced_from():
    script = """
import sys
import borelli.kernels.lanes.passes.tree_kernels
for name, module in sys.modules.items():
    if name.startswith("borelli.kernels.") and not hasattr(module, "__path__"):
        print(module.__file__)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    used = {Path(line) for line in done.stdout.split()}
    # Which back end is asked for, and the types of questions and answers: no arithmetic.
    assert used - set(compile.sources()) == {Path(backend.__file__)}
    assert len(used) > 30


def test_the_fingerprint_knows_what_the_processor_can_do(monkeypatch):
    # A home directory may serve machines of one name whose instructions differ.
    import llvmlite.binding as llvm

    own = compile._fingerprint()
    fewer = llvm.FeatureMap(llvm.get_host_cpu_features(), avx2=False)
    monkeypatch.setattr(compile.llvm, "get_host_cpu_features", lambda: fewer)
    assert compile._fingerprint.__wrapped__() != own


def test_the_status_of_a_kernel_is_returned():
    kernel = Kernel("status", {"n": "integer"}, lambda emitter, n: (n + 40).ir)
    assert load_kernel(kernel)(2) == 42
