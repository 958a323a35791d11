"""One output's shares over time, drawn into the kind of file that its name ends in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import xarray as xr

from borelli.errors import UnsupportedError
from borelli.results.figures.stack import Stack
from borelli.results.on_disk.whole import check_parent
from borelli.results.outputs.grouping import Grouping
from borelli.results.outputs.output import Output

Writer = Callable[[xr.Dataset, Output, Grouping], None]


def plot_writer(path: Path) -> Writer:
    """Return the function that will draw into a file; a file that cannot be drawn is refused now.

    Parameters
    ----------
    path : pathlib.Path
        ``.png``, ``.html`` and so on; the ending decides.

    Raises
    ------
    UnsupportedError
        If the name ends in neither ``.png`` nor ``.html``.
    MissingInputError, InvalidValueError
        If its folder does not exist or may not be written to.

    Examples
    --------
    >>> from pathlib import Path
    >>> write = bo.plot_writer(Path("knee.png"))
    """
    writers: dict[str, Callable[[Stack, Path], None]] = {".png": _png, ".html": _html}
    if path.suffix.lower() not in writers:
        raise UnsupportedError(
            f"A picture cannot be written as {path.suffix or 'a file without an ending'!r}.",
            where=str(path),
            closest=tuple(writers),
            remedy="end the name in one of these",
        )
    check_parent(path)
    write = writers[path.suffix.lower()]
    return lambda result, output, by: write(Stack.of(result, output, by), path)


def _png(stack: Stack, path: Path) -> None:
    # Loaded here: each kind of plot brings its own library, matplotlib or plotly.
    from borelli.report.figures_png import shares_figure, write_png

    write_png(shares_figure([stack]), path)


def _html(stack: Stack, path: Path) -> None:
    # Loaded here for the same reason.
    from borelli.results.figures.figures_html import shares_figure, write_html

    write_html(shares_figure([stack]), path)
