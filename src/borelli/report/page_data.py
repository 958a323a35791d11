"""What a page holds of one saved result: every frame for the tables, fewer for the drawing."""

from __future__ import annotations

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
        peaks = tuple(explain(result, output) for output in known if _is_told(output, result))
        settings = record["settings"]
        named = next((settings[key] for key in ("title", "chain", "model") if settings.get(key)), folder.name)
        return cls(str(named), record, peaks, _data(result, str(named), folder.name, peaks, blob))


def _is_told(output: Output, result: xr.Dataset) -> bool:
    """Whether an output has numbers, and is not zero because no source can have a part in it."""
    return bool(np.isfinite(output.total(result)).any()) and bool(np.nan_to_num(output.shares(result)).any())


def _data(
    result: xr.Dataset, title: str, folder: str, peaks: tuple[Explanation, ...], blob: Blob
) -> dict[str, Any]:
    frames = drawn_frames(result, [peak.output for peak in peaks])
    sources = [str(source) for source in result[SOURCE].values] if peaks else []
    shares = {peak.output.name: _heard(peak.output.shares(result)) for peak in peaks}
    count = sum(len(heard) for heard, _ in shares.values()) * result.sizes["time"]
    kind: Kind = "f8" if count <= _MOST_DOUBLES else "f4"
    whole = count <= _MOST_SINGLES
    return {
        "title": title,
        "folder": folder,
        "time": blob.add(result["time"].values),
        "drawn": [int(frame) for frame in frames],
        "wholeShares": whole,
        "sources": sources,
        "groupings": groupings(sources, source_bodies(result) if peaks else None),
        "outputs": [
            _output(result, peak, shares[peak.output.name], slice(None) if whole else frames, kind, blob)
            for peak in peaks
        ],
        **event_data(result),
        "scene": scene_data(result, frames, blob),
        "muscles": muscle_data(result, blob, _MOST_DOUBLES),
        "balance": balance_data(result, blob),
    }


def drawn_frames(result: xr.Dataset, known: list[Output]) -> NDArray[np.intp]:
    """Evenly spaced frames for drawing, and the peak of every output, so that thinning hides none."""
    count = result.sizes["time"]
    even = np.linspace(0, count - 1, min(count, _MOST_FRAMES)).round().astype(np.intp)
    if count <= _MOST_FRAMES:
        return even
    peaks = [int(np.nanargmax(np.abs(output.total(result)))) for output in known]
    return np.unique(np.concatenate([even, np.array(peaks, dtype=np.intp)]))


def _heard(shares: NDArray[np.float64]) -> tuple[list[int], NDArray[np.float64]]:
    """Sources that have a part in an output, and their shares (n_heard, n_times)."""
    heard = [int(i) for i in np.flatnonzero(np.any(shares != 0.0, axis=0))]
    return heard, shares[:, heard].T


def _output(
    result: xr.Dataset,
    peak: Explanation,
    shares: tuple[list[int], NDArray[np.float64]],
    kept: slice | NDArray[np.intp],
    kind: Kind,
    blob: Blob,
) -> dict[str, Any]:
    output, (heard, values) = peak.output, shares
    frame = int(np.nanargmax(np.abs(output.total(result))))
    place = ", ".join(label for dim, label in output.place.items() if dim != "axis")
    return {
        "name": output.name,
        "label": output.name.replace("_", " "),
        "unit": output.unit,
        "quantity": output.quantity,
        "place": place or output.name,
        "sentence": peak.sentence,
        "peak": frame,
        "peakTime": float(result["time"].values[frame]),
        "alternative": f"Shares of {output.name} stacked over time. Peak: {peak.headline}.",
        "total": blob.add(output.total(result)),
        "heard": heard,
        "shares": blob.add(values[:, kept], kind),
    }
