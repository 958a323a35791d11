"""From a study file to its trials: whose they are, under which condition, and which files they have."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path

from borelli.errors import DuplicateNameError, MissingInputError, UnknownNameError, few
from borelli.io.text.references import file_name, find_file, results_folder
from borelli.records import dataclass
from borelli.studies.patterns import filled, find_matches, part_names
from borelli.studies.schema import StudyFile, read_study
from borelli.studies.trial_table import FILES, read_trial_table

EVERY_CONDITION, FIRST_TRIAL = "all", "1"
"""Names where a pattern has no such part."""


@dataclass(frozen=True)
class TrialPlan:
    """One trial of a study.

    Attributes
    ----------
    subject, condition, trial : str
    files : mapping of str to Path
        What it is computed from, by what it is; they need not be there.
    mass : float or None
        Of the subject, kg.
    groups : tuple of str
        Of the subject.
    """

    subject: str
    condition: str
    trial: str
    files: Mapping[str, Path]
    mass: float | None = None
    groups: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Subject, condition and trial."""
        return f"{self.subject} / {self.condition} / {self.trial}"

    @property
    def events(self) -> Path | None:
        """File that says when cycles begin and end: its own, else the recording, where that may hold events."""
        markers = self.files.get("markers")
        recorded = markers if markers is not None and markers.suffix.casefold() == ".c3d" else None
        return self.files.get("events", recorded)

    @property
    def about(self) -> dict[str, str]:
        """What the page says of it, unless the study file says otherwise."""
        return {"title": self.trial, "subject": self.subject, "condition": self.condition}


@dataclass(frozen=True)
class StudyPlan:
    """All trials of a study, in order, and what could not be matched.

    Attributes
    ----------
    name : str
    folder : Path
        Of the study's results.
    file : StudyFile
    trials : tuple of TrialPlan
    conditions : tuple of str
        The first is what others are compared with.
    notes : tuple of str
        Files that fit no named subject or condition, subjects and conditions without a trial.
    """

    name: str
    folder: Path
    file: StudyFile
    trials: tuple[TrialPlan, ...]
    conditions: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def subjects(self) -> tuple[str, ...]:
        """Subjects that have a trial."""
        return tuple(dict.fromkeys(trial.subject for trial in self.trials))


def plan_study(path: str | os.PathLike[str], out: str | os.PathLike[str] | None = None) -> StudyPlan:
    """Read a study file and find its trials.

    Raises
    ------
    MissingInputError
        If there is no trial.
    DuplicateNameError
        If two files claim to be the same trial.
    """
    given, place = read_study(path), Path(path)
    found, notes = _from_table(given, place) if given.trials.table else _from_patterns(given, place)
    for condition in given.conditions or ():
        if not any(trial.condition == condition for trial in found):
            notes.append(f"condition {condition!r} has no trial")
    for subject in given.subjects:
        if not any(trial.subject == subject for trial in found):
            notes.append(f"subject {subject!r} has no trial")
    if not found:
        pattern = given.trials.table or _lead(given)[1]
        raise MissingInputError(
            f"The study has no trial: no file fits {pattern!r}.",
            where=os.fspath(path),
            remedy="; ".join(notes[:3])
            or "look at the pattern: parts are {subject}, {condition} and {trial}",
        )
    _refuse_twins(found)
    conditions = tuple(given.conditions or sorted({trial.condition for trial in found}))
    folder = Path(out) if out is not None else results_folder(path, given.out)
    kept = tuple(trial for trial in found if trial.condition in conditions)
    return StudyPlan(given.name or place.stem, folder, given, kept, conditions, tuple(notes))


