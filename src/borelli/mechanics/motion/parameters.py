"""Constants of a model by name, and models in which they are dual numbers.

``mass:<body>`` (kg), ``com_x:<body>`` (m), ``inertia_xy:<body>`` (kg m², about the mass centre),
``parent_x:<joint>`` and ``child_x:<joint>`` (m, origin of the joint's frame on that body),
``parent_rx:<joint>`` and ``child_rx:<joint>`` (rad, a small turn of that frame about its own axis),
``radius_x:<joint>`` (m, of an ellipsoid or scapulothoracic joint),
``length:<joint>`` (m, of a constant-curvature joint),
``gravity_y`` (m/s²).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from borelli.errors import UnknownNameError
from borelli.kernels.tree.dual import Dual, parameter
from borelli.model.body import Body
from borelli.model.joints.joint import ConstantCurvatureJoint, EllipsoidJoint, Joint, ScapulothoracicJoint
from borelli.model.model import Model
from borelli.model.parts import Parts
from borelli.model.placement import Placement
from borelli.model.values import Matrix, multiply

_AXES = ("x", "y", "z")
_PAIRS = ("xx", "yy", "zz", "xy", "xz", "yz")
_BODY = ("mass", *(f"com_{axis}" for axis in _AXES), *(f"inertia_{pair}" for pair in _PAIRS))
_JOINT = tuple(f"{side}_{part}{axis}" for side in ("parent", "child") for part in ("", "r") for axis in _AXES)
_RADII = tuple(f"radius_{axis}" for axis in _AXES)
_UNITS = {"mass": "kg", "com": "m", "inertia": "kg m^2", "gravity": "m/s^2", "radius": "m", "length": "m"}


def parameter_names(model: Model) -> list[str]:
    """Every constant of a model that inverse dynamics can be differentiated by."""
    bodies = [f"{kind}:{body.name}" for body in model.bodies for kind in _BODY]
    joints = [f"{kind}:{joint.name}" for joint in model.joints for kind in (*_JOINT, *_own_of(joint))]
    return [*bodies, *joints, *(f"gravity_{axis}" for axis in _AXES)]


def _own_of(joint: Joint) -> tuple[str, ...]:
    if isinstance(joint, ConstantCurvatureJoint):
        return ("length",)
    return _RADII if isinstance(joint, EllipsoidJoint | ScapulothoracicJoint) else ()


def parameter_unit(name: str) -> str:
    """Unit of a parameter."""
    kind = name.split(":")[0]
    if kind.startswith(("parent", "child")):
        return "rad" if "_r" in kind else "m"
    return _UNITS[kind.split("_")[0]]


def with_parameters(model: Model, names: Sequence[str]) -> Model:
    """Return the model with the named constants as dual numbers, each a parameter of its own."""
    known = set(parameter_names(model))
    for name in names:
        if name not in known:
            raise UnknownNameError.among(
                name, "parameter", sorted(known), of=f"model {model.name!r}", where="argument parameters"
            )
    count = len(names)
    for index, name in enumerate(names):
        kind, _, owner = name.partition(":")
        if kind.startswith("gravity"):
            gravity = list(model.gravity)
            _seed(gravity, _AXES.index(kind[-1]), index, count)
            model = replace(model, gravity=tuple(gravity))
        elif kind in _BODY:
            bodies = [_body(b, kind, index, count) if b.name == owner else b for b in model.bodies]
            model = replace(model, bodies=Parts(bodies))
        else:
            joints = [_joint(j, kind, index, count) if j.name == owner else j for j in model.joints]
            model = replace(model, joints=Parts(joints))
    return model


def _body(body: Body, kind: str, index: int, count: int) -> Body:
    if kind == "mass":
        return replace(body, mass=_more(body.mass, index, count))
    field, _, part = kind.partition("_")
    values = list(getattr(body, field))
    _seed(values, (_AXES if field == "com" else _PAIRS).index(part), index, count)
    changed: dict[str, Any] = {field: tuple(values)}
    return replace(body, **changed)


def _joint(joint: Joint, kind: str, index: int, count: int) -> Joint:
    side, _, part = kind.partition("_")
    changed: dict[str, Any]
    if isinstance(joint, ConstantCurvatureJoint) and kind == "length":
        changed = {"length": _more(joint.length, index, count)}
        return replace(joint, **changed)
    if isinstance(joint, EllipsoidJoint | ScapulothoracicJoint) and side == "radius":
        radii = list(joint.radii)
        _seed(radii, _AXES.index(part), index, count)
        changed = {"radii": tuple(radii)}
        return replace(joint, **changed)
    field = f"{side}_placement"
    placement: Placement = getattr(joint, field)
    axis = _AXES.index(part[-1])
    if part.startswith("r"):
        turn = _small_turn(axis, parameter(0.0, index, count))
        moved = Placement(placement.translation, multiply(placement.rotation, turn))
    else:
        shift = list(placement.translation)
        _seed(shift, axis, index, count)
        moved = Placement(tuple(shift), placement.rotation)
    changed = {field: moved}
    return replace(joint, **changed)


def _small_turn(axis: int, angle: Dual) -> Matrix:
    rows: list[list[Any]] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rows[j][i], rows[i][j] = angle, -angle
    x, y, z = rows
    return ((x[0], x[1], x[2]), (y[0], y[1], y[2]), (z[0], z[1], z[2]))


def _seed(values: list[Any], position: int, index: int, count: int) -> None:
    values[position] = _more(values[position], index, count)


def _more(value: Any, index: int, count: int) -> Any:
    """Return a constant plus a parameter that is zero: a constant may carry several parameters."""
    return value + parameter(0.0, index, count)
