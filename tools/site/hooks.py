"""Hooks of the site: pages of the API from the lists of public names, and links that leave the documentation.

The lists are ``__init__.pyi`` of each public package: a name that is public has a place in the reference without being
entered anywhere. Links to files that are not part of the site (tests, sources) become their path in the repository.
"""

from __future__ import annotations

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
    return files


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
        return f"`{place}`" if posixpath.basename(place) == text.strip("`") else f"{text} (`{place}`)"

    return LINK.sub(outward, markdown)
