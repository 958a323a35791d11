"""Damaged and forged data: refused, and never at the cost of more memory than the file is large."""

from __future__ import annotations

import json
import random
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import netCDF4
import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliError, FileFormatError
from borelli.results.saving.classic_netcdf import NetcdfFile, NetcdfVariable, read_classic, write_classic
from borelli.results.saving.manifest import DATA, MANIFEST, listed
from borelli.results.saving.read_plain import read_plain
from tests.results.problems import result

N_DAMAGED = 400
READERS: tuple[Callable[[Path], object], ...] = (bo.load_result, read_plain)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Flip, cut, lengthen or exchange: what disks, copies and editors do to files."""
    kind = rng.randrange(6)
    changed = bytearray(data)
    if kind == 0:
        return bytes(changed[: rng.randrange(len(changed))])
    if kind == 1:
        return bytes(changed + bytes(rng.randrange(1, 5000)))
    if kind == 2:
        at = rng.randrange(len(changed))
        changed[at : at + 512] = bytes(len(changed[at : at + 512]))
    elif kind == 3:
        one, other = sorted(rng.sample(range(len(changed)), 2))
        changed[one:other] = changed[one:other][::-1]
    else:
        for _ in range(rng.choice((1, 2, 8, 64))):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return bo.save_result(result().isel(time=slice(0, 3)), tmp_path / "result", tables=())


def forge(place: Path, data: bytes) -> None:
    """Put other data into a result, and their hash into its manifest."""
    (place / DATA).write_bytes(data)
    manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    manifest["files"][DATA] = listed(place / DATA)
    (place / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def test_a_series_of_damaged_files_is_refused(place: Path) -> None:
    whole = (place / DATA).read_bytes()
    rng, refused = random.Random(7), 0
    for _ in range(N_DAMAGED):
        data = damaged(whole, rng)
        if data == whole:
            continue
        (place / DATA).write_bytes(data)
        for read in READERS:
            with pytest.raises(BorelliError, match="is not what was saved"):
                read(place)
        refused += 1
    assert refused > 0.9 * N_DAMAGED
    (place / DATA).write_bytes(whole)
    assert bo.load_result(place).sizes["time"] == 3


def test_a_series_of_forged_files_is_read_or_refused_in_little_memory(place: Path) -> None:
    """Headers changed word by word, with the hash of the manifest mended."""
    whole = (place / DATA).read_bytes()
    rng, refused, largest = random.Random(11), 0, 0
    for _ in range(N_DAMAGED):
        data = bytearray(whole)
        word = 4 * rng.randrange(0, 500)
        data[word : word + 4] = struct.pack(
            ">i", rng.choice((-1, 0, 1, 2, 7, 2**16, 2**31 - 1, rng.randrange(2**31)))
        )
        forge(place, bytes(data))
        tracemalloc.start()
        try:
            read_plain(place)
        except FileFormatError:
            refused += 1
        largest = max(largest, tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert refused > N_DAMAGED / 10
    # The file has 30 kB; modules that are loaded meanwhile have more.
    assert largest < 10e6, largest


def begins(path: Path) -> list[int]:
    """Where the offsets of variables stand in the header of a file with variables of one dimension."""
    raw, found = path.read_bytes(), []
    for name in (b"one\0", b"two\0"):
        # Name, one dimension, no attributes, type, length: the offset follows.
        found.append(raw.index(name) + 4 + 8 + 8 + 4 + 4)
    return found


@pytest.fixture
def two(tmp_path: Path) -> Path:
    arrays = {name: NetcdfVariable(("time",), np.arange(100.0), {}) for name in ("one", "two")}
    write_classic(NetcdfFile(arrays, {}), tmp_path / "two.nc")
    return tmp_path / "two.nc"


@pytest.mark.parametrize(
    "offset", [-8, 0, 2**40], ids=["before the file", "in the header", "behind the file"]
)
def test_a_variable_outside_of_its_place_is_refused(two: Path, offset: int) -> None:
    raw, place = bytearray(two.read_bytes()), begins(two)[1]
    raw[place : place + 8] = struct.pack(">q", offset)
    two.write_bytes(raw)
    with pytest.raises(ValueError, match="'two' lies beyond the file, or where another one is"):
        read_classic(two)


def test_two_variables_cannot_be_the_same_bytes(two: Path) -> None:
    raw, (one, other) = bytearray(two.read_bytes()), begins(two)
    raw[other : other + 8] = raw[one : one + 8]
    two.write_bytes(raw)
    with pytest.raises(ValueError, match="where another one is"):
        read_classic(two)


def test_the_offsets_were_found(two: Path) -> None:
    """The checks above change what they say that they change."""
    raw = two.read_bytes()
    one, other = (struct.unpack(">q", raw[place : place + 8])[0] for place in begins(two))
    assert other - one == 800 and one + 1600 == len(raw)


def test_results_of_the_format_before_say_so(place: Path) -> None:
    with netCDF4.Dataset(place / "other.nc", "w") as file:
        file.createDimension("time", 3)
    forge(place, (place / "other.nc").read_bytes())
    for read in READERS:
        with pytest.raises(
            FileFormatError, match=r"HDF5, as an earlier Borelli wrote it[\s\S]*run the analysis again"
        ):
            read(place)
