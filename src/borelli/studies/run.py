"""All trials of a study, on whatever engine, taken up where an earlier run was ended: what `borelli study` does."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from borelli.errors import InvalidValueError
from borelli.records import dataclass
from borelli.results.on_disk.temporary import lock, sweep
from borelli.studies.answer import write_answer
from borelli.studies.dataset import write_dataset
from borelli.studies.design import write_design
from borelli.studies.engine import Engine, InProcess
from borelli.studies.key import trial_key
from borelli.studies.ledger import Entry, ledger, superseded
from borelli.studies.load import Study, load_study
from borelli.studies.names import MODELS, MOTIONS, PARTS, TRIALS
from borelli.studies.plan import StudyPlan, TrialPlan, plan_study
from borelli.studies.running import Running, remove_forgotten, running
from borelli.studies.task import BUSY, Receipt, Setting, run_task

File = str | os.PathLike[str]
# A trial takes seconds: whoever waits for another process need not ask more often.
_PATIENCE_S = 0.5


class Watcher:
    """Is told how a study goes on; this one tells nobody.

    Examples
    --------
    >>> class Mine(bo.Watcher):
    ...     pass  # override what you want to be told
    """

    def planned(self, plan: StudyPlan, engine: str, now: Callable[[], list[Running]]) -> None:
        """The trials are known; ``now`` lists those that are being computed."""

    def ended(self, receipt: Receipt) -> None:
        """A trial has ended."""

    def summarising(self) -> None:
        """All trials have ended; the study's own result is computed."""


@dataclass(frozen=True)
class StudyRun:
    """What became of a study.

    Attributes
    ----------
    plan : StudyPlan
    entries : list of Entry
        Every trial with its state.
    computed : int
        Trials that were computed by this run; others were there.
    result : Study or None
        The study's own result; None where no trial succeeded.

    Examples
    --------
    >>> bo.study(study_file).failed
    []
    """

    plan: StudyPlan
    entries: list[Entry]
    computed: int
    result: Study | None

    @property
    def folder(self) -> Path:
        """Of the study."""
        return self.plan.folder

    @property
    def failed(self) -> list[Entry]:
        """Trials without a result."""
        return [entry for entry in self.entries if entry.state != "done"]


def study(
    path: File,
    *,
    out: File | None = None,
    workers: int = 0,
    threads: int = 1,
    scheduler: str | None = None,
    engine: Engine | None = None,
    watcher: Watcher | None = None,
) -> StudyRun:
    """Run the trials of a study that have no result yet, and compute the study's own result of all.

    Parameters
    ----------
    path : path
        A study file (.toml, see ``docs/studies.md``).
    out : path, optional
        Folder of the study, in place of the one that the file names.
    workers : int
        Processes of this machine, by Dask; 0 runs one trial after another in this process.
    threads : int
        For the kernels of one trial; results do not depend on it.
    scheduler : str, optional
        Address of a Dask scheduler, ``tcp://…``, whose workers see the same files.
    engine : Engine, optional
        Anything with a ``map``, in place of these.
    watcher : Watcher, optional
        Told about every trial that ends.

    Returns
    -------
    StudyRun

    Guarantees, each a test
    -----------------------
    - results are the same, bit for bit, whatever the engine and however often it was killed
    - a trial that fails stops no other; its error is kept
    - what is there is not computed again; what changed is

    Examples
    --------
    >>> run = bo.study(study_file)
    >>> len(run.entries), len(run.failed)
    (1, 0)
    """
    if workers < 0 or threads < 1:
        raise InvalidValueError(
            f"{workers} workers with {threads} threads each are not valid; both must be positive."
        )
    plan = plan_study(path, out)
    watcher = watcher or Watcher()
    write_design(plan)
    computed = 0
    with _engine(engine, workers, scheduler) as chosen:
        watcher.planned(plan, chosen.description, functools.partial(running, plan.folder))
        setting = Setting(Path(os.path.abspath(plan.folder)), plan.file, threads)
        kept: dict[str, Receipt] = {}
        for receipt in _all_ended(chosen, functools.partial(run_task, setting), plan.trials):
            kept[receipt.name] = receipt
            computed += receipt.state == "computed"
            watcher.ended(receipt)
    entries = [_told(entry, kept[entry.trial.name]) for entry in ledger(plan, ended=True)]
    _tidy(plan, entries)
    watcher.summarising()
    done = [entry for entry in entries if entry.state == "done"]
    result = None
    if done:
        # Another run of the same study may come to its end at the same time.
        with lock(plan.folder):
            write_dataset(plan, done)
            result = load_study(plan.folder)
            write_answer(result, entries)
    return StudyRun(plan, entries, computed, result)


