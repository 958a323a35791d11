"""What a page holds of one saved result: every frame for the tables, fewer for the drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from borelli.records import dataclass
from borelli.report.blob import Blob
from borelli.report.detail import PAGE_BYTES, Amount, Detail, detail_for, is_exact
from borelli.report.event_data import event_data
from borelli.report.gait_data import gait_data
from borelli.report.markers import marker_data, marker_places, worst_instants
from borelli.report.mesh_data import Surface
from borelli.report.muscle_data import MuscleCurves, balance_curves, balance_data
from borelli.report.scene_data import scene_data, scene_places
from borelli.report.search_words import search_words
from borelli.report.share_rows import ShareRows
from borelli.report.source_groups import groupings
from borelli.results.answers import ROOTS, Answer, answers_if_any
from borelli.results.explanation import Explanation, explain_peak, source_bodies
from borelli.results.gait.norms import Norms
from borelli.results.labelled.plain_result import PlainResult, Result
from borelli.results.outputs.body_size import MASS_KG, WEIGHT_N
from borelli.results.outputs.output import SOURCE, Output, outputs
from borelli.results.outputs.plain_names import GROUPS, ground_loads, joint_named, output_words, plain_groups
from borelli.results.outputs.resultant import Resultant, joint_forces, segment_axis
from borelli.results.outputs.totals import has_shares
from borelli.results.saving.manifest import load_manifest
from borelli.results.saving.read_plain import read_plain


class Saved(NamedTuple):
    """A result that was saved a moment ago, and what its joints bear: neither is read or computed again."""

    result: Result
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A saved result as a page needs it.

    Attributes
    ----------
    title : str
        The result's own title, else what was analysed, else the folder's name.
    manifest : dict
        What ``result.json`` says.
    peaks : tuple of Explanation
        Each output at its peak.
    answers : tuple of Answer
        What each joint bears.
    words : tuple of str
        By which each output is found.
    data : dict
        Of what JSON knows; read by the page's script. Numbers lie in the page's block.
    """

    title: str
    manifest: dict[str, Any]
    peaks: tuple[Explanation, ...]
    answers: tuple[Answer, ...]
    words: tuple[str, ...]
    data: dict[str, Any]

    @classmethod
    def of_folder(
        cls,
        folder: Path,
        blob: Blob,
        room: float = PAGE_BYTES,
        norms: Norms | None = None,
        meshes: Mapping[str, Sequence[Surface]] | None = None,
        saved: Saved | None = None,
    ) -> Shown:
        """Read a result folder; its numbers are added to the block, in about so many bytes of the page.

        What was saved there a moment ago need not be read again.
        """
        manifest = load_manifest(folder)
        plain = read_plain(folder) if saved is None else PlainResult.of(saved.result)
        known = outputs(plain) if has_shares(plain) else ()
        told = [found for output in known if (found := _Told.of(plain, output)) is not None]
        settings = manifest["settings"]
        named = next((settings[key] for key in ("title", "chain", "model") if settings.get(key)), folder.name)
        derived = [_Derived.of(plain, each, told) for each in (joint_forces(plain, known) if told else ())]
        whole = [each for each in derived if each is not None]
        answered = answers_if_any(plain) if saved is None else saved.answers
        data = _data(plain, str(named), folder.name, told, whole, blob, room, meshes)
        data["gait"] = gait_data(plain, blob, norms)
        data["first"] = _first(data["outputs"], answered) if WEIGHT_N in settings else None
        peaks = (*(each.peak for each in told), *(each.peak for each in whole))
        words = tuple(
            search_words(plain, peak, output["peakTime"])
            for peak, output in zip(peaks, data["outputs"], strict=True)
        )
        return cls(str(named), manifest, peaks, answered, words, data)


def _first(shown: list[dict[str, Any]], answered: tuple[Answer, ...]) -> int | None:
    """Which output the page opens with: that of the first card."""
    names = [output["name"] for output in shown]
    return next((names.index(each.output.name) for each in answered if each.output.name in names), None)


@dataclass(frozen=True, slots=True)
class _Told:
    """One output: its curve (n_times,), the sources that have a part in it and their shares (n_heard, n_times)."""

    peak: Explanation
    total: NDArray[np.float64]
    heard: list[int]
    shares: NDArray[np.float64]
    peak_frame: int

    @classmethod
    def of(cls, result: PlainResult, output: Output) -> _Told | None:
        """Return None of an output without numbers, and of one that is zero because no source can have a part."""
        total = output.total(result)
        if not np.isfinite(total).any():
            return None
        heard = output.heard(result).tolist()
        if not heard:
            return None
        frame, peak = explain_peak(result, output, total, heard)
        return cls(peak, total, heard, output.shares(result)[:, heard].T, frame)


@dataclass(frozen=True, slots=True)
class _Derived:
    """Size, axial or shear part of a force; the page computes its shares from those of the components."""

    peak: Explanation
    total: NDArray[np.float64]
    parts: list[int]
    axis: NDArray[np.float64] | None
    peak_frame: int

    @classmethod
    def of(cls, result: PlainResult, force: Resultant, told: list[_Told]) -> _Derived | None:
        names = [each.peak.output.name for each in told]
        parts = [names.index(each.name) if each.name in names else -1 for each in force.components]
        joint = force.place["joint"]
        if max(parts) < 0 or joint_named(joint).what.startswith(ROOTS):
            return None
        total = force.total(result)
        if not np.isfinite(total).any() or not np.nanmax(np.abs(total)) > 0.0:
            return None
        axis = None if force.direction == "resultant" else segment_axis(result, joint, len(parts))
        frame, peak = explain_peak(result, force, total, force.heard(result).tolist())
        return cls(peak, total, parts, axis, frame)


