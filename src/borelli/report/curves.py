"""Several curves over one axis, as PNG and as HTML that opens offline."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from borelli.records import dataclass

# Loaded where needed: matplotlib, which is slow to load.
# Loaded where needed: plotly, which is slow to load.


@dataclass(frozen=True)
class Curves:
    """What to draw.

    Parameters
    ----------
    title, x_label, y_label : str
    x : (n,) float
    y : mapping of str to (n,) float
        Curves by name.
    """

    title: str
    x: np.ndarray
    x_label: str
    y: Mapping[str, np.ndarray]
    y_label: str


def write_curves(curves: Curves, stem: Path) -> list[str]:
    """Draw into ``<stem>.png`` and ``<stem>.html``; return the names of the files."""
    paths = [stem.with_name(stem.name + ending) for ending in (".png", ".html")]
    _png(curves, paths[0])
    _html(curves, paths[1])
    return [path.name for path in paths]


def _png(curves: Curves, path: Path) -> None:
    from matplotlib.figure import Figure

    # Loaded here, because it brings matplotlib, which pages do without.
    from borelli.report.figures_png import write_png

    figure = Figure(figsize=(8.0, 5.0), layout="constrained")
    panel = figure.add_subplot()
    for name, values in curves.y.items():
        # A leading underscore or a dollar sign in a name means nothing here.
        panel.plot(curves.x, values, linewidth=1.2, label=f"\u200b{name}".replace("$", r"\$"))
    panel.axhline(0.0, color="#888888", linewidth=0.6)
    panel.spines[["top", "right"]].set_visible(False)
    panel.set(title=curves.title.replace("$", r"\$"), xlabel=curves.x_label, ylabel=curves.y_label)
    if curves.y:
        columns = 1 + len(curves.y) // 22
        panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7, frameon=False, ncols=columns)
    write_png(figure, path)


def _html(curves: Curves, path: Path) -> None:
    import plotly.graph_objects as go

    # Loaded here, because it brings xarray, which a picture does without.
    from borelli.results.figures.figures_html import write_html

    figure = go.Figure()
    for name, values in curves.y.items():
        figure.add_scatter(x=curves.x, y=values, mode="lines", name=html.escape(name))
    figure.update_layout(
        title=html.escape(curves.title),
        xaxis_title=html.escape(curves.x_label),
        yaxis_title=html.escape(curves.y_label),
        template="plotly_white",
    )
    write_html(figure, path)
