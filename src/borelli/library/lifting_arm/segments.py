"""Segments as a tree: rigid rods joined end to end or side by side, and where they are.

Every segment has a frame: its origin is the joint to its parent, x points to its far end. A chain such as the arm is
the simplest tree; a hand with five digits is a bushy one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from borelli import attitude
from borelli.errors import DuplicateNameError, MissingInputError, ShapeError, UnknownNameError
from borelli.library.lifting_arm.values import Array, instants_of, not_negative, positive, require_finite
from borelli.model.values import ZERO, Vector, vector
from borelli.records import dataclass

BASE = "base"
"""What the first segments hang on: the shoulder blade, at rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A rigid segment.

    Parameters
    ----------
    name : str
    length : float
        Along its x axis (m).
    mass : float
        kg.
    com : 3 numbers
        Mass centre in its own frame (m).
    inertia : 3 numbers
        About the mass centre along its own axes (kg m²).
    parent : str
        Segment that carries it, or ``"base"``.
    at : 3 numbers
        Its joint in the parent's frame (m).
    joint : str
        Name of that joint.
    flexion : 3 numbers
        Axis of its flexion, in its own frame: torques are reported about it.

    Examples
    --------
    >>> rod = la.Segment(name="rod", length=0.3, mass=1.2, com=(0.15, 0, 0))
    >>> rod.point(0.5)
    (0.15, 0.0, 0.0)
    """

    name: str
    length: float
    mass: float = 0.0
    com: Vector = ZERO
    inertia: Vector = ZERO
    parent: str = BASE
    at: Vector = ZERO
    joint: str = ""
    flexion: Vector = (0.0, -1.0, 0.0)

    def __post_init__(self) -> None:
        what = f"of segment {self.name!r}"
        object.__setattr__(self, "length", positive(self.length, f"the length {what}"))
        object.__setattr__(self, "mass", not_negative(self.mass, f"the mass {what}"))
        for name in ("com", "inertia", "at", "flexion"):
            object.__setattr__(self, name, vector(getattr(self, name), f"{name} {what}"))
        object.__setattr__(self, "joint", self.joint or f"{self.name}_joint")

    def point(self, fraction: float) -> Vector:
        """Return the point at a fraction of the length from the proximal end, in the segment's frame (m)."""
        return (fraction * self.length, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class SegmentTree:
    """Segments, each after the one that carries it.

    Parameters
    ----------
    segments : sequence of Segment

    Examples
    --------
    >>> rod, tip = la.Segment(name="rod", length=0.3), la.Segment(name="tip", length=0.1, parent="rod")
    >>> tree = la.SegmentTree([rod, tip])
    >>> tree.names
    ('rod', 'tip')
    """

    segments: tuple[Segment, ...]
    _index: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __init__(self, segments: Iterable[Segment]) -> None:
        object.__setattr__(self, "segments", tuple(segments))
        index: dict[str, int] = {}
        for number, segment in enumerate(self.segments):
            if segment.name in index or segment.name == BASE:
                raise DuplicateNameError(f"Two segments are called {segment.name!r}.")
            if segment.parent != BASE and segment.parent not in index:
                raise UnknownNameError.among(
                    segment.parent,
                    "segment before it",
                    [BASE, *index],
                    where=f"parent of segment {segment.name!r}",
                )
            index[segment.name] = number
        if not index:
            raise MissingInputError("A tree needs at least one segment.")
        object.__setattr__(self, "_index", index)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the segments."""
        return tuple(self._index)

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints, each that of the segment it carries."""
        return tuple(segment.joint for segment in self.segments)

    def index(self, name: str, where: str | None = None) -> int:
        """Return the place of a segment in the tree."""
        if name not in self._index:
            raise UnknownNameError.among(name, "segment", self._index, of="the tree", where=where)
        return self._index[name]

    def __getitem__(self, name: str) -> Segment:
        return self.segments[self.index(name)]

    def parent_index(self, number: int) -> int | None:
        """Return the place of a segment's parent; None where it hangs on the base."""
        parent = self.segments[number].parent
        return None if parent == BASE else self._index[parent]

    def way_to_base(self, name: str) -> list[int]:
        """Return the places of a segment and of all before it; nothing for the base itself."""
        found: list[int] = []
        here = None if name == BASE else self.index(name)
        while here is not None:
            found.append(here)
            here = self.parent_index(here)
        return found

    def placed(self, attitudes: Mapping[str, ArrayLike], base: ArrayLike = ZERO) -> TreePose:
        """Place every segment by its attitude in the world.

        Parameters
        ----------
        attitudes : mapping of segment to (n_instants, 4) or (4,) float
            Quaternions, scalar first, segment to world.
        base : (3,) float
            Where the base's point is (m).
        """
        missing = [name for name in self.names if name not in attitudes]
        if missing:
            raise MissingInputError(
                f"segment {missing[0]!r} has no attitude.", remedy="give a quaternion for every segment"
            )
        shoulder = instants_of(base, "the base")[0]
        given = {name: np.atleast_2d(np.asarray(attitudes[name], dtype=float)) for name in self.names}
        counts = {len(rows) for rows in given.values()}
        n = max(counts)
        if not counts <= {1, n}:
            raise ShapeError(f"attitudes over {sorted(counts)} instants do not fit together.")
        rotation = np.empty((n, len(self.segments), 3, 3))
        origin = np.empty((n, len(self.segments), 3))
        for number, segment in enumerate(self.segments):
            require_finite(given[segment.name], f"the attitude of segment {segment.name!r}")
            rotation[:, number] = attitude.rotation_matrix(given[segment.name])
            parent = self.parent_index(number)
            if parent is None:
                origin[:, number] = shoulder + np.array(segment.at, dtype=float)
            else:
                origin[:, number] = origin[:, parent] + rotation[:, parent] @ np.array(
                    segment.at, dtype=float
                )
        return TreePose(self, origin, rotation, shoulder)


@dataclass(frozen=True, slots=True, eq=False)
class TreePose:
    """Where the segments of a tree are.

    Attributes
    ----------
    tree : SegmentTree
    origin : (n_instants, n_segments, 3)
        Proximal ends, that is the joints (m).
    rotation : (n_instants, n_segments, 3, 3)
        Columns are the segment's axes in the world.
    base : (3,)
        The base's point (m).

    Examples
    --------
    >>> pose = arm.tree.placed(la.sagittal_posture(0.0, 90.0))
    >>> pose.n_instants, pose.rotation.shape
    (1, (1, 3, 3, 3))
    """

    tree: SegmentTree
    origin: Array
    rotation: Array
    base: Array

    @property
    def n_instants(self) -> int:
        """Number of instants."""
        return int(self.origin.shape[0])

    def point(self, segment: str, location: Any, where: str | None = None) -> Array:
        """Return a point of a segment, or one of the base given in world axes, in the world, (n_instants, 3) (m)."""
        local = np.array(vector(location, f"a point of {segment!r}"), dtype=float)
        if segment == BASE:
            return np.broadcast_to(self.base + local, (self.n_instants, 3))
        number = self.tree.index(segment, where)
        return self.origin[:, number] + self.rotation[:, number] @ local

    def joint(self, segment: str) -> Array:
        """Return the proximal end of a segment, (n_instants, 3) (m)."""
        return self.origin[:, self.tree.index(segment)]

    def tip(self, segment: str) -> Array:
        """Return the distal end of a segment, (n_instants, 3) (m)."""
        return self.point(segment, self.tree[segment].point(1.0))
