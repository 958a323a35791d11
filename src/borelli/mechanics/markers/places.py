"""Where markers and sensors of a model are in given postures.

The general way gives every frame a node of its own (:mod:`borelli.compiled.frames`), with tables that take longer to
make than a short recording takes to place. Markers differ from call to call, the mechanism does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.kernels.markers.modelled import carry_points
from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine


def places_of(mechanism: Mechanism, q: np.ndarray, frames: Sequence[Attachment]) -> np.ndarray:
    """Return the origins of frames in ground (m), (n, n_frames, 3)."""
    own = np.array([frame.placement.translation for frame in frames], dtype=float).reshape(-1, 3)
    places = np.empty((len(q), len(frames), 3))
    carry_points(*_carriers(mechanism, q, frames), own, places)
    return places


def axes_of(mechanism: Mechanism, q: np.ndarray, frames: Sequence[Attachment]) -> np.ndarray:
    """Return the axes of frames in ground as columns, (n, n_frames, 3, 3)."""
    own = np.array([frame.placement.rotation for frame in frames], dtype=float).reshape(-1, 3, 3)
    axes = np.empty((len(q), len(frames), 3, 3))
    if frames:
        rotation, _, carrier = _carriers(mechanism, q, frames)
        for k, node in enumerate(carrier):
            axes[:, k] = rotation[:, node] @ own[k] if node >= 0 else own[k]
    return axes


def _carriers(
    mechanism: Mechanism, q: np.ndarray, frames: Sequence[Attachment]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rotations and origins of all nodes that carry frames, and which of them carries each; -1 is ground."""
    node = np.array([frame.node for frame in frames], dtype=np.int64)
    nodes = np.unique(node[node != GROUND])
    if not nodes.size:
        return np.empty((len(q), 0, 3, 3)), np.empty((len(q), 0, 3)), np.full(len(node), -1)
    rotation, origin = engine().poses(mechanism, q, [int(each) for each in nodes])
    carrier = np.where(node != GROUND, np.searchsorted(nodes, node), -1)
    return rotation, origin, carrier
