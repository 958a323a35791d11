"""The page of a result inside a notebook: what `bo.show` gives."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from borelli.results.save import save_result
from borelli.trial.report import write_report

if TYPE_CHECKING:
    import xarray as xr

    from borelli.trial.run import RunResult

_HEIGHT = 900


@dataclass(frozen=True)
class ShownPage:
    """A page that a notebook displays; ``html`` is its text, whole and offline."""

    html: str
    height: int = _HEIGHT

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:{self.height}px;border:0" '
            'title="Page of a result" sandbox="allow-scripts allow-downloads"></iframe>'
        )


def show(result: xr.Dataset | RunResult | str | Path, *, title: str = "", height: int = _HEIGHT) -> ShownPage:
    """Show the page of a result in a notebook: cards, verdict, moving body, shares.

    Parameters
    ----------
    result : Dataset, RunResult, or path
        Of an analysis, of ``run``, or a result folder.
    title : str, optional
        By default that of the result.
    height : int
        Of the frame in the notebook, in pixels.

    Returns
    -------
    ShownPage
        The last expression of a cell displays it.

    Examples
    --------
    >>> folder = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), "reach")
    >>> type(bo.show(folder)).__name__
    'ShownPage'
    """
    with tempfile.TemporaryDirectory() as place:
        folder = _folder(result, Path(place))
        page = write_report(folder, Path(place) / "page.html", title=title)
        return ShownPage(page.read_text(encoding="utf-8"), height)


def _folder(result: Any, place: Path) -> Path:
    if isinstance(result, str | Path):
        return Path(result)
    if hasattr(result, "folder"):
        return Path(result.folder)
    return save_result(result, place / "result", tables=())
