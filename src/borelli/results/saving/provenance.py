"""What a result says about itself: how it was made and how far to trust it."""

from __future__ import annotations

import functools
import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.output import outputs
from borelli.results.outputs.totals import has_shares
from borelli.results.saving.attributes import plain
from borelli.results.verdict import VERDICT, verdict

FORMAT = "borelli-result"
# Raised when a folder is written that earlier versions would misread. In version 1, `result.nc` was HDF5.
FORMAT_VERSION = 2

# Attributes that have a place of their own in the manifest; all others are settings.
_OWN_PLACE = ("analysis", "citation", "citations", "warnings", "borelli_version", VERDICT)
_LIBRARIES = ("borelli", "numpy", "scipy", "xarray", "pyarrow")


def manifest_of(result: PlainResult, *, inputs: Mapping[str, str], warnings: Sequence[str]) -> dict[str, Any]:
    """Describe a result.

    Parameters
    ----------
    inputs : mapping of name to SHA-256
        Of the files it was computed from.
    warnings : sequence of str
        Beside those in the attribute ``warnings``.

    Returns
    -------
    dict
        Of what JSON knows. ``residuals`` holds every number of the result that is not a curve, such as
        ``closure``, with its unit; ``verdict`` the light and its checks.
    """
    said = {str(key): plain(value, f"attribute {key!r} of the result") for key, value in result.attrs.items()}
    numbers = [(name, result[name]) for name in result.data_vars if not result[name].dims]
    times = result["time"].values
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "analysis": said.get("analysis", ""),
        "settings": {key: value for key, value in said.items() if key not in _OWN_PLACE},
        "residuals": {
            name: {"value": float(own.values), "unit": str(own.attrs.get("units", ""))}
            for name, own in numbers
            if own.values.dtype.kind == "f"
        },
        VERDICT: verdict(result).to_dict(),
        "warnings": [*said.get("warnings", []), *warnings],
        "citations": list(said.get("citations", [said["citation"]] if "citation" in said else [])),
        "inputs": {name: {"sha256": digest} for name, digest in inputs.items()},
        "versions": {
            "python": platform.python_version(),
            **_versions(),
        },
        "times": {"count": len(times), "first_s": float(times[0]), "last_s": float(times[-1])},
        "outputs": {each.name: each.unit for each in outputs(result)} if has_shares(result) else {},
    }


@functools.cache
def _versions() -> dict[str, str]:
    """Versions of libraries, which do not change while a process lives."""
    return {name: metadata.version(name) for name in _LIBRARIES}
