"""The length of a whole path: OpenSim's order of surfaces, which pieces it asks, and when it stops."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from borelli.mechanics.scaling.opensim_paths.cylinder import wrap_cylinder
from borelli.mechanics.scaling.opensim_paths.ellipsoid import wrap_ellipsoid
from borelli.mechanics.scaling.opensim_paths.segment import Action, Half, Wrap, norm
from borelli.mechanics.scaling.opensim_paths.sphere import wrap_sphere
from borelli.mechanics.scaling.opensim_paths.torus import wrap_torus
from borelli.model.paths.path import Path, WrapMethod
from borelli.model.paths.wrap import Quadrant, WrapCylinder, WrapEllipsoid, WrapObject, WrapSphere, WrapTorus
from borelli.records import dataclass

# OpenSim goes over the surfaces of a path this often, or until its length (m) stays.
_ROUNDS = 8
_SETTLED = 0.0005


@dataclass(frozen=True, eq=False)
class PlacedSurface:
    """A wrap object and its axes in ground."""

    wrap: WrapObject
    rotation: np.ndarray
    origin: np.ndarray


@dataclass(frozen=True, eq=False)
class _Stop:
    """A point of the current path: its place in ground, and the surface and entry of the path's list it lies on."""

    place: np.ndarray
    point: int = -1
    entry: int = -1
    surface: str = ""
    leaves: bool = False
    length: float = 0.0


