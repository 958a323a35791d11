"""What a page shows of the muscles: a curve each for activation, tension, length and speed, and moment arms."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from borelli.report.blob import Blob

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


def muscle_data(result: xr.Dataset, blob: Blob) -> dict[str, Any] | None:
    """Return names, curves (muscle, time) and moment arms of the muscles; None without muscles."""
    dim = next((name for name in _MUSCLE_DIMS if result.sizes.get(name)), None)
    if dim is None:
        return None
    curves = [
        _curve(_WORDS[name], result[name], blob.add(result[name].transpose(dim, "time").values))
        for name in _WORDS
        if name in result and set(result[name].dims) == {"time", dim}
    ]
    curves += _moment_arms(result, dim, blob)
    if not curves:
        return None
    return {"names": [str(name) for name in result[dim].values], "curves": curves}


def _curve(words: str, array: xr.DataArray, values: dict[str, Any]) -> dict[str, Any]:
    return {"words": words, "unit": str(array.attrs.get("units", "")), "values": values}


def _moment_arms(result: xr.Dataset, dim: str, blob: Blob) -> list[dict[str, Any]]:
    """One set of curves for every joint or coordinate that a muscle can turn."""
    if "moment_arm" not in result:
        return []
    arms = result["moment_arm"]
    owner = next((name for name in _OWNERS if name in arms.dims), None)
    if owner is None or set(arms.dims) != {"time", owner, dim}:
        return []
    found = []
    for label in arms[owner].values:
        values = arms.sel({owner: label}).transpose(dim, "time").values
        if np.any(values):
            found.append(_curve(f"moment arm at {label}", arms, blob.add(values)))
    return found


def balance_data(result: xr.Dataset, blob: Blob) -> list[dict[str, Any]]:
    """Return for every joint its torque, the sum of the muscles' torques and what is missing."""
    needed = {"torque", "residual_torque"}
    if not needed <= set(map(str, result.data_vars)) or set(result["torque"].dims) != {"time", "joint"}:
        return []
    unit = str(result["torque"].attrs.get("units", ""))
    found = []
    for joint in result["joint"].values:
        torque = result["torque"].sel(joint=joint).values
        missing = result["residual_torque"].sel(joint=joint).values
        found.append(
            {
                "place": str(joint),
                "unit": unit,
                "torque": blob.add(torque),
                "muscles": blob.add(torque - missing),
                "missing": blob.add(missing),
            }
        )
    return found
