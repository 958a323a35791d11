"""On whom, about which point and in which axes a joint reaction is given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from borelli.compiled.compile import Attachment, CompiledJoint, CompiledModel
from borelli.compiled.frames import frames_as_nodes
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.kernels.backend import Backend
from borelli.kernels.tree.mechanism import Mechanism
from borelli.model.model import Model
from borelli.model.placement import Placement
from borelli.records import dataclass

GROUND, PARENT, CHILD = "ground", "parent", "child"
At: TypeAlias = str | tuple[str, Sequence[float]] | None


@dataclass(frozen=True, eq=False)
class ReactionFrames:
    """The choice, checked against a model but not yet placed in its tree."""

    model: Model
    joints: tuple[str, ...]
    on: str
    express_in: str
    at: str | tuple[str, tuple[float, float, float]]

    @property
    def axes(self) -> str:
        """Axes, as the attribute ``expressed_in`` names them."""
        return f"{self.express_in} joint frame" if self.express_in in (PARENT, CHILD) else self.express_in

    def says(self) -> dict[str, str]:
        """Return the attributes that tell on whom and about which point."""
        other = PARENT if self.on == CHILD else CHILD
        if self.at in (PARENT, CHILD):
            about = f"origin of the joint's {self.at} frame"
        elif isinstance(self.at, str):
            kind = "marker" if self._is_marker(self.at) else "origin of"
            about = f"{kind} {self.at}"
        else:
            about = f"point {self.at[1]} of {self.at[0]}"
        return {"on": f"{self.on}, by {other}", "about": about}

    def _is_marker(self, name: str) -> bool:
        return name in self.model.marker_names

    def placed(self, compiled: CompiledModel) -> PlacedFrames:
        """Find nodes, points and axes in a compiled model."""
        return _placed(compiled, self.joints, self.on, self.express_in, self.at)

    def attachments(self, compiled: CompiledModel) -> tuple[list[Attachment], list[Attachment]]:
        """Points and axes of every joint, as frames fixed to nodes."""
        chosen = [compiled.joints[name] for name in self.joints]
        points = [self._point(compiled, joint) for joint in chosen]
        return points, [self._axes_of(compiled, joint) for joint in chosen]

    def _axes_of(self, compiled: CompiledModel, joint: CompiledJoint) -> Attachment:
        if self.express_in in (PARENT, CHILD):
            return joint.parent_frame if self.express_in == PARENT else joint.child_frame
        return compiled.attachment(self.express_in)

    def _point(self, compiled: CompiledModel, joint: CompiledJoint) -> Attachment:
        if self.at in (PARENT, CHILD):
            return joint.parent_frame if self.at == PARENT else joint.child_frame
        if not isinstance(self.at, str):
            return compiled.attachment(self.at[0], Placement(self.at[1]))
        if self._is_marker(self.at):
            marker = self.model.markers[self.at]
            return compiled.attachment(marker.frame, Placement(marker.location))
        return compiled.attachment(self.at)


class Places(NamedTuple):
    """Where a reaction is given, in n instants."""

    offset: np.ndarray | None
    """(n, n_joints, 3): from the joint's node to the point (m, ground axes); None where they coincide."""
    point: np.ndarray
    """(n, n_joints, 3): the point in ground (m)"""
    rotation: np.ndarray | None
    """(n, n_joints, 3, 3): axes as columns; None for those of ground"""
    origin: np.ndarray | None
    """(n, n_joints, 3): origin of the frame that the axes belong to (m)"""


