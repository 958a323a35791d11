"""The scripts of the page: the printed equations of every chain on it, then what computes, then what shows."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from importlib import resources

from borelli.planar.symbolic import equations

COMPUTING = ("mechanics.js", "static_optimization.js")
"""What needs no page: a test runs it alone."""


def equations_script(numbers_of_links: Iterable[int]) -> str:
    """``EQUATIONS[n]``: the printed function of a chain of n links, word for word."""
    wrapped = [
        f"{n}: (() => {{\n{textwrap.indent(equations(n).javascript(), '  ')}  return torquesAndReactions;\n}})(),"
        for n in sorted(set(numbers_of_links))
    ]
    return "const EQUATIONS = {\n" + "\n".join(wrapped) + "\n};\n"


def script(name: str) -> str:
    """Text of one file of the page."""
    return (resources.files("borelli.playground") / "templates" / name).read_text(encoding="utf-8")
