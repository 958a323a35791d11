"""What a study file (.toml) may say. Wrong keys and values are named, with the nearest right ones.

    name = "load carriage"
    out = "results"                                    # the folder of the study
    conditions = ["unloaded", "loaded"]                # in this order; the first is what others are compared with
    outputs = ["knee_*"]                               # optional: all, unless named; * stands for anything

    [trials]                                           # files, with the names of their parts
    model = "data/{subject}/model.osim"
    motion = "data/{subject}/{condition}_{trial}.mot"
    loads = "data/{subject}/{condition}_{trial}_grf.xml"

    [subjects.s01]                                     # optional: all that are found, unless some are named here
    mass = 72.6
    groups = ["young"]

    [analysis]
    cutoff_hz = 6.0
    loads_cutoff_hz = 6.0

    [cycles]
    by = "contact"
    side = "calcn_r"

Paths are relative to the study file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from borelli.errors import FileFormatError, MissingInputError, closest_names
from borelli.io.text.toml_file import read_toml
from borelli.studies.names import ALL

EXPECTED = "a study file (.toml)"
# Written by hand, some kilobytes: the bound is for other files, named by mistake.
_LARGEST_BYTES = 10_000_000
Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]
Grouped = Literal["source", "kind", "body", "muscle group"] | dict[str, list[str]]
Number = Literal["peak", "max", "min", "range", "mean", "impulse"]
NUMBERS: tuple[Number, ...] = ("peak", "max", "min", "range", "mean", "impulse")


class _Part(BaseModel):
    """Nothing is ignored and nothing is converted: a key that means nothing is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Subject(_Part):
    """Who: a model of their own, mass (kg), and groups that they belong to."""

    model: str | None = None
    mass: Positive | None = None
    groups: list[str] = []


class Trials(_Part):
    """Where the files of every trial are: patterns with named parts, or a table with one row a trial."""

    table: str | None = None
    model: str | None = None
    motion: str | None = None
    markers: str | None = None
    setup: str | None = None
    loads: str | None = None
    tensions: str | None = None
    events: str | None = None

    @model_validator(mode="after")
    def _leads(self) -> Trials:
        if (self.motion is not None) + (self.markers is not None) + (self.table is not None) > 1:
            raise ValueError("motion, markers and table exclude each other")
        if self.table is None and self.lead is None:
            raise ValueError("name a table, motion, markers or setup, which tells the trials apart")
        return self

    @property
    def lead(self) -> str | None:
        """The kind of file that there is one of for each trial."""
        return next(
            (kind for kind in ("motion", "markers", "setup") if getattr(self, kind) is not None), None
        )


class Measurement(_Part):
    """A length, measured between pairs of markers, and the bodies it scales."""

    name: str = ""
    pairs: list[list[str]]
    bodies: list[str] | dict[str, str]


class Scale(_Part):
    """A subject's model: by a setup of OpenSim's ScaleTool, or from a generic model as in a subject file."""

    setup: str | None = None
    model: str | None = None
    static: str | list[str] = []
    time_range: list[float] | None = None
    keep_mass_shares: bool = False
    place_markers: bool = False
    mode: Literal["default", "opensim"] = "default"
    factors: dict[str, float | list[float]] = {}
    measurement: list[Measurement] = []
    weights: dict[str, float] = {}
    tasks: dict[str, list[float]] = {}


class InverseKinematics(_Part):
    """The motion that fits markers: by a setup of OpenSim's tool, or with weights and tasks of our own."""

    setup: str | None = None
    weights: dict[str, float] = {}
    tasks: dict[str, list[float]] = {}


class Analysis(_Part):
    """How every trial is analysed: by a setup of an OpenSim tool, or by the options of a trial file."""

    setup: str | None = None
    cutoff_hz: Positive | None = None
    loads_cutoff_hz: Positive | None = None
    smoothing: Literal["default", "opensim"] = "default"
    time_range: list[float] | None = None
    variables: Literal["body", "coordinates"] = "body"
    muscles: Literal["shared", "none"] = "shared"
    power: Positive = 2.0
    reserves: Positive = 1.0
    spare: dict[str, float] | None = None
    in_degrees: bool | None = None
    allow_violations: bool = False
    remove_offset: bool = False
    express_in: str = "ground"
    on: Literal["child", "parent"] = "child"
    loops: bool = False
    about: dict[Literal["title", "subject", "condition", "side", "session"], str] = {}
    groups: dict[str, list[str]] | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> Analysis:
        names = [name for each in (self.groups or {}).values() for name in each]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"{twice!r} is in two groups")
        span = self.time_range
        if span is not None and (len(span) != 2 or not span[0] < span[1]):
            raise ValueError("time_range needs two times (s), the earlier first")
        return self


