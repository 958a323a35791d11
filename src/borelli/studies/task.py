"""One trial of a study, durably: the result is looked for first, computed where it is missing, and written whole.

Whatever runs tasks may run one again, on another machine, or lose what it returned: nothing depends on it. What a task
returns is a small receipt; the result is in its folder.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import traceback
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from borelli.errors import BorelliError, BorelliWarning, InvalidValueError
from borelli.io.load_model import shared_models
from borelli.kernels.backend import using
from borelli.records import dataclass
from borelli.results.saving.manifest import PAGE
from borelli.studies.errors_kept import forget_error, keep_error
from borelli.studies.key import part_key, trial_key
from borelli.studies.ledger import is_sound, place_of, result_folder
from borelli.studies.names import PARTS
from borelli.studies.parts import is_written, write_parts
from borelli.studies.plan import TrialPlan
from borelli.studies.running import MOST_ATTEMPTS, claimed
from borelli.studies.schema import StudyFile
from borelli.studies.steps import compute

if TYPE_CHECKING:
    import xarray as xr

COMPUTED, THERE, FAILED, BUSY = "computed", "there", "failed", "busy"
# Of this process: models that several trials share.
_models: OrderedDict[Any, Any] = OrderedDict()
_turn = threading.Lock()


@dataclass(frozen=True)
class Setting:
    """What all tasks of a study have in common: its folder, its file, and threads for each trial."""

    folder: Path
    file: StudyFile
    threads: int = 1


@dataclass(frozen=True)
class Receipt:
    """What became of a trial.

    Attributes
    ----------
    name : str
        Subject, condition and trial.
    key : str
        Content hash that names its folder.
    state : "computed", "there", "failed" or "busy"
        Busy: somebody else computes it now.
    seconds : float
    worker : str
        Machine and process.
    error : str
        What is wrong, of a trial that failed.
    """

    name: str
    key: str
    state: str
    seconds: float
    worker: str
    error: str = ""


def run_task(setting: Setting, trial: TrialPlan) -> Receipt:
    """Make sure that the result of a trial is there.

    Threads of one process take turns: Python notes the warnings of all of them in one place. What a trial warns of is
    saved with its result and stands on its page; printed as well, it would hide what the study says.
    """
    with _turn, warnings.catch_warnings():
        warnings.simplefilter("ignore", BorelliWarning)
        return _ran(setting, trial)


def _ran(setting: Setting, trial: TrialPlan) -> Receipt:
    begun = time.monotonic()
    key, state, error = "", FAILED, ""
    try:
        key = trial_key(setting.file, trial)
        with claimed(setting.folder, key, trial.name) as attempt:
            state, error = BUSY, ""
            if attempt is not None:
                with shared_models(_models), using(threads=setting.threads):
                    state, error = _ensured(setting, trial, key, attempt)
    except (BorelliError, OSError) as problem:
        # The folder itself cannot be written to.
        state, error = FAILED, f"{type(problem).__name__}: {problem}"
    worker = f"{socket.gethostname()}:{os.getpid()}"
    return Receipt(trial.name, key, state, time.monotonic() - begun, worker, error)


def _ensured(setting: Setting, trial: TrialPlan, key: str, attempt: int) -> tuple[str, str]:
    """Return the state, and the error of a trial that failed."""
    place = place_of(setting.folder, trial, key)
    try:
        if attempt > MOST_ATTEMPTS:
            raise InvalidValueError(
                f"The trial brought down its process {attempt - 1} times.",
                where=trial.name,
                remedy="run it alone (borelli analyze) and look at its memory; the next run tries again",
            )
        there, data = is_sound(place), None
        if not there:
            data = compute(setting.folder, setting.file, trial, place)
            if trial_key(setting.file, trial) != key:
                raise InvalidValueError(
                    "A file of the trial was changed while it was computed.",
                    where=trial.name,
                    remedy="run the study again",
                )
        _complete(setting, trial, key, place, data)
        forget_error(place)
    except (KeyboardInterrupt, SystemExit):
        raise
    except Exception as problem:  # whatever is wrong with one trial must not stop the others
        text = f"{type(problem).__name__}: {problem}"
        own = isinstance(problem, BorelliError)
        keep_error(place, trial, text, attempt, "" if own else traceback.format_exc())
        return FAILED, text
    return (THERE if there else COMPUTED), ""


def _complete(setting: Setting, trial: TrialPlan, key: str, place: Path, data: xr.Dataset | None) -> None:
    """Write what belongs to the study, and the page, where they are missing; data are what was computed just now."""
    parts = setting.folder / PARTS / part_key(setting.file, trial, key)
    folder = result_folder(place)
    if not is_written(parts):
        if data is None:
            # Loaded here, because a trial that is done needs no xarray.
            from borelli.results.saving.save import load_result

            data = load_result(folder)
        write_parts(data, parts, setting.file, trial)
    if setting.file.pages == "all" and not (folder / PAGE).is_file():
        # Loaded here, because only a page that is missing needs it.
        from borelli.trial.report import write_report

        write_report(folder)
