"""Cycles of a motion, from one contact of a foot to its next, and curves over 0 to 100 % of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.errors import MissingInputError, UnknownNameError
from borelli.results.arrow_arrays import numbers, texts
from borelli.results.contact_events import plain_contact_events
from borelli.results.cycle_spans import KINDS, Cycles, Kind, cycles_of, has_events
from borelli.results.dataset import dataset
from borelli.results.plain_result import PlainResult, Result
from borelli.results.tables import DRAWING, total_columns

if TYPE_CHECKING:
    import xarray as xr

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

Array = NDArray[np.float64]
POINTS = 101
"""0 to 100 % in steps of one per cent, as gait laboratories exchange curves."""


def with_events(result: PlainResult, gravity: ArrayLike, loads: Sequence[str] | None = None) -> PlainResult:
    """Return a result with the contact events of its loads (see :func:`contact_events`), if there are any."""
    events = plain_contact_events(result, gravity, loads)
    return result.merged(events).with_attrs(events.attrs) if has_events(events) else result


def normalize_cycles(
    result: xr.Dataset, side: str | None = None, kind: Kind = "cycle", points: int = POINTS
) -> xr.Dataset:
    """Every curve of a result over 0 to 100 % of each cycle, on straight lines between instants.

    Parameters
    ----------
    result : Dataset
        With the events of :func:`contact_events`.
    side : str, optional
        Body whose contacts begin the cycles; by default the first one that has any.
    kind : "cycle" or "contact"
        From contact to the next contact, or from contact to release.
    points : int
        How many, both ends included.

    Returns
    -------
    Dataset
        Dimensions ``cycle`` and ``percent`` in place of ``time``; ``cycle_start`` and ``cycle_end`` (s).

    Guarantees, each a test
    -----------------------
    - a curve that is linear in time is linear in percent
    - shares still add up to their totals

    Examples
    --------
    >>> result = bo.analyze(model, motion, loads, muscles="none")
    >>> stride = bo.normalize_cycles(result, side="foot_r")
    >>> stride.sizes["percent"], round(float(stride["cycle_end"][0] - stride["cycle_start"][0]), 1)  # s
    (101, 1.1)
    """
    if kind not in KINDS:
        raise UnknownNameError.among(str(kind), "kind of cycle", KINDS, where="argument kind")
    known = {each.side: each for each in cycles_of(result) if each.kind == kind}
    if not known:
        raise MissingInputError(
            f"The result has no whole {kind}.",
            remedy="a cycle needs two contacts of one foot within the recording, a contact its release",
        )
    if side is not None and side not in known:
        raise UnknownNameError.among(side, f"side with a whole {kind}", tuple(known), where="argument side")
    chosen = known[side] if side is not None else next(iter(known.values()))
    percent = np.linspace(0.0, 100.0, points)
    curves = [
        name
        for name, array in result.data_vars.items()
        if "time" in array.dims and array.attrs.get("role") != DRAWING
    ]
    # Loaded here: what is saved of cycles does without.
    import xarray as xr

    parts = [_resampled(result[curves], span, percent) for span in chosen.spans]
    whole = xr.concat(parts, dim="cycle").assign_coords(cycle=np.arange(1, len(parts) + 1))
    for k, name in enumerate(("cycle_start", "cycle_end")):
        whole[name] = ("cycle", [span[k] for span in chosen.spans], {"units": "s"})
    return whole.assign_attrs({**result.attrs, "cycle_side": chosen.side, "cycle_kind": chosen.kind})


def _resampled(result: xr.Dataset, span: tuple[float, float], percent: Array) -> xr.Dataset:
    instants = span[0] + (span[1] - span[0]) * percent / 100.0
    low, part = rows_before(result["time"].values, instants)
    data = {}
    for name, array in result.data_vars.items():
        values = array.transpose("time", ...)
        weight = part.reshape(-1, *[1] * (values.ndim - 1))
        between = values.values[low] * (1.0 - weight) + values.values[low + 1] * weight
        data[name] = (("percent", *values.dims[1:]), between, array.attrs)
    coordinates = {name: value for name, value in result.coords.items() if "time" not in value.dims}
    return dataset(data, {**coordinates, "percent": ("percent", percent, {"units": "%"})})


def rows_before(time: Array, instants: Array) -> tuple[NDArray[np.intp], Array]:
    """Return the row before each instant, and how far the instant lies on the way to the next one."""
    low = np.clip(np.searchsorted(time, instants, side="right") - 1, 0, len(time) - 2)
    part = np.clip((instants - time[low]) / (time[low + 1] - time[low]), 0.0, 1.0)
    return low, part


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
