"""Formulas that users write in models, such as ``-k*(q - q0); k = 40; q0 = 0.2``, over NumPy arrays.

The syntax is that of Lepton, the parser inside OpenSim: ``+ - * / ^``, parentheses, the functions of
:mod:`borelli.model.functions.expression_functions`, and definitions after semicolons, each of which may use those that
follow it. A formula is read once into instructions for a stack machine; nothing of it is ever run as Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from borelli.errors import BorelliError, InvalidValueError, UnknownNameError
from borelli.model.functions.expression_functions import FUNCTIONS, OPERATORS
from borelli.records import dataclass

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/^(),;=]))"
)
# How strongly operators bind: a power before a sign, a sign before a product.
_BINDS = {"+": 0, "-": 0, "*": 1, "/": 1, "^": 3}
_SIGN_BINDS = 2
# Formulas of models nest a few parentheses; the parser calls itself for each, and Python's stack must hold.
_DEEPEST = 100
# Letters of a formula in a message.
_MOST_SHOWN = 120
_SYNTAX = "write numbers, variables, + - * / ^, parentheses and functions, and definitions as '; name = …'"


class Token(NamedTuple):
    """A piece of a formula: its kind (``number``, ``name``, ``sign`` or ``end``), text and first column."""

    kind: str
    text: str
    column: int


class Step(NamedTuple):
    """One instruction: push a number or a variable, or replace the last ``takes`` values by a function of them."""

    push: float | str
    apply: Callable[..., np.ndarray] | None = None
    takes: int = 0


@dataclass(frozen=True, slots=True)
class Expression:
    """A formula that has been read.

    Parameters
    ----------
    text : str
        As the user wrote it.
    statements : tuple of (name, steps)
        In the order in which they are evaluated: definitions, then the formula itself under the name ``""``.
    """

    text: str
    statements: tuple[tuple[str, tuple[Step, ...]], ...] = field(repr=False)

    def evaluate(self, values: Mapping[str, Any]) -> np.ndarray:
        """Return the value for arrays of one shape, by the names of the variables.

        Raises
        ------
        InvalidValueError
            If the value is not a finite number somewhere.
        """
        known = {name: np.asarray(value, dtype=float) for name, value in values.items()}
        shape = np.broadcast_shapes(*(value.shape for value in known.values()))
        with np.errstate(all="ignore"):
            for name, steps in self.statements:
                known[name] = _run(steps, known)
        result = np.array(np.broadcast_to(known[""], shape))
        if not np.isfinite(result).all():
            place = np.unravel_index(int(np.argmin(np.isfinite(result))), shape)
            inputs = ", ".join(f"{name} = {np.broadcast_to(known[name], shape)[place]:g}" for name in values)
            raise InvalidValueError(
                f"the expression {shown(self.text)} gives {result[place]} for {inputs}.",
                remedy="write an expression that is finite wherever the motion leads",
            )
        return result


def _run(steps: Iterable[Step], known: Mapping[str, np.ndarray]) -> np.ndarray:
    stack: list[np.ndarray] = []
    for step in steps:
        if step.apply is None:
            stack.append(known[step.push] if isinstance(step.push, str) else np.asarray(step.push))
        else:
            stack[-step.takes :] = [step.apply(*stack[-step.takes :])]
    return stack[0]


@lru_cache(maxsize=1024)
def parse_expression(text: str, variables: tuple[str, ...]) -> Expression:
    """Read a formula.

    Parameters
    ----------
    text : str
    variables : tuple of str
        The names that it may use besides its own definitions.

    Raises
    ------
    InvalidValueError
        If it is no formula; the message names the column.
    UnknownNameError
        If it uses a variable or function that does not exist.
    """
    return _Parser(text, variables).expression()


class _Parser:
    """Reads tokens from left to right; operators by how strongly they bind [Pratt 1973]."""

    def __init__(self, text: str, variables: Iterable[str]) -> None:
        self.text = text
        self.known = list(variables)
        self.tokens: list[Token] = []
        self.place = 0
        self.depth = 0

    def expression(self) -> Expression:
        first, *definitions = _statements(self.text)
        statements = []
        # A definition may use those after it, as in Lepton: the last one comes first.
        for tokens in reversed([tokens for tokens in definitions if tokens[0].kind != "end"]):
            statements.append(self._definition(tokens))
        statements.append(("", self._whole(first)))
        return Expression(self.text, tuple(statements))

    def _definition(self, tokens: list[Token]) -> tuple[str, tuple[Step, ...]]:
        name, equals = tokens[0], tokens[1]
        if name.kind != "name" or equals.text != "=":
            raise _problem(self.text, name, "a definition begins with a name and '='")
        steps = self._whole(tokens[2:])
        self.known.append(name.text)
        return name.text, steps

    def _whole(self, tokens: list[Token]) -> tuple[Step, ...]:
        self.tokens, self.place = tokens, 0
        steps = self._value(0)
        if self.here.kind != "end":
            raise _problem(self.text, self.here, f"{self.here.text!r} does not belong here")
        return tuple(steps)

    @property
    def here(self) -> Token:
        return self.tokens[self.place]

    def _take(self) -> Token:
        self.place += 1
        return self.tokens[self.place - 1]

    def _value(self, at_least: int) -> list[Step]:
        """Read a value and every operator after it that binds at least so strongly."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _problem(self.text, self.here, f"it is nested more than {_DEEPEST} deep")
        steps = self._operand()
        while self.here.text in _BINDS and _BINDS[self.here.text] >= at_least:
            sign = self._take().text
            # Powers are grouped from the right: 2^3^2 is 2^9.
            steps += self._value(_BINDS[sign] + (sign != "^"))
            steps.append(Step(sign, OPERATORS[sign], 2))
        self.depth -= 1
        return steps

    def _operand(self) -> list[Step]:
        token = self._take() if self.here.kind != "end" else self.here
        if token.kind == "number":
            return [Step(float(token.text))]
        if token.kind == "name":
            return self._call(token) if self.here.text == "(" else [self._variable(token)]
        if token.text == "(":
            inside = self._value(0)
            self._close(token)
            return inside
        if token.text == "-":
            return [*self._value(_SIGN_BINDS), Step("-", np.negative, 1)]
        found = f"{token.text!r} was found" if token.kind != "end" else "the expression ends"
        raise _problem(self.text, token, f"a value is expected, but {found}")

    def _variable(self, token: Token) -> Step:
        if token.text not in self.known:
            what = f"variable of the expression {shown(self.text)} (column {token.column})"
            raise UnknownNameError.among(token.text, what, self.known)
        return Step(token.text)

    def _call(self, name: Token) -> list[Step]:
        if name.text not in FUNCTIONS:
            what = f"function of expressions ({shown(self.text)}, column {name.column})"
            raise UnknownNameError.among(name.text, what, FUNCTIONS)
        bracket = self._take()
        steps, given = self._value(0), 1
        while self.here.text == ",":
            self._take()
            steps += self._value(0)
            given += 1
        self._close(bracket)
        function, takes = FUNCTIONS[name.text]
        if given != takes:
            raise _problem(self.text, name, f"{name.text} takes {takes} values, but {given} are given")
        return [*steps, Step(name.text, function, takes)]

    def _close(self, bracket: Token) -> None:
        if self.here.text != ")":
            raise _problem(self.text, bracket, "this parenthesis is never closed")
        self._take()


def _statements(text: str) -> list[list[Token]]:
    """Cut a formula into its statements, each with a token at its end."""
    statements: list[list[Token]] = [[]]
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            column = len(text) - len(text[place:].lstrip()) + 1
            what = f"the character {text[column - 1]!r} is not allowed here"
            raise _problem(text, Token("", "", column), what)
        kind, place = str(match.lastgroup), match.end()
        token = Token(kind, match[kind], match.start(kind) + 1)
        if token.text == ";":
            statements[-1].append(Token("end", "", token.column))
            statements.append([])
        else:
            statements[-1].append(token)
    statements[-1].append(Token("end", "", end + 1))
    return statements


def _problem(text: str, token: Token, what: str) -> BorelliError:
    return InvalidValueError(f"the expression {shown(text)}, column {token.column}: {what}.", remedy=_SYNTAX)


def shown(text: str) -> str:
    """Return a formula for a message, cut where nobody would read on."""
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…")
