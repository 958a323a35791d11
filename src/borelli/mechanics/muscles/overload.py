"""Muscles that would do what no muscle can: named, with the worst of them."""

from __future__ import annotations

import numpy as np

from borelli.errors import few

_OVERLOAD = 10.0
"""Maximum isometric forces or velocities; no muscle, nor its tendon, comes near it."""


def overload(
    size: np.ndarray, limit: np.ndarray, names: tuple[str, ...], time: np.ndarray, what: str, unit: str
) -> str | None:
    """Say which muscles are far beyond their limits; None if none is.

    Parameters
    ----------
    size : (n, n_muscles) float
        What they do, positive; NaN where that is not known.
    limit : (n_muscles,) float
        What they can; 0 where that is not known.
    what : str
        ``"bear up to {:.2g} times the maximum force"``.
    """
    beyond = (size > _OVERLOAD * limit) & (limit > 0.0)
    if not beyond.any():
        return None
    row, column = np.unravel_index(int(np.argmax(np.where(beyond, size, 0.0))), size.shape)
    listed = few([names[k] for k in np.flatnonzero(beyond.any(axis=0))], 4)
    return (
        f"{listed} would {what.format(size[row, column] / limit[column])} ({names[column]} at "
        f"{float(time[row]):g} s: {size[row, column]:.2g} {unit})"
    )
