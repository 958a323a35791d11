"""The order in which the passes visit the nodes of a mechanism."""

from __future__ import annotations

from dataclasses import replace

from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.node import GROUND


def by_depth(mechanism: Mechanism) -> tuple[Mechanism, list[int]]:
    """Order the joints by their distance from the ground; return also the new position of each node.

    Neighbours in this order do not wait for each other: the processor works on several limbs at once. The
    nodes of a joint stay together.
    """
    chains = {m.nodes[0]: m.nodes for m in mechanism.mobilizers}
    inner = {node for nodes in chains.values() for node in nodes[1:]}
    starts = [node for node in range(len(mechanism.nodes)) if node not in inner]
    depths = {node: sum(k not in inner for k in mechanism.path(node)) for node in starts}
    order = [k for node in sorted(starts, key=depths.__getitem__) for k in chains.get(node, (node,))]
    position = [0] * len(order)
    for new, old in enumerate(order):
        position[old] = new
    nodes = [mechanism.nodes[old] for old in order]
    ordered = replace(
        mechanism,
        nodes=tuple(n if n.parent == GROUND else replace(n, parent=position[n.parent]) for n in nodes),
        mobilizers=tuple(replace(m, nodes=tuple(position[k] for k in m.nodes)) for m in mechanism.mobilizers),
    )
    return ordered, position
