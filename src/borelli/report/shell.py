"""What every page is made of: templates of the package, and data that can stand inside a script element."""

from __future__ import annotations

import functools
import json
from importlib import resources
from string import Template
from typing import Any


@functools.cache
def resource(name: str) -> str:
    """Return the text of a template."""
    return (resources.files("borelli.report") / "templates" / name).read_text(encoding="utf-8")


@functools.cache
def template(name: str) -> Template:
    """Return a template with its ``$names``."""
    return Template(resource(name))


def script_json(data: Any) -> str:
    """Return JSON that can stand inside a script element: no tag can begin or end in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
