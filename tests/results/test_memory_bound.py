"""A result whose hash was forged cannot make the HDF5 library take memory without end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import borelli as bo
from borelli.results import memory_bound
from borelli.results.memory_bound import ROOM, bounded_memory, to_read
from borelli.results.record import DATA, RECORD, listed
from tests.results.problems import result

resource = pytest.importorskip("resource", reason="this system has no limits of processes")
pytestmark = pytest.mark.skipif(not memory_bound._MEMORY.exists(), reason="the bound needs Linux")

LENGTH = ROOM + (128 << 20)
"""What one label claims to have, in bytes"""

# A process of its own: the limit is for processes with one thread, and so is the largest memory that it had.
READING = """
import contextlib, pathlib, resource, sys
import borelli as bo
from borelli.results import read_plain, save

def most_memory():
    # What getrusage calls the largest is at first that of the process that started this one.
    (line,) = (each for each in pathlib.Path("/proc/self/status").open() if each.startswith("VmHWM"))
    return int(line.split()[1])

if sys.argv[2] == "unbounded":
    read_plain.bounded_memory = save.bounded_memory = lambda n_bytes: contextlib.nullcontext()
before = most_memory()
for read in (read_plain.read_plain, bo.load_result):
    try:
        read(sys.argv[1])
        print("read")
    except bo.BorelliError as error:
        print(error.what)
print(most_memory() - before, resource.getrlimit(resource.RLIMIT_AS)[0])
"""


def _forged(place: Path) -> None:
    """Have the longest label claim to be huge, with a record that says that this is how it was saved."""
    data = bytearray((place / DATA).read_bytes())
    # A label is its length, the place of the heap that it lies in, and its number there.
    heap = re.escape(data.index(b"GCOL").to_bytes(8, "little"))
    lengths = {
        found.start(): int.from_bytes(found[1], "little")
        for found in re.finditer(b"(.{4})" + heap, data, re.S)
    }
    where = max((length, start) for start, length in lengths.items() if length < 100)[1]
    data[where : where + 4] = LENGTH.to_bytes(4, "little")
    (place / DATA).write_bytes(data)
    record = json.loads((place / RECORD).read_text()) | {"files": {DATA: listed(place / DATA)}}
    (place / RECORD).write_text(json.dumps(record))


def _read_apart(place: Path, how: str) -> tuple[list[str], int, int]:
    ended = subprocess.run(
        [sys.executable, "-c", READING, str(place), how], capture_output=True, text=True, check=True
    )
    *said, numbers = ended.stdout.splitlines()
    grown, limit = map(int, numbers.split())
    return said, grown << 10, limit


def test_a_forged_length_is_refused_before_memory_is_taken_for_it(tmp_path: Path) -> None:
    place = bo.save_result(result().isel(time=slice(0, 3)), tmp_path / "result", tables=())
    before = resource.getrlimit(resource.RLIMIT_AS)[0]
    said, _, limit = _read_apart(place, "bounded")
    assert said == ["read", "read"] and limit == before
    _forged(place)
    said, grown, limit = _read_apart(place, "bounded")
    assert all("'result.nc' cannot be read" in line for line in said) and len(said) == 2
    assert grown < ROOM / 2 and limit == before
    # Without the bound the library takes it.
    _, grown, _ = _read_apart(place, "unbounded")
    assert grown > ROOM


def test_arrays_that_no_file_of_that_size_can_hold_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(1000))
    assert to_read(tmp_path / "file", 1_032_000) >= 2 * 1_032_000
    with pytest.raises(ValueError, match="1,000 bytes cannot hold arrays of 1,032,001 bytes"):
        to_read(tmp_path / "file", 1_032_001)


def test_nothing_is_bounded_while_other_threads_run() -> None:
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    before = resource.getrlimit(resource.RLIMIT_AS)
    other.start()
    try:
        with bounded_memory(0):
            assert resource.getrlimit(resource.RLIMIT_AS) == before
    finally:
        done.set()
        other.join()


def test_the_bound_is_lifted_after_an_error_and_a_tighter_one_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory_bound.threading, "active_count", lambda: 1)
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(MemoryError), bounded_memory(1 << 20):
        assert resource.getrlimit(resource.RLIMIT_AS) != before
        bytearray(4 * ROOM)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    with bounded_memory(0):
        tight = resource.getrlimit(resource.RLIMIT_AS)
        with bounded_memory(1 << 30):
            assert resource.getrlimit(resource.RLIMIT_AS) == tight


def test_a_system_that_does_not_tell_its_memory_bounds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_bound, "_MEMORY", tmp_path / "absent")
    before = resource.getrlimit(resource.RLIMIT_AS)
    with bounded_memory(0):
        assert resource.getrlimit(resource.RLIMIT_AS) == before
