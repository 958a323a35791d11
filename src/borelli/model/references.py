"""Which names the parts of a model refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from borelli.model.model import Model
    from borelli.model.paths.path import Path

# Attributes of constraints and forces that name a body or frame.
_FRAME_FIELDS = ("first", "second", "line_frame", "follower", "surface_frame", "roller", "body")


def frames_used(model: Model) -> Iterator[tuple[str, str]]:
    """Yield what refers to a body or frame, described in words, and the name it refers to."""
    for marker in model.markers:
        yield f"marker {marker.name!r}", marker.frame
    for wrap in model.wrap_objects:
        yield f"wrap object {wrap.name!r}", wrap.frame
    for surface in model.contact_surfaces:
        yield f"contact surface {surface.name!r}", surface.frame
    for kind, parts in (("constraint", model.constraints), ("force", model.forces)):
        for part in parts:
            for name in _FRAME_FIELDS:
                if hasattr(part, name):
                    yield f"{kind} {part.name!r}", getattr(part, name)
    for owner, path in model.paths.items():
        for point in path.points:
            yield f"point {point.name!r} of the path of {owner!r}", point.frame


def coordinates_used(model: Model) -> Iterator[tuple[str, str]]:
    """Yield what refers to a coordinate, described in words, and the name it refers to."""
    for constraint in model.constraints:
        if hasattr(constraint, "dependent") and hasattr(constraint, "independent"):
            for name in (constraint.dependent, *constraint.independent):
                yield f"constraint {constraint.name!r}", name
    for force in model.forces:
        if hasattr(force, "coordinate"):
            yield f"force {force.name!r}", force.coordinate
    for owner, path in model.paths.items():
        yield from _coordinates_of_path(owner, path)


def _coordinates_of_path(owner: str, path: Path) -> Iterator[tuple[str, str]]:
    for point in path.points:
        where = f"point {point.name!r} of the path of {owner!r}"
        if hasattr(point, "coordinate"):
            yield where, point.coordinate
        elif hasattr(point, "components"):
            for component in point.components:
                if component.coordinate is not None:
                    yield where, component.coordinate
