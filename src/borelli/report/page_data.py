"""What a page shows of one saved result: numbers thinned for drawing, peaks and residuals from all frames."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from borelli.report.stack import Stack
from borelli.results.explanation import Explanation, explain
from borelli.results.output import Output, outputs
from borelli.results.save import load_record, load_result

_MOST_FRAMES = 240
_GROUPINGS: tuple[Literal["source", "kind"], ...] = ("source", "kind")
_DIGITS = 7


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
    drawing : dict
        Of what JSON knows; read by the page's script.
    """

    title: str
    record: dict[str, Any]
    peaks: tuple[Explanation, ...]
    drawing: dict[str, Any]

    @classmethod
    def of_folder(cls, folder: Path) -> Shown:
        """Read a result folder."""
        record, result = load_record(folder), load_result(folder)
        known = outputs(result)
        peaks = tuple(explain(result, output) for output in known)
        settings = record["settings"]
        named = next((settings[key] for key in ("title", "chain", "model") if settings.get(key)), folder.name)
        return cls(str(named), record, peaks, _drawing(result, known, peaks))

    @property
    def places(self) -> list[str]:
        """Joints (or coordinates) in order, each once."""
        return list(dict.fromkeys(output["place"] for output in self.drawing["outputs"]))

    @property
    def place_kind(self) -> str:
        """What the places are, such as ``joint``."""
        dims = [dim for dim in self.peaks[0].output.place if dim != "axis"]
        return dims[0] if dims else "output"


def _drawing(result: xr.Dataset, known: tuple[Output, ...], peaks: tuple[Explanation, ...]) -> dict[str, Any]:
    frames = _frames(result, known)
    points = np.zeros((0, 0, 2))
    names: list[str] = []
    if "joint_position" in result:
        places = result["joint_position"].transpose("time", "point", "axis")
        points, names = places.values[frames, :, :2], [str(name) for name in places["point"].values]
    return {
        "time": _numbers(result["time"].values[frames]),
        "points": [[_numbers(point) for point in frame] for frame in points],
        "pointNames": names,
        "outputs": [
            _output({by: Stack.of(result, peak.output, by) for by in _GROUPINGS}, peak, frames)
            for peak in peaks
        ],
    }


def _frames(result: xr.Dataset, known: tuple[Output, ...]) -> NDArray[np.intp]:
    """Evenly spaced frames for drawing, and the peak of every output, so that thinning hides none."""
    count = result.sizes["time"]
    even = np.linspace(0, count - 1, min(count, _MOST_FRAMES)).round().astype(np.intp)
    peaks = [int(np.nanargmax(np.abs(output.total(result)))) for output in known]
    return np.unique(np.concatenate([even, np.array(peaks, dtype=np.intp)]))


def _output(stacks: dict[str, Stack], peak: Explanation, frames: NDArray[np.intp]) -> dict[str, Any]:
    output, stack = peak.output, stacks["source"]
    place = ", ".join(label for dim, label in output.place.items() if dim != "axis")
    return {
        "name": output.name,
        "label": output.name.replace("_", " "),
        "axis": stack.label,
        "unit": output.unit,
        "place": place or output.name,
        "sentence": peak.sentence,
        "alternative": f"Shares of {output.name} stacked over time. Peak: {peak.headline}.",
        "total": _numbers(stack.total[frames]),
        "stacks": {
            by: {
                "names": list(each.names),
                "colours": list(each.colours),
                "layers": [_numbers(layer) for layer in each.layers[frames].T],
            }
            for by, each in stacks.items()
        },
    }


def _numbers(values: NDArray[Any]) -> list[float | None]:
    """Seven digits are more than a screen shows, and half the size of seventeen; JSON has no NaN."""
    return [float(f"{value:.{_DIGITS}g}") if np.isfinite(value) else None for value in values]
