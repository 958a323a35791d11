"""Muscles of the arm: lines from an origin to an insertion, and where they pull.

Du (2021) attaches biceps and triceps to the forearm at fractions of its length, measured from its *distal* end: 0.9 in
front of the elbow, 1.1 behind it. Both reach to the shoulder. Whether that end is on the shoulder blade (the muscle
then is biarticular and loads the shoulder) or on the upper arm (it does not) is a choice of the model, ``origin_on``.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from borelli.errors import InvalidValueError, UnsolvableError
from borelli.library.lifting_arm.segments import BASE, Segment, SegmentTree, TreePose
from borelli.library.lifting_arm.values import Array, positive, where_instants
from borelli.model.values import ZERO, Vector, vector
from borelli.records import dataclass

DU_FRACTIONS = {"biceps": 0.9, "triceps": 1.1}
"""Insertions on the forearm, as fractions of its length from the distal end (Du 2021, 3.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmMuscle:
    """A muscle: a straight line, or one that bends at points of segments on its way.

    Every straight piece between two segments pulls both of them towards each other.

    Parameters
    ----------
    name : str
    origin_on, insertion_on : str
        Segments that carry its ends; the origin may be on ``"base"``, the shoulder blade.
    origin, insertion : 3 numbers
        The ends, in the frames of those segments (on the base in world axes) (m).
    via : sequence of (segment, 3 numbers)
        Points on its way, from origin to insertion.
    strength : float
        Largest force (N). Du's rule for the elbow does not heed it; ``borelli.muscle_forces`` does.

    Examples
    --------
    >>> ends = {"origin": (0.2, 0.0, 0.01), "insertion": (0.03, 0.0, 0.01)}
    >>> brachialis = la.ArmMuscle(name="brachialis", origin_on="upper_arm", **ends)
    >>> brachialis.strength
    1000.0
    """

    name: str
    origin_on: str = BASE
    origin: Vector = ZERO
    insertion_on: str = "forearm"
    insertion: Vector = ZERO
    via: tuple[tuple[str, Vector], ...] = ()
    strength: float = 1000.0

    def __post_init__(self) -> None:
        for name in ("origin", "insertion"):
            object.__setattr__(self, name, vector(getattr(self, name), f"the {name} of muscle {self.name!r}"))
        what = f"a point of muscle {self.name!r}"
        object.__setattr__(self, "via", tuple((segment, vector(at, what)) for segment, at in self.via))
        object.__setattr__(self, "strength", positive(self.strength, f"the strength of muscle {self.name!r}"))
        if self.insertion_on == BASE:
            raise InvalidValueError(
                f"muscle {self.name!r} inserts on the base.", remedy="name the segment that it pulls on"
            )

    @classmethod
    def at_fraction(
        cls, name: str, forearm: Segment, from_distal: float, *, origin_on: str = BASE
    ) -> ArmMuscle:
        """Muscle from the shoulder to a fraction of the forearm, measured from the forearm's distal end.

        Parameters
        ----------
        name : str
        forearm : Segment
        from_distal : float
            Below 1 in front of the elbow, above 1 behind it.
        origin_on : str
            ``"base"``, or the upper arm, whose proximal end is the shoulder too.
        """
        return cls(
            name=name,
            origin_on=origin_on,
            insertion_on=forearm.name,
            insertion=forearm.point(1.0 - from_distal),
        )

    @property
    def points(self) -> tuple[tuple[str, Vector], ...]:
        """All points from origin to insertion, each with the segment that carries it."""
        return ((self.origin_on, self.origin), *self.via, (self.insertion_on, self.insertion))

    def path(self, pose: TreePose) -> Array:
        """Return its points in the world, from origin to insertion, (n_instants, n_points, 3) (m)."""
        where = f"muscle {self.name!r}"
        return np.stack([pose.point(segment, at, where) for segment, at in self.points], axis=1)

    def pieces(self, pose: TreePose) -> list[Piece]:
        """Return the straight pieces between different segments, from origin to insertion."""
        where = f"muscle {self.name!r}"
        found = []
        for (near, near_at), (far, far_at) in pairwise(self.points):
            if near == far:
                continue
            start, end = pose.point(near, near_at, where), pose.point(far, far_at, where)
            length = np.linalg.norm(start - end, axis=1, keepdims=True)
            none = length[:, 0] == 0.0
            if none.any():
                raise UnsolvableError(
                    f"two points of muscle {self.name!r} meet: it has no direction there.",
                    where=where_instants(none),
                )
            found.append(Piece(near, start, far, end, (start - end) / length))
        if not found:
            raise InvalidValueError(
                f"all points of muscle {self.name!r} are on segment {self.insertion_on!r}: it moves nothing.",
                remedy="put its origin on another segment",
            )
        return found

    def direction(self, pose: TreePose) -> Array:
        """Return the unit vector of its pull on the insertion's segment, (n_instants, 3)."""
        return self.pieces(pose)[-1].pull

    def unit_torque(self, pose: TreePose) -> Array:
        """Return its moment on the insertion's segment about that segment's joint, per newton, (n_instants, 3) (m)."""
        last = self.pieces(pose)[-1]
        return np.cross(last.far_end - pose.joint(self.insertion_on), last.pull)

    def unit_moments(self, pose: TreePose) -> Array:
        """Return its moment about every joint, on the distal side, per newton; zero at joints that it does not span.

        Returns
        -------
        (n_instants, n_joints, 3) float
            m, in world axes and the order of the tree's joints.
        """
        found = np.zeros_like(pose.origin)
        for piece in self.pieces(pose):
            near, far = pose.tree.way_to_base(piece.near), pose.tree.way_to_base(piece.far)
            for end, force, own, other in (
                (piece.far_end, piece.pull, far, near),
                (piece.near_end, -piece.pull, near, far),
            ):
                for joint in own:
                    if joint not in other:
                        found[:, joint] += np.cross(end - pose.origin[:, joint], force)
        return found

    def spans(self, tree: SegmentTree, segment: str) -> bool:
        """Tell whether a piece of it crosses the joint of a segment."""
        joint = tree.index(segment)
        return any(
            (joint in tree.way_to_base(near)) != (joint in tree.way_to_base(far))
            for (near, _), (far, _) in pairwise(self.points)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A straight piece of a muscle between two segments.

    Attributes
    ----------
    near, far : str
        Segments of its ends; `near` is the one towards the origin and may be the base.
    near_end, far_end : (n_instants, 3)
        The ends, in the world (m).
    pull : (n_instants, 3)
        Unit vector of the force on `far`; that on `near` is its opposite.
    """

    near: str
    near_end: Array
    far: str
    far_end: Array
    pull: Array
