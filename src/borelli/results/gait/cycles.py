"""Cycles of a motion, from one contact of a foot to its next, and curves over 0 to 100 % of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.errors import MissingInputError, UnknownNameError
from borelli.results.gait.contact_events import plain_contact_events
from borelli.results.gait.cycle_spans import KINDS, Kind, cycles_of, has_events
from borelli.results.labelled.dataset import dataset
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.totals import DRAWING

if TYPE_CHECKING:
    import xarray as xr

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
