"""The closed-form sums themselves: which terms make up each torque and each reaction.

Absolute angles first. With ``M_j = m_j + … + m_n``, the links i < j interact through one pair of
functions only,

    c_ij = l_i [ m_j lC_j cos(theta_j + eps_j - theta_i) + M_(j+1) l_j cos(theta_j - theta_i) ]
    s_ij = the same with sines,

and Biscarini's (2021) equation (23), its errors of print corrected, reads

    tau_k = sum_(j>=k) weight of link j + load on link j + (I_J,j + M_(j+1) l_j^2) thetadd_j
          + sum_(i<j, j>=k) [ thetadd_i c_ij + thetad_i^2 s_ij ]
          + sum_(k<=i<j)    [ thetadd_j c_ij - thetad_j^2 s_ij ].

Joint angles follow from ``theta_p = alpha_1 + … + alpha_p``: the factor of ``alphadd_j`` is the sum of the
factors of ``thetadd_p`` over p >= j, and the factor of ``alphad_i alphad_j`` (i < j) is twice the sum of
those of ``thetad_p^2`` over p >= j. It depends on the larger index alone, which is why Cesari et al.
(2001) could write ``2 alphad_1 alphad_2 + alphad_2^2`` in brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from borelli.planar.symbolic.terms import Angle, Product, Share, Space, Symbol, Term, merged, negated

Axis = Literal["x", "y"]
Trig = Literal["cos", "sin"]
Coefficient = Callable[[int], tuple[Term, ...]]


def torque_shares(n_links: int, joint: int, space: Space) -> tuple[Share, ...]:
    """Shares of the torque of one joint, in the order weights, loads, accelerations, velocities.

    Parameters
    ----------
    n_links : int
        Number of links.
    joint : int
        1 for the joint at the base.
    space : {"segment", "joint"}
        Angles to write it in.
    """
    distal = range(joint, n_links + 1)
    weights = [Share("weight", i, head(("m", i), ("g", 0)), _arm_of_weight(joint, i)) for i in distal]
    loads = [Share("load", i, head(("R", i)), _arm_of_load(joint, i)) for i in distal]

    def acceleration(link: int) -> tuple[Term, ...]:
        own = _augmented_inertia(n_links, link, space) if link >= joint else ()
        return merged([*own, *_interaction(n_links, joint, link, "cos")])

    def velocity(link: int) -> tuple[Term, ...]:
        return merged(_interaction(n_links, joint, link, "sin"))

    return (*weights, *loads, *motion_shares(n_links, space, acceleration, velocity))


def reaction_shares(n_links: int, joint: int, axis: Axis, space: Space) -> tuple[Share, ...]:
    """Shares of one component of the force that the distal link exerts on the proximal one.

    Biscarini's (2021) equation (9) for ``phi_(k-1,k)``. The muscles that span the joint enter through
    their resultant ``Fx_k, Fy_k`` on the distal side, his equation (12).
    """
    distal = range(joint, n_links + 1)
    one = (Term(1, ()),)
    muscles = Share("muscles", joint, head((f"F{axis}", joint)), one)
    down = (Term(-1, ()),)
    weights = [Share("weight", i, head(("m", i), ("g", 0)), down) for i in distal if axis == "y"]
    along: Trig = "cos" if axis == "x" else "sin"
    loads = [Share("load", i, head(("R", i)), (Term(1, (), along, Angle(i, 0, "gR")),)) for i in distal]

    def acceleration(link: int) -> tuple[Term, ...]:
        # - k x P = (P_y, -P_x)
        if axis == "x":
            return tuple(_first_moment(n_links, joint, link, "sin"))
        return tuple(negated(_first_moment(n_links, joint, link, "cos")))

    def velocity(link: int) -> tuple[Term, ...]:
        return tuple(_first_moment(n_links, joint, link, along))

    return (muscles, *weights, *loads, *motion_shares(n_links, space, acceleration, velocity))


def head(*symbols: tuple[str, int]) -> tuple[Product, ...]:
    """Return the head of a share: a product of symbols."""
    return (Product(1, tuple(Symbol(*symbol) for symbol in symbols)),)


def _mass_beyond(n_links: int, first: int) -> Symbol | None:
    """Mass of all links from the first one on, ``M_first``; the last one is its own mass."""
    if first > n_links:
        return None
    return Symbol("m" if first == n_links else "M", first)


def _arm_of_weight(joint: int, link: int) -> tuple[Term, ...]:
    steps = [Term(1, (Symbol("l", p),), "cos", Angle(p)) for p in range(joint, link)]
    return (*steps, Term(1, (Symbol("lC", link),), "cos", Angle(link, 0, "eps")))


def _arm_of_load(joint: int, link: int) -> tuple[Term, ...]:
    steps = [Term(-1, (Symbol("l", p),), "sin", Angle(link, p, "gR")) for p in range(joint, link)]
    return (*steps, Term(-1, (Symbol("lR", link),), "sin", Angle(link, 0, "arm")))


def own_inertia(link: int, space: Space) -> Iterator[Term]:
    """Yield the moment of inertia of a link about its proximal joint."""
    if space == "segment":
        yield Term(1, (Symbol("IJ", link),))
    else:
        yield Term(1, (Symbol("I", link),))
        yield Term(1, (Symbol("m", link), Symbol("lC", link), Symbol("lC", link)))


def _augmented_inertia(n_links: int, link: int, space: Space) -> Iterator[Term]:
    """Yield the same with everything beyond the link lumped at its far end."""
    yield from own_inertia(link, space)
    beyond = _mass_beyond(n_links, link + 1)
    if beyond:
        yield Term(1, (beyond, Symbol("l", link), Symbol("l", link)))


def pair_with_mass_centre(j: int, i: int, function: Trig) -> Term:
    """Return the part of c_ij or s_ij that belongs to the mass centre of link j."""
    return Term(1, (Symbol("m", j), Symbol("l", i), Symbol("lC", j)), function, Angle(j, i, "eps"))


def _pair(n_links: int, i: int, j: int, function: Trig) -> Iterator[Term]:
    """Yield the terms of c_ij (cosine) or s_ij (sine), i < j."""
    yield pair_with_mass_centre(j, i, function)
    beyond = _mass_beyond(n_links, j + 1)
    if beyond:
        yield Term(1, (beyond, Symbol("l", i), Symbol("l", j)), function, Angle(j, i))


def _interaction(n_links: int, joint: int, link: int, function: Trig) -> Iterator[Term]:
    for i in range(joint, link):
        pair = _pair(n_links, i, link, function)
        yield from pair if function == "cos" else negated(pair)
    for j in range(max(joint, link + 1), n_links + 1):
        yield from _pair(n_links, link, j, function)


def _first_moment(n_links: int, joint: int, link: int, function: Trig) -> Iterator[Term]:
    """Yield one component of P_kj, the distal mass times its step along one link."""
    if link >= joint:
        yield Term(1, (Symbol("m", link), Symbol("lC", link)), function, Angle(link, 0, "eps"))
    beyond = _mass_beyond(n_links, max(joint, link + 1))
    if beyond:
        yield Term(1, (beyond, Symbol("l", link)), function, Angle(link))


def motion_shares(
    n_links: int, space: Space, acceleration: Coefficient, velocity: Coefficient
) -> list[Share]:
    """Attach the factors of all accelerations and velocities to their variables."""
    links = range(1, n_links + 1)
    if space == "segment":
        accelerations = [Share("acceleration", j, head(("thetadd", j)), acceleration(j)) for j in links]
        velocities = [Share("velocity", j, head(("thetad", j), ("thetad", j)), velocity(j)) for j in links]
    else:
        accelerations = [
            Share("acceleration", j, head(("alphadd", j)), terms)
            for j, terms in _summed_from_the_tip(n_links, acceleration)
        ]
        velocities = [
            Share("velocity", j, _products_up_to(j), terms)
            for j, terms in _summed_from_the_tip(n_links, velocity)
        ]
    return [share for share in accelerations + velocities if share.terms]


def _summed_from_the_tip(n_links: int, coefficient: Coefficient) -> list[tuple[int, tuple[Term, ...]]]:
    sums: list[tuple[int, tuple[Term, ...]]] = []
    total: tuple[Term, ...] = ()
    for link in range(n_links, 0, -1):
        total = merged([*coefficient(link), *total])
        constants_first = sorted(total, key=lambda term: term.angle is not None)
        sums.append((link, tuple(constants_first)))
    return sums[::-1]


def _products_up_to(joint: int) -> tuple[Product, ...]:
    """Return all velocity products whose larger index is this joint's."""
    last = Symbol("alphad", joint)
    mixed = [Product(2, (Symbol("alphad", i), last)) for i in range(1, joint)]
    return (*mixed, Product(1, (last, last)))
