"""Where frames and points of a compiled model are, from the poses of its nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.kernels.backend import Backend
from borelli.kernels.mechanism import Mechanism
from borelli.kernels.node import GROUND
from borelli.model.values import IDENTITY


class NodePoses:
    """Poses of the nodes that some attachments need, (n_frames, …), in ground."""

    def __init__(
        self, backend: Backend, mechanism: Mechanism, q: np.ndarray, wanted: Sequence[Attachment]
    ) -> None:
        self.n_frames = len(q)
        nodes = sorted({attachment.node for attachment in wanted} - {GROUND})
        self._position = {node: index for index, node in enumerate(nodes)}
        self._rotation, self._origin = backend.poses(mechanism, q, nodes)

    def rotation(self, attachment: Attachment) -> np.ndarray:
        """Axes of a frame as columns, (n_frames, 3, 3)."""
        own = np.array(attachment.placement.rotation, dtype=float)
        if attachment.node == GROUND:
            return np.broadcast_to(own, (self.n_frames, 3, 3))
        rotation = self._rotation[:, self._position[attachment.node]]
        return rotation if attachment.placement.rotation == IDENTITY else rotation @ own

    def point(self, attachment: Attachment, point: Sequence[float] = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Place of a point given in the frame, (n_frames, 3)."""
        own = np.array(attachment.placement.of_point(point), dtype=float)
        if attachment.node == GROUND:
            return np.broadcast_to(own, (self.n_frames, 3))
        index = self._position[attachment.node]
        return self._origin[:, index] + self._rotation[:, index] @ own
