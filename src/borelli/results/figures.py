"""Figures of results over time, to look at in a notebook."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from borelli.errors import MissingInputError
from borelli.results.explanation import source_bodies
from borelli.results.grouping import Grouping, group_shares
from borelli.results.output import SOURCE, curves, find_output, outputs
from borelli.results.tables import has_shares

_MOST = 12
"""Most layers in a stack; the smaller ones are joined."""


def draw_shares(result: xr.Dataset, output: str, by: Grouping) -> go.Figure:
    """Draw an output over time, and its shares stacked about zero."""
    which = find_output(result, output)
    sources = [str(source) for source in result[SOURCE].values]
    names, grouped = group_shares(which.shares(result), sources, by, source_bodies(result))
    time = np.asarray(result["time"].values, dtype=float)
    size = np.abs(grouped).max(axis=0, initial=0.0)
    order = [int(i) for i in np.argsort(-size, kind="stable") if size[i] > 0.0]
    shown = order if len(order) <= _MOST else order[: _MOST - 1]
    layers = [(names[i], grouped[:, i]) for i in shown]
    if len(order) > len(shown):
        rest = order[len(shown) :]
        layers.append((f"all others ({len(rest)})", grouped[:, rest].sum(axis=1)))
    figure = go.Figure()
    for name, values in layers:
        figure.add_bar(x=time, y=values, name=name, marker_line_width=0)
    total = {"color": "black", "width": 2}
    figure.add_scatter(x=time, y=which.total(result), name=which.name, line=total)
    figure.update_layout(
        barmode="relative",
        bargap=0,
        title=which.describe(result),
        xaxis_title="time (s)",
        yaxis_title=f"{which.name} ({which.unit})",
    )
    return figure


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
