"""Which joints each path spans, as flat tables for the kernel."""

from __future__ import annotations

import numpy as np

from borelli.compiled.links import Links
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.paths.columns import END_LOCAL, FIRST_LOCAL
from borelli.kernels.shares_paths import path_shares
from borelli.kernels.tree.node import GROUND


class PathSpans:
    """Which joints each path spans, as flat tables for the kernel."""

    def __init__(self, paths: CompiledPaths, found: Links) -> None:
        self.paths = paths
        rows: list[tuple[int, int, int, int]] = []
        carried: list[int] = []
        link_of = [GROUND if node == GROUND else found.holding(node) for node in paths.nodes]
        for path, row in enumerate(paths.tables.paths):
            own = [int(node) for node in paths.tables.locals[row[FIRST_LOCAL] : row[END_LOCAL]]]
            for link in range(len(found.links)):
                inside = {link, *found.tree.descendants[link]}
                on_it = [node for node in own if link_of[node] in inside]
                if on_it and len(on_it) < len(own):
                    rows.append((path, link, len(carried), len(carried) + len(on_it)))
                    carried += on_it
        self.table = np.array(rows, dtype=np.int64).reshape(-1, 4)
        self.carried = np.array(carried, dtype=np.int64)
        self.pairs = [(path, link) for path, link, _, _ in rows]

    def run(self, pull: np.ndarray, joint: np.ndarray, wrench: np.ndarray) -> None:
        """Fill ``wrench`` (n_pairs, 6, n) with what each joint bears for each path that spans it."""
        path_shares(pull, self.table, self.carried, joint, wrench)
