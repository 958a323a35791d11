"""Model parts as plain tables, and back: the schema of model files is the dataclasses themselves.

A part is a table whose keys are the fields of its dataclass. Where several classes can stand (joints,
functions, muscles, …) the key ``kind`` tells which. Fields that have their default are left out.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import sys
import types
import typing
from typing import Any

from borelli import model as bm
from borelli.errors import (
    BorelliError,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
)
from borelli.model.functions.function import Function
from borelli.model.muscles.muscle_models import MUSCLE_CLASSES
from borelli.model.paths.wrap import WRAP_CLASSES

FUNCTIONS: dict[str, type] = {
    "constant": bm.Constant,
    "linear": bm.Linear,
    "polynomial": bm.Polynomial,
    "simm spline": bm.SimmSpline,
    "natural cubic spline": bm.NaturalCubicSpline,
    "gcv spline": bm.GCVSpline,
    "piecewise linear": bm.PiecewiseLinear,
    "piecewise constant": bm.PiecewiseConstant,
    "step": bm.Step,
    "sine": bm.Sine,
    "multiplier": bm.Multiplier,
    "multivariate polynomial": bm.MultivariatePolynomial,
}
POINTS: dict[str, type] = {
    "fixed": bm.PathPoint,
    "conditional": bm.ConditionalPathPoint,
    "moving": bm.MovingPathPoint,
}


def _by_kind(*classes: Any) -> dict[str, type]:
    return {cls.kind: cls for cls in classes}


JOINTS = _by_kind(
    bm.WeldJoint,
    bm.PinJoint,
    bm.SliderJoint,
    bm.UniversalJoint,
    bm.GimbalJoint,
    bm.BallJoint,
    bm.FreeJoint,
    bm.PlanarJoint,
    bm.EllipsoidJoint,
    bm.ScapulothoracicJoint,
    bm.ConstantCurvatureJoint,
    bm.CustomJoint,
)
CONSTRAINTS = _by_kind(
    bm.CoordinateCoupler,
    bm.PointConstraint,
    bm.PointOnLineConstraint,
    bm.WeldConstraint,
    bm.ConstantDistanceConstraint,
    bm.RollingConstraint,
)
WRAP_OBJECTS = _by_kind(*WRAP_CLASSES)
CONTACT_SURFACES = _by_kind(bm.ContactSphere, bm.ContactHalfSpace)
MUSCLES = _by_kind(*MUSCLE_CLASSES)
FORCES = _by_kind(
    bm.Ligament,
    bm.Blankevoort1991Ligament,
    bm.PathSpring,
    bm.PathActuator,
    bm.CoordinateLimitForce,
    bm.CoordinateSpring,
    bm.PointToPointSpring,
    bm.BushingForce,
    bm.ExpressionCoordinateForce,
    bm.ExpressionPointToPointForce,
    bm.ExpressionPathForce,
    bm.ExpressionBushingForce,
    bm.FunctionBushingForce,
    bm.PrescribedForce,
    bm.HuntCrossleyForce,
    bm.SmoothSphereHalfSpaceForce,
    bm.MeyerFregly2016Force,
    bm.CoordinateActuator,
    bm.ActivationCoordinateActuator,
    bm.TorqueActuator,
    bm.PointActuator,
    bm.PointToPointActuator,
)
_KIND_OF = {
    cls: kind
    for table in (FUNCTIONS, POINTS, JOINTS, CONSTRAINTS, WRAP_OBJECTS, CONTACT_SURFACES, MUSCLES, FORCES)
    for kind, cls in table.items()
}


def encode(part: Any) -> Any:
    """Return a part of a model as tables, lists and plain values."""
    if isinstance(part, bm.Placement):
        return _encode_placement(part)
    if isinstance(part, enum.Enum):
        return part.value
    if isinstance(part, tuple):
        return [encode(item) for item in part]
    if not dataclasses.is_dataclass(part):
        return part
    kind = _KIND_OF.get(type(part))
    table: dict[str, Any] = {} if kind is None else {"kind": kind}
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if field.init and value is not None and value != _default(field):
            table[field.name] = encode(value)
    return table


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _encode_placement(placement: bm.Placement) -> dict[str, Any]:
    table: dict[str, Any] = {"translation": list(placement.translation)}
    if placement.rotation != bm.Placement().rotation:
        table["rotation"] = [list(row) for row in placement.rotation]
    return table


def decode(kinds: dict[str, type] | type, value: Any, where: str) -> Any:
    """Build a part of a model from a table.

    Parameters
    ----------
    kinds : dict of str to class, or class
        The classes that ``kind`` chooses among, or the only one.
    value : table
    where : str
        File and place, for messages.
    """
    if not isinstance(value, dict):
        raise FileFormatError(f"a table was expected, but {_shown(value)} was found.", where=where)
    where = f"{where} ({value['name']})" if isinstance(value.get("name"), str) else where
    rest = dict(value)
    cls = _choose(kinds, rest.pop("kind", None), where) if isinstance(kinds, dict) else kinds
    arguments = _arguments(cls, rest, where)
    try:
        return cls(**arguments)
    except BorelliError as error:
        raise _located(error, where) from None


def _choose(kinds: dict[str, type], kind: Any, where: str) -> type:
    if kind is None:
        raise MissingInputError(
            "the key 'kind' is missing.", where=where, remedy=f"one of: {', '.join(map(repr, kinds))}"
        )
    if not isinstance(kind, str) or kind not in kinds:
        raise UnknownNameError.among(str(kind), "kind", kinds, where=where)
    return kinds[kind]


def _arguments(cls: type, table: dict[str, Any], where: str) -> dict[str, Any]:
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}
    hints = _hints(cls)
    for key in table:
        if key not in fields:
            raise UnknownNameError.among(key, "key", fields, of=f"a {_described(cls)}", where=where)
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and name not in table:
            raise MissingInputError(f"the key {name!r} of a {_described(cls)} is missing.", where=where)
    return {key: _convert(hints[key], value, f"{where}, key {key!r}") for key, value in table.items()}


@functools.cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _described(cls: type) -> str:
    """Name a class as its users know it: ``pin joint``, ``simm spline``, ``body``."""
    kind = _KIND_OF.get(cls)
    if kind is None:
        return cls.__name__.lower()
    for base, word in ((bm.Joint, "joint"), (bm.Constraint, "constraint"), (bm.Muscle, "muscle")):
        if issubclass(cls, base):
            return f"{kind} {word}"
    return f"{kind} point" if cls in POINTS.values() else kind


def _convert(hint: Any, value: Any, where: str) -> Any:
    """Turn a plain value into what a field holds."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        members = [member for member in typing.get_args(hint) if member is not type(None)]
        if bm.PathPoint in members:
            return decode(POINTS, value, where)
        return _convert(members[0], value, where)
    if typing.get_origin(hint) is tuple:
        return _convert_tuple(typing.get_args(hint), value, where)
    if hint is Function:
        return decode(FUNCTIONS, value, where)
    if hint is bm.Placement:
        return _decode_placement(value, where)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _convert_choice(hint, value, where)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return decode(hint, value, where)
    if isinstance(hint, type):
        return _convert_plain(hint, value, where)
    return value


