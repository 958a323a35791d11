"""Subject files (.toml): how a generic model becomes that of a subject.

    model = "generic.osim"
    static = "static.trc"          # or a list of several trials
    out = "subject.osim"
    mass = 72.6                    # kg, optional
    time_range = [1.0, 2.0]        # of the static trial, optional
    keep_mass_shares = true        # optional: bodies keep their shares of the mass
    place_markers = true           # optional: move markers to where they were seen
    mode = "default"               # or "opensim"

    [factors]                      # by hand; they overwrite what is measured
    toes_r = 1.1
    femur_r = [1.0, 1.1, 1.0]

    [[measurement]]
    name = "thigh"
    pairs = [["R.ASIS", "R.Knee"], ["L.ASIS", "L.Knee"]]
    bodies = { femur_r = "xyz", femur_l = "xyz" }      # or a list of bodies

    [weights]                      # of markers when the posture is sought; all alike where this is left out
    "R.ASIS" = 10

    [tasks]                        # coordinates that should stay near a value: weight and value (rad or m)
    mtp_angle_r = [1000, 0.0]

Paths are relative to the subject file.
"""

from __future__ import annotations

import os
from dataclasses import field
from pathlib import Path
from typing import Any

from borelli.errors import FileFormatError, UnknownNameError
from borelli.io.text.references import find_file, results_folder
from borelli.io.text.toml_file import read_toml
from borelli.records import dataclass

EXPECTED = "a subject file (.toml)"
# Written by hand, some kilobytes: the bound is for other files, named by mistake.
_LARGEST_BYTES = 10_000_000
_KEYS = (
    "model", "static", "out", "mass", "time_range", "keep_mass_shares", "place_markers", "mode", "factors",
    "measurement", "weights", "tasks",
)  # fmt: skip
_MODES = ("default", "opensim")


@dataclass(frozen=True)
class SubjectFile:
    """What a subject file says.

    Attributes
    ----------
    model, out : Path
    static : tuple of Path
    mass : float or None
        kg.
    time_range : (float, float) or None
        s.
    keep_mass_shares, place_markers : bool
    mode : str
    factors : dict of str to tuple of float
    measurements : tuple of (name, pairs, bodies)
    weights : dict of str to float
    tasks : dict of str to (weight, value)
    """

    model: Path
    out: Path
    static: tuple[Path, ...] = ()
    mass: float | None = None
    time_range: tuple[float, float] | None = None
    keep_mass_shares: bool = False
    place_markers: bool = False
    mode: str = "default"
    factors: dict[str, tuple[float, ...]] = field(default_factory=dict)
    measurements: tuple[tuple[str, tuple[tuple[str, str], ...], dict[str, str]], ...] = ()
    weights: dict[str, float] = field(default_factory=dict)
    tasks: dict[str, tuple[float, float]] = field(default_factory=dict)


def load_subject(path: str | os.PathLike[str]) -> SubjectFile:
    """Read a subject file.

    Raises
    ------
    FileFormatError
        If it is not TOML, or a value is not of its kind.
    UnknownNameError
        If it has a key that means nothing here.
    """
    given = read_toml(path, EXPECTED, _LARGEST_BYTES)
    where = os.fspath(path)
    for key in given:
        if key not in _KEYS:
            raise UnknownNameError.among(key, "key of a subject file", _KEYS, where=where)
    for key in ("model", "out"):
        if not isinstance(given.get(key), str):
            raise FileFormatError(f"The subject file does not name its {key}.", where=where)
    mode = given.get("mode", "default")
    if mode not in _MODES:
        raise UnknownNameError.among(str(mode), "mode of scaling", _MODES, where=where)
    static = given.get("static", [])
    static = [static] if isinstance(static, str) else static
    span = given.get("time_range")
    folder, _, name = given["out"].replace("\\", "/").rpartition("/")
    return SubjectFile(
        model=find_file(path, given["model"]),
        out=(results_folder(path, folder) if folder else Path(path).parent) / name,
        static=tuple(find_file(path, _text(each, "static", where)) for each in static),
        mass=None if "mass" not in given else _number(given["mass"], "mass", where),
        time_range=None if span is None else _two(span, "time_range", where),
        keep_mass_shares=bool(given.get("keep_mass_shares", False)),
        place_markers=bool(given.get("place_markers", False)),
        mode=mode,
        factors={
            name: _numbers(value, f"factors.{name}", where) for name, value in _table(given, "factors", where)
        },
        measurements=tuple(_measurement(each, where) for each in given.get("measurement", [])),
        weights={
            name: _number(value, f"weights.{name}", where) for name, value in _table(given, "weights", where)
        },
        tasks={name: _two(value, f"tasks.{name}", where) for name, value in _table(given, "tasks", where)},
    )


def _measurement(given: Any, where: str) -> tuple[str, tuple[tuple[str, str], ...], dict[str, str]]:
    if not isinstance(given, dict) or not {"name", "pairs", "bodies"} >= set(given) >= {"pairs", "bodies"}:
        raise FileFormatError(
            "A [[measurement]] has a name, pairs of markers and bodies, and nothing else.", where=where
        )
    pairs = given["pairs"]
    if not isinstance(pairs, list) or any(not isinstance(pair, list) or len(pair) != 2 for pair in pairs):
        raise FileFormatError(
            'The pairs of a measurement are lists of two markers: [["A", "B"]].', where=where
        )
    bodies = given["bodies"]
    named = dict(bodies) if isinstance(bodies, dict) else dict.fromkeys(bodies, "xyz")
    return (
        str(given.get("name", "")),
        tuple((str(first), str(second)) for first, second in pairs),
        {str(body): str(axes) for body, axes in named.items()},
    )


def _table(given: dict[str, Any], key: str, where: str) -> list[tuple[str, Any]]:
    table = given.get(key, {})
    if not isinstance(table, dict):
        raise FileFormatError(f"'{key}' must be a table.", where=where)
    return list(table.items())


def _text(value: Any, name: str, where: str) -> str:
    if not isinstance(value, str):
        raise FileFormatError(f"'{name}' must be the name of a file.", where=where)
    return value


def _number(value: Any, name: str, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FileFormatError(f"'{name}' must be a number, but is {value!r}.", where=where)
    return float(value)


def _numbers(value: Any, name: str, where: str) -> tuple[float, ...]:
    values = value if isinstance(value, list) else [value]
    if len(values) not in (1, 3):
        raise FileFormatError(f"'{name}' must be one number or three.", where=where)
    return tuple(_number(each, name, where) for each in values)


def _two(value: Any, name: str, where: str) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise FileFormatError(f"'{name}' needs two numbers.", where=where)
    first, second = (_number(each, name, where) for each in value)
    return first, second
