"""Where frames and points of a compiled model are, in ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.compiled.frames import frame_poses, frames_as_nodes
from borelli.kernels.backend import Backend
from borelli.kernels.tree.mechanism import Mechanism


class NodePoses:
    """Poses of some attached frames over all given postures.

    Parameters
    ----------
    backend : Backend
    mechanism : Mechanism
    q : (n_instants, n_coordinates) float
    wanted : sequence of Attachment
        The frames that will be asked for.
    """

    def __init__(
        self, backend: Backend, mechanism: Mechanism, q: np.ndarray, wanted: Sequence[Attachment]
    ) -> None:
        self.n_instants = len(q)
        placed = frames_as_nodes(mechanism, wanted)
        self._position = {frame: index for index, frame in enumerate(wanted)}
        self._rotation, self._origin = frame_poses(backend, placed, q)

    def rotation(self, frame: Attachment) -> np.ndarray:
        """Axes of a frame as columns, (n_instants, 3, 3)."""
        return self._rotation[:, self._position[frame]]

    def point(self, frame: Attachment, point: Sequence[float] = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Place of a point given in the frame (m), (n_instants, 3)."""
        index = self._position[frame]
        if not any(point):
            return self._origin[:, index]
        return self._origin[:, index] + self._rotation[:, index] @ np.array(point, dtype=float)
