"""Frames that three landmarks and an origin define (OpenSim 4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import FileFormatError
from borelli.io.osim.components import Component, socket
from borelli.model import Placement
from borelli.model.values import Vector

if TYPE_CHECKING:
    from borelli.io.osim.frames import Frames

_AXES = {"x": 0, "y": 1, "z": 2}
_STATION_TAGS = ("Station", "Marker", "PathPoint")


def station_defined_placement(frames: Frames, component: Component) -> tuple[str, Placement]:
    """Return the body or frame that carries the landmarks, and the axes that they define in it.

    The axis ``ab_axis`` runs from landmark a to b, ``ab_x_ac_axis`` along the normal of the triangle
    (ab × ac), and the third completes a right-handed frame.
    """
    document, element = frames.document, component.element
    points = [_station(frames, component, name) for name in ("point_a", "point_b", "point_c", "origin_point")]
    carriers = {carrier for carrier, _ in points}
    if len(carriers) != 1:
        points = [frames.on_body(carrier, point) for carrier, point in points]
        carriers = {carrier for carrier, _ in points}
    if len(carriers) != 1:
        raise FileFormatError(
            f"the landmarks of frame {component.name!r} sit on different bodies: {', '.join(sorted(carriers))}.",
            where=element.where,
            remedy="put the three landmarks and the origin on one body, or on frames of one body",
        )
    a, b, c, origin = (np.array(point) for _, point in points)
    along, normal = b - a, np.cross(b - a, c - a)
    # Twice the area between the landmarks, m²: a micrometre squared.
    if not np.linalg.norm(normal) > 1e-12:
        raise FileFormatError(
            f"the landmarks of frame {component.name!r} lie on one line.", where=element.where
        )
    first = _axis(document.text(element, "ab_axis", default="+x"), component)
    second = _axis(document.text(element, "ab_x_ac_axis", default="+y"), component)
    if first[0] == second[0]:
        raise FileFormatError(
            f"frame {component.name!r} has the same axis twice: ab_axis and ab_x_ac_axis.",
            where=element.where,
        )
    columns: np.ndarray = np.zeros((3, 3))
    columns[:, first[0]] = first[1] * along / np.linalg.norm(along)
    columns[:, second[0]] = second[1] * normal / np.linalg.norm(normal)
    third = 3 - first[0] - second[0]
    columns[:, third] = np.cross(columns[:, (third + 1) % 3], columns[:, (third + 2) % 3])
    rotation: tuple[tuple[float, ...], ...] = tuple(tuple(map(float, row)) for row in columns)
    return carriers.pop(), Placement(tuple(origin.tolist()), rotation)  # type: ignore[arg-type]


def _station(frames: Frames, component: Component, name: str) -> tuple[str, Vector]:
    text = socket(frames.document, component.element, name)
    path = frames.components.resolve(
        text, component.path, "station", lambda found: found.element.tag in _STATION_TAGS, component.element
    )
    station = frames.components.by_path[path]
    carrier = frames.connected(station, "parent_frame", "body")
    return carrier, frames.document.vector(station.element, "location")


def _axis(text: str, component: Component) -> tuple[int, float]:
    word = text.strip().lower()
    letter = word.lstrip("+-")
    if letter not in _AXES or len(word) > 2:
        raise FileFormatError(
            f"{text!r} is not an axis of frame {component.name!r}: use +x, -x, +y, -y, +z or -z.",
            where=component.element.where,
        )
    return _AXES[letter], -1.0 if word.startswith("-") else 1.0