class Cycles(_Part):
    """What one curve goes over: contacts of a foot, spans of a table of events, or the whole trial."""

    by: Literal["contact", "events", "whole"] = "whole"
    side: str | None = None
    kind: Literal["cycle", "contact"] = "cycle"
    event: str = "foot strike"
    points: Annotated[int, Field(ge=2, le=10_001)] = 101


class Statistics(_Part):
    """How differences are tested."""

    # The usual level; the study file may set another.
    alpha: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.05
    numbers: list[Number] = ["peak", "mean"]
    spm: bool = True
    correction: Literal["family", "none"] = "family"


class StudyFile(_Part):
    """All that a study file says."""

    out: str
    trials: Trials
    name: str | None = None
    conditions: list[str] | None = None
    subjects: dict[str, Subject] = {}
    scale: Scale | None = None
    ik: InverseKinematics | None = None
    analysis: Analysis = Analysis()
    cycles: Cycles = Cycles()
    outputs: list[str] = [ALL]
    sources: Grouped = "muscle group"
    pages: Literal["all", "outliers", "none"] = "all"
    statistics: Statistics = Statistics()

    @model_validator(mode="after")
    def _fits_together(self) -> StudyFile:
        if self.trials.markers is not None and self.ik is None:
            raise ValueError("trials of markers need a step [ik], which may be empty")
        recorded = (self.trials.markers or "").casefold().endswith(".c3d")
        if self.analysis.remove_offset and not (recorded or self.trials.table):
            raise ValueError("remove_offset is about force plates of trials whose markers are C3D files")
        named = self.trials.events is not None or self.trials.table is not None
        if self.cycles.by == "events" and not named and not recorded:
            raise ValueError(
                "cycles by events need the pattern events below [trials], or a table with that column"
            )
        return self


def read_study(path: str | os.PathLike[str]) -> StudyFile:
    """Read a study file.

    Raises
    ------
    FileFormatError
        If it is not TOML, lacks something, has a key that means nothing or a value of another kind; all are listed.
    """
    if not Path(path).is_file():
        raise MissingInputError(
            f"{os.fspath(path)!r} is not there.", remedy="borelli study init FOLDER writes a first study file"
        )
    return checked_study(read_toml(path, EXPECTED, _LARGEST_BYTES), os.fspath(path))


def checked_study(content: dict[str, Any], where: str) -> StudyFile:
    """Check what a study file says."""
    try:
        return StudyFile.model_validate(content)
    except ValidationError as error:
        told = [_told(each) for each in error.errors()]
        unknown = [str(each["loc"][-1]) for each in error.errors() if each["type"] == "extra_forbidden"]
        near = [name for key in unknown for name in closest_names(key, _keys(StudyFile))]
        raise FileFormatError(
            "The study file is not right: " + "; ".join(told) + ".",
            where=where,
            closest=dict.fromkeys(near),
            remedy="docs/studies.md lists every key with its meaning",
        ) from None


def _told(problem: Any) -> str:
    place = ".".join(
        str(part) for part in problem["loc"] if not str(part).startswith(("function-", "literal["))
    )
    said = str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        return f"{place!r} is not allowed here"
    if problem["type"] == "missing":
        return f"{place!r} is missing"
    return f"{place}: {said[:1].lower()}{said[1:]}" if place else said


def _keys(kind: type[BaseModel]) -> list[str]:
    """Every key that some table of a study file may have."""
    parts = (kind, Subject, Trials, Scale, InverseKinematics, Analysis, Cycles, Statistics, Measurement)
    return list(dict.fromkeys(name for part in parts for name in part.model_fields))
