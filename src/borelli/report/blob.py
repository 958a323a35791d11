"""Numbers packed for a page: all arrays in one compressed block, and where each of them lies in it."""

from __future__ import annotations

import base64
import zlib
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

Kind = Literal["f8", "f4"]
_ALIGNED = 8  # a browser's views of a block must begin at a multiple of their element's size


class Blob:
    """Collects arrays; a page holds the text of the block and a small reference for each array."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, values: ArrayLike, kind: Kind = "f8") -> dict[str, Any]:
        """Append an array and return its reference: where it begins, its shape and the kind of its numbers."""
        array = np.ascontiguousarray(values, dtype=f"<{kind}")
        content = array.tobytes()
        content += bytes(-len(content) % _ALIGNED)
        reference = {"at": self._size, "shape": list(array.shape), "kind": kind}
        self._parts.append(content)
        self._size += len(content)
        return reference

    def text(self) -> str:
        """Return the block in letters that mean nothing to HTML."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 6)).decode("ascii")


def unpacked(text: str, reference: dict[str, Any]) -> np.ndarray:
    """Return one array of a block, as the page's script reads it."""
    content = zlib.decompress(base64.b64decode(text))
    count = int(np.prod(reference["shape"], dtype=int))
    values = np.frombuffer(content, f"<{reference['kind']}", count, reference["at"])
    return values.reshape(reference["shape"])