def _convert_tuple(members: tuple[Any, ...], value: Any, where: str) -> Any:
    if members == (str, ...) and isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        raise FileFormatError(f"a list was expected, but {_shown(value)} was found.", where=where)
    if members[-1] is not ...:
        # Vectors may hold abstract numbers and come in several shapes: their owner checks them.
        if Any in members:
            return tuple(value)
        if len(members) != len(value):
            raise FileFormatError(
                f"{len(members)} values were expected, but {_shown(value)} was found.", where=where
            )
        return tuple(_convert(member, item, where) for member, item in zip(members, value, strict=True))
    return tuple(_convert(members[0], item, f"{where}[{index}]") for index, item in enumerate(value))


def _convert_choice(hint: type[enum.Enum], value: Any, where: str) -> enum.Enum:
    choices = {str(choice.value): choice for choice in hint}
    if not isinstance(value, str) or value not in choices:
        raise UnknownNameError.among(str(value), "choice", choices, where=where)
    return choices[value]


def _convert_plain(hint: type, value: Any, where: str) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and isinstance(value, int) and abs(value) > sys.float_info.max:
        raise InvalidValueError(f"{_shown(value)} is too large for a floating-point number.", where=where)
    fits = {bool: isinstance(value, bool), str: isinstance(value, str), float: number, int: number}
    if not fits.get(hint, True) or (hint is int and not float(value).is_integer()):
        words = {bool: "true or false", str: "text", float: "a number", int: "a whole number"}
        raise FileFormatError(f"{words[hint]} was expected, but {_shown(value)} was found.", where=where)
    return hint(value) if hint in (int, float) else value


def _decode_placement(value: Any, where: str) -> bm.Placement:
    if not isinstance(value, dict):
        raise FileFormatError(
            f"a placement was expected, but {_shown(value)} was found.",
            where=where,
            remedy="write {translation = [x, y, z], angles = [a, b, c]}",
        )
    for key in value:
        if key not in ("translation", "angles", "rotation"):
            raise UnknownNameError.among(
                key, "key", ("translation", "angles", "rotation"), of="a placement", where=where
            )
    if "angles" in value and "rotation" in value:
        raise InvalidValueError(
            "a placement has both angles and a rotation.", where=where, remedy="keep one of them"
        )
    translation = value.get("translation", (0.0, 0.0, 0.0))
    try:
        if "rotation" in value:
            return bm.Placement(translation, value["rotation"])
        return bm.Placement.from_angles(translation, value.get("angles", (0.0, 0.0, 0.0)))
    except BorelliError as error:
        raise _located(error, where) from None


def _located(error: BorelliError, where: str) -> BorelliError:
    place = where if error.where is None else f"{where}; {error.where}"
    return type(error)(error.what, where=place, closest=error.closest, remedy=error.remedy)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
