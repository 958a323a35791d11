"""The name of a trial's result: a hash of all that it depends on, so that equal names mean equal results."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from borelli import __version__
from borelli.errors import BorelliError
from borelli.io.setups.external_loads import load_files
from borelli.io.setups.setup_options import Given
from borelli.results.saving.manifest import file_hash
from borelli.studies.names import KEY_DIGITS
from borelli.studies.plan import TrialPlan
from borelli.studies.schema import StudyFile

ABSENT = "absent"
_known: dict[tuple[str, int, int], str] = {}
_lock = threading.Lock()
# Hashes that are remembered, some tens of megabytes; then all are forgotten.
_MOST_KNOWN = 200_000


def trial_key(file: StudyFile, trial: TrialPlan) -> str:
    """Hash of the contents of a trial's files, of all options of its steps, and of the version."""
    settings = {
        "scale": None if file.scale is None else file.scale.model_dump(),
        "ik": None if file.ik is None else file.ik.model_dump(),
        "analysis": file.analysis.model_dump(),
        "mass": None if file.scale is None else trial.mass,
        # Said by the result; by that of a setup it is not.
        "about": None if "analysis setup" in trial.files else trial.about,
    }
    return content_key(inputs_of(trial), settings)


def part_key(file: StudyFile, trial: TrialPlan, key: str) -> str:
    """Hash of a trial's name and result and of what of it enters the study: cycles, outputs, groups of sources."""
    settings = {
        "result": key,
        "trial": trial.trial,
        "cycles": file.cycles.model_dump(),
        "outputs": file.outputs,
        "sources": file.sources,
    }
    asked = trial.events if file.cycles.by == "events" else None
    return content_key({} if asked is None else {"events": asked}, settings)


def content_key(files: Mapping[str, Path], settings: Mapping[str, Any]) -> str:
    """Hash of the contents of files and of settings, with the version."""
    told = {name: digest(path) for name, path in sorted(files.items())}
    text = json.dumps([__version__, told, settings], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_DIGITS]


def inputs_of(trial: TrialPlan) -> dict[str, Path]:
    """Every file that a trial's result depends on: those it names, and those that these name."""
    files = {kind: path for kind, path in trial.files.items() if kind not in ("events", "loads")}
    if "loads" in trial.files:
        files["loads"] = trial.files["loads"]
        # What is wrong with a file is told when the trial is run.
        with contextlib.suppress(BorelliError):
            files |= load_files(trial.files["loads"])
    for step in ("scale", "ik", "analysis"):
        if f"{step} setup" in trial.files:
            given = {} if step == "scale" else trial.files
            files |= files_of_setup(trial.files[f"{step} setup"], given, step)
    return files


def files_of_setup(path: Path, given: Mapping[str, Path], step: str) -> dict[str, Path]:
    """Files that a setup of an OpenSim tool names, where the study does not give others in their place."""
    # Loaded here, because a study of our own options needs no setups.
    from borelli.io.setups.analyze_setup import AnalyzeSetup
    from borelli.io.setups.scale_setup import ScaleSetup
    from borelli.io.setups.setup_xml import InverseDynamicsSetup, read_tool
    from borelli.trial.fits import files_of_fit
    from borelli.trial.setups import files_of

    named = Given(given.get("model"), given.get("motion"), given.get("loads"), markers=given.get("markers"))
    try:
        setup = read_tool(path, named)
    except BorelliError:
        return {}
    if isinstance(setup, InverseDynamicsSetup | AnalyzeSetup):
        found: dict[str, Path | None] = dict(files_of(setup, path))
    elif isinstance(setup, ScaleSetup):
        found = {"model": setup.model, "marker set": setup.marker_set}
        for part in (setup.scaler, setup.placer):
            if part is not None:
                found[f"markers of {type(part).__name__}"] = part.marker_file
    else:
        found = dict(files_of_fit(setup))
    return {f"{step} setup's {kind}": file for kind, file in found.items() if file is not None}


def digest(path: Path) -> str:
    """SHA-256 of a file, computed once for as long as its size and time stay; ``absent`` where there is none."""
    try:
        about = path.stat()
        identity = (str(path), about.st_mtime_ns, about.st_size)
        with _lock:
            if identity in _known:
                return _known[identity]
        found = file_hash(path)
    except OSError:
        return ABSENT
    with _lock:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[identity] = found
    return found