class _Ruler:
    """How OpenSim measures straight pieces.

    It keeps the place of a tangent point from when it first measured from there, though surfaces may move the point
    in later rounds. Tangents are computed from the points as they are, lengths from the points as they were.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[int, bool], np.ndarray] = {}

    def place(self, stop: _Stop) -> np.ndarray:
        if stop.entry < 0:
            return stop.place
        return self._kept.setdefault((stop.entry, stop.leaves), stop.place)

    def length(self, stops: list[_Stop]) -> float:
        """Length of the whole path."""
        total, places = 0.0, [self.place(stop) for stop in stops]
        for index in range(1, len(stops)):
            before, after = stops[index - 1], stops[index]
            if before.surface and before.surface == after.surface:
                total += after.length
            else:
                total += norm(places[index] - places[index - 1])
        return total


def opensim_path_length(
    path: Path, places: Mapping[int, np.ndarray], surfaces: Mapping[str, PlacedSurface]
) -> float:
    """Return the length (m) that OpenSim gives a path.

    Parameters
    ----------
    path : Path
    places : mapping of int to (3,) float
        Places in ground (m) of those points of the path that belong to it now, in order.
    surfaces : mapping of str to PlacedSurface
        By name.
    """
    stops, ruler = [_Stop(place, point) for point, place in places.items()], _Ruler()
    if path.wraps:
        stops = _wrapped(path, stops, surfaces, ruler)
    return ruler.length(stops)


def _wrapped(
    path: Path, stops: list[_Stop], surfaces: Mapping[str, PlacedSurface], ruler: _Ruler
) -> list[_Stop]:
    """Put the path round its surfaces, one after the other, again and again until its length settles."""
    count = len(path.wraps)
    order, last_length = list(range(count)), math.inf
    for round_number in range(1 if count < 2 else _ROUNDS):
        actions = [Action.MISSED] * count
        for turn, entry in enumerate(order):
            stops = _without(stops, entry)
            surface = surfaces[path.wraps[entry].wrap_object]
            if not surface.wrap.active:
                continue
            span = _span(path, entry, stops)
            if span is None:
                return stops
            actions[turn], best = _best_piece(path, entry, stops, surface, span, ruler)
            if best is not None:
                stops = _with(stops, entry, surface, *best)
        length = ruler.length(stops)
        if abs(length - last_length) < _SETTLED:
            break
        last_length = length
        # Only the first two surfaces of a list ever change places, and only after the first round.
        if round_number == 0 and count > 1 and actions[:2] == [Action.MISSED, Action.INSIDE]:
            order[:2] = [1, 0]
            stops = _without(stops, 0)
    return stops


def _without(stops: list[_Stop], entry: int) -> list[_Stop]:
    for index, stop in enumerate(stops):
        if stop.entry == entry:
            return stops[:index] + stops[index + 2 :]
    return stops


def _span(path: Path, entry: int, stops: list[_Stop]) -> tuple[int, int] | None:
    """Positions in the current path of the first and the last point that a surface may lie between."""
    first, last = path.wraps[entry].range or (-1, -1)
    low = 0 if first < 1 else first - 1
    high = len(path.points) - 1 if last < 1 else last - 1
    inside = [index for index, stop in enumerate(stops) if low <= stop.point <= high]
    return (inside[0], inside[-1]) if inside else None


def _best_piece(
    path: Path,
    entry: int,
    stops: list[_Stop],
    surface: PlacedSurface,
    span: tuple[int, int],
    ruler: _Ruler,
) -> tuple[Action, tuple[int, Wrap] | None]:
    """What the last piece that was asked said, and the piece that goes round: its second stop, and how."""
    action, best, least = Action.MISSED, None, math.inf
    alone, method = len(path.wraps) == 1, path.wraps[entry].method
    for index in range(*span):
        first, last = stops[index], stops[index + 1]
        if first.surface and first.surface == last.surface:
            continue
        ends = [surface.rotation.T @ (stop.place - surface.origin) for stop in (first, last)]
        found = _WRAPS[type(surface.wrap)](surface.wrap, ends[0], ends[1], method, alone)
        action = found.action
        if action is Action.REQUIRED:
            return action, (index + 1, found)
        if action is Action.OFFERED:
            longer = _lengthening(ruler.place(first), ruler.place(last), surface, found)
            if longer < least:
                best, least = (index + 1, found), longer
    return action, best


def _lengthening(first: np.ndarray, last: np.ndarray, surface: PlacedSurface, found: Wrap) -> float:
    """How much longer a piece is round a surface than straight (m)."""
    meets, leaves = (surface.origin + surface.rotation @ point for point in (found.first, found.last))
    return norm(meets - first) + found.length + norm(leaves - last) - norm(first - last)


def _with(stops: list[_Stop], entry: int, surface: PlacedSurface, second: int, found: Wrap) -> list[_Stop]:
    name = surface.wrap.name
    meets, leaves = (surface.origin + surface.rotation @ point for point in (found.first, found.last))
    new = [_Stop(meets, -1, entry, name), _Stop(leaves, -1, entry, name, True, found.length)]
    return [*stops[:second], *new, *stops[second:]]


_HALVES = {
    Quadrant.ALL: None,
    Quadrant.PLUS_X: Half(0, 1),
    Quadrant.MINUS_X: Half(0, -1),
    Quadrant.PLUS_Y: Half(1, 1),
    Quadrant.MINUS_Y: Half(1, -1),
    Quadrant.PLUS_Z: Half(2, 1),
    Quadrant.MINUS_Z: Half(2, -1),
}


def _cylinder(wrap: WrapObject, p: np.ndarray, q: np.ndarray, method: WrapMethod, alone: bool) -> Wrap:
    radius, length, _ = wrap.size
    return wrap_cylinder(p, q, radius, length, _HALVES[wrap.quadrant], alone)


def _sphere(wrap: WrapObject, p: np.ndarray, q: np.ndarray, method: WrapMethod, alone: bool) -> Wrap:
    return wrap_sphere(p, q, wrap.size[0], _HALVES[wrap.quadrant])


def _ellipsoid(wrap: WrapObject, p: np.ndarray, q: np.ndarray, method: WrapMethod, alone: bool) -> Wrap:
    return wrap_ellipsoid(p, q, np.array(wrap.size), _HALVES[wrap.quadrant], method)


def _torus(wrap: WrapObject, p: np.ndarray, q: np.ndarray, method: WrapMethod, alone: bool) -> Wrap:
    tube, ring, _ = wrap.size
    return wrap_torus(p, q, tube, ring, _HALVES[wrap.quadrant], alone)


_WRAPS: dict[type[WrapObject], Callable[[WrapObject, np.ndarray, np.ndarray, WrapMethod, bool], Wrap]] = {
    WrapCylinder: _cylinder,
    WrapSphere: _sphere,
    WrapEllipsoid: _ellipsoid,
    WrapTorus: _torus,
}
"""Every surface that OpenSim has."""
OPENSIM_SURFACES = tuple(_WRAPS)
