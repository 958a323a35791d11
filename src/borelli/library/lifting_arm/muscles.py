"""Muscles of the arm: lines from an origin to an insertion, and the rule for two that oppose each other.

Du (2021) attaches biceps and triceps to the forearm at fractions of its length, measured from its *distal* end: 0.9 in
front of the elbow, 1.1 behind it. Both reach to the shoulder. Whether that end is on the shoulder blade (the muscle
then is biarticular and loads the shoulder) or on the upper arm (it does not) is a choice of the model, ``origin_on``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from borelli.errors import InvalidValueError, UnsolvableError
from borelli.library.lifting_arm.segments import BASE, Segment, TreePose
from borelli.library.lifting_arm.values import Array, frames_of, positive, where_frames
from borelli.model.values import ZERO, Vector, vector

DU_FRACTIONS = {"biceps": 0.9, "triceps": 1.1}
"""Insertions on the forearm, as fractions of its length from the distal end (Du 2021, 3.2)."""

NO_LEVER = 1e-12
"""Sine of the angle between two muscles at which an elbow counts as straight or folded."""

NO_MOMENT = 1e-9
"""N m that a joint may be left with where its muscles have no lever: round-off of a vertical arm."""


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
        Largest force (N). The rule for two opposing muscles does not heed it; sharing among many does.
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
        """Return its points in the world, from origin to insertion, (n_frames, n_points, 3) (m)."""
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
                    where=where_frames(none),
                )
            found.append(Piece(near, start, far, end, (start - end) / length))
        if not found:
            raise InvalidValueError(
                f"all points of muscle {self.name!r} are on segment {self.insertion_on!r}: it moves nothing.",
                remedy="put its origin on another segment",
            )
        return found

    def direction(self, pose: TreePose) -> Array:
        """Return the unit vector of its pull on the insertion's segment, (n_frames, 3)."""
        return self.pieces(pose)[-1].pull

    def unit_torque(self, pose: TreePose) -> Array:
        """Return its moment on the insertion's segment about that segment's joint, per newton, (n_frames, 3) (m)."""
        last = self.pieces(pose)[-1]
        return np.cross(last.far_end - pose.joint(self.insertion_on), last.pull)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A straight piece of a muscle between two segments.

    Attributes
    ----------
    near, far : str
        Segments of its ends; `near` is the one towards the origin and may be the base.
    near_end, far_end : (n_frames, 3)
        The ends, in the world (m).
    pull : (n_frames, 3)
        Unit vector of the force on `far`; that on `near` is its opposite.
    """

    near: str
    near_end: Array
    far: str
    far_end: Array
    pull: Array


@dataclass(frozen=True, slots=True, eq=False)
class OpposingPair:
    """Answer of :func:`opposing_tensions`.

    Attributes
    ----------
    normal : (n_frames, 3)
        u_2 x u_1, across the plane of the muscles.
    required_moment : (n_frames, 3)
        What the muscles must provide (N m).
    tension : (n_frames, 2)
        N; at most one of the two is not zero.
    residual_moment : (n_frames, 3)
        Load moment that the joint is left with (N m).
    """

    normal: Array
    required_moment: Array
    tension: Array
    residual_moment: Array


def opposing_tensions(
    load_moment: ArrayLike, directions: tuple[Array, Array], unit_torques: tuple[Array, Array]
) -> OpposingPair:
    """Tensions of two opposing muscles that take the load moment about the normal of their plane.

    R = -(M · N)/(N · N) N with N = u_2 x u_1; the active muscle is the one whose unit torque t_j has R · t_j > 0, its
    tension R · t_j / t_j · t_j; the other rests (Du 2021, 3.2, with the muscles named as their signs demand).

    Parameters
    ----------
    load_moment : (n_frames, 3) or (3,) float
        Of everything distal on the joint, muscles left out (N m).
    directions, unit_torques : pairs of (n_frames, 3)
        u_j and t_j of the two muscles.

    Raises
    ------
    UnsolvableError
        If the muscles are in line (elbow straight or folded) and a moment is to be carried; the frame is named.
    """
    m = frames_of(load_moment, "the load moment")
    (u1, u2), (t1, t2) = directions, unit_torques
    normal = np.cross(u2, u1)
    size = (normal * normal).sum(axis=1)
    flat = size <= NO_LEVER**2
    loaded = flat & (np.abs(m).max(axis=1) > NO_MOMENT)
    if loaded.any():
        frame = int(np.argmax(loaded))
        raise UnsolvableError(
            "The elbow is straight or folded, so that its muscles have no lever, but a moment of "
            f"{np.linalg.norm(m[frame]):.3g} N m is to be carried.",
            where=where_frames(loaded),
            remedy="bend the elbow, or give muscles that pass beside it",
        )
    safe = np.where(flat, 1.0, size)
    required = -((m * normal).sum(axis=1) / safe)[:, None] * normal
    tension = np.zeros((len(m), 2))
    for column, t in enumerate((t1, t2)):
        square = (t * t).sum(axis=1)
        along = (required * t).sum(axis=1) / np.where(square > 0.0, square, 1.0)
        tension[:, column] = np.maximum(along, 0.0)
    residual = m + tension[:, :1] * t1 + tension[:, 1:] * t2
    return OpposingPair(normal, required, tension, residual)


def hinge_tensions(torque: ArrayLike, arms: ArrayLike) -> Array:
    """Tensions of two opposing muscles at a hinge: the one whose moment arm has the torque's sign provides all of it.

    Parameters
    ----------
    torque : (n_frames,) float
        To be provided about the hinge (N m); frames that are NaN stay so.
    arms : (n_frames, 2) float
        Moment arms about it (m); zero arms provide nothing.

    Returns
    -------
    (n_frames, 2) float
        N.

    Raises
    ------
    UnsolvableError
        If neither muscle can turn the joint the way that is needed; the frame is named.
    """
    needed, arm = np.atleast_1d(np.asarray(torque, dtype=float)), np.atleast_2d(np.asarray(arms, dtype=float))
    helps = needed[:, None] * arm > 0.0
    unknown = np.isnan(needed)
    helpless = ~helps.any(axis=1) & (needed != 0.0) & ~unknown
    if helpless.any():
        frame = int(np.argmax(helpless))
        raise UnsolvableError(
            f"No muscle can provide {needed[frame]:.3g} N m: the moment arms are "
            f"{arm[frame, 0]:.3g} m and {arm[frame, 1]:.3g} m.",
            where=where_frames(helpless),
            remedy="give muscles on both sides of the joint",
        )
    tension = np.where(helps, needed[:, None] / np.where(helps, arm, 1.0), 0.0)
    # Both help only if both are on one side of the joint; then the one with the longer arm works alone.
    both = helps.all(axis=1)
    weaker = np.abs(arm).argmin(axis=1)
    tension[both, weaker[both]] = 0.0
    tension[unknown] = np.nan
    return tension
