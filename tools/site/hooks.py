"""Hooks of the site: pages of the API and of the examples, and links that leave the documentation.

The lists are ``__init__.pyi`` of each public package: a name that is public has a place in the reference without being
entered anywhere. Links to files that are not part of the site (tests, sources) become their path in the repository.
"""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.site.names import MODULES, PACKAGES, public_names  # noqa: E402

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files, config):
    """Add a page for each public package."""
    for package, (slug, title, sentence) in PACKAGES.items():
        lines = [f"# {title}", "", sentence, ""]
        for name, path in public_names(package):
            if path.rpartition(".")[0] in MODULES:  # on the page of that module
                continue
            lines += [f"::: {path}", "    options:", f'      heading: "{package}.{name}"', ""]
        files.append(File.generated(config, f"reference/{slug}.md", content="\n".join(lines)))
    lines = [
        "# borelli.attitude, units, errors",
        "",
        "Modules whose names are used with the module's own.",
        "",
    ]
    for module in MODULES:
        lines += [f"::: {module}", "    options:", f'      heading: "{module}"', ""]
    files.append(File.generated(config, "reference/modules.md", content="\n".join(lines)))
    for example in sorted((ROOT / "examples").glob("*.py")):
        files.append(File.generated(config, f"examples/{example.stem}.md", content=example_page(example)))
    return files


def example_page(example):
    """Return the page of an example: what it shows, its picture and its source."""
    source = example.read_text(encoding="utf-8")
    first, _, rest = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")
    title = first.rstrip(".").replace("\n", " ")
    picture = f"example_{example.stem}.webp"
    lines = [f"# examples/{example.name}", "", f"{title}.", ""]
    if (ROOT / "docs" / "images" / picture).is_file():
        lines += [f"![{title}](../images/{picture})", ""]
    return "\n".join([*lines, rest, "", "```python", source.rstrip("\n"), "```", ""])


def on_page_markdown(markdown, page, config, files):
    """Turn links to files outside of the site into paths in the repository."""
    folder = posixpath.dirname(page.file.src_uri)

    def outward(match):
        text, target, _ = match.groups()
        if "://" in target:
            return match[0]
        place = posixpath.normpath(posixpath.join("docs", folder, target))
        if place.startswith("docs/"):
            return match[0]
        if re.fullmatch(r"examples/\w+\.py", place):
            page_of_it = posixpath.relpath(f"{place[:-3]}.md", folder or ".")
            return f"[{text}]({page_of_it})"
        return f"`{place}`" if posixpath.basename(place) == text.strip("`") else f"{text} (`{place}`)"

    return LINK.sub(outward, markdown)
