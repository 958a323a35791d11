"""Model → CompiledModel: names become indices, joints become nodes, functions become tables."""

from __future__ import annotations

import functools
from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from borelli.compiled.inertia import body_inertia, joined
from borelli.compiled.joints import JointDraft, draft_joint
from borelli.compiled.placements import constant_rotation
from borelli.errors import UnknownNameError
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer
from borelli.kernels.tree.node import GROUND, NONE, Node
from borelli.model.body import GROUND as GROUND_NAME
from borelli.model.joints.joint import Joint
from borelli.model.model import Model
from borelli.model.placement import Placement
from borelli.model.values import transform
from borelli.records import dataclass


@dataclass(frozen=True)
class Attachment:
    """A frame fixed to a node: x_node = placement of x."""

    node: int
    """Index of the node; GROUND (-1) for the ground itself."""
    placement: Placement


@dataclass(frozen=True)
class CompiledJoint:
    """Where a joint is found in the mechanism."""

    name: str
    node: int
    """Last node, whose wrench the joint transmits; for a merged weld the node that its bodies share."""
    child_frame: Attachment
    parent_frame: Attachment
    coordinates: tuple[int, ...]
    speeds: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CompiledModel:
    """A model ready for the kernels.

    Parameters
    ----------
    model : Model
        Where it comes from.
    mechanism : Mechanism
        Nodes and mobilizers; coordinates and speeds in the order of ``model.coordinate_names`` and
        ``model.speed_names``.
    bodies : dict of str to Attachment
        Every body, the ground included.
    joints : dict of str to CompiledJoint
        In the order of the model.
    welds_merged : bool
        Whether welded bodies share a node (faster), or each weld keeps a node of its own (so that the
        wrench which it transmits is known).
    """

    model: Model
    mechanism: Mechanism
    bodies: dict[str, Attachment]
    joints: dict[str, CompiledJoint]
    welds_merged: bool

    @property
    def has_welds(self) -> bool:
        """Whether some joint has no node of its own, because it does not move and was merged."""
        own = {joint.node for joint in self.joints.values()} - {GROUND}
        return len(own) < len(self.joints)

    def attachment(self, name: str, placement: Placement | None = None) -> Attachment:
        """Find the node that carries a body or frame, and where in it a placement of that frame sits."""
        known = self._attachments.get(name) if placement is None else None
        if known is not None:
            return known
        body, inner = self.model.place(name, placement)
        carrier = self.bodies[body]
        found = Attachment(carrier.node, carrier.placement.then(inner))
        if placement is None:
            self._attachments[name] = found
        return found

    @functools.cached_property
    def _attachments(self) -> dict[str, Attachment]:
        """Frames that were asked for: finding one takes longer than to compute with it."""
        return {}

    def coordinate_index(self, name: str) -> int:
        """Position of a coordinate in q."""
        return _position(name, self.model.coordinate_names, "coordinate", self.model.name)

    def speed_index(self, name: str) -> int:
        """Position of a speed in u."""
        return _position(name, self.speed_names, "speed", self.model.name)

    def speed_of(self, coordinate: int) -> int | None:
        """Return the speed that is the rate of a coordinate, or None where it is a mixture of several."""
        for name, joint in self.joints.items():
            if coordinate in joint.coordinates:
                position = joint.coordinates.index(coordinate)
                turning = self.model.joints[name].n_attitude
                if position < turning:
                    return None
                return joint.speeds[position - turning + (3 if turning else 0)]
        raise IndexError(f"there is no coordinate {coordinate}")

    @functools.cached_property
    def speed_names(self) -> tuple[str, ...]:
        """Names of u, which the model puts together whenever it is asked."""
        return self.model.speed_names


def _position(name: str, names: tuple[str, ...], kind: str, model: str) -> int:
    if name not in names:
        raise UnknownNameError.among(name, kind, names, of=f"model {model!r}")
    return names.index(name)


