"""Pictures to explore, with plotly: the same charts as the still ones, as files that open offline."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from borelli.results.figures.policy import META
from borelli.results.figures.stack import Stack
from borelli.results.on_disk.whole import whole_file

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Loaded where needed: plotly, which is slow to load.

_INK = "#222222"
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{policy}
<title>Borelli</title>
<link rel="icon" href="data:,">
</head>
<body>
{drawing}
</body>
</html>
"""


def shares_figure(stacks: Sequence[Stack], title: str = "") -> go.Figure:
    """Draw shares over time, one panel an output: positive up, negative down, the total as a line."""
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=len(stacks), cols=1, shared_xaxes=True, vertical_spacing=0.06)
    for row, stack in enumerate(stacks, start=1):
        _draw_stack(figure, stack, row, legend="legend" if row == 1 else f"legend{row}")
        figure.update_yaxes(title_text=html.escape(stack.label), row=row, col=1, zerolinecolor=_INK)
    figure.update_xaxes(title_text="time (s)", row=len(stacks), col=1)
    share = 1.0 / len(stacks)
    legends = {
        "legend" if row == 0 else f"legend{row + 1}": {"y": 1.0 - row * share, "yanchor": "top"}
        for row in range(len(stacks))
    }
    figure.update_layout(
        title_text=html.escape(title),
        template="plotly_white",
        height=120 + 300 * len(stacks),
        hovermode="x unified",
        **legends,
    )
    return figure


def _draw_stack(figure: go.Figure, stack: Stack, row: int, legend: str) -> None:
    import plotly.graph_objects as go

    for k, (name, colour) in enumerate(zip(stack.names, stack.colours, strict=True)):
        shown = html.escape(name)
        for parts, side in ((stack.rising, "up"), (stack.falling, "down")):
            trace = go.Scatter(
                x=stack.time,
                y=parts[:, k],
                name=shown,
                legendgroup=f"{row} {k}",
                legend=legend,
                showlegend=side == "up",
                stackgroup=f"{side}{row}",
                line={"width": 0.5, "color": "white"},
                fillcolor=colour,
                customdata=stack.layers[:, k],
                hovertemplate=f"%{{customdata:.4g}} {html.escape(stack.output.unit)}",
                hoverinfo="skip" if side == "down" else None,
            )
            if side == "down":
                trace.hovertemplate = None
            figure.add_trace(trace, row=row, col=1)
    figure.add_trace(
        go.Scatter(
            x=stack.time,
            y=stack.total,
            name="total",
            legend=legend,
            line={"color": _INK, "width": 2},
            hovertemplate=f"%{{y:.4g}} {html.escape(stack.output.unit)}",
        ),
        row=row,
        col=1,
    )


def write_html(figure: go.Figure, path: Path) -> None:
    """Write a figure as one HTML file with plotly's script inside, whole or not at all."""
    drawing = figure.to_html(include_plotlyjs=True, full_html=False)
    with whole_file(path) as partial:
        partial.write_text(_PAGE.format(policy=META, drawing=drawing), encoding="utf-8")
