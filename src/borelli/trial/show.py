"""The page of a result inside a notebook: what `bo.show` gives."""

from __future__ import annotations

import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from borelli.records import dataclass
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.output import outputs
from borelli.results.outputs.plain_names import output_words
from borelli.results.outputs.resultant import joint_forces
from borelli.results.outputs.totals import has_shares
from borelli.results.saving.save import load_result, save_result
from borelli.trial.report import write_report

if TYPE_CHECKING:
    import xarray as xr

    from borelli.trial.page_widget import PageWidget
    from borelli.trial.run import RunResult

# Pixels in a notebook; the page scrolls inside.
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


def show(
    result: xr.Dataset | RunResult | str | Path, *, title: str = "", height: int = _HEIGHT
) -> ShownPage | PageWidget:
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
    PageWidget, or ShownPage
        The last expression of a cell displays it; ``html`` is the page. Where anywidget is installed (``pip install
        borelli[notebooks]``) it is a widget: ``instant`` (s) and ``output`` are what is chosen on the page, and choose
        it when they are set.

    Examples
    --------
    >>> folder = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), "reach")
    >>> bo.show(folder).html.startswith("<!DOCTYPE html>")
    True
    """
    with tempfile.TemporaryDirectory() as place:
        folder = _folder(result, Path(place))
        page = write_report(folder, Path(place) / "page.html", title=title)
        text = page.read_text(encoding="utf-8")
        try:
            # Loaded here: anywidget is an extra, and takes a second.
            from borelli.trial.page_widget import PageWidget
        except ModuleNotFoundError:
            return ShownPage(text, height)
        return PageWidget(text, height, _output_names(folder))


def _output_names(folder: Path) -> dict[str, str]:
    """Plain words of every output of a result, by its name; none of a result without shares."""
    plain = PlainResult.of(load_result(folder))
    if not has_shares(plain):
        return {}
    known = outputs(plain)
    return {output.name: output_words(output) for output in (*known, *joint_forces(plain, known))}


def _folder(result: Any, place: Path) -> Path:
    if isinstance(result, str | Path):
        return Path(result)
    if hasattr(result, "folder"):
        return Path(result.folder)
    return save_result(result, place / "result", tables=())