def _from_patterns(given: StudyFile, place: Path) -> tuple[list[TrialPlan], list[str]]:
    kind, pattern = _lead(given)
    if "subject" not in part_names(pattern):
        raise MissingInputError(
            f"The pattern {pattern!r} does not say whose a trial is.",
            where=os.fspath(place),
            remedy="write {subject} where the names of subjects stand",
        )
    known = {"condition": given.conditions or (), "subject": given.subjects}
    trials, taken = [], set()
    for file, parts in find_matches(place.parent, pattern, known):
        taken.add(file)
        named = {"condition": EVERY_CONDITION, "trial": FIRST_TRIAL, **parts}
        extra = [parts[name] for name in part_names(pattern) if name not in ("subject", "condition", "trial")]
        # Parts of other names tell trials apart as well.
        trial = "_".join([named["trial"], *extra])
        trials.append(_trial(given, place, {**named, "trial": trial}, {kind: file}, named))
    others = [file for file, _ in find_matches(place.parent, pattern, {}) if file not in taken]
    told = (
        [f"{len(others)} files fit no named subject or condition: {few((file.name for file in others), 3)}"]
        if others
        else []
    )
    return trials, told


def _lead(given: StudyFile) -> tuple[str, str]:
    """Kind of the files that tell the trials apart, and their pattern."""
    kind = given.trials.lead or ""
    return ("analysis setup" if kind == "setup" else kind), str(getattr(given.trials, kind))


def _from_table(given: StudyFile, place: Path) -> tuple[list[TrialPlan], list[str]]:
    table = find_file(place, str(given.trials.table))
    trials, left_out = [], 0
    for row in read_trial_table(table):
        parts = {"condition": EVERY_CONDITION, "trial": FIRST_TRIAL, **row.parts}
        if (given.subjects and parts["subject"] not in given.subjects) or (
            given.conditions and parts["condition"] not in given.conditions
        ):
            left_out += 1
            continue
        files = {kind: find_file(table, name) for kind, name in row.files.items()}
        trials.append(_trial(given, place, parts, files, parts, row.mass, row.groups))
    told = [f"{left_out} rows of the table are of no named subject or condition"] if left_out else []
    return trials, told


def _trial(
    given: StudyFile,
    place: Path,
    parts: Mapping[str, str],
    files: Mapping[str, Path],
    named: Mapping[str, str],
    mass: float | None = None,
    groups: Iterable[str] = (),
) -> TrialPlan:
    """Complete the files of a trial by the patterns, and what is known of its subject."""
    where = f"{place}, {', '.join(map(str, files.values()))}"
    for kind in ("subject", "condition", "trial"):
        file_name(parts[kind], f"the {kind}", where)
    about = given.subjects.get(parts["subject"])
    patterns = {kind: getattr(given.trials, kind) for kind in FILES}
    if about is not None and about.model is not None:
        patterns["model"] = about.model
    if given.analysis.setup is not None or given.trials.setup is not None:
        patterns["analysis setup"] = given.trials.setup or given.analysis.setup
    if given.ik is not None and given.ik.setup is not None:
        patterns["ik setup"] = given.ik.setup
    if given.scale is not None:
        static = [given.scale.static] if isinstance(given.scale.static, str) else given.scale.static
        patterns |= {f"static {k + 1}": pattern for k, pattern in enumerate(static)}
        patterns |= {"scale setup": given.scale.setup, "generic model": given.scale.model}
    found = dict(files)
    for kind, pattern in patterns.items():
        if pattern is None or kind in found:
            continue
        name = filled(pattern, named)
        if name is None:
            raise UnknownNameError.among(
                next(part for part in part_names(pattern) if part not in named),
                "part of a trial's name",
                named,
                where=f"{place}, pattern {pattern!r} of {kind}",
            )
        found[kind] = find_file(place, name)
    return TrialPlan(
        parts["subject"],
        parts["condition"],
        parts["trial"],
        found,
        mass if mass is not None else (None if about is None else about.mass),
        tuple(groups) or (() if about is None else tuple(about.groups)),
    )


def _refuse_twins(trials: list[TrialPlan]) -> None:
    seen: dict[tuple[str, str, str], TrialPlan] = {}
    for trial in trials:
        # Names that differ in case alone are one folder on many disks.
        identity = (trial.subject.casefold(), trial.condition.casefold(), trial.trial.casefold())
        if identity in seen:
            raise DuplicateNameError(
                f"Two trials are called {trial.name!r}.",
                where=", ".join(str(next(iter(each.files.values()), "")) for each in (seen[identity], trial)),
                remedy="give the pattern one more part, such as {trial}, that tells them apart",
            )
        seen[identity] = trial
