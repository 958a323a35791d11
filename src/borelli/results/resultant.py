"""The size of a vector, split exactly: each source's share is its part along the vector itself.

A magnitude has no additive shares along fixed axes, but along its own direction it has: the shares of the components,
projected on the unit vector of their sum at that instant, add up to the magnitude. In the same way a force at a joint
is split along a segment (axial) and across it (shear): the one that the joint carries, or, where that is short (a
foot, a hand), the one above the joint.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from borelli.results.output import Output

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

    def towards(self, direction: Direction, result: xr.Dataset) -> Resultant | None:
        """Return the part along (``"axial"``) or across (``"shear"``) the segment; None where it is not drawn."""
        joint = self.place.get("joint", "")
        if direction == "resultant":
            return self
        if not self._is_drawn(result) or segment_axis(result, joint, len(self.components)) is None:
            return None
        return replace(self, name=f"{joint}_{direction}_{self.quantity.split('_')[-1]}", direction=direction)

    def _is_drawn(self, result: xr.Dataset) -> bool:
        """Whether force and drawing have the same axes, and the force acts on the segment that the joint carries."""
        said = result[self.variable].attrs
        own = said.get("expressed_in")
        drawn = (
            result["joint_position"].attrs.get("expressed_in", own) if "joint_position" in result else None
        )
        return own in (None, drawn) and not str(said.get("on", "")).startswith("parent")

    def vector(self, result: xr.Dataset) -> Array:
        """Return the vector itself, (n_times, n_axes)."""
        return np.column_stack([each.total(result) for each in self.components])

    def directions(self, result: xr.Dataset) -> Array:
        """Return the unit vectors that shares are projected on, (n_times, n_axes)."""
        vector = self.vector(result)
        if self.direction == "resultant":
            return unit_vectors(vector)
        axis = segment_axis(result, self.place["joint"], len(self.components))
        if axis is None:
            return np.zeros_like(vector)
        if self.direction == "axial":
            return axis
        return unit_vectors(vector - np.sum(vector * axis, axis=1, keepdims=True) * axis)

    def total(self, result: xr.Dataset) -> Array:
        """Return the size, (n_times,); of an axial part with its sign."""
        return np.asarray(np.sum(self.vector(result) * self.directions(result), axis=1))

    def shares(self, result: xr.Dataset) -> Array:
        """Return the shares along the direction, (n_times, n_sources): their sum is the size."""
        towards = self.directions(result)
        return np.asarray(
            sum(each.shares(result) * towards[:, [k]] for k, each in enumerate(self.components))
        )

    def describe(self, result: xr.Dataset) -> str:
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


def unit_vectors(vectors: Array) -> Array:
    """Directions, (n_times, n_axes); zero where there is no vector."""
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0.0)


def segment_axis(result: xr.Dataset, joint: str, n_axes: int) -> Array | None:
    """Unit vectors along the segment that the force at a joint is told along, proximal to distal, (n_times, n_axes).

    Which segment that is the result says itself (``long_axes`` of ``joint_position``); where it does not, as of planar
    chains, the one that the joint carries, to the next joint, else to the mass centre. None where the result has no
    drawing of it, or its ends coincide.
    """
    if "joint_position" not in result or "point" not in result.coords:
        return None
    points = [str(name) for name in result["point"].values]
    places = result["joint_position"].transpose("time", "point", "axis")
    if joint not in points or places.sizes["axis"] != n_axes:
        return None
    begin, end = _ends(places, points, joint)
    if not begin or not end:
        return None
    at = places.values.astype(float)
    line = at[:, end].mean(axis=1) - at[:, begin].mean(axis=1)
    return unit_vectors(line) if (np.linalg.norm(line, axis=1) > 0.0).all() else None


def _ends(places: xr.DataArray, points: list[str], joint: str) -> tuple[list[int], list[int]]:
    """Points between whose means the axis runs; none where it is not known."""
    told = places.attrs.get(LONG_AXES)
    if told is not None:
        begin, end, _ = told.get(joint, ([], [], ""))
        return list(begin), list(end)
    start = points.index(joint)
    pairs = places.attrs.get("bones", [[k, k + 1] for k in range(len(points) - 1)])
    ends = [int(end) for first, end in pairs if int(first) == start]
    return ([start], ends) if len(ends) == 1 else ([], [])


def segment_words(result: xr.Dataset, joint: str) -> str:
    """Say along which segment the force at a joint is told."""
    told = result["joint_position"].attrs.get(LONG_AXES) if "joint_position" in result else None
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


def joint_forces(result: xr.Dataset, known: tuple[Output, ...]) -> tuple[Resultant, ...]:
    """Return size, axial and shear part of the force at every joint, in that order."""
    found = [each for each in resultants(known) if each.unit == "N" and set(each.place) == {"joint"}]
    kinds: tuple[Direction, ...] = ("resultant", "axial", "shear")
    each_way = [force.towards(direction, result) for force in found for direction in kinds]
    return tuple(force for force in each_way if force is not None)
