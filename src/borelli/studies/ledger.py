"""What became of every trial, derived from the folders: they are the truth, and there is no other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from borelli.errors import BorelliError
from borelli.records import dataclass
from borelli.results.saving.manifest import MANIFEST, load_manifest, manifest_is_genuine
from borelli.studies.errors_kept import kept_error
from borelli.studies.key import trial_key
from borelli.studies.names import KEY_DIGITS, TRIALS
from borelli.studies.plan import StudyPlan, TrialPlan
from borelli.studies.running import running

State = Literal["done", "running", "failed", "stale", "missing"]
STATES: tuple[State, ...] = ("done", "running", "failed", "stale", "missing")
_KEY = re.compile(rf"[0-9a-f]{{{KEY_DIGITS}}}")


@dataclass(frozen=True)
class Entry:
    """A trial and its state.

    Attributes
    ----------
    trial : TrialPlan
    state : "done", "running", "failed", "stale" or "missing"
        Stale: there is a result, of other inputs, options or version.
    folder : Path
        Of the result of what the trial's files and options are now, whether it is there or not.
    error : str
        Of a trial that failed.
    """

    trial: TrialPlan
    state: State
    folder: Path
    error: str = ""


def place_of(folder: Path, trial: TrialPlan, key: str) -> Path:
    """Return the folder of a trial's result: ``trials/subject/condition/trial-hash``."""
    return folder / TRIALS / trial.subject / trial.condition / f"{trial.trial}-{key}"


def result_folder(place: Path) -> Path:
    """Return the result folder of a trial: the place itself, or the one in it beside the tables of a setup."""
    if (place / MANIFEST).is_file() or not place.is_dir():
        return place
    return next((path.parent for path in sorted(place.glob(f"*/{MANIFEST}"))), place)


def is_sound(place: Path) -> bool:
    """Whether a place holds a whole result: its manifest is genuine, and all files of it have their sizes.

    Hashes of all files are compared by ``borelli verify``; a folder gets its name only once it is whole.
    """
    folder = result_folder(place)
    try:
        manifest = load_manifest(folder)
    except BorelliError:
        return False
    return manifest_is_genuine(manifest) and all(
        (folder / name).is_file() and (folder / name).stat().st_size == entry.get("bytes")
        for name, entry in manifest["files"].items()
    )


def ledger(plan: StudyPlan, *, ended: bool = False) -> list[Entry]:
    """State of every trial of a study.

    Parameters
    ----------
    ended : bool
        Whether all trials have ended for the caller: another run that looks at one of them at this moment does not
        make it a running one.
    """
    now = set() if ended else {each.name for each in running(plan.folder)}
    return [_entry(plan, trial, now) for trial in plan.trials]


def _entry(plan: StudyPlan, trial: TrialPlan, now: set[str]) -> Entry:
    place = place_of(plan.folder, trial, trial_key(plan.file, trial))
    error = kept_error(place)
    if trial.name in now:
        return Entry(trial, "running", place)
    if error:
        return Entry(trial, "failed", result_folder(place), error)
    if is_sound(place):
        return Entry(trial, "done", result_folder(place))
    return Entry(trial, "stale" if any(superseded(place)) else "missing", place)


def superseded(place: Path) -> Iterable[Path]:
    """Results of the same trial with other inputs, options or version."""
    start = place.name[:-KEY_DIGITS]
    if not place.parent.is_dir():
        return
    for other in sorted(place.parent.iterdir()):
        if (
            other.name != place.name
            and other.name.startswith(start)
            and _KEY.fullmatch(other.name[len(start) :])
            and other.is_dir()
        ):
            yield other
