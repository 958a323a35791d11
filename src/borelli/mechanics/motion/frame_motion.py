"""How frames and points of a model move: Jacobians, velocities, and accelerations at constant speeds.

One object answers for one block of frames; everything is in ground axes, time first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.kernels.tree.algebra import times
from borelli.kernels.tree.blocks import columns_or_numbers, fill
from borelli.kernels.tree.jacobian import SpeedMotion, carrying_speeds, point_motion, speed_motions
from borelli.kernels.tree.mechanism import Mechanism, node_variables
from borelli.kernels.tree.node import GROUND
from borelli.kernels.tree.node_motion import NodeMotion, NodePose, NodeVelocity
from borelli.kernels.tree.passes import tree_motions, tree_velocities


class FrameMotion:
    """Motion of frames fixed to nodes, in one block of frames.

    Parameters
    ----------
    mechanism : Mechanism
    q : (n, n_q) float
    u : (n, n_u) float, optional
        Needed for velocities and accelerations.
    turns : sequence of (nodes, alpha, centre)
        What OpenSim's accelerations have beside the true ones: ``added_turns`` of axis_rates.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        q: np.ndarray,
        u: np.ndarray | None = None,
        turns: Sequence[tuple[set[int], np.ndarray, np.ndarray]] = (),
    ) -> None:
        self.mechanism = mechanism
        self._turns = turns
        self.n = len(q)
        own = columns_or_numbers(q)
        self._twists: list[SpeedMotion]
        self._poses: list[NodePose]
        self._twists, self._poses = speed_motions(mechanism, own)
        self._velocities: list[NodeVelocity] = []
        self._motions: list[NodeMotion] = []
        if u is not None:
            still = [0.0] * mechanism.n_speeds
            variables = node_variables(mechanism, own, columns_or_numbers(u), still)
            self._velocities = tree_velocities(mechanism.nodes, variables)
            # Without gravity the acceleration of a node is that of its motion alone.
            self._motions = tree_motions(mechanism.nodes, variables, (0.0, 0.0, 0.0))

    def _table(self, numbers: Sequence[object]) -> np.ndarray:
        out = np.empty((self.n, len(numbers)))
        fill(out, numbers)
        return out

    def rotation(self, frame: Attachment) -> np.ndarray:
        """Axes of a frame as columns, (n, 3, 3)."""
        own = np.array(frame.placement.rotation, dtype=float)
        if frame.node == GROUND:
            return np.broadcast_to(own, (self.n, 3, 3))
        return self._table(self._poses[frame.node].rotation).reshape(self.n, 3, 3) @ own

    def point(self, frame: Attachment, location: Sequence[float] = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Place of a point that is given in the frame, (n, 3) m."""
        own = np.array(frame.placement.of_point(location), dtype=float)
        if frame.node == GROUND:
            return np.broadcast_to(own, (self.n, 3))
        pose = self._poses[frame.node]
        return self._table(pose.origin) + self._table(pose.rotation).reshape(self.n, 3, 3) @ own

    def point_jacobian(self, frame: Attachment, point: np.ndarray) -> np.ndarray:
        """Velocity per unit of speed of the frame's point that is at ``point`` in ground, (n, 3, n_u)."""
        out = np.zeros((self.n, 3, self.mechanism.n_speeds))
        place = (point[:, 0], point[:, 1], point[:, 2])
        for speed in self._carrying(frame):
            fill(out[:, :, speed], point_motion(self._twists[speed], place))
        return out

    def angular_jacobian(self, frame: Attachment) -> np.ndarray:
        """Angular velocity of a frame per unit of speed, (n, 3, n_u)."""
        out = np.zeros((self.n, 3, self.mechanism.n_speeds))
        for speed in self._carrying(frame):
            fill(out[:, :, speed], self._twists[speed].angular)
        return out

    def _carrying(self, frame: Attachment) -> list[int]:
        return [] if frame.node == GROUND else carrying_speeds(self.mechanism, frame.node)

    def angular_velocity(self, frame: Attachment) -> np.ndarray:
        """Angular velocity of a frame, (n, 3) rad/s."""
        if frame.node == GROUND:
            return np.zeros((self.n, 3))
        return self._table(times(self._poses[frame.node].rotation, self._velocities[frame.node].omega))

    def angular_acceleration(self, frame: Attachment) -> np.ndarray:
        """Angular acceleration of a frame while the speeds u stay as they are, (n, 3) rad/s²."""
        if frame.node == GROUND:
            return np.zeros((self.n, 3))
        own = self._table(times(self._poses[frame.node].rotation, self._motions[frame.node].alpha))
        return own + sum(alpha for nodes, alpha, _ in self._turns if frame.node in nodes)

    def velocity(self, frame: Attachment, point: np.ndarray) -> np.ndarray:
        """Velocity of the frame's point that is at ``point`` in ground, (n, 3) m/s."""
        if frame.node == GROUND:
            return np.zeros((self.n, 3))
        pose = self._poses[frame.node]
        at_origin = self._table(times(pose.rotation, self._velocities[frame.node].velocity))
        return at_origin + cross_rows(self.angular_velocity(frame), point - self._table(pose.origin))

    def acceleration(self, frame: Attachment, point: np.ndarray) -> np.ndarray:
        """Acceleration of that point while the speeds u stay as they are, (n, 3) m/s²."""
        if frame.node == GROUND:
            return np.zeros((self.n, 3))
        pose = self._poses[frame.node]
        at_origin = self._table(times(pose.rotation, self._motions[frame.node].acceleration))
        reach = point - self._table(pose.origin)
        omega = self.angular_velocity(frame)
        for nodes, alpha, centre in self._turns:
            if frame.node in nodes:
                at_origin = at_origin + cross_rows(alpha, self._table(pose.origin) - centre)
        turning = cross_rows(self.angular_acceleration(frame), reach)
        return at_origin + turning + cross_rows(omega, cross_rows(omega, reach))


def cross_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross product row by row, (n, 3): NumPy's own spends more time on generality than on numbers."""
    x, y, z = a[:, 0], a[:, 1], a[:, 2]
    i, j, k = b[:, 0], b[:, 1], b[:, 2]
    out = np.empty(a.shape)
    out[:, 0], out[:, 1], out[:, 2] = y * k - z * j, z * i - x * k, x * j - y * i
    return out
