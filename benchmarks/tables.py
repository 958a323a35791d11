"""Speed of tables: 60 s at 1000 Hz with 100 columns, read and written, against OpenSim's TimeSeriesTable.

Both sides read the same file and write the same numbers; ours keep every bit, OpenSim's sixteen digits.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import borelli as bo

N_ROWS, N_COLUMNS, RATE = 60_000, 100, 1000.0


def best(function: Callable[[], object], repeats: int) -> float:
    """Return the least time of several calls, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def recording() -> bo.Table:
    rng = np.random.default_rng(0)
    values = 0.1 * np.cumsum(rng.normal(size=(N_ROWS, N_COLUMNS)), axis=0)
    names = tuple(f"column_{number}" for number in range(N_COLUMNS))
    return bo.Table(np.arange(N_ROWS) / RATE, names, values, in_degrees=False, name="recording")


def opensim_times(source: Path, target: Path) -> tuple[float, float] | None:
    """Return OpenSim's seconds for reading and writing, or None where it is not installed."""
    here = os.getcwd()
    os.chdir(target.parent)  # it drops a log file where it is imported
    try:
        import opensim
    except ImportError:
        return None
    finally:
        os.chdir(here)
    opensim.Logger.setLevelString("off")
    table = opensim.TimeSeriesTable(str(source))
    reading = best(lambda: opensim.TimeSeriesTable(str(source)), 3)
    writing = best(lambda: opensim.STOFileAdapter.write(table, str(target)), 3)
    return reading, writing


def main() -> None:
    table = recording()
    with tempfile.TemporaryDirectory() as scratch:
        ours, theirs = Path(scratch) / "ours.sto", Path(scratch) / "theirs.sto"
        bo.save_table(table, ours)
        back = bo.load_table(ours)
        exact = np.array_equal(back.values, table.values) and np.array_equal(back.time, table.time)
        size = ours.stat().st_size / 1e6
        print(
            f"tables: {N_ROWS} rows × {N_COLUMNS} columns, {size:.0f} MB of text, read back bit by bit: {exact}"
        )
        reading = best(lambda: bo.load_table(ours), 10)
        writing = best(lambda: bo.save_table(table, ours), 10)
        peer = opensim_times(ours, theirs)
    for what, mine, other in (("read", reading, peer and peer[0]), ("write", writing, peer and peer[1])):
        ratio = (
            f"OpenSim {other:6.3f} s, {other / mine:5.1f} times faster"
            if other
            else "OpenSim is not installed"
        )
        print(f"  {what:5s} {mine:6.3f} s   {ratio}")


if __name__ == "__main__":
    main()
