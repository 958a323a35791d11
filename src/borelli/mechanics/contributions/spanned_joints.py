"""Which joints each path spans, as flat tables for the kernel."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.links import Links
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.paths.columns import END_LOCAL, FIRST_LOCAL
from borelli.kernels.shares_paths import path_shares
from borelli.kernels.straight_shares import Spans, straight_shares
from borelli.kernels.tree.blocks import blocks
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine
from borelli.mechanics.paths.moving_points import moving_points
from borelli.mechanics.paths.pulls import pulls

_FEW = 256
"""Instants at a time for the pulls of single paths, which need much scratch."""


class PathSpans:
    """Which joints each path spans, as flat tables for the kernel."""

    def __init__(self, paths: CompiledPaths, found: Links) -> None:
        self.paths = paths
        rows: list[tuple[int, int, int, int]] = []
        carried: list[int] = []
        within: list[int] = []
        link_of = [GROUND if node == GROUND else found.holding(node) for node in paths.nodes]
        for path, row in enumerate(paths.tables.paths):
            own = [int(node) for node in paths.tables.locals[row[FIRST_LOCAL] : row[END_LOCAL]]]
            for link in range(len(found.links)):
                inside = {link, *found.tree.descendants[link]}
                on_it = [node for node in own if link_of[node] in inside]
                if on_it and len(on_it) < len(own):
                    rows.append((path, link, len(carried), len(carried) + len(on_it)))
                    carried += on_it
                    within += [own.index(node) for node in on_it]
        self.table = np.array(rows, dtype=np.int64).reshape(-1, 4)
        self.carried = np.array(carried, dtype=np.int64)
        self.pairs = [(path, link) for path, link, _, _ in rows]
        starts = np.searchsorted(self.table[:, 0], np.arange(len(paths.names) + 1))
        self.spans = Spans(starts, np.ascontiguousarray(self.table[:, 1:]), np.array(within, dtype=np.int64))
        self.all_straight = bool(paths.straight.all())

    def run(
        self,
        compiled: CompiledModel,
        q: np.ndarray,
        tension: np.ndarray,
        joint: np.ndarray,
        wrench: np.ndarray,
    ) -> np.ndarray:
        """Fill what each joint bears for each path that spans it; return the pull of all paths on the nodes.

        Parameters
        ----------
        tension : (n, n_paths)
            N.
        joint : (n_links, 3, n)
            Joint points in ground (m).
        wrench : (n_pairs, 6, n)
            Filled: moment about the joint point (N m), force (N); on the child by the parent.

        Returns
        -------
        (n, n_nodes, 6) float
            Moment about the ground's origin (N m), force (N).
        """
        if self.all_straight:
            return self._straight(compiled, q, tension, joint, wrench)
        together = np.empty((len(q), len(self.paths.nodes), 6))
        for few in blocks(len(q), _FEW):
            pull = pulls(compiled, self.paths, q[few], tension[few], apart=True)
            together[few] = pull.sum(axis=1)
            path_shares(pull, self.table, self.carried, joint[..., few], wrench[..., few])
        return together

    def _straight(
        self,
        compiled: CompiledModel,
        q: np.ndarray,
        tension: np.ndarray,
        joint: np.ndarray,
        wrench: np.ndarray,
    ) -> np.ndarray:
        """The same of paths that touch no surface."""
        paths, tables = self.paths, self.paths.tables
        pose, _ = engine().speed_motions(compiled.mechanism, q, paths.nodes)
        together = np.empty((len(paths.nodes), 6, len(q)))
        straight_shares(
            tables.paths,
            tables.points,
            tables.point_values,
            tables.locals,
            self.spans,
            np.array(q),
            pose,
            moving_points(compiled, paths, q)[0],
            joint,
            np.array(tension.T, order="C"),
            wrench,
            together,
        )
        return np.moveaxis(together, 2, 0)
