"""Paths of muscles, ligaments and springs: their points and the surfaces they wrap over."""

from __future__ import annotations

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.osim.components import Component, socket
from borelli.io.osim.coordinates import split_names
from borelli.io.osim.document import Document, located
from borelli.io.osim.frames import Frames
from borelli.io.osim.functions import function_property
from borelli.io.text.xml import Element
from borelli.model import Component as PointComponent
from borelli.model import (
    ConditionalPathPoint,
    Constant,
    MovingPathPoint,
    Path,
    PathPoint,
    PathWrap,
    WrapMethod,
)
from borelli.model.paths.path import AnyPathPoint

_POINT_SETS = ("PathPointSet", "MusclePointSet")
_WRAP_SETS = ("PathWrapSet", "MuscleWrapSet")
_METHODS = {"hybrid": WrapMethod.HYBRID, "midpoint": WrapMethod.MIDPOINT, "axial": WrapMethod.AXIAL}


class PathReader:
    """Reads paths; knows bodies, frames and coordinates by the names they have in the model."""

    def __init__(self, document: Document, frames: Frames, coordinates: dict[tuple[str, ...], str]) -> None:
        self.document = document
        self.frames = frames
        self.coordinate_paths = coordinates
        self.coordinates = tuple(coordinates.values())

    def geometry_path(self, owner: Element) -> Element | None:
        """Find the ``<GeometryPath>`` of a force, None if it has no path or one of another kind."""
        found = owner.child("GeometryPath")
        if found is not None:
            return found
        holder = owner.child("path")
        return None if holder is None else holder.child("GeometryPath")

    def read(self, component: Component) -> Path | None:
        """Read the path of a force, None if it has none."""
        element = self.geometry_path(component.element)
        if element is None:
            return None
        with located(element):
            points = [self._point(point, component) for point in self.document.objects(element, *_POINT_SETS)]
            if len(points) < 2:
                raise FileFormatError(
                    f"the path of {component.name!r} needs at least two points, but has {len(points)}.",
                    where=element.where,
                )
            wraps = [self._wrap(wrap) for wrap in self.document.objects(element, *_WRAP_SETS)]
            return Path(tuple(points), tuple(wraps))

    def _point(self, element: Element, component: Component) -> AnyPathPoint:
        document = self.document
        with located(element):
            frame = self.frames.connected_at(element, component.path, "parent_frame", "body", "body_name")
            name = element.name or element.tag.lower()
            if element.tag in ("PathPoint", "MusclePoint"):
                return PathPoint(name, frame, document.vector(element, "location"))
            if element.tag in ("ConditionalPathPoint", "MuscleViaPoint"):
                return self._conditional(element, name, frame)
            if element.tag in ("MovingPathPoint", "MovingMusclePoint"):
                x, y, z = (self._component(element, axis) for axis in "xyz")
                return MovingPathPoint(name, frame, x, y, z)
        raise UnsupportedError(
            f"path points of type {element.tag} cannot be used; the path of {component.name!r} has one.",
            where=element.where,
            remedy="use a PathPoint, ConditionalPathPoint or MovingPathPoint",
        )

    def _conditional(self, element: Element, name: str, frame: str) -> AnyPathPoint:
        location = self.document.vector(element, "location")
        found = self.document.child(element, "range")
        low, high = found.numbers(2) if found is not None and found.text else (0.0, 0.0)
        coordinate = self.coordinate(socket(self.document, element, "coordinate"), element)
        if coordinate is None:
            raise FileFormatError(
                f"conditional path point {name!r} names no coordinate.", where=element.where
            )
        return ConditionalPathPoint(name, frame, location, coordinate, (low, high))

    def _component(self, element: Element, axis: str) -> PointComponent:
        function = function_property(self.document, element, f"{axis}_location") or Constant(0.0)
        text = socket(self.document, element, f"{axis}_coordinate")
        coordinate = self.coordinate(text, element)
        if coordinate is None and function.n_arguments is not None:
            # Without a coordinate OpenSim evaluates the function at zero.
            function = Constant(float(function.value(*[0.0] * function.n_arguments)))
        # OpenSim demands a coordinate also where nothing depends on it.
        return PointComponent(function, None if isinstance(function, Constant) else coordinate)

    def coordinate(self, text: str, element: Element) -> str | None:
        """Return the model's name of a coordinate that is given by path or by name; None where it is empty."""
        if text.strip().lower() in ("", "unassigned"):
            return None
        end = tuple(part for part in text.strip().split("/") if part not in ("", ".", ".."))
        for path, name in self.coordinate_paths.items():
            if path[-len(end) :] == end:
                return name
        whole = [name for path, name in self.coordinate_paths.items() if end and path[-1] == end[-1]]
        if whole:
            return whole[0]
        names = split_names(text, self.coordinates)
        # The model complains of names that do not exist, with the nearest ones.
        return names[0] if len(names) == 1 else text.strip()

    def _wrap(self, element: Element) -> PathWrap:
        document = self.document
        with located(element):
            method = document.text(element, "method", default="hybrid").lower()
            if method not in _METHODS:
                raise FileFormatError(
                    f"{method[:40]!r} is not a wrap method: use hybrid, midpoint or axial.",
                    where=element.where,
                )
            found = document.child(element, "range")
            limits = None
            if found is not None and found.text:
                first, last = found.numbers(2)
                if not (first.is_integer() and last.is_integer()):
                    raise FileFormatError(
                        f"the range of a wrap counts path points, not {first:g} to {last:g}.",
                        where=found.where,
                    )
                limits = (int(first), int(last))
            wrap_object = document.text(element, "wrap_object")
            if not wrap_object:
                raise FileFormatError("a path wrap names no wrap object.", where=element.where)
            return PathWrap(wrap_object, _METHODS[method], limits)