def _data(
    result: PlainResult,
    title: str,
    folder: str,
    told: list[_Told],
    derived: list[_Derived],
    blob: Blob,
    room: float,
    meshes: Mapping[str, Sequence[Surface]] | None,
) -> dict[str, Any]:
    muscles, balance = MuscleCurves.of(result), balance_curves(result)
    amount = Amount(
        frames=result.sizes["time"],
        shares=sum(len(each.heard) for each in told),
        muscles=muscles.count,
        totals=len(told) + 3 * len(balance),
        places=scene_places(result) + marker_places(result),
        peaks=(
            *(each.peak_frame for each in told),
            *(each.peak_frame for each in derived),
            *worst_instants(result),
        ),
    )
    detail = detail_for(amount, room)
    frames = detail.frames(amount)
    kept = _Kept.of(detail, amount, frames)
    sources = list(result.labels(SOURCE).names) if told else []
    times = result["time"].values
    rows = ShareRows()
    shown = [
        *(_output(each, times, kept, blob, rows) for each in told),
        *(_derived_output(each, times, kept, blob) for each in derived),
    ]
    rows.close(blob)
    return {
        "title": title,
        "folder": folder,
        "time": blob.add(times[kept.totals]),
        "drawn": kept.places(frames),
        "wholeShares": detail.whole_shares,
        "wholeMuscles": detail.whole_muscles,
        "wholeTotals": detail.whole_totals,
        "sources": sources,
        "weight": _known(result, WEIGHT_N),
        "mass": _known(result, MASS_KG),
        "groupings": groupings(sources, source_bodies(result) if told else None, _plain(result, sources)),
        "outputs": shown,
        **event_data(result),
        "scene": scene_data(result, frames, blob, meshes),
        "markers": marker_data(result, frames, blob),
        "muscles": muscles.data(blob, kept.muscles),
        "balance": balance_data(balance, blob, kept.totals),
    }


@dataclass(frozen=True, slots=True)
class _Kept:
    """Frames that the page holds of each part, and how finely it holds the shares."""

    shares: slice | NDArray[np.intp]
    muscles: slice | NDArray[np.intp]
    totals: slice | NDArray[np.intp]
    exact: bool
    """Whether shares have all digits"""

    @classmethod
    def of(cls, detail: Detail, amount: Amount, frames: NDArray[np.intp]) -> _Kept:
        def part(whole: bool) -> slice | NDArray[np.intp]:
            return slice(None) if whole else frames

        count = amount.shares * (amount.frames if detail.whole_shares else len(frames))
        exact = is_exact(count, detail.whole_shares)
        return cls(part(detail.whole_shares), part(detail.whole_muscles), part(detail.whole_totals), exact)

    def places(self, frames: NDArray[np.intp] | Sequence[int]) -> list[int]:
        """Where frames are among those of the totals."""
        own = frames if isinstance(self.totals, slice) else np.searchsorted(self.totals, frames)
        return [int(place) for place in own]


def _known(result: PlainResult, attribute: str) -> float | None:
    value = float(result.attrs.get(attribute) or 0.0)
    return value if np.isfinite(value) and value > 0.0 else None


def _plain(result: PlainResult, sources: list[str]) -> dict[str, list[str]]:
    """Groupings in plain words, the user's own first where there are any; none where nothing has muscles."""
    if not any(source.startswith("muscle:") for source in sources):
        return {}
    on_ground, own = ground_loads(result), result.attrs.get(GROUPS)
    each = plain_groups(sources, on_ground=on_ground)
    anatomy = plain_groups(sources, anatomical=True, on_ground=on_ground)
    ways = {"by muscle": each, "by anatomical group": anatomy}
    return {"by my groups": plain_groups(sources, on_ground=on_ground, own=own), **ways} if own else ways


def _derived_output(told: _Derived, times: NDArray[np.float64], kept: _Kept, blob: Blob) -> dict[str, Any]:
    output = told.peak.output
    direction = output.direction if isinstance(output, Resultant) else ""
    made = {"parts": told.parts, "direction": direction, "joint": output.place["joint"]}
    return {
        **_described(told.peak, told.total, told.peak_frame, times, kept),
        **(made if told.axis is None else {**made, "axis": blob.add(told.axis[kept.totals])}),
    }


def _output(
    told: _Told, times: NDArray[np.float64], kept: _Kept, blob: Blob, rows: ShareRows
) -> dict[str, Any]:
    shares = told.shares[:, kept.shares]
    return {
        **_described(told.peak, told.total, told.peak_frame, times, kept),
        "total": blob.add(told.total[kept.totals]),
        "heard": told.heard,
        "shares": blob.add(shares) if kept.exact else rows.add(shares, told.heard),
    }


def _described(
    peak: Explanation, total: NDArray[np.float64], peak_frame: int, times: NDArray[np.float64], kept: _Kept
) -> dict[str, Any]:
    output = peak.output
    place = ", ".join(joint_named(label).words for dim, label in output.place.items() if dim != "axis")
    ends = (int(total.argmax()), int(total.argmin()))
    if np.isnan(total[ends[0]]):
        ends = (int(np.nanargmax(total)), int(np.nanargmin(total)))
    return {
        "name": output.name,
        "label": output_words(output),
        "unit": output.unit,
        "quantity": output.quantity,
        "place": place or output.name,
        "sentence": peak.sentence,
        "peak": kept.places([peak_frame])[0],
        "peakTime": float(times[peak_frame]),
        "extremes": [[float(total[frame]), float(times[frame])] for frame in ends],
        "alternative": f"Shares of {output.name} stacked over time. Peak: {peak.headline}.",
    }
