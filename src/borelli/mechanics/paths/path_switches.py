"""Why a path is not the same on both sides of a jump: which point, half or end of a surface decides there.

A path is found anew in both postures. What a surface does in each of them, and what would change that, names the rule:
a conditional point, the wanted half of a surface, one of the ways in which a line lifts off, or a corner in the guide
of a moving point.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths
from borelli.errors import UnsupportedError
from borelli.kernels.paths.columns import END_WRAP, FIRST_POINT, FIRST_WRAP, WRAP_FROM, WRAP_OBJECT, WRAP_TO
from borelli.kernels.paths.contact import CERTAIN, INSIDE, OPTIONAL
from borelli.kernels.paths.object_frame import Frame, into, object_frame, place_objects
from borelli.kernels.paths.solve_path import solve_path
from borelli.kernels.paths.tables import POINT, WRAP, Stops, geodesic_scratch, workspace
from borelli.kernels.paths.vectors import Vector
from borelli.kernels.paths.wrap import is_inside, narrowest, over_surface, without_ends, wrap
from borelli.mechanics.paths.placed_paths import place_paths
from borelli.model.functions.function import Function
from borelli.records import dataclass

NOTHING = "nothing that switches"
"""Cause of a jump at which no point and no surface does anything else than before."""

_SURFACE = "wrap object "
"""How the name of a switch begins that stands for a contact."""
_ELSEWHERE = 0.5
"""A contact whose middle moves by more than this part of the smallest radius in one step goes another way."""


@dataclass(frozen=True)
class _Surface:
    """A wrap object of a path."""

    name: str
    kind: int
    size: Vector
    axis: int
    sign: int

    @property
    def reach(self) -> float:
        """Smallest radius (m)."""
        return float(narrowest(self.kind, self.size))


class _End(NamedTuple):
    """A stop at which a straight section of a path begins or ends."""

    name: str
    place: Vector
    """In the axes of a surface (m)."""


@dataclass(frozen=True)
class _Meeting:
    """A path and one of its surfaces in one posture.

    Parameters
    ----------
    outcome : int
        What came of it (see :mod:`borelli.kernels.paths.contact`).
    middle : (3,) float or None
        Middle of the contact in the axes of the surface (m); None where there is no contact.
    sections : tuple of (_End, _End)
        Straight sections of the path without this contact, over which it may lie.
    """

    outcome: int
    middle: np.ndarray | None
    sections: tuple[tuple[_End, _End], ...]


@dataclass(frozen=True)
class PathSwitches:
    """Paths in the postures of a sweep, and what switches between two of them.

    Parameters
    ----------
    compiled : CompiledModel
    paths : CompiledPaths
    q : (n, n_q) float
    state : (n, n_paths) int
        One bit for each conditional point and contact that is there.
    """

    compiled: CompiledModel
    paths: CompiledPaths
    q: np.ndarray
    state: np.ndarray

    def cause(self, path: int, first: int, last: int) -> str:
        """Name what switches in a path between two postures."""
        changed = int(self.state[first, path]) ^ int(self.state[last, path])
        points = [
            name
            for bit, name in enumerate(self.paths.switches[path])
            if changed >> bit & 1 and name.startswith("conditional point")
        ]
        surfaces = self._surfaces(path)
        before, after = self._meetings(path, surfaces, first), self._meetings(path, surfaces, last)
        met = list(zip(surfaces, before, after, strict=True))
        ruled = [reason for each in met if (reason := _ruled_off(*each))]
        # Without one of those, a contact may lie elsewhere, or come and go, merely because another one does.
        rules = [*points, *ruled] or _other_way(met) or self._corners(path, first, last)
        return ", ".join(rules) or NOTHING

    def _corners(self, path: int, first: int, last: int) -> list[str]:
        """Moving points whose guide has a corner between two postures."""
        found = []
        for point in self.compiled.model.paths[self.paths.names[path]].points:
            for guide in getattr(point, "components", ()):
                if guide.coordinate is not None:
                    column = self.compiled.coordinate_index(guide.coordinate)
                    ends = sorted(float(self.q[row, column]) for row in (first, last))
                    if _has_corner(guide.function, *ends):
                        found.append(f"corner in the guide of moving point {point.name}")
        return list(dict.fromkeys(found))

    def _surfaces(self, path: int) -> list[_Surface]:
        tables, found = self.paths.tables, []
        bits = self.paths.switches[path]
        names = [name.removeprefix(_SURFACE) for name in bits if name.startswith(_SURFACE)]
        for name, which in zip(names, range(*tables.paths[path, [FIRST_WRAP, END_WRAP]]), strict=True):
            thing = tables.wraps[which, WRAP_OBJECT]
            x, y, z = (float(value) for value in tables.object_values[thing, :3])
            kind, _, axis, sign = (int(value) for value in tables.objects[thing])
            found.append(_Surface(name, kind, (x, y, z), axis, sign))
        return found

    def _meetings(self, path: int, surfaces: list[_Surface], row: int) -> list[_Meeting]:
        tables = self.paths.tables
        placed = place_paths(self.compiled, self.paths, self.q[row : row + 1]).placed
        stops, scratch = workspace(tables), geodesic_scratch(tables)
        place_objects(tables.objects, tables.object_values, placed.pose, 0, stops.axes)
        count, _ = solve_path(tables, placed, 0, path, stops, scratch)
        names = self._stop_names(path, stops, count)
        found, first_wrap = [], int(tables.paths[path, FIRST_WRAP])
        for own, surface in enumerate(surfaces):
            which = first_wrap + own
            axes = object_frame(stops.axes, int(tables.wraps[which, WRAP_OBJECT]))
            touching = [i for i in range(count) if stops.marks[i, WRAP] == which]
            middle = _middle(surface, axes, stops, touching[-1], scratch) if touching else None
            ends = {i: _End(names[i], into(axes, *stops.place[i])) for i in range(count) if i not in touching}
            spanned = _between(stops, count, int(tables.paths[path, FIRST_POINT]), tables.wraps[which])
            sections = tuple(
                (ends[i], ends[j])
                for i, j in pairwise(i for i in spanned if i in ends)
                if stops.marks[i, WRAP] < 0 or stops.marks[i, WRAP] != stops.marks[j, WRAP]
            )
            found.append(_Meeting(int(stops.outcome[own]), middle, sections))
        return found

    def _stop_names(self, path: int, stops: Stops, count: int) -> list[str]:
        own = self.compiled.model.paths[self.paths.names[path]]
        first_point, first_wrap = self.paths.tables.paths[path, [FIRST_POINT, FIRST_WRAP]]
        surfaces = self._surfaces(path)
        return [
            f"point {own.points[stops.marks[i, POINT] - first_point].name}"
            if stops.marks[i, WRAP] < 0
            else f"the contact with wrap object {surfaces[stops.marks[i, WRAP] - first_wrap].name}"
            for i in range(count)
        ]


def _has_corner(function: Function, low: float, high: float) -> bool:
    """Whether the slope of a function breaks between two arguments."""
    try:
        pieces = function.as_piecewise_polynomials()
    except UnsupportedError:
        return False  # what is no polynomial, such as a sine, has no corners
    inner = pieces.breaks[(pieces.breaks > low) & (pieces.breaks < high)]
    # So near to a break that curvature changes a slope by less than the last line lets pass.
    step = 1e-9 * max(1.0, abs(low), abs(high))
    left, right = pieces.evaluate(inner - step, 1), pieces.evaluate(inner + step, 1)
    return bool(np.any(np.abs(right - left) > 1e-6 * (np.abs(left) + np.abs(right)) + 1e-9))


def _between(stops: Stops, count: int, first_point: int, wrap_row: np.ndarray) -> range:
    """Stops from the first to the last point between which a surface may be touched."""
    low, high = first_point + wrap_row[WRAP_FROM], first_point + wrap_row[WRAP_TO]
    own = [i for i in range(count) if low <= stops.marks[i, POINT] <= high]
    return range(own[0], own[-1] + 1) if own else range(0)


def _middle(surface: _Surface, axes: Frame, stops: Stops, end: int, scratch: np.ndarray | None) -> np.ndarray:
    """Middle of the contact that ends at a stop, in the axes of its surface (m)."""
    start = into(axes, *stops.place[end - 1])
    way, *direction = (float(value) for value in stops.over[end])
    x, y, z = direction
    return np.array(over_surface(surface.kind, surface.size, start, (x, y, z), 0.5 * way, scratch))


def _ruled_off(surface: _Surface, before: _Meeting, after: _Meeting) -> str:
    """Rule by which a surface is touched in one posture and not in the other; empty if there is none."""
    if (before.middle is None) == (after.middle is None):
        return ""
    free = before if before.middle is None else after
    if free.outcome == INSIDE:
        ends = dict.fromkeys(end for section in free.sections for end in section)
        within = [end.name for end in ends if is_inside(surface.kind, surface.size, end.place)]
        enters = "enters" if free is after else "leaves"
        return f"lift-off from wrap object {surface.name}: {', '.join(within)} {enters} it"
    if _reaches_endless(surface, free):
        return f"lift-off over the end of wrap object {surface.name}"
    return _quadrant_of(surface) if surface.sign != 0 else ""


def _quadrant_of(surface: _Surface) -> str:
    return f"quadrant constraint of wrap object {surface.name}"


def _other_way(met: list[tuple[_Surface, _Meeting, _Meeting]]) -> list[str]:
    """Reasons for which a path passes surfaces another way than before, though no rule takes it off any of them."""
    touched, moved, left = [], [], []
    for surface, before, after in met:
        if before.middle is None and after.middle is None:
            continue
        touched.append(surface)
        if before.middle is None or after.middle is None:
            left.append(surface)
        elif np.linalg.norm(after.middle - before.middle) > _ELSEWHERE * surface.reach:
            moved.append(surface)
    constrained = [_quadrant_of(surface) for surface in moved if surface.sign != 0]
    if constrained:
        return constrained
    if moved and len(touched) > 1:
        names = " and ".join(surface.name for surface in touched)
        return [f"another of several taut lines over wrap objects {names}"]
    if moved:
        return [f"both ways round wrap object {moved[0].name} are equally long"]
    return [f"lift-off from wrap object {surface.name}" for surface in left]


def _reaches_endless(surface: _Surface, meeting: _Meeting) -> bool:
    """Whether the path would touch a surface with ends if it had none."""
    endless = without_ends(surface.kind, surface.size)
    return endless != surface.size and any(
        wrap(surface.kind, endless, surface.axis, surface.sign, a.place, b.place, None).outcome
        in (OPTIONAL, CERTAIN)
        for a, b in meeting.sections
    )
