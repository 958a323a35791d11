"""Expressions mean what they mean in OpenSim, and what is no expression is refused at its column."""

from __future__ import annotations

import contextlib
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.model.forces.formula_force import ExpressionBushingForce, ExpressionCoordinateForce
from borelli.model.functions.expression import parse_expression
from borelli.model.functions.expression_functions import FUNCTIONS

Q, P = np.array([0.7, 0.2, -0.4]), np.array([0.3, 0.1, 2.0])


def value(text: str) -> np.ndarray:
    return parse_expression(text, ("q", "p")).evaluate({"q": Q, "p": P})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3.0 + 0 * Q),
        (" 1.5e-2 * q + .5", 0.015 * Q + 0.5),
        ("q-p-1", Q - P - 1),
        ("q/p/2", Q / P / 2),
        ("2^3^2", 512.0 + 0 * Q),
        ("-q^2", -(Q**2)),
        ("2^-q^2", 2 ** -(Q**2)),
        ("--q*-p", -Q * P),
        ("(q+p)*(q-p)", Q**2 - P**2),
        ("q*a; a=b+1; b=p", Q * (P + 1)),
        ("q*a;a=q;q=3", 9.0 + 0 * Q),
        ("a; a=2; a=3;", 2.0 + 0 * Q),
        ("min(q, p) + max(q, p)", Q + P),
        ("step(q) + 10*delta(q-0.2)", np.array([1.0, 11.0, 0.0])),
        ("select(step(q), p, -p)", np.array([0.3, 0.1, -2.0])),
        ("floor(p) + ceil(p)", np.floor(P) + np.ceil(P)),
        ("square(q)*cube(q)*recip(q)", Q**4),
        ("erf(q) + erfc(q)", 1.0 + 0 * Q),
        ("sec(q)*cos(q) + csc(q)*sin(q) + cot(q)*tan(q)", 3.0 + 0 * Q),
    ],
)
def test_an_expression_has_the_value_of_its_formula(text: str, expected: np.ndarray) -> None:
    # A handful of roundings.
    np.testing.assert_allclose(value(text), expected, rtol=1e-14)


# Functions that Lepton knows in OpenSim 4.6, whose arguments must be in range.
_IN_OPENSIM = [name for name in FUNCTIONS if name not in ("floor", "ceil", "select")]
_TEXTS = [
    *(f"{name}({'q, p' if FUNCTIONS[name][1] == 2 else '0.3*q'})" for name in _IN_OPENSIM),
    "-q^2 + 2^-p^2 - q-p-1",
    "q*a + b; a=b^2/3/p; b=p*q-1e-1",
    "a; a=2; a=3",
    "step(q-0.7) + delta(q-q)",
]


def test_opensim_finds_the_same_values() -> None:
    opensim = pytest.importorskip("opensim")
    names = opensim.StdVectorString()
    for name in ("q", "p"):
        names.append(name)
    for text in _TEXTS:
        function = opensim.ExpressionBasedFunction()
        function.setExpression(text)
        function.setVariables(names)
        for q, p in ((0.7, 0.3), (1.3, 0.2)):
            point = opensim.Vector(2, q)
            point.set(1, p)
            own = parse_expression(text, ("q", "p")).evaluate({"q": q, "p": p})
            assert own == pytest.approx(function.calcValue(point), rel=1e-12), text


_LEAVES = st.sampled_from(["q", "p", "0.5", "2", "1e1"])
_FORMULAS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda x: f"({x[0]}){x[1]}({x[2]})"),
        st.tuples(inner, st.sampled_from("+-*"), inner).map(" ".join),
        inner.map(lambda x: f"-{x}"),
        inner.map(lambda x: f"(-{x})^2"),
        inner.map(lambda x: f"sin({x})"),
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(_FORMULAS)
def test_any_formula_has_the_value_that_python_gives_it(text: str) -> None:
    """Python binds + - * and ** alike, but for the sign before a power, which is in parentheses here."""
    expected = eval(text.replace("^", "**"), {"q": 0.7, "p": 0.3, "sin": math.sin})
    found = parse_expression(text, ("q", "p")).evaluate({"q": 0.7, "p": 0.3})
    assert float(found) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="qp01.+-*/^(),;= esin\n$", max_size=30))
