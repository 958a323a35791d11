"""Muscles and paths as OpenSim 4 writes them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Protocol

from borelli.errors import UnsupportedError
from borelli.io.osim.muscles import CURVE_CLASSES, spellings
from borelli.io.osim.writing.functions import write_function
from borelli.io.text.markup import Lines, Names, block, flag, number, numbers, plain_name, tag
from borelli.model import (
    ConditionalPathPoint,
    Function,
    Millard2012EquilibriumMuscle,
    MotionType,
    MovingPathPoint,
    Muscle,
    OtherMuscle,
    Path,
)
from borelli.model.paths.path import AnyPathPoint


class Context(Protocol):
    """What the writer of the whole model offers."""

    notes: list[str]
    coordinates: Names
    wraps: Names
    forces: Names
    surfaces: Names

    @property
    def bodies_written(self) -> tuple[str, ...]:
        """Names of the bodies."""
        ...

    def path_of(self, name: str) -> str:
        """Return the path of a body or frame."""
        ...

    def coordinate_path(self, name: str) -> str:
        """Return the path of a coordinate."""
        ...

    def motion_of(self, coordinate: str) -> MotionType:
        """Return what a coordinate measures."""
        ...

    def any_coordinate(self) -> str:
        """Return some coordinate of the model."""
        ...


def write_muscle(context: Context, muscle: Muscle) -> Lines:
    """Write a muscle of any class."""
    if isinstance(muscle, OtherMuscle):
        name = muscle.class_name
    elif muscle.opensim_names:
        name = muscle.opensim_names[-1]
    else:
        raise UnsupportedError(
            f"OpenSim has no muscle of the kind {muscle.kind!r}.",
            where=f"muscle {muscle.name!r}",
            remedy="save the model as .toml, which keeps it, or give it another class of muscle",
        )
    lines: Lines = [*tag("appliesForce", flag(muscle.applies_force)), *write_path(context, muscle.path)]
    for field in fields(muscle):
        if field.name not in ("name", "path", "applies_force", "class_name", "properties"):
            lines += _write_field(field.name, getattr(muscle, field.name), muscle)
    if isinstance(muscle, OtherMuscle):
        for key, text in muscle.properties:
            lines += text.split("\n") if text.startswith("<") else tag(key, text)
    return block(name, lines, called=context.forces[muscle.name])


def _write_field(field: str, value: Any, muscle: Muscle) -> Lines:
    if value is None:
        return []
    if isinstance(muscle, Millard2012EquilibriumMuscle) and field in CURVE_CLASSES:
        inside = [
            tag(part.name, number(getattr(value, part.name)))
            for part in fields(value)
            if getattr(value, part.name) is not None
        ]
        return block(CURVE_CLASSES[field], *inside, called=CURVE_CLASSES[field])
    if isinstance(value, Function):
        return write_function(value, called=field)
    name = spellings(field)[0]
    if isinstance(value, bool):
        return tag(name, flag(value))
    return tag(name, value if isinstance(value, str) else number(value))


def write_path(context: Context, path: Path) -> Lines:
    """Write a path with its points and the surfaces it wraps over."""
    points = [line for point in path.points for line in _write_point(context, point)]
    wraps: Lines = []
    for index, wrap in enumerate(path.wraps):
        first, last = wrap.range or (-1, -1)
        wraps += block(
            "PathWrap",
            tag("wrap_object", context.wraps[wrap.wrap_object]),
            tag("method", wrap.method.value),
            tag("range", f"{first} {last}"),
            called=f"pathwrap_{index}",
        )
    return block(
        "GeometryPath",
        block("PathPointSet", block("objects", points)),
        block("PathWrapSet", block("objects", wraps)),
        called="path",
    )


def _write_point(context: Context, point: AnyPathPoint) -> Lines:
    name = plain_name(point.name)
    parent = tag("socket_parent_frame", context.path_of(point.frame))
    if isinstance(point, MovingPathPoint):
        sockets, functions = [], []
        named = [component.coordinate for component in point.components if component.coordinate is not None]
        # OpenSim wants a coordinate for every component, also for those that do not move.
        some = named[0] if named else context.any_coordinate()
        if len(set(named)) > 1:
            context.notes.append(
                f"path point {point.name!r} moves with several coordinates, which OpenSim does not allow"
            )
        for axis, component in zip("xyz", point.components, strict=True):
            path = context.coordinate_path(component.coordinate or some)
            sockets += tag(f"socket_{axis}_coordinate", path)
            functions += block(f"{axis}_location", write_function(component.function))
        return block("MovingPathPoint", parent, sockets, functions, called=name)
    location = tag("location", numbers(point.location))
    if isinstance(point, ConditionalPathPoint):
        return block(
            "ConditionalPathPoint",
            parent,
            location,
            tag("socket_coordinate", context.coordinate_path(point.coordinate)),
            tag("range", numbers(point.range)),
            called=name,
        )
    return block("PathPoint", parent, location, called=name)
