"""Torques and reactions from the base's side: which terms make them up when the support is known, not the far contacts.

The reaction is Biscarini's (2021) equation (10): with the base as link 0,

    phi_k = F_k - sum_(i<k) (m_i g + R_i) + sum_(i<k) m_i a_Ci.

Of the torque there are two forms. His (24), here *mixed*, takes the forces between links from the base's side but each
link's own moments from the far side, so that it needs every contact. The *proximal* one needs those before the
joint alone (docs/errata.md, B15):

    tau_k = sum_(i<k) [(C_i - J_k) x m_i g + (P_i - J_k) x R_i + N_i]
          - sum_(0<i<k) [I_i thetadd_i + (C_i - J_k) x m_i a_Ci].

The ground's force on the base is R_0 with its couple N_0; places on the base are measured from joint 1 and the
world's x axis, as though theta_0 were zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from borelli.planar.symbolic.build import (
    Axis,
    Trig,
    head,
    motion_shares,
    own_inertia,
    pair_with_mass_centre,
)
from borelli.planar.symbolic.terms import Angle, Share, Space, Symbol, Term, merged, negated


def proximal_reaction_shares(n_links: int, joint: int, axis: Axis, space: Space) -> tuple[Share, ...]:
    """Shares of one component of the force on link k-1 by link k, Biscarini's (10)."""
    before = range(joint)
    one = (Term(1, ()),)
    muscles = Share("muscles", joint, head((f"F{axis}", joint)), one)
    weights = [Share("weight", i, head(("m", i), ("g", 0)), one) for i in before if axis == "y"]
    along: Trig = "cos" if axis == "x" else "sin"
    loads = [Share("load", i, head(("R", i)), (Term(-1, (), along, Angle(i, 0, "gR")),)) for i in before]

    def acceleration(link: int) -> tuple[Term, ...]:
        # k x P = (-P_y, P_x)
        if axis == "x":
            return tuple(negated(_first_moment_before(joint, link, "sin")))
        return tuple(_first_moment_before(joint, link, "cos"))

    def velocity(link: int) -> tuple[Term, ...]:
        return tuple(negated(_first_moment_before(joint, link, along)))

    return (muscles, *weights, *loads, *motion_shares(n_links, space, acceleration, velocity))


def proximal_torque_shares(n_links: int, joint: int, space: Space) -> tuple[Share, ...]:
    """Shares of the torque of one joint from the support and the loads before it."""
    before = range(joint)
    weights = [Share("weight", i, head(("m", i), ("g", 0)), _weight_before(joint, i)) for i in before]
    loads = [Share("load", i, head(("R", i)), _load_before(joint, i)) for i in before]

    def acceleration(link: int) -> tuple[Term, ...]:
        if link >= joint:
            return ()
        return merged(negated([*own_inertia(link, space), *_interaction_before(joint, link, "cos")]))

    def velocity(link: int) -> tuple[Term, ...]:
        return merged(_interaction_before(joint, link, "sin")) if link < joint else ()

    return (*weights, *loads, *motion_shares(n_links, space, acceleration, velocity))


def mixed_torque_shares(n_links: int, joint: int, space: Space) -> tuple[Share, ...]:
    """Shares of the torque of one joint by Biscarini's (24), its errors of print corrected."""
    links = range(joint, n_links + 1)
    steps = range(joint, n_links)  # links whose far end carries a force

    def weight(i: int) -> tuple[Term, ...]:
        own = [Term(1, (Symbol("lC", i),), "cos", Angle(i, 0, "eps"))] if i in links else []
        return (*own, *(Term(-1, (Symbol("l", k),), "cos", Angle(k)) for k in steps if i <= k))

    def load(i: int) -> tuple[Term, ...]:
        own = [Term(-1, (Symbol("lR", i),), "sin", Angle(i, 0, "arm"))] if i in links else []
        return (*own, *(Term(1, (Symbol("l", k),), "sin", Angle(i, k, "gR")) for k in steps if i <= k))

    every = range(n_links + 1)
    weights = [Share("weight", i, head(("m", i), ("g", 0)), terms) for i in every if (terms := weight(i))]
    loads = [Share("load", i, head(("R", i)), terms) for i in every if (terms := load(i))]

    def acceleration(link: int) -> tuple[Term, ...]:
        own = list(own_inertia(link, space)) if link in links else []
        return merged([*own, *_mixed_interaction(n_links, joint, link, "cos")])

    def velocity(link: int) -> tuple[Term, ...]:
        return merged(_mixed_interaction(n_links, joint, link, "sin"))

    return (*weights, *loads, *motion_shares(n_links, space, acceleration, velocity))


def _first_moment_before(joint: int, link: int, function: Trig) -> Iterator[Term]:
    """Yield one component of the mass before the joint times its step along one link."""
    if link < joint:
        yield Term(1, (Symbol("m", link), Symbol("lC", link)), function, Angle(link, 0, "eps"))
        for i in range(link + 1, joint):
            yield Term(1, (Symbol("m", i), Symbol("l", link)), function, Angle(link))


def _weight_before(joint: int, link: int) -> tuple[Term, ...]:
    """- (C_i - J_k)_x: what multiplies m_i g."""
    own = Term(-1, (Symbol("lC", link),), "cos", Angle(link, 0, "eps"))
    return (own, *(Term(1, (Symbol("l", p),), "cos", Angle(p)) for p in range(max(link, 1), joint)))


def _load_before(joint: int, link: int) -> tuple[Term, ...]:
    own = Term(1, (Symbol("lR", link),), "sin", Angle(link, 0, "arm"))
    back = (Term(-1, (Symbol("l", p),), "sin", Angle(link, p, "gR")) for p in range(max(link, 1), joint))
    return (own, *back)


def _interaction_before(joint: int, link: int, function: Trig) -> Iterator[Term]:
    """Yield sum_i m_i (C_i - J_k) . b_ij (cosine) or x b_ij (sine) for i from this link to the one before the joint.

    The dot product of the link's own mass centre with itself, m lC², is left to the moment of inertia.
    """
    m, arm = Symbol("m", link), Symbol("lC", link)
    for p in range(link, joint):  # - l_p u_p against lC_j uC_j
        angle = Angle(link, p, "eps")
        yield Term(-1, (m, Symbol("l", p), arm), function, angle)
    for i in range(link + 1, joint):
        far = Term(1, (Symbol("m", i), Symbol("l", link), Symbol("lC", i)), function, Angle(i, link, "eps"))
        yield far if function == "cos" else far._replace(factor=-1)
        for p in range(i, joint):
            back = Term(-1, (Symbol("m", i), Symbol("l", link), Symbol("l", p)), function, Angle(p, link))
            yield back if function == "cos" else back._replace(factor=1)


def _mixed_interaction(n_links: int, joint: int, link: int, function: Trig) -> Iterator[Term]:
    """Yield moments of m_k a_Ck about J_k, less those of the inertia before each far end."""
    for k in range(max(joint, link + 1), n_links + 1):
        yield pair_with_mass_centre(k, link, function)
    for k in range(max(joint, link), n_links):  # - l_k u_k x m_i a_Ci, i <= k
        own = Term(
            -1, (Symbol("m", link), Symbol("l", k), Symbol("lC", link)), function, Angle(link, k, "eps")
        )
        yield own if function == "cos" else own._replace(factor=1)
        for i in range(link + 1, k + 1):
            yield Term(-1, (Symbol("m", i), Symbol("l", k), Symbol("l", link)), function, Angle(k, link))