def study_folder(path: File) -> Path:
    """Return the folder that a study file names for its results.

    Parameters
    ----------
    path : path
        The study file.

    Examples
    --------
    >>> bo.study_folder(study_file).name
    'results'
    """
    return plan_study(path).folder


def study_status(path: File, out: File | None = None) -> list[Entry]:
    """Return the state of every trial of a study, as its folders show it; nothing is computed.

    Parameters
    ----------
    path : path
        The study file.
    out : path, optional
        The folder of the study, where it is not that of the file.

    Examples
    --------
    >>> len(bo.study_status(study_file))
    1
    """
    return ledger(plan_study(path, out))


def _engine(given: Engine | None, workers: int, scheduler: str | None) -> AbstractContextManager[Engine]:
    if given is not None:
        return _Lent(given)
    if workers == 0 and scheduler is None:
        return InProcess()
    # Loaded here, because one process needs no Dask.
    from borelli.studies.dask_engine import DaskEngine

    return DaskEngine(workers, scheduler)


class _Lent(AbstractContextManager[Engine]):
    """An engine of somebody else, which is not ended here."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __enter__(self) -> Engine:
        return self.engine

    def __exit__(self, *about: object) -> None:
        """Leave it as it is."""


def _all_ended(
    engine: Engine, task: Callable[[Any], Receipt], trials: tuple[TrialPlan, ...]
) -> Iterator[Receipt]:
    """Yield a receipt for every trial; those that somebody else computes are asked for again later."""
    waiting = {trial.name: trial for trial in trials}
    while waiting:
        before = len(waiting)
        for receipt in engine.map(task, list(waiting.values())):
            if receipt.state != BUSY:
                del waiting[receipt.name]
                yield receipt
        if waiting and len(waiting) == before:
            time.sleep(_PATIENCE_S)


def _told(entry: Entry, receipt: Receipt) -> Entry:
    """Return an entry with the error that its task told: a disk that was full kept none."""
    return Entry(entry.trial, "failed", entry.folder, receipt.error) if receipt.error else entry


def _tidy(plan: StudyPlan, entries: list[Entry]) -> None:
    """Remove what processes that were killed have left."""
    for kind in (TRIALS, MODELS, MOTIONS, PARTS):
        for folder, _, _ in os.walk(plan.folder / kind):
            # Result folders are whole; only what lies beside them can be left over.
            if not (Path(folder) / "result.json").exists():
                sweep(Path(folder))
    sweep(plan.folder)
    done = {trial_key(plan.file, entry.trial) for entry in entries if entry.state == "done"}
    remove_forgotten(plan.folder, done)


def remove_superseded(path: File, out: File | None = None) -> int:
    """Remove results of other inputs, options and versions of trials that are done; return how many.

    Parameters
    ----------
    path : path
        The study file.
    out : path, optional
        The folder of the study, where it is not that of the file.

    Examples
    --------
    >>> _ = bo.study(study_file)
    >>> bo.remove_superseded(study_file)
    0
    """
    # Loaded here, because few runs ask for it.
    import shutil

    count = 0
    for entry in ledger(plan_study(path, out)):
        place = entry.folder if entry.folder.parent.name == entry.trial.condition else entry.folder.parent
        for old in list(superseded(place)) if entry.state == "done" else ():
            shutil.rmtree(old)
            count += 1
    return count
