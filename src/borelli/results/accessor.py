"""Results plot themselves: ``result.borelli.plot("knee_angle_r_moment")`` in a notebook.

``result.borelli`` alone shows every variable with its unit and range. Every result registers this accessor, so it
loads nothing until it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import xarray as xr

from borelli.errors import MissingInputError
from borelli.results.explanation import explain
from borelli.results.outputs.output import outputs
from borelli.results.overview import overview_html, overview_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from borelli import Motion
    from borelli.results.explanation import Explanation, When
    from borelli.results.outputs.grouping import Grouping


@xr.register_dataset_accessor("borelli")  # type: ignore[no-untyped-call]
class ResultAccessor:
    """What every result of Borelli can do."""

    def __init__(self, result: xr.Dataset) -> None:
        self._result = result

    def __repr__(self) -> str:
        return overview_text(self._result)

    def _repr_html_(self) -> str:
        return overview_html(self._result)

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

    def explain(self, output: str, at: When | None = None, by: Grouping = "source") -> Explanation:
        """Rank the shares of one output; see :func:`borelli.explain`."""
        return explain(self._result, output, at, by)

    def plot(self, output: str | None = None, by: Grouping = "kind") -> go.Figure:
        """Draw an output over time and its shares stacked about zero; without an output, all of them.

        Parameters
        ----------
        output : str, optional
            Such as ``"knee_angle_r_moment"``.
        by : grouping
            As in :func:`borelli.explain`.
        """
        # Loaded here, because drawing brings plotly.
        from borelli.results.figures.over_time import draw_shares, draw_totals

        return draw_totals(self._result) if output is None else draw_shares(self._result, output, by)

    def motion(self) -> Motion:
        """Return the motion of a result that has coordinates ``q`` over time, such as inverse kinematics."""
        # Loaded here: results knows nothing of models, and Motion is found by its public name.
        import borelli

        if "q" not in self._result or "coordinate" not in self._result["q"].dims:
            raise MissingInputError(
                "this result has no coordinates 'q' over time.", remedy="use the result of inverse kinematics"
            )
        q = self._result["q"].transpose("time", "coordinate")
        names = tuple(str(name) for name in q["coordinate"].values)
        return borelli.Motion(q["time"].values, names, q.values)
