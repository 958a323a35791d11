"""The study's dataset: the parts of all trials in one place, partitioned by subject and condition.

    dataset/curves/subject=s01/condition=loaded/1.parquet
    dataset/shares/…
    dataset/numbers/…

It is put together anew, whole or not at all, from parts that are there already: files are linked, not copied, where the
disk can.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from urllib.parse import quote

from borelli.results.on_disk.whole import whole_folder
from borelli.studies.key import part_key, trial_key
from borelli.studies.ledger import Entry
from borelli.studies.names import DATASET, PARTS
from borelli.studies.parts import TABLES
from borelli.studies.plan import StudyPlan

INDEX = "index.json"
"""Every trial's place in the dataset with the hash of what it holds."""


def write_dataset(plan: StudyPlan, done: list[Entry]) -> Path:
    """Put the dataset of a study together, unless it holds just these trials."""
    folder = plan.folder / DATASET
    index = {
        _place(entry): part_key(plan.file, entry.trial, trial_key(plan.file, entry.trial)) for entry in done
    }
    text = json.dumps(index, indent=1)
    known = folder / INDEX
    if known.is_file() and known.read_text(encoding="utf-8") == text:
        return folder
    with whole_folder(folder, _ours, "the dataset of a study") as partial:
        for place, key in index.items():
            for table in TABLES:
                target = partial / table / f"{place}.parquet"
                target.parent.mkdir(parents=True, exist_ok=True)
                _link(plan.folder / PARTS / key / f"{table}.parquet", target)
        (partial / INDEX).write_text(text, encoding="utf-8")
    return folder


def _place(entry: Entry) -> str:
    """Return where a trial lies in each table: names are escaped as in a URL, which readers of such datasets undo."""
    trial = entry.trial
    parts = (f"subject={quote(trial.subject, safe='')}", f"condition={quote(trial.condition, safe='')}")
    return "/".join((*parts, quote(trial.trial, safe="")))


def _ours(folder: Path) -> frozenset[str] | None:
    known = (folder / INDEX).is_file()
    return frozenset((*TABLES, INDEX)) if known else None


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
