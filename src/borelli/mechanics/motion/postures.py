"""What coordinates alone decide, computed in every instant of a motion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from borelli.mechanics.motion.prepare import Prepared, in_threads


def in_every_posture(
    prepared: Prepared, threads: int, compute: Callable[[np.ndarray], tuple[np.ndarray, ...]]
) -> tuple[np.ndarray, ...]:
    """Compute from coordinates, side by side in threads; NaN in instants that are not known.

    Parameters
    ----------
    compute : function of (n, n_q) coordinates
        Returns arrays whose first axis is that of the n instants.
    """
    found = in_threads(len(prepared.q), threads, lambda instants: compute(prepared.q[instants]))
    return tuple(prepared.whole(values) for values in found)
