"""Mass distribution of a body about the node that carries it."""

from __future__ import annotations

from borelli.compiled.placements import flat
from borelli.kernels.tree.algebra import (
    Symmetric,
    add,
    add_symmetric,
    product,
    scale,
    symmetric_product,
    transpose,
)
from borelli.kernels.tree.node import Inertia
from borelli.model.body import Body
from borelli.model.placement import Placement
from borelli.model.values import all_concrete


def body_inertia(body: Body, placement: Placement) -> Inertia | None:
    """Return mass, first moment and second-moment matrix of a body about a node's origin, in its axes.

    Parameters
    ----------
    body : Body
        Inertia about its mass centre, in body axes.
    placement : Placement
        Where the body frame sits in the node.

    Returns
    -------
    Inertia or None
        None for a body that has neither mass nor inertia.
    """
    values = (body.mass, *body.inertia)
    if all_concrete(values) and not any(values):
        return None
    centre = placement.of_point(body.com)
    first = scale(body.mass, centre)
    about_centre = _rotated(_second_moment(body.inertia), placement)
    # m c c^T, as half of h c^T + c h^T.
    carried = symmetric_product(scale(0.5, first), centre)
    return Inertia(body.mass, first, add_symmetric(about_centre, carried))


def _second_moment(inertia: Symmetric) -> Symmetric:
    """Return J = 1/2 trace(I) E - I, the sum of m r r^T behind an inertia tensor."""
    xx, yy, zz, xy, xz, yz = inertia
    half = 0.5 * (xx + yy + zz)
    return (half - xx, half - yy, half - zz, -xy, -xz, -yz)


def _rotated(s: Symmetric, placement: Placement) -> Symmetric:
    rotation = flat(placement.rotation)
    full = (s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2])
    r = product(product(rotation, full), transpose(rotation))
    return (r[0], r[4], r[8], r[1], r[2], r[5])


def joined(a: Inertia | None, b: Inertia | None) -> Inertia | None:
    """Mass distributions about the same node, together."""
    if a is None or b is None:
        return a if b is None else b
    first = add(a.first_moment, b.first_moment)
    return Inertia(a.mass + b.mass, first, add_symmetric(a.second_moment, b.second_moment))