@dataclass(frozen=True, eq=False)
class PlacedFrames:
    """A choice in the tree of a compiled model: a node for every point and every set of axes."""

    nodes: tuple[int, ...]
    """Node of each joint, whose wrench it transmits."""
    mechanism: Mechanism
    """With nodes of its own for points and axes where they need them."""
    points: tuple[int, ...]
    """Node of each point."""
    axes: tuple[int, ...]
    """Node of each set of axes; empty for those of ground."""
    elsewhere: bool
    """Whether some point is not the origin of its joint's node."""
    opposite: bool
    """Whether the wrench on the parent is asked for instead of that on the child."""

    def places(self, backend: Backend, q: np.ndarray) -> Places:
        """Points and axes in postures q, (n, n_q)."""
        wanted = [*self.axes, *self.points, *(self.nodes if self.elsewhere else ())]
        rotation, origin = backend.poses(self.mechanism, q, wanted, len(self.axes))
        turned, both = len(self.axes), len(self.axes) + len(self.points)
        point = origin[:, turned:both]
        return Places(
            point - origin[:, both:] if self.elsewhere else None,
            point,
            rotation if self.axes else None,
            origin[:, :turned] if self.axes else None,
        )

    def expressed(
        self, places: Places, force: np.ndarray, moment: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Turn wrenches of the nodes, in ground axes about their origins, into what was asked for.

        All arrays are (n, n_joints, 3); the answer is force, moment and point.
        """
        if places.offset is not None:
            moment = moment - crossed(places.offset, force)
        if self.opposite:
            force, moment = -force, -moment
        if places.rotation is None:
            return force, moment, places.point
        from_origin = places.point - places.origin
        turned = [np.einsum("tjab,tja->tjb", places.rotation, x) for x in (force, moment, from_origin)]
        return turned[0], turned[1], turned[2]


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a x b along the last axis; several times quicker than NumPy's own."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        out[..., k] = a[..., i] * b[..., j] - a[..., j] * b[..., i]
    return out


# By value, so that the same question finds the same mechanism, for which the kernels have their tables.
@lru_cache(maxsize=64)
def _placed(
    compiled: CompiledModel,
    joints: tuple[str, ...],
    on: str,
    express_in: str,
    at: str | tuple[str, tuple[float, float, float]],
) -> PlacedFrames:
    frames = ReactionFrames(compiled.model, joints, on, express_in, at)
    points, axes = frames.attachments(compiled)
    nodes = tuple(compiled.joints[name].node for name in joints)
    elsewhere = any(
        point.node != node or any(point.placement.translation)
        for point, node in zip(points, nodes, strict=True)
    )
    turned = axes if express_in != GROUND else []
    added = frames_as_nodes(compiled.mechanism, [*turned, *(points if elsewhere else ())])
    count = len(turned)
    return PlacedFrames(
        nodes,
        added.mechanism,
        added.nodes[count:] if elsewhere else nodes,
        added.nodes[:count],
        elsewhere,
        on == PARENT,
    )


def reaction_frames(
    model: Model, joints: Sequence[str] | str | None, on: str, express_in: str, at: At
) -> ReactionFrames:
    """Check a choice of joints, side, axes and point."""
    names = model.joint_names if joints is None else (joints,) if isinstance(joints, str) else tuple(joints)
    for name in names:
        model.joints[name]
    if on not in (PARENT, CHILD):
        raise UnknownNameError.among(on, "side of a joint", (CHILD, PARENT), where="argument on")
    if express_in not in (PARENT, CHILD):
        model.place(express_in)
    return ReactionFrames(model, names, on, express_in, _checked_point(model, on, at))


def _checked_point(model: Model, on: str, at: At) -> str | tuple[str, tuple[float, float, float]]:
    if at is None:
        return on
    if isinstance(at, str):
        known = (CHILD, PARENT, GROUND, *model.body_names, *model.frames.names, *model.marker_names)
        if at not in known:
            raise UnknownNameError.among(
                at, "body, frame or marker", known, of=f"model {model.name!r}", where="argument at"
            )
        return at
    frame, point = at
    model.place(frame)
    values = tuple(float(x) for x in point)
    if len(values) != 3:
        raise InvalidValueError(
            f"a point needs three numbers, but {values} has {len(values)}.", where="argument at"
        )
    return frame, (values[0], values[1], values[2])
