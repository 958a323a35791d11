"""``study.json``: what a study asks for, so that its folder can be read without the study file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from borelli import __version__
from borelli.errors import FileFormatError, InvalidValueError, MissingInputError
from borelli.results.on_disk.temporary import is_empty
from borelli.results.on_disk.whole import make_folder, whole_file
from borelli.studies.names import DESIGN
from borelli.studies.plan import StudyPlan

FORMAT, FORMAT_VERSION = "borelli-study", 1
# Some hundred bytes for each trial: the bound is for other files of that name.
_LARGEST_BYTES = 2**28


def design_of(plan: StudyPlan) -> dict[str, Any]:
    """Describe a study: its file, conditions, subjects and trials."""
    about = {trial.subject: trial for trial in plan.trials}
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "borelli_version": __version__,
        "name": plan.name,
        "conditions": list(plan.conditions),
        "subjects": {
            name: {"mass": trial.mass, "groups": list(trial.groups)} for name, trial in about.items()
        },
        "trials": [[trial.subject, trial.condition, trial.trial] for trial in plan.trials],
        "file": plan.file.model_dump(),
    }


def write_design(plan: StudyPlan) -> None:
    """Write the design into the folder of the study, which may be new, empty or its own."""
    folder = plan.folder
    path = folder / DESIGN
    # Listed before the design is looked for: another run of the same study may write it meanwhile.
    if folder.is_dir() and not is_empty(folder) and not path.is_file():
        raise InvalidValueError(
            f"{folder.name!r} exists and is not a study folder; it is left unchanged.",
            where=str(folder),
            remedy="choose another name, or move what is there",
        )
    if path.is_file() and read_design(folder)["name"] != plan.name:
        raise InvalidValueError(
            f"{folder.name!r} holds the study {read_design(folder)['name']!r}, not {plan.name!r}.",
            where=str(folder),
            remedy="give each study its own folder (out), or give both the same name",
        )
    make_folder(folder)
    write_json(path, design_of(plan))


def read_design(folder: Path) -> dict[str, Any]:
    """Read what a study asks for.

    Raises
    ------
    MissingInputError
        If the folder is not that of a study.
    FileFormatError
        If its design is damaged.
    """
    path = Path(folder) / DESIGN
    if not path.is_file():
        raise MissingInputError(
            f"{str(folder)!r} has no {DESIGN!r}: it is not the folder of a study.",
            remedy="name the folder that the study file calls out; borelli study FILE makes it",
        )
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise ValueError
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != FORMAT or not _is_whole(found):
            raise ValueError
        return dict(found)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise FileFormatError(
            f"{DESIGN!r} is not what Borelli writes.", where=str(path), remedy="run the study again"
        ) from None


def _is_whole(found: dict[str, Any]) -> bool:
    """Whether a design has every part that readers rely on, each of its kind."""
    return (
        isinstance(found["name"], str)
        and _are_texts(found["conditions"])
        and isinstance(found["trials"], list)
        and all(_are_texts(trial) and len(trial) == 3 for trial in found["trials"])
        and all(
            _are_texts(each["groups"]) and (each["mass"] is None or type(each["mass"]) in (int, float))
            for each in found["subjects"].values()
        )
        and isinstance(found["file"], dict)
    )


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def write_json(path: Path, content: Any) -> None:
    """Write a file of JSON, whole or not at all."""
    with whole_file(path) as partial:
        partial.write_text(
            json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False), encoding="utf-8"
        )
