"""How many terms the equations have: Biscarini (2021), Appendix A, and beyond."""

from __future__ import annotations

import pytest
import sympy as sp

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.planar import equations, term_count_formula

# Golden case "term_counts": tau_1..tau_n for n = 1..7, by enumeration and by polynomial fits.
GOLDEN = {
    "segment": [
        [1],
        [7, 3],
        [22, 13, 5],
        [50, 34, 19, 7],
        [95, 70, 46, 25, 9],
        [161, 125, 90, 58, 31, 11],
        [252, 203, 155, 110, 70, 37, 13],
    ],
    "joint": [
        [2],
        [11, 6],
        [38, 24, 13],
        [102, 68, 46, 24],
        [232, 161, 116, 80, 40],
        [469, 337, 250, 188, 129, 62],
        [868, 643, 487, 379, 290, 196, 91],
    ],
}
CASES = [(space, n) for space in GOLDEN for n in range(1, 8)]


@pytest.mark.parametrize(("space", "n_links"), CASES)
def test_term_counts_are_the_golden_ones(space, n_links):
    found = equations(n_links, space)
    assert [found.term_count(k) for k in range(1, n_links + 1)] == GOLDEN[space][n_links - 1]


@pytest.mark.parametrize("space", ["segment", "joint"])
def test_formula_is_the_enumeration_up_to_twelve_links(space):
    for n_links in range(1, 13):
        found = equations(n_links, space)
        for k in range(1, n_links + 1):
            assert term_count_formula(n_links, k, space) == found.term_count(k)


def test_three_links_in_joint_space_have_38_terms_and_not_the_35_that_biscarini_prints():
    assert equations(3, "joint").term_count(1) == 38


def expanded_count(n_links, joint, space):
    """Count by SymPy's expansion: monomials in accelerations and velocity products, signs and numbers apart."""
    rate = "theta" if space == "segment" else "alpha"
    moving = {sp.Symbol(f"{rate}{d}_{i}") for d in ("d", "dd") for i in range(1, n_links + 1)}
    terms = sp.Add.make_args(sp.expand(equations(n_links, space).torque(joint)))
    return len({term.as_coeff_Mul()[1] for term in terms if term.free_symbols & moving})


@pytest.mark.parametrize(("space", "n_links"), [(space, n) for space in GOLDEN for n in (1, 2, 3, 4)])
def test_count_is_that_of_the_expanded_expression(space, n_links):
    for k in range(1, n_links + 1):
        assert equations(n_links, space).term_count(k) == expanded_count(n_links, k, space)


def test_formula_refuses_what_is_no_chain_joint_or_space():
    with pytest.raises(InvalidValueError, match="A chain cannot have 0 links"):
        term_count_formula(0, 1)
    with pytest.raises(InvalidValueError, match="A chain of 1 link has no joint 2"):
        term_count_formula(1, 2)
    with pytest.raises(UnknownNameError, match="'world' is not a space"):
        term_count_formula(2, 1, "world")
