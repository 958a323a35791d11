"""Check the documentation: every relative link leads somewhere, every Python example runs.

A code block is run as written, in a temporary folder, unless it is preceded by ``<!-- not run -->``.
Blocks of one page share their names, so that a page can be read and run from top to bottom.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.site.names import PACKAGES  # noqa: E402

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
BLOCK = re.compile(r"(?P<skip><!-- not run -->\n)?```python\n(?P<code>.*?)```", re.DOTALL)


# Pages that the site makes from the lists of public names.
GENERATED = {
    ROOT / "docs" / "reference" / f"{slug}.md"
    for slug in (*(slug for slug, _, _ in PACKAGES.values()), "modules")
}


def broken_links(page: Path, text: str) -> list[str]:
    targets = [target for target in LINK.findall(text) if "://" not in target]
    places = {target: Path(os.path.normpath(page.parent / target)) for target in targets}
    return [
        f"{page}: broken link {target}"
        for target, place in places.items()
        if not place.exists() and place not in GENERATED
    ]


def failing_blocks(page: Path, text: str) -> list[str]:
    names: dict[str, object] = {"__name__": "__docs__"}
    for block in BLOCK.finditer(text):
        if block["skip"]:
            continue
        line = text[: block.start("code")].count("\n") + 1
        try:
            exec(compile("\n" * (line - 1) + block["code"], str(page), "exec"), names)
        except Exception:
            return [f"{page}:{line}: example fails\n{traceback.format_exc(limit=-2)}"]
    return []


def main() -> int:
    pages = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for page in pages:
            text = page.read_text(encoding="utf-8")
            problems += broken_links(page, text) + failing_blocks(page, text)
    print("\n".join(problems) if problems else f"{len(pages)} pages: links lead somewhere, examples run")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
