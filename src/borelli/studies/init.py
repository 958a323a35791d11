"""A first study file, from what lies in a folder: files that go together by name, and what could not be matched.

Names of files are cut at the separators that studies use (underscores, dashes, blanks, points). Whose a file is, its
folder tells, where every folder has a model or recordings of its own, else by the part of the name that models share.
What is left of a name is the condition and, at its end, the number of the trial.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from borelli.errors import InvalidValueError, MissingInputError, few
from borelli.io.text.toml_text import document
from borelli.results.on_disk.whole import whole_file

_MODELS, _MARKERS, _TABLES = (".osim",), (".trc", ".c3d"), (".mot", ".sto")
_SKIPPED = re.compile(r"^(\.|__|results?$|output|expected)", re.IGNORECASE)
_STATIC = re.compile(r"static|calib|neutral|t[-_ ]?pose", re.IGNORECASE)
_LOADS = re.compile(r"grf|forces?|loads?", re.IGNORECASE)
_MOTION = re.compile(r"ik|kinematics|motion|coordinates|angles", re.IGNORECASE)
# A name of a trial: words, and a number at the end that counts repetitions.
_NUMBERED = re.compile(r"^(?P<condition>.*?)(?P<cut>[_\- .]?)(?P<trial>\d+)$")
_FIRST_WORD = re.compile(r"^(?P<subject>[^_\- .]+)(?P<cut>[_\- .])(?P<rest>.+)$")
# Folders that are named after a step, as in OpenSim's own studies, are no subjects.
_STEP = re.compile(
    r"ik|id|so|rra|cmc|jra?|scale|data|markers?|motions?|experimental_?data|analy[sz]e", re.IGNORECASE
)
_DATAFILE = re.compile(r"<datafile>([^<]*)</datafile>")
# A whole disk, named by mistake, is refused instead of searched.
_MOST = 100_000


@dataclass
class Found:
    """What a folder holds, by what it is; each path relative to the folder."""

    models: list[Path] = field(default_factory=list)
    motions: list[Path] = field(default_factory=list)
    markers: list[Path] = field(default_factory=list)
    static: list[Path] = field(default_factory=list)
    loads: list[Path] = field(default_factory=list)
    scale: list[Path] = field(default_factory=list)
    ik: list[Path] = field(default_factory=list)
    other: list[Path] = field(default_factory=list)
    load_data: set[Path] = field(default_factory=set)


@dataclass(frozen=True)
class Draft:
    """A first study file: its text, and notes on what it holds and what could not be matched."""

    text: str
    notes: tuple[str, ...]


def init_study(
    folder: str | os.PathLike[str], path: str | os.PathLike[str] | None = None
) -> tuple[Path, Draft]:
    """Write a first study file from what lies in a folder.

    Parameters
    ----------
    folder : path
        With models (.osim), motions (.mot, .sto), markers (.trc, .c3d) and loads (.xml), in folders for each subject or
        in one.
    path : path, optional
        The file to write; by default ``study.toml`` in the folder. One that is there is never replaced.

    Examples
    --------
    >>> _ = [bo.library.sample_walk(f"raw/{subject}") for subject in ("s01", "s02")]
    >>> file, draft = bo.init_study("raw", "draft.toml")
    >>> file.name
    'draft.toml'
    """
    place = Path(folder)
    if not place.is_dir():
        raise MissingInputError(
            f"{str(place)!r} is not a folder.", remedy="name the folder of the recordings"
        )
    target = place / "study.toml" if path is None else Path(path)
    if target.exists():
        raise InvalidValueError(
            f"{target.name!r} is there already and is not replaced.",
            where=str(target),
            remedy="move it, or add --to FILE",
        )
    draft = draft_study(place, Path(os.path.relpath(place, target.parent)))
    with whole_file(target) as partial:
        partial.write_text(draft.text, encoding="utf-8")
    return target, draft


def draft_study(folder: Path, base: Path = Path(".")) -> Draft:
    """Return a first study file of a folder; `base` is the folder as the study file will name it."""
    found = _look(folder)
    lead = found.motions or found.markers
    if not lead:
        raise MissingInputError(
            "There is no motion (.mot, .sto) and there are no markers (.trc, .c3d).",
            where=str(folder),
            remedy="name the folder of the recordings",
        )
    kind = "motion" if found.motions else "markers"
    pattern, matched = _pattern(lead)
    notes: list[str] = []
    content: dict[str, object] = {"out": "results"}
    prefix = "" if base == Path(".") else base.as_posix() + "/"
    conditions = sorted({parts["condition"] for parts in matched.values() if "condition" in parts})
    trials = {kind: prefix + pattern}
    for name, files in (("model", found.models), ("loads", found.loads)):
        own, told = _companion(name, files, matched)
        notes += told
        if own is not None:
            trials[name] = prefix + own
    text = document({**content, **({"conditions": conditions} if conditions else {})})
    text += "\n[trials]\n" + document(trials)
    text += _steps(found, kind, matched, prefix, notes)
    told = [f"{len(matched)} trials of {len({p.get('subject') for p in matched.values()})} subjects"]
    left = [path for path in lead if path not in matched]
    if left:
        notes.append(f"{len(left)} files of {kind} do not fit {pattern!r}: {few(map(str, left), 3)}")
    if found.other:
        notes.append(f"{len(found.other)} files were not recognised: {few(map(str, found.other), 3)}")
    return Draft(text, (*told, *notes))


def _look(folder: Path) -> Found:
    """Sort the files of a folder by what their endings and contents say they are."""
    found, seen = Found(), 0
    for place, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if not _SKIPPED.match(name))
        for name in sorted(names):
            seen += 1
            if seen > _MOST:
                raise InvalidValueError(
                    f"The folder holds more than {_MOST} files.", remedy="name it more closely"
                )
            path = Path(place, name).relative_to(folder)
            ending = path.suffix.casefold()
            if ending in _MODELS:
                found.models.append(path)
            elif ending in _MARKERS:
                (found.static if _STATIC.search(path.stem) else found.markers).append(path)
            elif ending in _TABLES:
                if _LOADS.search(path.stem) and not _MOTION.search(path.stem):
                    continue  # named by the description of the loads
                (found.other if _STATIC.search(path.stem) else found.motions).append(path)
            elif ending == ".xml":
                _sort_xml(folder / path, path, found)
    # A table that loads name as theirs is no motion, whatever it is called.
    found.motions = [path for path in found.motions if path not in found.load_data]
    return found


def _sort_xml(file: Path, path: Path, found: Found) -> None:
    head = file.read_bytes()[:4000].decode("utf-8", "replace")
    for tag, into in (
        ("<ExternalLoads", found.loads),
        ("<ScaleTool", found.scale),
        ("<InverseKinematicsTool", found.ik),
    ):
        if tag in head:
            into.append(path)
            if into is found.loads:
                named = _DATAFILE.search(file.read_text(encoding="utf-8", errors="replace"))
                found.load_data |= {path.parent / named[1].strip()} if named else set()
            return
    found.other.append(path)


def _pattern(files: list[Path]) -> tuple[str, dict[Path, dict[str, str]]]:
    """Return the pattern that most of the files fit, and the parts of each of these."""
    shapes = Counter(map(_shape, files))
    shape, _ = max(shapes.items(), key=lambda item: (item[1], -item[0][2]))
    own = [path for path in files if _shape(path) == shape]
    first = {path.parts[0] for path in own if len(path.parts) > 1}
    in_folders = bool(first) and not any(_STEP.fullmatch(name) for name in first)
    if len(first) == 1:
        # One folder may be a subject or hold all of them: subjects are numbered, or their files do not name any.
        unnamed = not any(_FIRST_WORD.match(path.stem.removesuffix(shape[3])) for path in own)
        in_folders = in_folders and (unnamed or any(letter.isdigit() for letter in next(iter(first))))
    start, subject_of, rest = (_by_folder if in_folders else _by_name)(own, shape[3])
    numbered = {path: _NUMBERED.match(text) for path, text in rest.items()}
    told = {found["cut"] for found in numbered.values() if found and found["condition"]}
    if all(found and found["condition"] for found in numbered.values()) and len(told) == 1:
        pattern = start + "{condition}" + told.pop() + "{trial}" + shape[3] + shape[1]
        parts = {
            p: {"subject": subject_of[p], "condition": f["condition"], "trial": f["trial"]}
            for p, f in numbered.items()
            if f
        }
    else:
        pattern = start + "{condition}" + shape[3] + shape[1]
        parts = {p: {"subject": subject_of[p], "condition": text} for p, text in rest.items()}
    return pattern, parts


def _shape(path: Path) -> tuple[tuple[str, ...], str, int, str]:
    """What files that one pattern finds have in common: folders below the first, ending, depth, end of the name."""
    return path.parent.parts[1:], path.suffix, len(path.parts), _ending(path)


def _by_folder(own: list[Path], ending: str) -> tuple[str, dict[Path, str], dict[Path, str]]:
    """Start of the pattern, subject and rest of the name of every file, where a folder is a subject."""
    subject_of = {path: path.parts[0] for path in own}
    stems = {path: path.stem.removesuffix(ending) for path in own}
    # Many labs repeat the subject in the name of every file.
    ends = {stems[p][len(subject_of[p]) : len(subject_of[p]) + 1] for p in own}
    repeated = len(ends) == 1 and all(stems[p].startswith(subject_of[p]) for p in own) and ends <= set("_- .")
    inner = "".join(part + "/" for part in own[0].parent.parts[1:])
    start = "{subject}/" + inner + ("{subject}" + ends.pop() if repeated else "")
    return start, subject_of, {p: stems[p][len(subject_of[p]) + 1 :] if repeated else stems[p] for p in own}


def _by_name(own: list[Path], ending: str) -> tuple[str, dict[Path, str], dict[Path, str]]:
    """Return the same where names begin with the subject, and all files lie in one folder: that of most of them."""
    split = {path: _FIRST_WORD.match(path.stem.removesuffix(ending)) for path in own}
    places = Counter((path.parent, found["cut"]) for path, found in split.items() if found)
    if not places:
        raise InvalidValueError(
            f"Names of files do not say whose they are: {few(map(str, own), 3)}.",
            remedy="put each subject into a folder, or list the trials in a table",
        )
    place, cut = max(places, key=lambda each: (places[each], str(each)))
    kept = {p: found for p, found in split.items() if found and (p.parent, found["cut"]) == (place, cut)}
    start = "".join(part + "/" for part in place.parts) + "{subject}" + cut
    return start, {p: f["subject"] for p, f in kept.items()}, {p: f["rest"] for p, f in kept.items()}


def _ending(path: Path) -> str:
    """Return the end of a name that says what the file is: ``_ik`` of ``walk_1_ik.mot``."""
    found = re.search(r"[_\- .](ik|kinematics|coordinates|angles|markers)$", path.stem, re.IGNORECASE)
    return found[0] if found else ""


def _companion(
    kind: str, files: list[Path], matched: dict[Path, dict[str, str]]
) -> tuple[str | None, list[str]]:
    """Find the pattern of files that belong to the trials, from those that do so by name."""
    if not files:
        return None, [f"no file of {kind} was found" + ("" if kind == "loads" else ": add it below [trials]")]
    votes: Counter[str] = Counter()
    for path in files:
        text = path.as_posix()
        # Of several trials the file may belong to, the one with the longest names is meant.
        for parts in sorted(matched.values(), key=lambda p: -sum(map(len, p.values()))):
            shape = _shaped(text, parts)
            if shape is not None:
                votes[shape] += 1
                break
    if not votes:
        if len(files) == 1:
            return files[0].as_posix(), [f"all trials have the same {kind}: {files[0]}"]
        return None, [f"files of {kind} do not go with the trials by name: {few(map(str, files), 3)}"]
    best, count = max(votes.items(), key=lambda item: (item[1], item[0]))
    left = len(files) - count
    return best, [f"{left} files of {kind} do not fit {best!r}"] if left else []


def _shaped(text: str, parts: dict[str, str]) -> str | None:
    """Put the names of parts in place of their values; None where the subject does not come."""
    folders = text.split("/")
    if parts["subject"] not in folders[0] and parts["subject"] not in folders[-1]:
        return None
    shaped = text
    condition, trial = parts.get("condition", ""), parts.get("trial", "")
    name = folders[-1]
    if condition and trial:
        name = re.sub(
            rf"(?<![A-Za-z0-9]){re.escape(condition)}([_\- .]?){re.escape(trial)}(?![0-9])",
            r"{condition}\1{trial}",
            name,
        )
    elif condition:
        name = re.sub(rf"(?<![A-Za-z0-9]){re.escape(condition)}(?![A-Za-z0-9])", "{condition}", name)
    shaped = "/".join([*folders[:-1], name])
    return re.sub(rf"(?<![A-Za-z0-9]){re.escape(parts['subject'])}(?![A-Za-z0-9])", "{subject}", shaped)


def _steps(
    found: Found, kind: str, matched: dict[Path, dict[str, str]], prefix: str, notes: list[str]
) -> str:
    """Write the analysis, and the steps before it where the trials begin with markers."""
    analysis = "\n[analysis]\ncutoff_hz = 6.0\n"
    # Loads that are filtered otherwise than the motion leave peaks of their own in the torques.
    analysis += "loads_cutoff_hz = 6.0      # as the motion\n" if found.loads else ""
    if kind == "motion":
        return analysis
    text = "\n[ik]\n"
    setup, _ = _companion("inverse kinematics", found.ik, matched) if found.ik else (None, [])
    if setup is not None and "{" in setup:
        text += document({"setup": prefix + setup})
    static, _ = _companion("static trials", found.static, matched) if found.static else (None, [])
    scale, _ = _companion("scaling", found.scale, matched) if found.scale else (None, [])
    if scale is not None and "{subject}" in scale:
        text += "\n[scale]\n" + document({"setup": prefix + scale})
    elif static is not None and len(found.models) == 1:
        generic = prefix + found.models[0].as_posix()
        text += "\n[scale]      # add [[scale.measurement]]: pairs of markers and the bodies they scale\n"
        text += document({"model": generic, "static": prefix + static, "place_markers": True})
        notes.append("scaling needs measurements: add them to the study file")
    elif found.static:
        notes.append(
            f"static trials were found, but the study does not say how to scale: {few(map(str, found.static), 3)}"
        )
    return text + analysis
