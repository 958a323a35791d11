"""Formulas as people read them: exact numbers, text, LaTeX, Python source."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from typing import Any

# Loaded where needed: sympy, which is optional and slow to load.


def exact(expression: Any) -> Any:
    """Replace floats by the fractions they were written as, and round-off of constants by zero."""
    import sympy

    expression = sympy.sympify(expression)
    floats = expression.atoms(sympy.Float)
    return expression.xreplace({value: _fraction(value) for value in floats})


def _fraction(value: Any) -> Any:
    import sympy

    plain = float(value)
    # What round-off of numbers of about one leaves of zero.
    if abs(plain) < 1e-15:
        return sympy.Integer(0)
    # Sums of decimals end in round-off in the last two digits.
    return sympy.Rational(format(plain, ".14g"))


def tidied(expression: Any, simplify: bool) -> Any:
    """Return an expression in exact numbers; with ``simplify`` products of sines and cosines are combined."""
    import sympy

    return sympy.trigsimp(exact(sympy.expand(expression))) if simplify else exact(expression)


def decimal(expression: Any) -> str:
    """Write an expression on one line, fractions of decimals as decimals."""
    import sympy

    numbers = {value: _shortest(value) for value in expression.atoms(sympy.Rational) if value.q > 2}
    return str(expression.xreplace(numbers)).replace("**", "^")


def _shortest(value: Any) -> Any:
    import sympy

    return sympy.Symbol(format(float(value), ".14g")) if value > 0 else -_shortest(-value)


def matrix_lines(name: str, matrix: Any) -> list[str]:
    """Write a matrix with a heading, its columns aligned."""
    cells = [[decimal(matrix[i, j]) for j in range(matrix.cols)] for i in range(matrix.rows)]
    widths = [max(len(row[j]) for row in cells) for j in range(matrix.cols)]
    rows = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    return [f"{name} =", *(f"  [ {row} ]" for row in rows), ""]


def aligned(rows: Sequence[tuple[str, Any]]) -> str:
    """Return equations as LaTeX, one line each."""
    import sympy

    lines = [rf"{left} &= {sympy.latex(right)}" for left, right in rows]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}\n"


def python_source(
    about: str, vectors: Mapping[str, Sequence[Any]], outcome: Sequence[Any], parameters: Sequence[Any]
) -> str:
    """Return the source of one NumPy function ``generalized_force``.

    Parameters
    ----------
    about : str
        First line of its docstring.
    vectors : mapping of str to symbols
        Its leading arguments, each unpacked into symbols.
    outcome : sequence of expressions
        What it returns, stacked along the last axis.
    parameters : sequence of Symbol
        Its keyword arguments.
    """
    import sympy
    from sympy.printing.numpy import NumPyPrinter

    # Names of coordinates need not be names of Python.
    symbols = [symbol for own in vectors.values() for symbol in own] + list(parameters)
    safe = _safe_names([symbol.name for symbol in symbols])
    renamed = dict(zip(symbols, [sympy.Symbol(name, real=True) for name in safe], strict=True))
    printer = NumPyPrinter({"fully_qualified_modules": False})
    short, results = sympy.cse(
        [expression.xreplace(renamed) for expression in outcome], sympy.numbered_symbols("_x")
    )
    arguments = [*vectors, *(["*", *(renamed[symbol].name for symbol in parameters)] if parameters else [])]
    lines = ["import numpy as np", "from numpy import cos, select, sin, sqrt, tan  # noqa: F401", "", ""]
    lines += [f"def generalized_force({', '.join(arguments)}):", f'    """{about}"""']
    for name, own in vectors.items():
        for k, symbol in enumerate(own):
            lines.append(f"    {renamed[symbol].name} = np.asarray({name}, dtype=float)[..., {k}]")
    lines += [f"    {symbol} = {printer.doprint(value)}" for symbol, value in short]
    whole = ", ".join(printer.doprint(value) for value in results)
    lines += [f"    return np.stack(np.broadcast_arrays({whole}), axis=-1)"]
    return "\n".join(lines) + "\n"


def _safe_names(names: Sequence[str]) -> list[str]:
    """Return names that Python accepts, each its own."""
    taken: set[str] = {"np", "cos", "sin", "sqrt", "tan", "select"}
    found = []
    for name in names:
        safe = "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in name) or "_"
        safe = f"_{safe}" if safe[0].isdigit() or keyword.iskeyword(safe) else safe
        while safe in taken:
            safe += "_"
        taken.add(safe)
        found.append(safe)
    return found
