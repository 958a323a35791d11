"""The error of a trial that failed, beside the place of its result."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from borelli.errors import BorelliError
from borelli.results.on_disk.whole import make_folder, whole_file
from borelli.studies.names import ERROR_ENDING
from borelli.studies.plan import TrialPlan

# Letters: of a message its beginning, of a traceback its end, where the error is.
_LONGEST = 20_000


def error_file(place: Path) -> Path:
    """Return where the error of a trial is kept."""
    return place.with_name(place.name + ERROR_ENDING)


def keep_error(place: Path, trial: TrialPlan, text: str, attempt: int, trace: str) -> None:
    """Write the error; a disk that is full loses this file alone, for the receipt tells it too."""
    content = {
        "subject": trial.subject,
        "condition": trial.condition,
        "trial": trial.trial,
        "error": text[:_LONGEST],
        "attempt": attempt,
        "traceback": trace[-_LONGEST:],
    }
    with contextlib.suppress(OSError, BorelliError):
        make_folder(place.parent)
        with whole_file(error_file(place)) as partial:
            partial.write_text(json.dumps(content, indent=2, ensure_ascii=False), encoding="utf-8")


def forget_error(place: Path) -> None:
    """Remove the error of a trial that succeeded."""
    error_file(place).unlink(missing_ok=True)


def kept_error(place: Path) -> str:
    """Return the error of a trial, empty without one."""
    try:
        return str(json.loads(error_file(place).read_text(encoding="utf-8"))["error"])
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, KeyError, TypeError):
        return "its error could not be read"
