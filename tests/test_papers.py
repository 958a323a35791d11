"""docs/papers.md and docs/errata.md name functions and tests that exist, and leave out no equation and no erratum."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHORT = {
    "bo": "borelli",
    "planar": "borelli.planar",
    "library": "borelli.library",
    "attitude": "borelli.attitude",
    "la": "borelli.library.lifting_arm",
}
# Numbered equations of each document.
NUMBERED = {
    "Biscarini": [str(k) for k in range(1, 25)],
    "Cesari": [str(k) for k in range(1, 45)],
    "Schaffner": [f"2-{k}" for k in range(1, 12)],
    "Sherman": [str(k) for k in range(1, 23)],
    "Du": [str(k) for k in range(1, 6)],
}


def sections(page: str) -> dict[str, list[list[str]]]:
    """Rows of the tables of a page, by the first word of the heading above."""
    found: dict[str, list[list[str]]] = {}
    name = ""
    for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = re.split(r"[ ,(]", line[3:])[0]
        elif line.startswith("| ") and not line.startswith(("| where", "| #")):
            # A bar within a cell is written \|.
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found.setdefault(name, []).append([cell.strip() for cell in cells])
    return found


@cache
def names_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def rows(page: str) -> list[tuple[str, list[str]]]:
    return [(name, row) for name, found in sections(page).items() for row in found]


def ids(value: object) -> str:
    return f"{value[0]} {value[1][0]}" if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize("row", rows("papers.md"), ids=ids)
def test_functions_and_tests_of_a_row_exist(row):
    _, cells = row
    where, _, functions, tests, errata = cells
    names = re.findall(r"`([^`]+)`", functions)
    assert names, where
    for name in names:
        home, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(SHORT.get(home, home)), last), name
    places = re.findall(r"`(tests/[^`]+)`", tests)
    assert places, where
    for place in places:
        path, _, test = place.partition("::")
        assert test in names_in(path), place
    known = {each[1][0] for each in rows("errata.md")}
    assert set(re.findall(r"[A-Z]\d+", errata)) <= known


@pytest.mark.parametrize("paper", list(NUMBERED))
def test_every_numbered_equation_is_in_the_table(paper):
    told: set[str] = set()
    for cells in sections("papers.md")[paper]:
        for first, last in re.findall(r"\(([\d-]+)\)(?:–\(([\d-]+)\))?", cells[0]):
            all_of = NUMBERED[paper]
            start = all_of.index(first)
            told |= set(all_of[start : all_of.index(last or first) + 1])
    assert told == set(NUMBERED[paper])


def test_every_erratum_is_told_of_where_its_equation_is():
    told = {number for _, cells in rows("papers.md") for number in re.findall(r"[A-Z]\d+", cells[4])}
    assert told == {cells[0] for _, cells in rows("errata.md")}


@pytest.mark.parametrize("row", rows("errata.md"), ids=ids)
def test_every_erratum_names_a_guard_that_exists(row):
    _, cells = row
    link = re.search(r"\[(test_\w+)\]\(\.\./(tests/[\w/]+\.py)\)", cells[-1])
    assert link, f"{cells[0]} has no guard"
    assert link[1] in names_in(link[2]), link[0]


def test_a_missing_name_would_be_noticed():
    """Negative control of the checks above."""
    assert "test_that_was_never_written" not in names_in("tests/test_papers.py")
    assert len(rows("papers.md")) > 60
    assert len(rows("errata.md")) >= 48
