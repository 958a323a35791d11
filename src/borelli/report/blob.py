"""Numbers packed for a page: all arrays in one compressed block, and where each of them lies in it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.report import compression
from borelli.report.steps import Array, coded, decoded

Kind = Literal["f8", "f4", "u4", "u2"]


class Blob:
    """Collects arrays; a page holds the text of the block and a small reference for each array."""

    def __init__(self) -> None:
        self._parts: list[tuple[bytes, bool]] = []
        self._size = 0
        self._known: dict[bytes, int] = {}

    def add(self, values: ArrayLike, kind: Kind = "f8", repeats: bool = False) -> dict[str, Any]:
        """Append an array and return its reference: where it begins, its shape and the kind of its numbers.

        What is there already is not appended again. `repeats` tells whether sequences of numbers come again in it.
        """
        array = np.array(values, dtype=f"<{kind}", order="C", ndmin=1)
        # First bytes of all numbers together, then the second ones: like beside like is a fifth smaller.
        content = array.view(np.uint8).reshape(array.size, array.itemsize).T.tobytes()
        key = hashlib.sha256(content).digest()
        if key not in self._known:
            self._known[key] = self._size
            self._parts.append((content, repeats))
            self._size += len(content)
        return {"at": self._known[key], "shape": list(array.shape), "kind": kind}

    def add_curves(self, curves: Array, exponents: NDArray[np.int64] | None = None) -> dict[str, Any]:
        """Append curves (n, n_times) in steps; by default as fine as single precision is at the largest of each."""
        return self._add_coded(*coded(curves, exponents))

    def add_sets(self, sets: Sequence[Array]) -> list[dict[str, Any]]:
        """Append sets of curves, each (n, n_times) with the same n_times: all are coded at once."""
        if not sets:
            return []
        codes, heads = coded(np.concatenate(sets))
        ends = np.cumsum([len(each) for each in sets])[:-1]
        return [
            self._add_coded(*each) for each in zip(np.split(codes, ends), np.split(heads, ends), strict=True)
        ]

    def _add_coded(self, codes: NDArray[np.uint32], heads: NDArray[np.uint16]) -> dict[str, Any]:
        return {
            **self.add(codes, "u4"),
            "kind": "d4",
            "heads": self.add(heads, "u2"),
        }

    def add_moving(self, values: Array, finest: int | None = None) -> dict[str, Any]:
        """Append what moves, (n_times, …), in steps of two to the power of `finest`, or as fine as single precision."""
        curves = np.ascontiguousarray(np.reshape(values, (len(values), -1)).T, dtype=float)
        exponents = None if finest is None else np.full(len(curves), finest)
        return {**self.add_curves(curves, exponents), "shape": list(np.shape(values)), "turned": True}

    def text(self) -> str:
        """Return the block in letters that mean nothing to HTML."""
        return compression.packed_parts(self._parts)


def unpacked(text: str, reference: dict[str, Any]) -> np.ndarray:
    """Return one array of a block, as the page's script reads it."""
    return _unpacked(compression.unpacked(text), reference)


def _unpacked(content: bytes, reference: dict[str, Any]) -> np.ndarray:
    if reference["kind"] == "d4":
        return _curves(content, reference)
    count, width = int(np.prod(reference["shape"], dtype=int)), int(reference["kind"][1])
    parts = np.frombuffer(content, np.uint8, count * width, reference["at"]).reshape(width, count)
    values = np.ascontiguousarray(parts.T).view(f"<{reference['kind']}")
    return values.reshape(reference["shape"])


def _curves(content: bytes, reference: dict[str, Any]) -> np.ndarray:
    heads, shape = _unpacked(content, reference["heads"]), reference["shape"]
    turned = reference.get("turned", False)
    length = shape[0] if turned else shape[1]
    stored = {"at": reference["at"], "shape": [len(heads), length], "kind": "u4"}
    curves = decoded(_unpacked(content, stored), heads)
    if turned:
        return np.ascontiguousarray(curves.T).reshape(shape)
    rows = np.array(reference.get("rows", range(1, len(heads) + 1)))
    return np.asarray(curves[np.abs(rows) - 1] * np.sign(rows)[:, None])
