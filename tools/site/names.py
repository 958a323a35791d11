"""Public names of every public package, with the module that defines each."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
# Package: name of its page, title, first sentence.
PACKAGES = {
    "borelli": (
        "borelli",
        "borelli: questions, files, results",
        "Functions on plain objects: a model, a motion and loads go in, a labelled Dataset comes out. Arrays are SI, "
        "angles in radians, time first. Examples start from the five lines at the top of the [API](api.md).",
    ),
    "borelli.model": (
        "model",
        "borelli.model: what a body is",
        "Frozen dataclasses: bodies, joints, muscles, forces, constraints. [Models](../models.md) shows them at work.",
    ),
    "borelli.planar": (
        "planar",
        "borelli.planar: planar chains in closed form",
        "An engine of its own for chains in a plane. [Planar chains](../planar.md) shows it at work.",
    ),
    "borelli.library": (
        "library",
        "borelli.library: ready-made models and motions",
        "Models from published tables, each with a motion.",
    ),
    "borelli.library.lifting_arm": (
        "lifting_arm",
        "borelli.library.lifting_arm: an arm in space",
        "Du's arm that lifts, at rest and in motion. [A lifting arm](../lifting_arm.md) shows it at work.",
    ),
}
MODULES = ("borelli.attitude", "borelli.units", "borelli.errors")


def public_names(package: str) -> list[tuple[str, str]]:
    """Return (name, path of its definition) of a package, in the order of its list; modules are left out."""
    stub = SOURCE / package.replace(".", "/") / "__init__.pyi"
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    found = []
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        for alias in node.names:
            place = SOURCE / node.module.replace(".", "/") / alias.name
            if place.is_dir() or place.with_suffix(".py").is_file():
                continue
            found.append((alias.asname or alias.name, f"{node.module}.{alias.name}"))
    return found
