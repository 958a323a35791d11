"""The page of a result as a widget of a notebook, where anywidget is installed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.report.shell import resource

_LONE, _INSIDE = '<html lang="en">', '<html lang="en" data-parent="notebook">'
"""A page talks to the window around it only where it is told that this is a notebook."""


class PageWidget(anywidget.AnyWidget):
    """A page whose chosen instant and output are known in Python, and can be chosen there.

    Attributes
    ----------
    instant : float or None
        Of the slider (s); None until the page is shown. The page goes to the nearest instant that it draws, and says
        which.
    output : str
        Name of the output that is explained; empty until the page is shown. Plain words will do (``right knee force``).
    html : str
        The page.
    height : int
        Of its frame, in pixels.
    """

    _esm = resource("widget.js")
    html = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    instant = traitlets.Float(None, allow_none=True).tag(sync=True)
    output = traitlets.Unicode("").tag(sync=True)

    def __init__(self, html: str, height: int, names: Mapping[str, str]) -> None:
        """Take the text of a page, and the plain words of every output by its name."""
        self._names = dict(names)
        super().__init__(html=html.replace(_LONE, _INSIDE, 1), height=height)

    @traitlets.validate("instant")
    def _finite(self, proposal: Any) -> float | None:
        value: float | None = proposal["value"]
        if value is not None and not math.isfinite(value):
            raise InvalidValueError(f"{value!r} is not an instant.", remedy="give seconds")
        return value

    @traitlets.validate("output")
    def _known(self, proposal: Any) -> str:
        text = str(proposal["value"])
        if not text or text in self._names:
            return text
        plain = " ".join(text.casefold().split())
        for name, words in self._names.items():
            if plain in (words.casefold(), name.casefold().replace("_", " ")):
                return name
        raise UnknownNameError.among(text, "output", [*self._names, *self._names.values()], of="this page")
