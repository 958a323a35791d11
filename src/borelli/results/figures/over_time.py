"""Figures of results over time, to look at in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from borelli.errors import MissingInputError
from borelli.results.figures.figures_html import shares_figure
from borelli.results.figures.stack import Stack
from borelli.results.outputs.grouping import Grouping
from borelli.results.outputs.output import curves, find_output, outputs
from borelli.results.outputs.totals import has_shares

if TYPE_CHECKING:
    import xarray as xr

_MOST = 12
"""Curves that are shown at first."""


def draw_shares(result: xr.Dataset, output: str, by: Grouping) -> go.Figure:
    """Draw an output over time, and its shares stacked about zero."""
    which = find_output(result, output)
    return shares_figure([Stack.of(result, which, by)], which.describe(result))


def draw_totals(result: xr.Dataset) -> go.Figure:
    """Draw all outputs, or all curves of a result without shares, one line each.

    Only the first dozen is shown; a click on its name in the legend brings another.
    """
    figure = go.Figure()
    time = np.asarray(result["time"].values, dtype=float)
    for number, (name, values) in enumerate(_totals(result)):
        figure.add_scatter(x=time, y=values, name=name, visible=True if number < _MOST else "legendonly")
    if not figure.data:
        raise MissingInputError("The result has no curve over time.")
    figure.update_layout(xaxis_title="time (s)", showlegend=True)
    return figure


def _totals(result: xr.Dataset) -> Iterator[tuple[str, np.ndarray]]:
    """Names with units, and curves."""
    if has_shares(result):
        for output in outputs(result):
            yield f"{output.name} ({output.unit})", output.total(result)
        return
    for variable in map(str, result.data_vars):
        array = result[variable]
        if "time" in array.dims:
            flat = array.transpose("time", ...).values.reshape(array.sizes["time"], -1)
            for column, curve in enumerate(curves(result, variable)):
                yield f"{curve.name} ({curve.unit})", flat[:, column]
