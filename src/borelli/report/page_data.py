"""What a page holds of one saved result: every frame for the tables, fewer for the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from borelli.report.blob import Blob, Kind
from borelli.report.detail import ROOM, Amount, Detail, detail_for, kind_of
from borelli.report.event_data import event_data
from borelli.report.muscle_data import MuscleCurves, balance_curves, balance_data
from borelli.report.scene_data import scene_data, scene_places
from borelli.report.source_groups import groupings
from borelli.results.explanation import Explanation, explain, source_bodies
from borelli.results.output import SOURCE, Output, outputs
from borelli.results.record import load_record
from borelli.results.save import load_result
from borelli.results.tables import has_shares


@dataclass(frozen=True, slots=True)
class Shown:
    """A saved result as a page needs it.

    Attributes
    ----------
    title : str
        The result's own title, else what was analysed, else the folder's name.
    record : dict
        What ``result.json`` says.
    peaks : tuple of Explanation
        Each output at its peak.
    data : dict
        Of what JSON knows; read by the page's script. Numbers lie in the page's block.
    """

    title: str
    record: dict[str, Any]
    peaks: tuple[Explanation, ...]
    data: dict[str, Any]

    @classmethod
    def of_folder(cls, folder: Path, blob: Blob, room: float = ROOM) -> Shown:
        """Read a result folder; its numbers are added to the block, in about so many bytes of the page."""
        record, result = load_record(folder), load_result(folder)
        known = outputs(result) if has_shares(result) else ()
        told = [found for output in known if (found := _Told.of(result, output)) is not None]
        settings = record["settings"]
        named = next((settings[key] for key in ("title", "chain", "model") if settings.get(key)), folder.name)
        data = _data(result, str(named), folder.name, told, blob, room)
        return cls(str(named), record, tuple(each.peak for each in told), data)


@dataclass(frozen=True, slots=True)
class _Told:
    """One output: its curve (n_times,), the sources that have a part in it and their shares (n_heard, n_times)."""

    peak: Explanation
    total: NDArray[np.float64]
    heard: list[int]
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, result: xr.Dataset, output: Output) -> _Told | None:
        """Return None of an output without numbers, and of one that is zero because no source can have a part."""
        total = output.total(result)
        if not np.isfinite(total).any():
            return None
        shares = output.shares(result)
        heard = [int(i) for i in np.flatnonzero(np.any(shares != 0.0, axis=0))]
        return cls(explain(result, output), total, heard, shares[:, heard].T) if heard else None

    @property
    def peak_frame(self) -> int:
        return int(np.nanargmax(np.abs(self.total)))


def _data(
    result: xr.Dataset, title: str, folder: str, told: list[_Told], blob: Blob, room: float
) -> dict[str, Any]:
    muscles, balance = MuscleCurves.of(result), balance_curves(result)
    amount = Amount(
        frames=result.sizes["time"],
        shares=sum(len(each.heard) for each in told),
        muscles=muscles.count,
        totals=len(told) + 3 * len(balance),
        places=scene_places(result),
        peaks=tuple(each.peak_frame for each in told),
    )
    detail = detail_for(amount, room)
    frames = detail.frames(amount)
    kept = _Kept.of(detail, amount, frames)
    sources = [str(source) for source in result[SOURCE].values] if told else []
    times = result["time"].values
    return {
        "title": title,
        "folder": folder,
        "time": blob.add(times[kept.totals]),
        "drawn": kept.places(frames),
        "wholeShares": detail.whole_shares,
        "wholeMuscles": detail.whole_muscles,
        "wholeTotals": detail.whole_totals,
        "sources": sources,
        "groupings": groupings(sources, source_bodies(result) if told else None),
        "outputs": [_output(each, times, kept, blob) for each in told],
        **event_data(result),
        "scene": scene_data(result, frames, blob),
        "muscles": muscles.data(blob, kept.muscles),
        "balance": balance_data(balance, blob, kept.totals),
    }


@dataclass(frozen=True, slots=True)
class _Kept:
    """Frames that the page holds of each part, and the kind of numbers of the shares."""

    shares: slice | NDArray[np.intp]
    muscles: slice | NDArray[np.intp]
    totals: slice | NDArray[np.intp]
    kind: Kind

    @classmethod
    def of(cls, detail: Detail, amount: Amount, frames: NDArray[np.intp]) -> _Kept:
        def part(whole: bool) -> slice | NDArray[np.intp]:
            return slice(None) if whole else frames

        count = amount.shares * (amount.frames if detail.whole_shares else len(frames))
        kind = kind_of(count, detail.whole_shares)
        return cls(part(detail.whole_shares), part(detail.whole_muscles), part(detail.whole_totals), kind)

    def places(self, frames: NDArray[np.intp] | Sequence[int]) -> list[int]:
        """Where frames are among those of the totals."""
        own = frames if isinstance(self.totals, slice) else np.searchsorted(self.totals, frames)
        return [int(place) for place in own]


def _output(told: _Told, times: NDArray[np.float64], kept: _Kept, blob: Blob) -> dict[str, Any]:
    output, total = told.peak.output, told.total
    place = ", ".join(label for dim, label in output.place.items() if dim != "axis")
    ends = (int(np.nanargmax(total)), int(np.nanargmin(total)))
    return {
        "name": output.name,
        "label": output.name.replace("_", " "),
        "unit": output.unit,
        "quantity": output.quantity,
        "place": place or output.name,
        "sentence": told.peak.sentence,
        "peak": kept.places([told.peak_frame])[0],
        "peakTime": float(times[told.peak_frame]),
        "extremes": [[float(total[frame]), float(times[frame])] for frame in ends],
        "alternative": f"Shares of {output.name} stacked over time. Peak: {told.peak.headline}.",
        "total": blob.add(total[kept.totals]),
        "heard": told.heard,
        "shares": blob.add(told.shares[:, kept.shares], kept.kind),
    }
