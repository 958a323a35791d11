"""Where markers and sensors of a model are in given postures.

The general way gives every frame a node of its own (:mod:`borelli.compiled.frames`), with tables that take longer to
make than a short recording takes to place. Markers differ from call to call, the mechanism does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine


def places_of(mechanism: Mechanism, q: np.ndarray, frames: Sequence[Attachment]) -> np.ndarray:
    """Return the origins of frames in ground (m), (n, n_frames, 3)."""
    own = np.array([frame.placement.translation for frame in frames], dtype=float).reshape(-1, 3)
    places = np.empty((len(q), len(frames), 3))
    for which, rotation, origin in _carried(mechanism, q, frames):
        # One product of two matrices for all instants, not one for each.
        turned = (rotation.reshape(-1, 3) @ own[which].T).reshape(len(q), 3, len(which))
        places[:, which] = np.swapaxes(turned, 1, 2) + origin[:, None]
    return places


def axes_of(mechanism: Mechanism, q: np.ndarray, frames: Sequence[Attachment]) -> np.ndarray:
    """Return the axes of frames in ground as columns, (n, n_frames, 3, 3)."""
    own = np.array([frame.placement.rotation for frame in frames], dtype=float).reshape(-1, 3, 3)
    axes = np.empty((len(q), len(frames), 3, 3))
    for which, rotation, _ in _carried(mechanism, q, frames):
        axes[:, which] = rotation[:, None] @ own[which]
    return axes


def _carried(
    mechanism: Mechanism, q: np.ndarray, frames: Sequence[Attachment]
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return, for every node that carries some of the frames, which ones, and its rotation and origin."""
    carrier = np.array([frame.node for frame in frames], dtype=np.int64)
    nodes = [int(node) for node in np.unique(carrier) if node != GROUND]
    parts = []
    if (carrier == GROUND).any():
        still = np.broadcast_to(np.eye(3), (len(q), 3, 3)), np.zeros((len(q), 3))
        parts.append((np.flatnonzero(carrier == GROUND), *still))
    if nodes:
        rotation, origin = engine().poses(mechanism, q, nodes)
        for index, node in enumerate(nodes):
            parts.append((np.flatnonzero(carrier == node), rotation[:, index], origin[:, index]))
    return parts
