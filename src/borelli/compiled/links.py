"""Links of a compiled model: every body with the joint that carries it, in the order of the tree."""

from __future__ import annotations

from functools import lru_cache

from borelli.compiled.compile import CompiledJoint, CompiledModel
from borelli.kernels.tree.algebra import scale
from borelli.kernels.tree.link_states import Link, shifted
from borelli.kernels.tree.node import GROUND, Inertia, Node
from borelli.kernels.tree.shares import Tree, tree_of
from borelli.records import dataclass

_NO_MASS = Inertia(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class Links:
    """All links of a model whose welds have nodes of their own."""

    links: tuple[Link, ...]
    tree: Tree
    joints: tuple[str, ...]
    """Joint of each link."""
    bodies: tuple[str, ...]
    """Body of each link."""
    at_node: dict[int, int]
    """Link of each node that carries a body."""

    def holding(self, node: int) -> int:
        """Return the link that a node belongs to."""
        return self.at_node[node]


# A study goes from subject to subject: the last models are kept, not all of them.
@lru_cache(maxsize=16)
def links_of(compiled: CompiledModel) -> Links:
    """List the links; the compiled model must keep a node for every weld."""
    model = compiled.model
    places: dict[int, int] = {}
    links: list[Link] = []
    joints, bodies = [], []
    for joint in model.joints_from_ground():
        place = compiled.joints[joint.name]
        base = place.parent_frame.node
        parent = GROUND if base == GROUND else places[base]
        places[place.node] = len(links)
        links.append(_link(compiled, place, parent, base))
        joints.append(joint.name)
        bodies.append(model.child_of(joint)[0])
    tree = tree_of([link.parent for link in links])
    return Links(tuple(links), tree, tuple(joints), tuple(bodies), places)


def _link(compiled: CompiledModel, place: CompiledJoint, parent: int, base: int) -> Link:
    nodes = compiled.mechanism.nodes
    own: list[int] = []
    # From the last node inwards: a node knows its parent, and no other.
    index = place.node
    while index != base:
        own.insert(0, index)
        index = nodes[index].parent
    mobilizers = tuple(m for m in compiled.mechanism.mobilizers if m.nodes[-1] in own)
    origin = place.child_frame.placement.translation
    inertia = nodes[place.node].inertia or _NO_MASS
    if any(origin):
        inertia = shifted(inertia, scale(-1.0, origin))
    slides = bool(mobilizers) and (any(origin) or _moves_along(nodes, own))
    return Link(parent, tuple(own), base, origin, inertia, mobilizers, slides)


def _moves_along(nodes: tuple[Node, ...], own: list[int]) -> bool:
    """Whether a joint has translation axes, or a later part away from the one before, which turning moves."""
    return any(nodes[index].axes for index in own) or any(any(nodes[index].offset) for index in own[1:])
