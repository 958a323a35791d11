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
from borelli.report.event_data import event_data
from borelli.report.muscle_data import balance_data, muscle_data
from borelli.report.scene_data import scene_data
from borelli.report.source_groups import groupings
from borelli.results.explanation import Explanation, explain, source_bodies
from borelli.results.output import SOURCE, Output, outputs
from borelli.results.save import load_record, load_result
from borelli.results.tables import has_shares

_MOST_FRAMES = 240
# Doubles while they are few; beyond, seven digits; beyond that, only the drawn frames.
_MOST_DOUBLES = 400_000
_MOST_SINGLES = 6_000_000


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
    def of_folder(cls, folder: Path, blob: Blob) -> Shown:
        """Read a result folder; its numbers are added to the block."""
        record, result = load_record(folder), load_result(folder)
        known = outputs(result) if has_shares(result) else ()
        told = [found for output in known if (found := _Told.of(result, output)) is not None]
        settings = record["settings"]
        named = next((settings[key] for key in ("title", "chain", "model") if settings.get(key)), folder.name)
        data = _data(result, str(named), folder.name, told, blob)
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


def _data(result: xr.Dataset, title: str, folder: str, told: list[_Told], blob: Blob) -> dict[str, Any]:
    frames = drawn_frames(result.sizes["time"], [each.peak_frame for each in told])
    sources = [str(source) for source in result[SOURCE].values] if told else []
    count = sum(each.shares.size for each in told)
    kind: Kind = "f8" if count <= _MOST_DOUBLES else "f4"
    whole = count <= _MOST_SINGLES
    kept = slice(None) if whole else frames
    times = result["time"].values
    return {
        "title": title,
        "folder": folder,
        "time": blob.add(times),
        "drawn": [int(frame) for frame in frames],
        "wholeShares": whole,
        "sources": sources,
        "groupings": groupings(sources, source_bodies(result) if told else None),
        "outputs": [_output(each, float(times[each.peak_frame]), kept, kind, blob) for each in told],
        **event_data(result),
        "scene": scene_data(result, frames, blob),
        "muscles": muscle_data(result, blob, _MOST_DOUBLES),
        "balance": balance_data(result, blob),
    }


def drawn_frames(count: int, peaks: Sequence[int]) -> NDArray[np.intp]:
    """Evenly spaced frames for drawing, and the peak of every output, so that thinning hides none."""
    even = np.linspace(0, count - 1, min(count, _MOST_FRAMES)).round().astype(np.intp)
    if count <= _MOST_FRAMES:
        return even
    return np.unique(np.concatenate([even, np.array(peaks, dtype=np.intp)]))


def _output(
    told: _Told, peak_s: float, kept: slice | NDArray[np.intp], kind: Kind, blob: Blob
) -> dict[str, Any]:
    output = told.peak.output
    place = ", ".join(label for dim, label in output.place.items() if dim != "axis")
    return {
        "name": output.name,
        "label": output.name.replace("_", " "),
        "unit": output.unit,
        "quantity": output.quantity,
        "place": place or output.name,
        "sentence": told.peak.sentence,
        "peak": told.peak_frame,
        "peakTime": peak_s,
        "alternative": f"Shares of {output.name} stacked over time. Peak: {told.peak.headline}.",
        "total": blob.add(told.total),
        "heard": told.heard,
        "shares": blob.add(told.shares[:, kept], kind),
    }
