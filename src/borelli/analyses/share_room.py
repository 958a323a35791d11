"""Where shares are kept: in memory up to a limit, beyond it in a file that the system pages in and out."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass

import numpy as np

from borelli.errors import InvalidValueError


@dataclass
class ShareRoom:
    """Gives out arrays of zeros, time last and contiguous, as views with time first.

    Parameters
    ----------
    limit_gb : float
        Largest total in memory (1e9 bytes); what goes beyond lies in an unnamed temporary file.
    """

    limit_gb: float
    used_bytes: int = 0
    on_disk: bool = False

    def __post_init__(self) -> None:
        if not self.limit_gb > 0.0:
            raise InvalidValueError(f"memory_limit_gb must be positive, but is {self.limit_gb}.")

    def plan(self, *shapes: tuple[int, ...]) -> None:
        """Decide where arrays of these shapes will lie."""
        self.used_bytes = 8 * sum(int(np.prod(shape)) for shape in shapes)
        self.on_disk = self.used_bytes > self.limit_gb * 1e9

    def zeros(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of zeros of this shape, whose last axis is time."""
        if not self.on_disk or 0 in shape:
            return np.zeros(shape)
        # The file has no name and vanishes with the last array that uses it.
        with tempfile.TemporaryFile(prefix="borelli-shares-") as file:
            file.truncate(8 * int(np.prod(shape)))
            return np.memmap(file, dtype=float, mode="r+", shape=shape)
