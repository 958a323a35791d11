"""Variants of nodes that have code of their own, and nodes as the emitted code sees them.

A pass over the tree switches on the variant of each node. All constants that a variant lacks are exact zeros
while tracing, so the arithmetic for them is never emitted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from borelli.kernels.lanes.tables.screws import Screw, ScrewNode
from borelli.kernels.lanes.tables.table_records import RecordType
from borelli.kernels.tree.algebra import ZERO, Symmetric, Vector
from borelli.kernels.tree.node import BALL, GROUND, HINGE, NONE, Inertia, Node
from borelli.kernels.tree.rotation import ConstantRotation, MatrixRotation
from borelli.records import dataclass

if TYPE_CHECKING:
    from borelli.kernels.lanes.code.record_views import FloatRecord

QUARTER, TILT, SCREW, FULL = "quarter", "tilt", "screw", "full"

NODE_CONSTANTS = RecordType(
    screw=4,
    phase=1,
    offset=3,
    mass=1,
    first_moment=3,
    second_moment=6,
    centre=3,
    central_moment=6,
    axes=9,
    matrix=9,
    untwist=2,
)
"""``second_moment``: about the node's origin; ``central_moment``: the same about the mass centre."""


@dataclass(frozen=True)
class Variant:
    """What a node has: decides which code handles it.

    Attributes
    ----------
    kind : int
        NONE, HINGE or BALL.
    n_axes : int
        Translation axes.
    form : str
        Of the constant rotation: Rx(90°), Rx(alpha), Rz(gamma) Rx(alpha) or a full matrix.
    has_offset, has_inertia : bool
    """

    kind: int
    n_axes: int
    form: str
    has_offset: bool
    has_inertia: bool

    def node(self, constants: FloatRecord) -> Node:
        """Return the node with its constants as lanes."""
        offset = constants.numbers("offset", 3) if self.has_offset else ZERO
        axes = constants.numbers("axes", 3 * self.n_axes)
        return Node(
            GROUND,  # passes look the parent up themselves
            self.kind,
            (offset[0], offset[1], offset[2]),
            self._rotation(constants),
            tuple((axes[k], axes[k + 1], axes[k + 2]) for k in range(0, len(axes), 3)),
            node_inertia(constants) if self.has_inertia else None,
        )

    def _rotation(self, constants: FloatRecord) -> ConstantRotation:
        if self.form == QUARTER:
            return Screw(1.0, 0.0, 0.0, 1.0)
        if self.form == TILT:
            return Screw(1.0, 0.0, constants("screw", 2), constants("screw", 3))
        if self.form == SCREW:
            return Screw(*constants.numbers("screw", 4))
        m = constants.numbers("matrix", 9)
        return MatrixRotation((m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]))


def node_inertia(constants: FloatRecord) -> Inertia:
    """Return the mass distribution of a node as lanes."""
    h, j = constants.numbers("first_moment", 3), constants.numbers("second_moment", 6)
    return Inertia(constants("mass"), (h[0], h[1], h[2]), (j[0], j[1], j[2], j[3], j[4], j[5]))


def node_mass_centre(constants: FloatRecord) -> tuple[Vector, Symmetric]:
    """Return the mass centre of a node, and the second moments about it, as lanes."""
    c, j = constants.numbers("centre", 3), constants.numbers("central_moment", 6)
    return (c[0], c[1], c[2]), (j[0], j[1], j[2], j[3], j[4], j[5])


# Hinges are most of any body and get all combinations; rarer nodes carry zeros where they lack something.
NODE_VARIANTS: tuple[Variant, ...] = (
    *(
        Variant(HINGE, 0, form, offset, inertia)
        for form, offset, inertia in product((QUARTER, TILT, SCREW), (False, True), (False, True))
    ),
    *(Variant(HINGE, n_axes, SCREW, True, True) for n_axes in (1, 2, 3)),
    *(Variant(NONE, n_axes, FULL, True, True) for n_axes in (0, 1, 2, 3)),
    *(Variant(BALL, n_axes, FULL, True, True) for n_axes in (0, 3)),
)


Chain: TypeAlias = tuple[Variant, ...]


_FIRST = Variant(HINGE, 0, SCREW, True, False)
_INNER = Variant(HINGE, 0, QUARTER, False, False)
_LAST = Variant(HINGE, 0, QUARTER, False, True)

CHAINS: tuple[Chain, ...] = (
    *((variant,) for variant in NODE_VARIANTS),
    (_FIRST, _LAST),
    (_FIRST, _INNER, _LAST),
)
"""What a pass visits at a time: a node, or the hinges of a joint with two or three axes at right angles.

Within a chain nothing goes through memory. Joints of other shapes are visited node by node.
"""


class UnsupportedMechanism(Exception):
    """Raised while building tables for a mechanism that this back end leaves to NumPy.

    Parameters
    ----------
    reason : str
        What there is no code for.
    coordinates : tuple of int
        Positions in q of the joint that has it, where known.
    """

    def __init__(self, reason: str, coordinates: tuple[int, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.coordinates = coordinates


def _handles(variant: Variant, screw: ScrewNode) -> bool:
    node = screw.node
    if variant.kind != node.kind or variant.n_axes != len(node.axes):
        return False
    if any(node.offset) and not variant.has_offset:
        return False
    if node.inertia is not None and not variant.has_inertia:
        return False
    if variant.form == QUARTER:
        # Axes at right angles, but for a few round-offs (2e-16 each) of the sines that made them.
        return screw.gamma == 0.0 and abs(screw.alpha - math.pi / 2) <= 1e-15
    return variant.form != TILT or screw.gamma == 0.0


def chain_code(screws: Sequence[ScrewNode]) -> int | None:
    """Return the position in CHAINS of the cheapest chain that can handle these nodes, or None."""
    for code, chain in enumerate(CHAINS):
        if len(chain) == len(screws) and all(map(_handles, chain, screws)):
            return code
    return None


def grouped(key: Callable[[Variant], Variant]) -> Iterator[tuple[Chain, tuple[int, ...]]]:
    """Group the chains that a pass need not tell apart; ``key`` drops what does not matter to it."""
    groups: dict[Chain, list[int]] = {}
    for code, chain in enumerate(CHAINS):
        groups.setdefault(tuple(map(key, chain)), []).append(code)
    for chain, codes in groups.items():
        yield chain, tuple(codes)
