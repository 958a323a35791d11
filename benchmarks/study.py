"""A made-up study of 200 trials: throughput with one and two workers, what the engine adds to a trial, memory.

``python benchmarks/study.py throughput``, ``overhead``, ``memory`` or ``large`` measures one of them, all in some six
minutes. Throughput is by the clock, so nothing else should run.
"""

from __future__ import annotations

import functools
import resource
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.studies.dask_engine import DaskEngine
from borelli.studies.plan import plan_study
from borelli.studies.task import Receipt, Setting, run_task

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from made_up_study import write_study

SUBJECTS, TRIALS = 10, 10
EMPTY_TASKS, REPEATED, INSTANTS = 500, 1000, 2400


class Clock(bo.Watcher):
    """Notes when trials end: the first of every worker pays for loading."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def ended(self, receipt: Receipt) -> None:
        """Note the time."""
        self.ends.append(time.perf_counter())

    def rate(self, workers: int) -> float:
        """Trials a second, once every worker has had its first."""
        steady = self.ends[2 * workers :]
        return (len(steady) - 1) / (steady[-1] - steady[0])


def nothing(item: Any) -> Receipt:
    """Return a receipt for no work."""
    return Receipt(str(item), "", "there", 0.0, "")


def memory_mb() -> float:
    """Resident memory of this process now (MB)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def throughput(path: Path, workers: int) -> float:
    out = path.parent / f"out{workers}"
    clock = Clock()
    bo.study(path, out=out, workers=workers, watcher=clock)
    shutil.rmtree(out)
    return clock.rate(workers)


def overhead_ms() -> float:
    """Milliseconds that Dask adds to a task, in and out."""
    with DaskEngine(2) as engine:
        list(engine.map(nothing, range(20)))
        start = time.perf_counter()
        list(engine.map(nothing, range(EMPTY_TASKS)))
        return 1e3 * (time.perf_counter() - start) / EMPTY_TASKS


def durable_ms(path: Path) -> float:
    """Milliseconds of a trial whose result is there: hashes of its inputs, claim, look at its folder."""
    out = path.parent / "there"
    plan = plan_study(path, out)
    task = functools.partial(run_task, Setting(out, plan.file))
    first = plan.trials[: min(10, len(plan.trials))]
    out.mkdir()
    for trial in first:
        task(trial)
    start = time.perf_counter()
    for trial in first:
        assert task(trial).state == "there"
    return 1e3 * (time.perf_counter() - start) / len(first)


def memory_growth_mb(path: Path, count: int) -> float:
    """Growth of a worker's memory over many trials (MB), after the first tenth."""
    out = path.parent / "memory"
    plan = plan_study(path, out)
    task = functools.partial(run_task, Setting(out, plan.file))
    out.mkdir()
    before = 0.0
    for k in range(count):
        trial = plan.trials[k % len(plan.trials)]
        assert task(trial).state == "computed"
        shutil.rmtree(out / "trials")
        shutil.rmtree(out / "parts")
        if k == count // 10:
            before = memory_mb()
    return memory_mb() - before


def tell_throughput(path: Path) -> None:
    one, two = throughput(path, 1), throughput(path, 2)
    gain = f"efficiency {100 * two / one / 2:.0f} %"
    print(f"  1 worker: {one:.2f} trials/s; 2 workers: {two:.2f} trials/s, {gain}", flush=True)


def tell_overhead(path: Path) -> None:
    engine, there = overhead_ms(), durable_ms(path)
    print(f"  engine: {engine:.1f} ms a task; to find a trial that is there: {there:.1f} ms", flush=True)


def tell_memory(path: Path) -> None:
    grown, now = memory_growth_mb(path, REPEATED), memory_mb()
    print(
        f"  memory after {REPEATED} trials: {now:.0f} MB, {grown:+.0f} MB since the first tenth", flush=True
    )


LARGE_STUDY = """\
out = "results"
pages = "none"
[trials]
model = "{subject}/subject.osim"
motion = "{subject}/walk_{trial}.mot"
loads = "{subject}/ground_forces.xml"
[analysis]
cutoff_hz = 10.0
loads_cutoff_hz = 10.0
"""


def tell_large(path: Path) -> None:
    """Cost of one trial of a large data set: the walk that ships, 2,400 instants, with muscle forces and all shares."""
    walk = bo.library.sample_walk(path.parent / "large" / "s01")
    table = bo.load_table(walk.motion)
    time_s = np.linspace(table.time[0], table.time[-1], INSTANTS)
    values = np.column_stack([np.interp(time_s, table.time, column) for column in table.values.T])
    for trial in (1, 2):
        dense = replace(table, time=time_s, values=values * (1.0 + 1e-6 * trial))
        bo.save_table(dense, walk.motion.with_name(f"walk_{trial}.mot"))
    file = path.parent / "large" / "study.toml"
    file.write_text(LARGE_STUDY, encoding="utf-8")
    plan = plan_study(file)
    plan.folder.mkdir()
    seconds = []
    for trial in plan.trials:
        start = time.process_time()
        done = run_task(Setting(plan.folder, plan.file), trial)
        assert done.state == "computed", done.error
        seconds.append(time.process_time() - start)
    sizes: Counter[str] = Counter()
    for each in plan.folder.rglob("*"):
        sizes[each.name] += each.stat().st_size / 2 if each.is_file() else 0
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    written = ", ".join(f"{name} {size / 1e6:.0f}" for name, size in sizes.most_common(6))
    print(
        f"  {INSTANTS} instants of a walk: {seconds[1]:.1f} s of processor time ({seconds[0]:.1f} s the first)"
    )
    print(
        f"    memory at most {most_mb:.0f} MB, on disk {sum(sizes.values()) / 1e6:.0f} MB: {written}",
        flush=True,
    )


PIECES = {
    "throughput": tell_throughput,
    "overhead": tell_overhead,
    "memory": tell_memory,
    "large": tell_large,
}


def main(*pieces: str) -> None:
    warnings.simplefilter("ignore", BorelliWarning)
    with tempfile.TemporaryDirectory() as folder:
        path = write_study(Path(folder), SUBJECTS, TRIALS)
        print(f"study of {2 * SUBJECTS * TRIALS} trials", flush=True)
        for name in pieces or PIECES:
            PIECES[name](path)


if __name__ == "__main__":
    main(*sys.argv[1:])
