"""The table of cycles in a result folder: every curve over 0 to 100 % of each cycle, their mean and deviation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borelli.results.gait.cycle_spans import Cycles, cycles_of
from borelli.results.gait.cycles import POINTS, rows_before
from borelli.results.labelled.plain_result import Result
from borelli.results.outputs.totals import total_columns
from borelli.results.saving.arrow_arrays import numbers, texts

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

Array = NDArray[np.float64]


def write_cycles(result: Result, path: Path) -> None:
    """Write every curve that is not split over 0 to 100 % of each cycle.

    Columns ``side``, ``kind``, ``cycle`` (a number; ``mean`` and ``sd`` where there are several), ``percent``, and
    one for each curve as in ``totals.csv``.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    curves = dict(total_columns(result))
    rows = [row for each in cycles_of(result) for row in _rows(result.variables["time"].values, each, curves)]
    names = [[str(row[k]) for row in rows for _ in range(POINTS)] for k in range(3)]
    percent = np.tile(np.linspace(0.0, 100.0, POINTS), len(rows))
    # One array of Arrow for all curves, of which each is a part: hundreds of small ones take longer.
    count = len(percent)
    values = numbers(np.concatenate([row[3] for row in rows], axis=1).ravel())
    columns = {
        **{name: texts(own) for name, own in zip(("side", "kind", "cycle"), names, strict=True)},
        "percent": numbers(percent),
        **{name: values[k * count : (k + 1) * count] for k, name in enumerate(curves)},
    }
    # Hardly two numbers of a curve are the same: no list of its values, no least and largest one.
    pq.write_table(pa.table(columns), path, use_dictionary=["side", "kind", "cycle"], write_statistics=False)


def _rows(
    time: Array, cycles: Cycles, curves: dict[str, Array]
) -> Iterator[tuple[str, str, str, NDArray[np.float64]]]:
    """Label and curves (n_curves, n_points) of each cycle, of their mean and of their standard deviation."""
    stacked = np.array(list(curves.values()))
    each = []
    for start, end in cycles.spans:
        low, part = rows_before(time, np.linspace(start, end, POINTS))
        each.append(stacked[:, low] * (1.0 - part) + stacked[:, low + 1] * part)
    for number, values in enumerate(each, start=1):
        yield cycles.side, cycles.kind, str(number), values
    if len(each) > 1:
        yield cycles.side, cycles.kind, "mean", np.mean(each, axis=0)
        yield cycles.side, cycles.kind, "sd", np.std(each, axis=0, ddof=1)
