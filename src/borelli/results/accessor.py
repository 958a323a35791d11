"""Results plot themselves: ``result.borelli.plot("knee_angle_r_moment")`` in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from borelli.errors import MissingInputError
from borelli.results.explanation import Explanation, When, explain, source_bodies
from borelli.results.grouping import Grouping, group_shares
from borelli.results.output import SOURCE, find_output, outputs

if TYPE_CHECKING:
    import plotly.graph_objects as go

_MOST = 12


@xr.register_dataset_accessor("borelli")  # type: ignore[no-untyped-call]
class ResultAccessor:
    """What every result of Borelli can do."""

    def __init__(self, result: xr.Dataset) -> None:
        self._result = result

    @property
    def outputs(self) -> list[str]:
        """Names of the curves that are split into shares."""
        return [output.name for output in outputs(self._result)]

    @property
    def units(self) -> dict[str, str]:
        """Unit of every variable."""
        return {
            str(name): str(array.attrs.get("units", "")) for name, array in self._result.data_vars.items()
        }

    def explain(self, output: str, at: When = "peak", by: Grouping = "source") -> Explanation:
        """Rank the shares of one output; see :func:`borelli.explain`."""
        return explain(self._result, output, at, by)

    def plot(self, output: str | None = None, by: Grouping = "kind") -> go.Figure:
        """Draw an output over time and its shares stacked about zero; without an output, all totals.

        Parameters
        ----------
        output : str, optional
            Such as ``"knee_angle_r_moment"``.
        by : grouping
            As in :func:`borelli.explain`.
        """
        import plotly.graph_objects as go

        if output is None:
            return _curves(self._result, go)
        which = find_output(self._result, output)
        sources = [str(source) for source in self._result[SOURCE].values]
        names, grouped = group_shares(which.shares(self._result), sources, by, source_bodies(self._result))
        time = np.asarray(self._result["time"].values, dtype=float)
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
        figure.add_scatter(x=time, y=which.total(self._result), name=which.name, line=total)
        figure.update_layout(
            barmode="relative",
            bargap=0,
            title=which.describe(self._result),
            xaxis_title="time (s)",
            yaxis_title=f"{which.name} ({which.unit})",
        )
        return figure


def _curves(result: xr.Dataset, go: Any) -> go.Figure:
    """All curves that are not split, one line each."""
    from borelli.results.output import curves

    figure = go.Figure()
    time = np.asarray(result["time"].values, dtype=float)
    for variable in map(str, result.data_vars):
        array = result[variable]
        if "time" not in array.dims or SOURCE in array.dims:
            continue
        flat = array.transpose("time", ...).values.reshape(len(time), -1)
        for column, curve in enumerate(curves(result, variable)):
            figure.add_scatter(x=time, y=flat[:, column], name=f"{curve.name} ({curve.unit})")
    if not figure.data:
        raise MissingInputError(
            "The result has no curve over time besides its shares.",
            remedy="name one of its outputs: " + ", ".join(o.name for o in outputs(result)[:6]),
        )
    figure.update_layout(xaxis_title="time (s)")
    return figure
