"""Shares made ready for a stacked chart: positive parts grow up from zero, negative ones down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borelli.records import dataclass
from borelli.results.explanation import source_bodies
from borelli.results.figures.palette import GREY, colours_of
from borelli.results.outputs.grouping import OTHERS, Grouping, group_shares
from borelli.results.outputs.output import SOURCE, Output

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

MOST_LAYERS = 10
"""More cannot be told apart; what is beyond them is added up in one."""


@dataclass(frozen=True, slots=True)
class Stack:
    """One output over time and the layers that make it up.

    Attributes
    ----------
    time : (n_times,)
        s.
    total : (n_times,)
        The output, in its unit.
    names, colours : tuple of str
        One a layer, the largest first; small sources are added up in the last one.
    layers : (n_times, n_layers)
        Their sum over layers is the total.
    """

    output: Output
    time: Array
    total: Array
    names: tuple[str, ...]
    colours: tuple[str, ...]
    layers: Array

    @classmethod
    def of(
        cls, result: xr.Dataset, output: Output, by: Grouping = "source", most: int = MOST_LAYERS
    ) -> Stack:
        """Group the shares of an output and rank them by the largest size they reach.

        Sources that have no part are left out; those beyond `most` are added up in the last layer.
        """
        sources = [str(source) for source in result[SOURCE].values]
        names, grouped = group_shares(output.shares(result), sources, by, source_bodies(result))
        colours = colours_of(sources) | ({} if by in ("source", "kind") else colours_of(names))
        size = np.abs(grouped).max(axis=0, initial=0.0)
        order = [int(i) for i in np.argsort(-size, kind="stable") if size[i] > 0.0]
        kept = order if len(order) <= most else order[: most - 1]
        rest = order[len(kept) :]
        layers = [*(grouped[:, i] for i in kept), *([grouped[:, rest].sum(axis=1)] if rest else [])]
        time = np.asarray(result["time"].values, dtype=float)
        return cls(
            output,
            time,
            output.total(result),
            (*(names[i] for i in kept), *([f"{OTHERS} ({len(rest)})"] if rest else [])),
            (*(colours[names[i]] for i in kept), *([GREY] if rest else [])),
            np.column_stack(layers) if layers else np.zeros((len(time), 0)),
        )

    @property
    def label(self) -> str:
        """What the value axis shows."""
        return f"{self.output.name.replace('_', ' ')} ({self.output.unit})"

    @property
    def rising(self) -> Array:
        """The positive parts of the layers, which stack up from zero, (n_times, n_layers)."""
        return np.maximum(self.layers, 0.0)

    @property
    def falling(self) -> Array:
        """The negative parts of the layers, which stack down from zero, (n_times, n_layers)."""
        return np.minimum(self.layers, 0.0)
