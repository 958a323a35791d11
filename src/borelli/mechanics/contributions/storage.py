"""Where shares are kept: in memory up to a limit, beyond it in a file that the system pages in and out."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

import numpy as np

from borelli.errors import InvalidValueError, WriteError
from borelli.mechanics.memory import sparse_zeros

_CHUNK = 2**24
"""Bytes that are written at once where space cannot be reserved otherwise."""


@dataclass
class ShareStorage:
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
            # Three quarters stay zero: most sources have no part in most joints.
            return sparse_zeros(shape)
        # The file has no name and vanishes with the last array that uses it.
        with tempfile.TemporaryFile(prefix="borelli-shares-") as file:
            self._reserve(file.fileno(), 8 * int(np.prod(shape)))
            return np.memmap(file, dtype=float, mode="r+", shape=shape)

    def _reserve(self, file: int, n_bytes: int) -> None:
        """Take the space now: a page that finds no space when it is written to ends the process with a signal."""
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file, 0, n_bytes)
                return
            for start in range(0, n_bytes, _CHUNK):
                os.write(file, bytes(min(_CHUNK, n_bytes - start)))
        except OSError as error:
            place = tempfile.gettempdir()
            raise WriteError(
                f"The shares need {self.used_bytes / 1e9:.3g} GB, more than memory_limit_gb = {self.limit_gb:g}, and "
                f"the folder for temporary files does not take them: {error.strerror}.",
                where=place,
                remedy="raise memory_limit_gb, ask for fewer instants, or let TMPDIR name a folder with space",
            ) from error
