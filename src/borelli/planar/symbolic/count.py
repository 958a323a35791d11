"""How many terms the equations have, by the rule of Biscarini (2021), Appendix A.

An inertial term is one monomial: inertial parameters, at most one sine or cosine of one combined angle,
and one angular acceleration or one product of two angular velocities. Every mass counts separately;
numeric factors do not. In segment space the moments of inertia are those about the proximal joints
(Biscarini), in joint space the central ones, with ``m lC^2`` apart (Cesari et al. 2001).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from borelli.planar.symbolic.build import torque_shares
from borelli.planar.symbolic.checks import checked_joint, checked_links, checked_space
from borelli.planar.symbolic.terms import Space, Symbol, Term


def enumerated_term_count(n_links: int, joint: int, space: Space) -> int:
    """Count the distinct inertial monomials of one torque by listing them."""
    monomials = {
        (product.symbols, parameters, term.function, term.angle)
        for share in torque_shares(n_links, joint, space)
        if share.source in ("acceleration", "velocity")
        for product in share.head
        for term in share.terms
        for parameters in _single_masses(term, n_links)
    }
    return len(monomials)


def _single_masses(term: Term, n_links: int) -> Iterator[tuple[Symbol, ...]]:
    """Take the sum ``M_j = m_j + … + m_n`` apart."""
    first, *rest = term.parameters
    if first.letter != "M":
        yield term.parameters
        return
    for link in range(first.number, n_links + 1):
        yield (Symbol("m", link), *rest)


def term_count_formula(n_links: int, joint: int, space: str = "segment") -> int:
    """Compute the number of inertial terms of a torque without listing them.

    With n links and joint k, in segment space

        (n-k+1) (n-k+2) (4n+2k-3) / 6,

    and in joint space the polynomials of degree 4 and 5 below, for accelerations and velocities. They
    are exact fits to the enumeration, which the tests repeat.

    Parameters
    ----------
    n_links, joint : int
        1 <= joint <= n_links; joint 1 is at the base.
    space : {"segment", "joint"}
        Angles in which the torque is written.

    Examples
    --------
    >>> [planar.term_count_formula(3, joint) for joint in (1, 2, 3)]
    [22, 13, 5]
    """
    n = checked_links(n_links)
    k = checked_joint(joint, n)
    if checked_space(space) == "segment":
        return (n - k + 1) * (n - k + 2) * (4 * n + 2 * k - 3) // 6
    accelerations = Fraction(
        (n - k + 1)
        * (n**3 + 5 * n**2 + 12 * n - k * n**2 - 3 * k * n + 6 * k + 2 * k**2 * n + 4 * k**2 - 2 * k**3),
        12,
    )
    velocities = Fraction(
        (n - k + 1)
        * (n - k + 2)
        * (13 * k**3 - 4 * k**2 * n - 6 * k**2 - k * n**2 - 3 * k * n - 19 * k + 2 * n**3 + 9 * n**2 + 9 * n),
        120,
    )
    return int(accelerations + velocities)
