"""Names of a package that are loaded when first used, so that importing it costs nothing.

They are listed once, in the package's stub (``__init__.pyi``), where type checkers read them as well.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from borelli.argument_kinds import told_of_kinds


def lazily(
    package: str, source: str, *, told: bool = False
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make a package's ``__getattr__`` and ``__dir__``.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    source : str
        Its ``__file__``; the stub lies beside it.
    told : bool
        Whether functions say which of their arguments is of another kind than they need.
    """
    homes, own = listed(package, Path(source).with_suffix(".pyi").read_text(encoding="utf-8"))

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value = (
            importlib.import_module(f"{package}.{name}")
            if home == package
            else getattr(importlib.import_module(home), name)
        )
        if told and isinstance(value, FunctionType):
            value = told_of_kinds(value)
            # In its module as well: a name stands for one function, wherever it is asked for, and can be pickled.
            setattr(sys.modules[home], name, value)
        setattr(sys.modules[package], name, value)
        return value

    class LazyPackage(ModuleType):
        """A package in which ``spine`` is the function of that name, though a module ``spine`` is there as well."""

        def __setattr__(self, name: str, value: Any) -> None:
            # Importing a module puts it into its package under its own name. Where that is a public name as well, it
            # would hide what the name stands for from __getattr__, depending on what was imported first.
            if not (isinstance(value, ModuleType) and homes.get(name) == value.__name__):
                super().__setattr__(name, value)

    sys.modules[package].__class__ = LazyPackage
    return load, lambda: sorted([*homes, *own])


def listed(package: str, stub: str) -> tuple[dict[str, str], list[str]]:
    """Read a stub: the module of every name (the package itself, if the name is a module of it), and own names."""
    homes: dict[str, str] = {}
    own: list[str] = []
    for line in ast.parse(stub).body:
        if isinstance(line, ast.ImportFrom) and line.module:
            homes |= {alias.asname or alias.name: line.module for alias in line.names}
        elif isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            own.append(line.target.id)
    return homes, own
