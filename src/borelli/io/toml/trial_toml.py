"""Trial files (.toml): model, motion, loads, options, and where the results go.

    model = "subject.osim"
    motion = "walk.mot"            # or markers = "walk.c3d", by which inverse kinematics finds the motion
    loads = "grf.xml"              # optional
    tensions = "forces.sto"        # optional: newtons, a column for each path
    out = "results"

    [options]                      # all optional
    cutoff_hz = 6.0                # of the coordinates
    loads_cutoff_hz = 6.0          # of forces and torques of the loads
    smoothing = "default"          # or "opensim"
    time_range = [0.4, 1.6]
    variables = "body"             # or "coordinates"
    muscles = "shared"             # or "none"; where tensions are given they are taken as they are
    power = 2.0                    # of the activations in the criterion of static optimization
    reserves = 1.0                 # strength of the reserve at every coordinate, N m or N
    spare = {elbow = 5.0}          # joints whose reactions count in the criterion, with weights
    express_in = "ground"          # axes of joint reactions: ground, parent, child, or a body
    on = "child"                   # on whom they act: child or parent
    loops = false                  # let constraints between bodies bear their part
    in_degrees = true              # whatever the header of the motion says
    allow_violations = false       # of the model's constraints by the motion
    remove_offset = false          # what the force plates of the recording read while nothing is on them

    [about]                        # optional: what the page says of the trial, in your words
    subject = "S07"
    condition = "brace, fast"
    side = "right"

    [groups]                       # optional: your own groups of muscles or other sources
    calf = ["med_gas_r", "lat_gas_r", "soleus_r"]

Paths are relative to the trial file.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from borelli.errors import FileFormatError, InvalidValueError, MissingInputError, UnknownNameError
from borelli.io.setups.external_loads import load_files
from borelli.io.text.references import find_file, results_folder
from borelli.io.text.toml_file import read_toml
from borelli.records import dataclass

EXPECTED = "a trial file (.toml)"
SMOOTHING = ("default", "opensim")
VARIABLES = ("body", "coordinates")
SHARED, NONE = "shared", "none"
MUSCLES = (SHARED, NONE)
ABOUT = ("title", "subject", "condition", "side", "session")
_FILES = ("model", "motion", "markers", "loads", "tensions", "out")
_WORDS = ("express_in", "on")
_FLAGS = ("in_degrees", "allow_violations", "remove_offset", "loops")
_OPTIONS = (
    "cutoff_hz",
    "loads_cutoff_hz",
    "smoothing",
    "time_range",
    "variables",
    "muscles",
    "power",
    "reserves",
    "spare",
    *_WORDS,
    *_FLAGS,
)
_NUMBERS = ("cutoff_hz", "loads_cutoff_hz", "power", "reserves")
# Written by hand, some kilobytes: the bound is for other files, named by mistake.
_LARGEST_BYTES = 10_000_000


@dataclass(frozen=True)
class Trial:
    """What to analyse, and how.

    Attributes
    ----------
    model, out : Path
        File of the model; folder of the results.
    motion : Path or None
        Coordinates over time; None where markers are given.
    loads, tensions : Path or None
    cutoff_hz : float or None
        Low-pass filter on the coordinates.
    smoothing : "default" or "opensim"
    time_range : (float, float) or None
        First and last time (s).
    variables : "body" or "coordinates"
        How the motion is split.
    muscles : "shared" or "none"
        Whether the muscles of the model balance the load where no tensions are given.
    power : float
        Of the activations in the criterion of static optimization.
    reserves : float
        Strength of the reserve at every balanced coordinate (N m or N).
    spare : mapping of joint to weight, or None
        Joints that the criterion spares.
    in_degrees : bool or None
        Whether angles of the motion are in degrees, whatever its header says.
    allow_violations : bool
        Whether the motion may violate the constraints of the model.
    about : mapping of str to str, or None
        What the page says of the trial: title, subject, condition, side, session.
    groups : mapping of str to sequence of str, or None
        Own groups of muscles or other sources, for the page and ``answers``.
    express_in, on : str
        Axes and side of the joint reactions, as in ``joint_reactions``.
    loops : bool
        Whether constraints between bodies bear their part, as in ``joint_reactions``.
    loads_cutoff_hz : float or None
        Low-pass filter on forces and torques of the loads.
    markers : Path or None
        Recording to find the motion from. Without loads, force plates of a C3D file stand for them.
    remove_offset : bool
        Whether to take off these plates what they read while nothing stands on them.

    Examples
    --------
    >>> from pathlib import Path
    >>> trial = bo.Trial(walk.model, walk.motion, Path("trial"), loads=walk.loads, cutoff_hz=10.0, loads_cutoff_hz=10.0)
    >>> trial.power
    2.0
    """

    model: Path
    motion: Path | None
    out: Path
    loads: Path | None = None
    tensions: Path | None = None
    cutoff_hz: float | None = None
    smoothing: str = "default"
    time_range: tuple[float, float] | None = None
    variables: str = "body"
    muscles: str = SHARED
    power: float = 2.0
    reserves: float = 1.0
    spare: Mapping[str, float] | None = None
    in_degrees: bool | None = None
    allow_violations: bool = False
    about: Mapping[str, str] | None = None
    groups: Mapping[str, Sequence[str]] | None = None
    express_in: str = "ground"
    on: str = "child"
    loads_cutoff_hz: float | None = None
    markers: Path | None = None
    remove_offset: bool = False
    loops: bool = False

    def __post_init__(self) -> None:
        if (self.motion is None) == (self.markers is None):
            raise MissingInputError(
                "The trial has neither a motion nor markers."
                if self.motion is None
                else "The trial has both a motion and markers.",
                remedy="name one of them",
            )
        require(self.smoothing, SMOOTHING, "smoothing")
        require(self.variables, VARIABLES, "variables")
        require(self.muscles, MUSCLES, "muscles")

    @property
    def inputs(self) -> dict[str, Path]:
        """Files that the result depends on, by what they are."""
        files = {"model": self.model, **load_files(self.loads)}
        files |= {"motion": self.motion} if self.motion else {"markers": self.markers or Path()}
        return files if self.tensions is None else {**files, "tensions": self.tensions}

    @property
    def settings(self) -> dict[str, Any]:
        """Options that the result depends on."""
        # Plates are those of a recording of markers.
        names = [name for name in _OPTIONS if name != "remove_offset" or self.markers is not None]
        return {name: getattr(self, name) for name in (*names, "about", "groups")}


def load_trial(path: str | os.PathLike[str]) -> Trial:
    """Read a trial file.

    Parameters
    ----------
    path : path
        ``.toml``; files that it names are relative to it.

    Raises
    ------
    FileFormatError
        If the file is not TOML, or lacks the model, the motion or the place of the results.
    UnknownNameError
        If it has a key that means nothing here.

    Examples
    --------
    >>> from pathlib import Path
    >>> text = f'''
    ... model = "{walk.model.as_posix()}"
    ... motion = "{walk.motion.as_posix()}"
    ... out = "results"
    ... '''
    >>> _ = Path("trial.toml").write_text(text, encoding="utf-8")
    >>> bo.load_trial("trial.toml").motion.name
    'walk.mot'
    """
    given = read_toml(path, EXPECTED, _LARGEST_BYTES)
    options = given.pop("options", {})
    told = {
        "about": _about(given.pop("about", None), path),
        "groups": _groups(given.pop("groups", None), path),
    }
    if not isinstance(options, dict):
        raise FileFormatError("'options' must be a table.", where=os.fspath(path))
    _require_known(given, _FILES, "key of a trial file", path)
    _require_known(options, _OPTIONS, "option of a trial file", path)
    places: dict[str, Path] = {}
    for name, reference in given.items():
        if not isinstance(reference, str):
            raise FileFormatError(f"'{name}' must be the name of a file.", where=os.fspath(path))
        places[name] = (results_folder if name == "out" else find_file)(path, reference)
    wanted = ("model", "out") if "markers" in places else ("model", "motion", "out")
    for name in wanted:
        if name not in places:
            raise FileFormatError(f"The trial file does not name its {name}.", where=os.fspath(path))
    needed = {name: places[name] for name in ("model", "out")}
    optional = {name: places.get(name) for name in ("motion", "markers", "loads", "tensions")}
    settings: dict[str, Any] = {**needed, **optional, **_checked(options, path), **told}
    return Trial(**settings)


def _checked(options: dict[str, Any], path: str | os.PathLike[str]) -> dict[str, Any]:
    checked = dict(options)
    for name in _WORDS:
        if name in options and not isinstance(options[name], str):
            raise FileFormatError(f"'{name}' must be a name.", where=os.fspath(path))
    for name in _FLAGS:
        if name in options and not isinstance(options[name], bool):
            raise FileFormatError(f"'{name}' must be true or false.", where=os.fspath(path))
    checked |= {name: _number(options[name], name, path) for name in _NUMBERS if name in options}
    if "spare" in options:
        if not isinstance(options["spare"], dict):
            raise FileFormatError(
                "'spare' must be a table of joints and weights: {wrist = 1.0}.", where=os.fspath(path)
            )
        checked["spare"] = {joint: _number(value, "spare", path) for joint, value in options["spare"].items()}
    if "time_range" in options:
        span = options["time_range"]
        if not isinstance(span, list) or len(span) != 2:
            raise FileFormatError("'time_range' needs two numbers, first and last.", where=os.fspath(path))
        first, last = (_number(value, "time_range", path) for value in span)
        if not first < last:
            raise InvalidValueError(
                f"time_range goes from {first:g} s to {last:g} s.",
                where=os.fspath(path),
                remedy="put the earlier time first",
            )
        checked["time_range"] = (first, last)
    return checked


def _about(given: Any, path: str | os.PathLike[str]) -> dict[str, str] | None:
    if given is None:
        return None
    if not isinstance(given, dict) or not all(isinstance(text, str | int | float) for text in given.values()):
        raise FileFormatError("'about' must be a table of texts.", where=os.fspath(path))
    _require_known(given, ABOUT, "key of [about]", path)
    return {key: str(text) for key, text in given.items()}


def _groups(given: Any, path: str | os.PathLike[str]) -> dict[str, list[str]] | None:
    if given is None:
        return None
    lists = isinstance(given, dict) and all(isinstance(each, list) for each in given.values())
    if not lists or not all(isinstance(name, str) for each in given.values() for name in each):
        raise FileFormatError(
            "'groups' must be a table of lists of names.",
            where=os.fspath(path),
            remedy='write calf = ["soleus_r"]',
        )
    names = [name for each in given.values() for name in each]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidValueError(
            f"{twice!r} is in two groups.", where=os.fspath(path), remedy="put each name into one group"
        )
    return {group: list(each) for group, each in given.items()}


def _number(value: Any, name: str, path: str | os.PathLike[str]) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FileFormatError(f"'{name}' must be a number, but is {value!r}.", where=os.fspath(path))
    # A whole number may have more digits than can be computed with; a time range may be open.
    endless = isinstance(value, float) and math.isinf(value) and name == "time_range"
    if not endless and not abs(value) <= sys.float_info.max:
        raise FileFormatError(f"'{name}' is not a finite number.", where=os.fspath(path))
    return float(value)


def require(value: str, known: tuple[str, ...], name: str) -> None:
    """Refuse a value that is not among those that are known."""
    if value not in known:
        raise UnknownNameError.among(str(value), f"choice for {name}", known)


def _require_known(
    given: dict[str, Any], known: tuple[str, ...], kind: str, path: str | os.PathLike[str]
) -> None:
    for name in given:
        if name not in known:
            remedy = "put it below a line [options]" if name in _OPTIONS else None
            raise UnknownNameError.among(name, kind, known, where=os.fspath(path), remedy=remedy)
