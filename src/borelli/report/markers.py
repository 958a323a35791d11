"""The chapter of markers: measured beside modelled, errors over time, worst instants, sizes of limbs against norms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.report.blob import Blob
from borelli.results.labelled.plain_result import PlainResult, PlainVariable

# Instants to look at: a list that is read.
_WORST = 5
_APART = 0.05
"""Worst instants are this part of the recording apart, so that one bad stretch is named once."""
_NEEDED = ("marker_measured", "marker_modelled", "marker_error")


def has_markers(result: PlainResult) -> bool:
    """Whether a result knows the markers that its motion was found from."""
    return all(name in result for name in _NEEDED) and bool(np.isfinite(result["marker_error"].values).any())


def worst_instants(result: PlainResult) -> list[int]:
    """Return the instants that fit worst, the worst first, apart from each other."""
    if not has_markers(result):
        return []
    rms = _rms(result["marker_error"].transpose("time", "marker").values)
    left, found = np.where(np.isfinite(rms), rms, -np.inf), list[int]()
    apart = max(1, int(_APART * len(rms)))
    while len(found) < _WORST and np.isfinite(left).any():
        worst = int(np.argmax(left))
        found.append(worst)
        left[max(0, worst - apart) : worst + apart + 1] = -np.inf
    return found


def marker_places(result: PlainResult) -> int:
    """Return how many numbers the chapter has for each drawn instant."""
    return 7 * result.sizes["marker"] if has_markers(result) else 0


def marker_data(result: PlainResult, frames: NDArray[np.intp], blob: Blob) -> dict[str, Any] | None:
    """Return what the chapter holds of the drawn instants, and what all instants say; None without markers.

    Lengths are in millimetres, places in metres.
    """
    if not has_markers(result):
        return None
    error = 1e3 * result["marker_error"].transpose("time", "marker").values
    names, times = list(result.labels("marker").names), result["time"].values
    rms = _rms(error)
    return {
        "names": names,
        "measured": blob.add_moving(_places(result["marker_measured"])[frames]),
        "modelled": blob.add_moving(_places(result["marker_modelled"])[frames]),
        "error": blob.add_curves(error[frames].T),
        "rms": blob.add(rms[frames], "f4"),
        "meanRms": float(np.nanmean(rms)),
        "markers": [_marker(name, error[:, k], times) for k, name in enumerate(names)],
        "worst": [
            {
                "time": float(times[t]),
                "rms": float(rms[t]),
                "marker": names[int(np.nanargmax(error[t]))],
                "error": float(np.nanmax(error[t])),
            }
            for t in worst_instants(result)
        ],
        "segments": _segments(result),
    }


def _rms(error: NDArray[np.float64]) -> NDArray[np.float64]:
    """Root of the mean square over the markers seen, NaN where there is none."""
    count = np.isfinite(error).sum(axis=1)
    square = np.nan_to_num(error**2).sum(axis=1)
    return np.sqrt(np.divide(square, count, out=np.full(len(error), np.nan), where=count > 0))


def _places(array: PlainVariable) -> NDArray[np.float64]:
    places: NDArray[np.float64] = array.transpose("time", "marker", "axis").values
    return places


def _marker(name: str, error: NDArray[np.float64], times: NDArray[np.float64]) -> dict[str, Any]:
    seen = np.isfinite(error)
    if not seen.any():
        return {"name": name, "mean": None, "most": None, "at": None, "missing": 100.0}
    return {
        "name": name,
        "mean": float(np.nanmean(error)),
        "most": float(np.nanmax(error)),
        "at": float(times[int(np.nanargmax(error))]),
        "missing": float(100.0 * (1.0 - seen.mean())),
    }


def _segments(result: PlainResult) -> list[dict[str, Any]]:
    """Every limb: its length, the height at which it is usual, and how far that is from the median of all limbs."""
    if "segment_length" not in result:
        return []
    height = result["segment_height"].values
    usual = float(np.median(height))
    return [
        {
            "name": str(name),
            "length": float(length),
            "height": float(own),
            "beside": float(100.0 * (own / usual - 1.0)),
        }
        for name, length, own in zip(
            result["segment"].values, result["segment_length"].values, height, strict=True
        )
    ]
