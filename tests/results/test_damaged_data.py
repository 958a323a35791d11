"""Damaged data never reach the HDF5 library, which they can bring down together with the process."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import borelli as bo
from borelli.errors import BorelliError
from borelli.results.read_plain import read_plain
from borelli.results.record import DATA
from tests.results.problems import result

SOURCES = Path(bo.__file__).parent
N_DAMAGED = 400


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


def test_a_series_of_damaged_files_is_refused_before_hdf5_sees_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import xarray as xr

    seen: list[object] = []
    real = xr.open_dataset
    monkeypatch.setattr(
        xr, "open_dataset", lambda *given, **how: (seen.append(given), real(*given, **how))[1]
    )
    place = bo.save_result(result().isel(time=slice(0, 3)), tmp_path / "result", tables=())
    whole = (place / DATA).read_bytes()
    assert bo.load_result(place).sizes["time"] == 3 and len(seen) == 1
    rng, refused = random.Random(7), 0
    for _ in range(N_DAMAGED):
        data = damaged(whole, rng)
        if data == whole:
            continue
        (place / DATA).write_bytes(data)
        with pytest.raises(BorelliError, match="is not what was saved"):
            bo.load_result(place)
        with pytest.raises(BorelliError, match="is not what was saved"):
            read_plain(place)
        refused += 1
    assert len(seen) == 1 and refused > 0.9 * N_DAMAGED
    # Undamaged again, and the process is as well as it was.
    (place / DATA).write_bytes(whole)
    assert bo.load_result(place).sizes["time"] == 3 and len(seen) == 2


def test_nothing_else_opens_such_files() -> None:
    opening = re.compile(
        r"open_dataset|load_dataset|open_mfdataset|h5py|h5netcdf|netCDF4\.Dataset|open_datatree"
    )
    found = [
        path.relative_to(SOURCES).as_posix()
        for path in sorted(SOURCES.rglob("*.py"))
        if opening.search(path.read_text(encoding="utf-8"))
    ]
    # The last one opens new files alone, to write them.
    assert found == ["results/read_plain.py", "results/save.py", "results/write_netcdf.py"]