def test_any_text_is_a_number_or_an_error_of_ours(text: str) -> None:
    with contextlib.suppress(InvalidValueError, UnknownNameError):
        assert np.isfinite(value(text)).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: a value is expected, but the expression ends."),
        ("+q", "column 1: a value is expected, but '+' was found."),
        ("q**2", "column 3: a value is expected, but '*' was found."),
        ("2q", "column 2: 'q' does not belong here."),
        ("q)", "column 2: ')' does not belong here."),
        ("q*(p", "column 3: this parenthesis is never closed."),
        ("sin(p", "column 4: this parenthesis is never closed."),
        ("q $ 2", "column 3: the character '$' is not allowed here."),
        ("min(q)", "column 1: min takes 2 values, but 1 are given."),
        ("q; 3", "column 4: a definition begins with a name and '='."),
        ("q; a", "column 4: a definition begins with a name and '='."),
        ("q; a=", "column 6: a value is expected, but the expression ends."),
        ("(" * 200, "column 101: it is nested more than 100 deep."),
        ("-" * 200 + "q", "column 101: it is nested more than 100 deep."),
    ],
)
def test_what_is_no_expression_is_refused_at_its_column(text: str, message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)) as error:
        value(text)
    assert error.value.remedy is not None
    assert "numbers, variables" in error.value.remedy


def test_unknown_names_are_refused_with_the_nearest_ones() -> None:
    with pytest.raises(
        UnknownNameError, match=r"'qq' is not a variable of the expression '2\*qq' \(column 3\)"
    ):
        value("2*qq")
    with pytest.raises(UnknownNameError, match=r"'SIN' is not a function of expressions .*column 1") as error:
        value("SIN(q)")
    assert error.value.closest[0] == "sin"
    # A definition is known to those before it, not to those after it.
    with pytest.raises(UnknownNameError, match=r"'b' is not a variable .* \(column 13\)"):
        value("q*a; b=p; a=b+1")


def test_a_value_that_is_not_finite_is_refused_with_its_input() -> None:
    with pytest.raises(InvalidValueError, match=r"'log\(q\)' gives nan for q = -0\.4, p = 2\."):
        value("log(q)")


def test_definitions_that_double_themselves_cost_no_memory() -> None:
    """A definition is evaluated once: thirty doublings are thirty steps, not a thousand million."""
    doublings = "; ".join(f"a{k} = a{k + 1} + a{k + 1}" for k in range(30))
    assert parse_expression(f"a0; {doublings}; a30 = q", ("q",)).evaluate({"q": 1.0}) == 2.0**30


def test_a_constant_is_an_array_of_its_own() -> None:
    found = value("5")
    found += 1.0
    np.testing.assert_array_equal(found, [6.0, 6.0, 6.0])
    assert parse_expression("2*q", ("q",)).evaluate({"q": np.zeros(0)}).shape == (0,)


def test_long_expressions_are_cut_in_messages() -> None:
    with pytest.raises(InvalidValueError) as error:
        value("q+" * 10_000)
    assert len(str(error.value)) < 500


def test_forces_refuse_what_is_no_expression_by_their_name() -> None:
    with pytest.raises(
        InvalidValueError, match="expression coordinate force 'f': the expression 'q-', column 3"
    ):
        ExpressionCoordinateForce(name="f", coordinate="knee", expression="q-")
    with pytest.raises(UnknownNameError, match="expression bushing 'b': 'theta' is not a variable") as error:
        ExpressionBushingForce(name="b", first="a", second="c", moments=("theta", "0", "0"))
    assert "theta_x" in error.value.closest