class _Compiler:
    """Builds nodes joint by joint, from the ground outwards."""

    def __init__(self, model: Model, merge_welds: bool) -> None:
        self.model = model
        self.merge_welds = merge_welds
        self.nodes: list[Node] = []
        self.mobilizers: list[Mobilizer] = []
        self.bodies = {GROUND_NAME: Attachment(GROUND, Placement())}
        self.joints: dict[str, CompiledJoint] = {}
        self.coordinates, self.speeds = _positions(model)

    def compile(self) -> CompiledModel:
        for joint in self.model.joints_from_ground():
            self.add_joint(joint)
        mechanism = Mechanism(
            tuple(self.nodes),
            tuple(self.mobilizers),
            len(self.model.coordinate_names),
            len(self.model.speed_names),
            self.model.gravity,
        )
        joints = {name: self.joints[name] for name in self.model.joint_names}
        return CompiledModel(self.model, mechanism, self.bodies, joints, self.merge_welds)

    def add_joint(self, joint: Joint) -> None:
        parent, in_parent = self.model.parent_of(joint)
        child, in_child = self.model.child_of(joint)
        carrier = self.bodies[parent]
        start = Attachment(carrier.node, carrier.placement.then(in_parent))
        draft = draft_joint(joint)
        child_frame = self.add_nodes(joint, draft, start)
        body_placement = child_frame.placement.then(in_child.inverse())
        self.bodies[child] = Attachment(child_frame.node, body_placement)
        self.add_inertia(child_frame.node, child, body_placement)
        self.joints[joint.name] = CompiledJoint(
            joint.name,
            child_frame.node,
            child_frame,
            start,
            self.coordinates[joint.name],
            self.speeds[joint.name],
        )

    def add_nodes(self, joint: Joint, draft: JointDraft, start: Attachment) -> Attachment:
        """Append the nodes of a joint; return where its child frame sits."""
        if not draft.mobilizers:
            placement = start.placement.then(draft.child_frame)
            if self.merge_welds:
                return Attachment(start.node, placement)
            return Attachment(self.append(start.node, NONE, placement, ()), Placement())
        node, placement = start.node, start.placement
        for mobilizer in draft.mobilizers:
            indices = []
            for part in mobilizer.nodes:
                axes = tuple(transform(placement.rotation, axis) for axis in part.axes)
                node = self.append(node, part.kind, placement.then(part.placement), axes)
                indices.append(node)
                placement = Placement()
            self.mobilizers.append(
                Mobilizer(
                    tuple(indices),
                    tuple(self.coordinates[joint.name][k] for k in mobilizer.coordinates),
                    tuple(self.speeds[joint.name][k] for k in mobilizer.speeds),
                    mobilizer.map,
                )
            )
        return Attachment(node, draft.child_frame)

    def append(self, parent: int, kind: int, placement: Placement, axes: tuple) -> int:
        rotation = constant_rotation(placement.rotation)
        self.nodes.append(Node(parent, kind, placement.translation, rotation, axes))
        return len(self.nodes) - 1

    def add_inertia(self, node: int, body: str, placement: Placement) -> None:
        if node == GROUND:
            return
        own = body_inertia(self.model.bodies[body], placement)
        before = self.nodes[node]
        self.nodes[node] = replace(before, inertia=joined(before.inertia, own))


def _positions(model: Model) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
    """Positions of every joint's coordinates in q and speeds in u."""
    coordinates, speeds = {}, {}
    n_q = n_u = 0
    for joint in model.joints:
        coordinates[joint.name] = tuple(range(n_q, n_q + len(joint.coordinate_names)))
        speeds[joint.name] = tuple(range(n_u, n_u + len(joint.speed_names)))
        n_q += len(joint.coordinate_names)
        n_u += len(joint.speed_names)
    return coordinates, speeds


# A whole body takes 0.04 s to compile; those used longest ago are forgotten.
_KEPT = 16
_cache: OrderedDict[tuple[int, bool], CompiledModel] = OrderedDict()
_lock = Lock()


def compile_model(model: Model, merge_welds: bool = True) -> CompiledModel:
    """Compile a model; the last few models are remembered.

    Parameters
    ----------
    model : Model
    merge_welds : bool
        Let welded bodies share a node. False keeps a node per weld, for the wrench it transmits.
    """
    key = (id(model), merge_welds)
    with _lock:
        known = _cache.get(key)
        # The compiled model keeps its model alive, so an equal id is the same model; still, be sure.
        if known is not None and known.model is model:
            _cache.move_to_end(key)
            return known
    compiled = _Compiler(model, merge_welds).compile()
    with _lock:
        _cache[key] = compiled
        while len(_cache) > _KEPT:
            _cache.popitem(last=False)
    return compiled


def compiled_from(mechanism: Mechanism) -> CompiledModel | None:
    """Find the remembered model that a mechanism belongs to, also one to which frames were added as nodes."""
    with _lock:
        known = list(_cache.values())
    return next((one for one in known if one.mechanism.mobilizers is mechanism.mobilizers), None)
