"""What a page shows of the muscles: curves of activation, tension, length and speed, moment arms, torques."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.records import dataclass
from borelli.report.blob import Blob
from borelli.report.detail import is_exact
from borelli.results.labelled.plain_result import PlainResult, PlainVariable

_MUSCLE_DIMS = ("muscle", "path")
_WORDS = {
    "activation": "activation",
    "tension": "tension",
    "force": "force",
    "muscle_length": "length",
    "length": "length",
    "muscle_speed": "lengthening speed",
    "speed": "lengthening speed",
}
_OWNERS = ("joint", "coordinate")
# Demanded, delivered by muscles, missing: of a planar chain and of a model in space.
_EQUATIONS = (
    ("joint", "torque", None, "residual_torque"),
    ("coordinate", "demanded_moment", "total_muscle_moment", "missing_moment"),
)


@dataclass(frozen=True, slots=True)
class MuscleCurves:
    """Names of the muscles, and curves.

    Each curve has ``words``, ``unit``, ``of`` (which of the names it is about) and ``values`` (muscle, time).
    """

    names: list[str]
    curves: list[dict[str, Any]]

    @classmethod
    def of(cls, result: PlainResult) -> MuscleCurves:
        """Collect what a result knows of its muscles."""
        dims = [dim for dim in _MUSCLE_DIMS if dim in result.sizes]
        names = list(dict.fromkeys(name for dim in dims for name in result.labels(dim).names))
        return cls(names, [*_plain_curves(result, names), *_moment_arms(result, names)])

    @property
    def count(self) -> int:
        """Numbers in every frame."""
        return sum(len(curve["of"]) for curve in self.curves)

    def data(self, blob: Blob, kept: slice | NDArray[np.intp]) -> dict[str, Any] | None:
        """Return what the page holds of some frames; None without curves."""
        if not self.curves:
            return None
        values = [curve["values"][:, kept] for curve in self.curves]
        exact = is_exact(sum(each.size for each in values), isinstance(kept, slice))
        added = [blob.add(own) for own in values] if exact else blob.add_sets(values)
        curves = [{**curve, "values": own} for curve, own in zip(self.curves, added, strict=True)]
        return {"names": self.names, "curves": curves}


def _plain_curves(result: PlainResult, names: list[str]) -> Iterator[dict[str, Any]]:
    for variable, words in _WORDS.items():
        if variable not in result:
            continue
        array = result[variable]
        dim = next((name for name in _MUSCLE_DIMS if set(array.dims) == {"time", name}), None)
        if dim is not None:
            labels = [names.index(name) for name in result.labels(dim).names]
            curve = _curve(words, array, labels, array.transpose(dim, "time").values)
            if curve is not None:
                yield curve


def _curve(
    words: str, array: PlainVariable, of: list[int], values: np.ndarray, *, sparse: bool = False
) -> dict[str, Any] | None:
    """One quantity of the muscles that have it; where it is sparse, zero throughout means not to have it."""
    known = np.isfinite(values).any(axis=1)
    if sparse:
        known &= np.nan_to_num(values).any(axis=1)
    if not known.any():
        return None
    return {
        "words": words,
        "unit": str(array.attrs.get("units", "")),
        "of": [of[k] for k in np.flatnonzero(known)],
        "values": values[known],
    }


def _moment_arms(result: PlainResult, names: list[str]) -> Iterator[dict[str, Any]]:
    """One set of curves for every joint or coordinate that a muscle can turn."""
    if "moment_arm" not in result:
        return
    arms = result["moment_arm"]
    owner = next((name for name in _OWNERS if name in arms.dims), None)
    dim = next((name for name in _MUSCLE_DIMS if name in arms.dims), None)
    if owner is None or dim is None or set(arms.dims) != {"time", owner, dim}:
        return
    labels = [names.index(name) for name in result.labels(dim).names]
    for label, values in zip(
        result.labels(owner).names, arms.transpose(owner, dim, "time").values, strict=True
    ):
        curve = _curve(f"moment arm at {label}", arms, labels, values, sparse=True)
        if curve is not None:
            yield curve


def balance_curves(result: PlainResult) -> list[dict[str, Any]]:
    """Return for every joint or coordinate its torque, the sum of the muscles' torques and what is missing.

    Coordinates that have nothing to balance, or no muscle that could, are left out.
    """
    found: list[dict[str, Any]] = []
    for dim, demand, delivered, missing in _EQUATIONS:
        if not {demand, missing} <= set(result.data_vars) or result[demand].dims != ("time", dim):
            continue
        if not any(result.sizes.get(name) for name in _MUSCLE_DIMS):
            continue
        units = result["unit"].values if "unit" in result and result["unit"].dims == (dim,) else None
        demands, lacks = (result[name].transpose(dim, "time").values for name in (demand, missing))
        gifts = demands - lacks if delivered is None else result[delivered].transpose(dim, "time").values
        for index, label in enumerate(result.labels(dim).names):
            needed, left, given = demands[index], lacks[index], gifts[index]
            if delivered is not None and not np.nan_to_num(given).any():
                continue
            unit = result[demand].attrs.get("units", "") if units is None else units[index]
            place = {"place": label, "unit": str(unit)}
            found.append({**place, "torque": needed, "muscles": given, "missing": left})
    return found


def balance_data(
    curves: list[dict[str, Any]], blob: Blob, kept: slice | NDArray[np.intp]
) -> list[dict[str, Any]]:
    """Return what the page holds of some frames."""
    return [
        {key: value if isinstance(value, str) else blob.add(value[kept]) for key, value in each.items()}
        for each in curves
    ]
