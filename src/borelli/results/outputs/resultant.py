"""The size of a vector, split exactly: each source's share is its part along the vector itself.

A magnitude has no additive shares along fixed axes, but along its own direction it has: the shares of the components,
projected on the unit vector of their sum at that instant, add up to the magnitude. In the same way a force at a joint
is split along a segment (axial) and across it (shear): the one that the joint carries, or, where that is short (a
foot, a hand), the one above the joint.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from borelli.arrays import unit_rows
from borelli.records import dataclass
from borelli.results.labelled.plain_result import PlainResult, Result, labels
from borelli.results.outputs.output import Output

Array = NDArray[np.float64]
Direction = Literal["resultant", "axial", "shear"]
LONG_AXES = "long_axes"
"""Attribute of ``joint_position``: of each joint, first points, last points and body of the axis it is told along."""
_SAYS = {
    "resultant": "the magnitude of the {quantity} at {where}{on}; each share is the part of a source along it.",
    "axial": "the part of the {quantity} at {where}{on} along {segment}, from its upper to its lower joint; positive "
    "presses the segment together.",
    "shear": "the part of the {quantity} at {where}{on} across {segment}; each share is the part of a source along it.",
}


@dataclass(frozen=True, slots=True)
class Resultant(Output):
    """The size of a vector, or of its part along or across a segment; shares are projected, instant by instant."""

    components: tuple[Output, ...] = ()
    direction: Direction = "resultant"

    @classmethod
    def of(cls, components: tuple[Output, ...]) -> Resultant:
        """Return the magnitude of the vector that some outputs are the components of."""
        first = components[0]
        place = {dim: label for dim, label in first.place.items() if dim != "axis"}
        name = first.name.removesuffix("_" + first.place["axis"])
        return cls(name, first.quantity, first.variable, place, first.unit, components)

    def towards(self, direction: Direction, result: Result) -> Resultant | None:
        """Return the part along (``"axial"``) or across (``"shear"``) the segment; None where it is not drawn."""
        joint = self.place.get("joint", "")
        if direction == "resultant":
            return self
        if not self._is_drawn(result) or segment_axis(result, joint, len(self.components)) is None:
            return None
        return replace(self, name=f"{joint}_{direction}_{self.quantity.split('_')[-1]}", direction=direction)

    def _is_drawn(self, result: Result) -> bool:
        """Whether force and drawing have the same axes, and the force acts on the segment that the joint carries."""
        said = result.variables[self.variable].attrs
        own = said.get("expressed_in")
        places = result.variables.get("joint_position")
        drawn = places.attrs.get("expressed_in", own) if places is not None else None
        return own in (None, drawn) and not str(said.get("on", "")).startswith("parent")

    def vector(self, result: Result) -> Array:
        """Return the vector itself, (n_times, n_axes)."""
        if not isinstance(result, PlainResult):
            return self._vector(result)
        # The same for its size and for its parts along and across the segment.
        key = ("vector", self.variable, self.components[0].name)
        if key not in result.found:
            result.found[key] = self._vector(result)
        return np.asarray(result.found[key])

    def _vector(self, result: Result) -> Array:
        return np.column_stack([each.total(result) for each in self.components])

    def directions(self, result: Result) -> Array:
        """Return the unit vectors that shares are projected on, (n_times, n_axes)."""
        if not isinstance(result, PlainResult):
            return self._directions(result)
        key = ("directions", self.variable, self.name, self.direction)
        if key not in result.found:
            result.found[key] = self._directions(result)
        return np.asarray(result.found[key])

    def _directions(self, result: Result) -> Array:
        vector = self.vector(result)
        if self.direction == "resultant":
            return unit_rows(vector)
        axis = segment_axis(result, self.place["joint"], len(self.components))
        if axis is None:
            return np.zeros_like(vector)
        if self.direction == "axial":
            return axis
        return unit_rows(vector - np.sum(vector * axis, axis=1, keepdims=True) * axis)

    def total(self, result: Result) -> Array:
        """Return the size, (n_times,); of an axial part with its sign."""
        return np.asarray(np.sum(self.vector(result) * self.directions(result), axis=1))

    def shares(self, result: Result) -> Array:
        """Return the shares along the direction, (n_times, n_sources): their sum is the size."""
        towards = self.directions(result)
        return np.asarray(
            sum(each.shares(result) * towards[:, [k]] for k, each in enumerate(self.components))
        )

    def shares_at(self, result: Result, instant: int) -> Array:
        """Return the shares at one instant, (n_sources,)."""
        towards = self.directions(result)[instant]
        return np.asarray(
            sum(each.shares_at(result, instant) * towards[k] for k, each in enumerate(self.components))
        )

    def describe(self, result: Result) -> str:
        """Say what the number is: the magnitude of which vector, and how it is split."""
        where = ", ".join(f"{dim} {label!r}" for dim, label in self.place.items())
        on_whom = result.attrs.get(f"{self.quantity}_on")
        said = _SAYS[self.direction].format(
            quantity=self.quantity.replace("_", " "),
            where=where,
            on=f", on {on_whom}" if on_whom else "",
            segment=segment_words(result, self.place.get("joint", "")),
        )
        return f"{self.name} is {said}"


def segment_axis(result: Result, joint: str, n_axes: int) -> Array | None:
    """Unit vectors along the segment that the force at a joint is told along, proximal to distal, (n_times, n_axes).

    Which segment that is the result says itself (``long_axes`` of ``joint_position``); where it does not, as of planar
    chains, the one that the joint carries, to the next joint, else to the mass centre. None where the result has no
    drawing of it, or its ends coincide.
    """
    if not isinstance(result, PlainResult):
        return _segment_axis(result, joint, n_axes)
    key = ("segment axis", joint, n_axes)
    if key not in result.found:
        result.found[key] = _segment_axis(result, joint, n_axes)
    found: Array | None = result.found[key]
    return found


def _segment_axis(result: Result, joint: str, n_axes: int) -> Array | None:
    if "joint_position" not in result.variables or "point" not in result.variables:
        return None
    points, drawn = labels(result, "point"), result.variables["joint_position"]
    start = points.places.get(joint)
    if start is None or drawn.sizes["axis"] != n_axes:
        return None
    begin, end = _ends(drawn.attrs, len(points.names), joint, start)
    if not begin or not end:
        return None
    at = drawn.values.transpose([drawn.dims.index(dim) for dim in ("time", "point", "axis")]).astype(float)
    line = at[:, end].mean(axis=1) - at[:, begin].mean(axis=1)
    return unit_rows(line) if (np.linalg.norm(line, axis=1) > 0.0).all() else None


def _ends(said: Mapping[Hashable, Any], n_points: int, joint: str, start: int) -> tuple[list[int], list[int]]:
    """Points between whose means the axis runs; none where it is not known."""
    told = said.get(LONG_AXES)
    if told is not None:
        begin, end, _ = told.get(joint, ([], [], ""))
        return list(begin), list(end)
    pairs = said.get("bones", [[k, k + 1] for k in range(n_points - 1)])
    ends = [int(end) for first, end in pairs if int(first) == start]
    return ([start], ends) if len(ends) == 1 else ([], [])


def segment_words(result: Result, joint: str) -> str:
    """Say along which segment the force at a joint is told."""
    drawn = result.variables.get("joint_position")
    told = None if drawn is None else drawn.attrs.get(LONG_AXES)
    if not told or joint not in told:
        return "the segment that the joint carries"
    return f"the segment {told[joint][2]!r}"


def resultants(known: tuple[Output, ...]) -> tuple[Resultant, ...]:
    """Return the magnitude of every vector among some outputs."""
    vectors: dict[tuple[str, str], list[Output]] = {}
    for output in known:
        if "axis" in output.place:
            name = output.name.removesuffix("_" + output.place["axis"])
            vectors.setdefault((output.quantity, name), []).append(output)
    return tuple(Resultant.of(tuple(parts)) for parts in vectors.values() if len(parts) > 1)


def is_joint_force(output: Output) -> bool:
    """Whether an output is the size of the force at a joint, or its part along or across a segment."""
    return isinstance(output, Resultant) and output.unit == "N" and set(output.place) == {"joint"}


def joint_forces(result: Result, known: tuple[Output, ...]) -> tuple[Resultant, ...]:
    """Return size, axial and shear part of the force at every joint, in that order."""
    found = [each for each in resultants(known) if is_joint_force(each)]
    kinds: tuple[Direction, ...] = ("resultant", "axial", "shear")
    each_way = [force.towards(direction, result) for force in found for direction in kinds]
    return tuple(force for force in each_way if force is not None)
