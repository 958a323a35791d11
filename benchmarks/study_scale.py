"""A study of 10,000 trials, simulated: all is as it would be, but for the analysis of a trial, which is done once.

Planning, hashes of inputs, the engine with two workers, claims, folders, ledger, tables, means, statistics and page are
the real ones. In place of its analysis every trial gets the result of one that was computed, its files linked, all
numbers times a factor of its own. What it measures is what a study adds to its trials, and what breaks first.

    python benchmarks/study_scale.py [TRIALS]      10,000 by default, some ten minutes; 30 times as many files
"""

from __future__ import annotations

import functools
import hashlib
import os
import resource
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.results.on_disk.whole import make_folder, whole_folder
from borelli.studies.dask_engine import DaskEngine
from borelli.studies.key import part_key, trial_key
from borelli.studies.ledger import is_sound, place_of
from borelli.studies.names import PARTS
from borelli.studies.parts import is_written, write_parts
from borelli.studies.plan import TrialPlan
from borelli.studies.running import claimed
from borelli.studies.task import Receipt, Setting

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from made_up_study import write_study

TRIALS, A_SUBJECT = 10_000, 100


@functools.lru_cache(maxsize=1)
def computed(folder: Path) -> Any:
    """Return the one result that was computed."""
    return bo.load_result(folder)


def stand_in(template: Path, setting: Setting, trial: TrialPlan) -> Receipt:
    """Do all that a task does, but for the analysis."""
    begun = time.monotonic()
    key = trial_key(setting.file, trial)
    place = place_of(setting.folder, trial, key)
    with claimed(setting.folder, key, trial.name):
        there = is_sound(place)
        if not there:
            make_folder(place.parent)
            with whole_folder(place, lambda folder: frozenset(), "a trial of a study") as partial:
                for file in template.iterdir():
                    os.link(file, partial / file.name)
        parts = setting.folder / PARTS / part_key(setting.file, trial, key)
        if not is_written(parts):
            size = 0.8 + 0.4 * hashlib.sha256(trial.name.encode()).digest()[0] / 255.0
            data = computed(template).map(lambda each: each * size if each.dtype.kind == "f" else each)
            write_parts(data.assign_attrs(computed(template).attrs), parts, setting.file, trial)
    return Receipt(trial.name, key, "there" if there else "computed", time.monotonic() - begun, "")


class Simulated:
    """The engine of a study whose tasks are replaced."""

    description = "simulated"

    def __init__(self, engine: DaskEngine, template: Path) -> None:
        self.engine, self.template = engine, template

    def map(self, task: functools.partial[Receipt], items: Iterable[Any]) -> Iterator[Receipt]:
        """Run the stand-in of the task on every item."""
        return self.engine.map(functools.partial(stand_in, self.template, task.args[0]), items)


class Stages(bo.Watcher):
    """Notes when a study gets from one stage to the next."""

    def __init__(self) -> None:
        self.at = [("begin", time.perf_counter())]

    def _note(self, what: str) -> None:
        self.at.append((what, time.perf_counter()))

    def planned(self, plan: Any, engine: str, now: Callable[[], Any]) -> None:
        """Note the end of planning."""
        self._note("plan")

    def ended(self, receipt: Receipt) -> None:
        """Note the end of the trial that is the last so far."""
        self.at = [each for each in self.at if each[0] != "trials"]
        self._note("trials")

    def summarising(self) -> None:
        """Note the end of the ledger."""
        self._note("ledger")

    def told(self) -> str:
        """Every stage with its seconds."""
        self._note("answer")
        pairs = zip(self.at, self.at[1:], strict=False)
        return ", ".join(f"{name} {after - before:.1f} s" for (_, before), (name, after) in pairs)


def write_files(folder: Path, trials: int) -> tuple[Path, Path]:
    """Write a study of as many trials, each with files of its own; return it and the result of one trial."""
    one = write_study(folder / "one", 1, 1)
    template = bo.study(one).entries[0].folder
    own, count = folder / "one" / "data" / "s01", max(1, min(A_SUBJECT, trials // 4) // 2)
    for k in range(trials):
        subject, condition = f"s{k // (2 * count):03d}", ("free", "barbell")[k % 2]
        name = f"{condition}_{k // 2 % count}"
        to = folder / "data" / subject
        to.mkdir(parents=True, exist_ok=True)
        if k % (2 * count) == 0:
            shutil.copyfile(own / "leg.toml", to / "leg.toml")
        # Every motion is another file to whoever hashes it.
        text = (own / f"{condition}_1.sto").read_text(encoding="utf-8")
        (to / f"{name}.sto").write_text(f"trial {k}\n{text}", encoding="utf-8")
        for file in own.glob(f"{condition}_1_*"):
            os.link(file, to / file.name.replace("_1_", f"_{k // 2 % count}_", 1))
    path = folder / "study.toml"
    path.write_text(one.read_text(encoding="utf-8").replace('"outliers"', '"none"'), encoding="utf-8")
    return path, template


def memory_mb() -> float:
    """Largest resident memory of this process so far (MB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def main(*given: str) -> None:
    warnings.simplefilter("ignore", BorelliWarning)
    trials = int(given[0]) if given else TRIALS
    with tempfile.TemporaryDirectory() as folder:
        path, template = write_files(Path(folder), trials)
        print(f"study of {trials} trials, analyses left out; memory {memory_mb():.0f} MB", flush=True)
        for what in ("first run", "again"):
            stages = Stages()
            with DaskEngine(2) as engine:
                run = bo.study(path, engine=Simulated(engine, template), watcher=stages)
            assert not run.failed and run.computed == (trials if what == "first run" else 0), run.computed
            print(f"  {what}: {stages.told()}; memory at most {memory_mb():.0f} MB", flush=True)
        start = time.perf_counter()
        states = {entry.state for entry in bo.study_status(path)}
        print(f"  status: {time.perf_counter() - start:.1f} s, all {', '.join(states)}")
        study = bo.load_study(run.folder)
        start = time.perf_counter()
        rows = study.frame("numbers", output="knee_moment", number="peak", source="total")
        print(f"  one number of every trial: {time.perf_counter() - start:.1f} s, {len(rows)} rows")
        kinds = ("dataset", "parts", "means", "study.html", "summary.json", "wide.csv")
        sizes = {kind: _megabytes(run.folder / kind) for kind in kinds}
        print("  on disk: " + ", ".join(f"{kind} {size:.1f} MB" for kind, size in sizes.items()), flush=True)


def _megabytes(path: Path) -> float:
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files) / 1e6


if __name__ == "__main__":
    main(*sys.argv[1:])
