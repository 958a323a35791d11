"""List imports inside functions that do not say why they are there.

An import inside a function is right where it saves start-up time (numba, xarray, SymPy, plotting) or where a library is
optional, and it says so: in a comment right above it, or, where a module has many of one library, once at the top of
the module:

    # Loaded where needed: sympy, which is optional and slow to load.

For example

    python tools/hidden_imports.py src/borelli
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ONCE = "# Loaded where needed:"


def hidden(source: str) -> list[ast.Import | ast.ImportFrom]:
    """Return all imports inside functions, in the order of their lines."""
    found = {
        node.lineno: node
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return [found[line] for line in sorted(found)]


def unexplained(source: str) -> list[tuple[int, str]]:
    """Return line and text of the imports inside functions that no comment explains."""
    lines, imports = source.splitlines(), hidden(source)
    known = {
        name.strip(" ,.") for line in lines if line.startswith(ONCE) for name in line[len(ONCE) :].split()
    }
    # Imports that follow each other, with blank lines between their groups, share one comment.
    taken = {line for node in imports for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    found = []
    for node in imports:
        above = node.lineno - 1
        while above in taken or (not lines[above - 1].strip() and above - 1 in taken):
            above -= 1
        library = (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name) or ""
        if not lines[above - 1].lstrip().startswith("#") and library.partition(".")[0] not in known:
            found.append((node.lineno, lines[node.lineno - 1].strip()))
    return found


def main(places: list[str]) -> int:
    """Print what is not explained; return how much that is."""
    count = total = 0
    for path in sorted(path for place in places for path in Path(place).rglob("*.py")):
        source = path.read_text("utf-8")
        total += len(hidden(source))
        for line, text in unexplained(source):
            print(f"{path}:{line}: {text}")
            count += 1
    print(f"{total} imports inside functions, {count} of them not explained")
    return count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["src/borelli"]) > 0)
