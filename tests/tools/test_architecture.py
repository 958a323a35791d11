"""The tree of the documentation is the tree, and on the way of a run no two packages need each other."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
GROUPED = ("analyses", "cli", "io", "model", "results")
"""Packages of many files, in folders of which each has its place in a contract."""


def imports(tree: ast.AST) -> Iterator[str]:
    """Modules that a module loads, inside functions as well; what is for type checkers alone is left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        yield from imports(node)


def path_of(module: str) -> Path | None:
    place = SOURCE / module.replace(".", "/")
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


def package_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def edges_from(start: str) -> set[tuple[str, str]]:
    """Which package needs which other one, over every module that can be reached."""
    waiting, seen, edges = [start], {start}, set()
    while waiting:
        module = waiting.pop()
        path = path_of(module)
        if path is None or module == "borelli":
            continue
        for needed in imports(ast.parse(path.read_text("utf-8"))):
            if not needed.startswith("borelli.") or path_of(needed) is None:
                continue
            if package_of(needed) != package_of(module):
                edges.add((package_of(module), package_of(needed)))
            if needed not in seen:
                seen.add(needed)
                waiting.append(needed)
    return edges


def both_ways(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    return {(one, other) for one, other in edges if one < other and (other, one) in edges}


def test_no_two_packages_need_each_other_on_the_way_of_a_run():
    edges = edges_from("borelli.trial.run")
    packages = {package for edge in edges for package in edge}
    # The way is looked at whole: it reaches the kernels.
    assert {"borelli.opensim_tools", "borelli.analyses", "borelli.mechanics", "borelli.kernels"} <= packages
    assert both_ways(edges) == set()


def test_a_pair_that_needs_each_other_is_found():
    assert both_ways({("a", "b"), ("b", "c"), ("b", "a")}) == {("a", "b")}
    hidden = "def f():\n    import borelli.io.load\nif TYPE_CHECKING:\n    import borelli.cli.main\n"
    assert list(imports(ast.parse(hidden))) == ["borelli.io.load"]


def parts(package: str) -> dict[str, list[Path]]:
    """Python files of each folder of a package, and each file beside the folders."""
    top = SOURCE / "borelli" / package
    folders = {path.parent.name: sorted(path.parent.rglob("*.py")) for path in top.glob("*/__init__.py")}
    return folders | {path.name: [path] for path in top.glob("*.py") if path.name != "__init__.py"}


@pytest.mark.parametrize("package", GROUPED)
def test_a_folder_never_needs_what_needs_it(package):
    start = f"borelli.{package}."
    folders = {name for name in parts(package) if not name.endswith(".py")}
    edges = set()
    for name, paths in parts(package).items():
        for path in paths:
            for needed in imports(ast.parse(path.read_text("utf-8"))):
                first = needed.removeprefix(start).split(".")[0]
                if needed.startswith(start) and path_of(start + first):
                    edges.add((name, first if first in folders else f"{first}.py"))
    pairs = both_ways({(one, other) for one, other in edges if one != other})
    assert len(edges) > 5 and {pair for pair in pairs if folders & set(pair)} == set()


@pytest.mark.parametrize("package", GROUPED)
def test_every_folder_has_its_place_in_a_contract_and_few_files(package):
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = (each["layers"] for each in contracts if each.get("containers") == [f"borelli.{package}"])
    folders = {name for name in parts(package) if not name.endswith(".py")}
    assert set(re.findall(r"\w+", " ".join(layers))) == folders
    for place in (SOURCE / "borelli" / package).rglob("__init__.py"):
        listed = [path.name for path in place.parent.iterdir() if not path.name.startswith("__")]
        # What one takes in at a glance.
        assert len(listed) <= 25, (place, len(listed))


def test_the_documented_tree_is_the_tree():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    tree = text[text.index("src/borelli/\n") :].split("```")[0]
    told = set(re.findall(r"^  (\w+)/ ", tree, re.M))
    inner = set(re.findall(r"^    (\w+)/ ", tree, re.M))
    found = {path.parent.name for path in (SOURCE / "borelli").glob("*/__init__.py")}
    assert told == found
    for package in ("kernels", "mechanics", *GROUPED):
        assert {path.parent.name for path in (SOURCE / "borelli" / package).glob("*/__init__.py")} <= inner
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = (contract for contract in contracts if contract.get("containers") == ["borelli"])
    assert layers["exhaustive"] and found <= set(re.findall(r"\w+", " ".join(layers["layers"])))


def test_every_analysis_stands_once_in_the_list_by_subjects():
    folder = SOURCE / "borelli" / "analyses"
    said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    subjects = "".join(line for line in said.splitlines(keepends=True) if line.startswith("    "))
    told = re.findall(r"[a-z_]+", subjects)
    questions = [
        path
        for path in folder.rglob("*.py")
        if path.stem != "__init__" and path.parent.name not in ("marker_fit", "postures")
    ]
    assert sorted(told) == sorted(path.stem for path in questions)
