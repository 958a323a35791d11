"""Arguments of kernels: addresses of tables, inputs, results and workspace."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.kernels.backend import NodeLoad
from borelli.kernels.lanes.code.compile import Kernel
from borelli.kernels.lanes.memory import LINE
from borelli.kernels.lanes.tables.mechanism_tables import MechanismTables, Places, address_of
from borelli.kernels.lanes.tables.record_types import LOADED, LOADED_LINK
from borelli.kernels.lanes.tables.table_records import TABLE_INTEGER

LARGER_THAN_CACHES = 1 << 21
"""Bytes from which results do not stay in a core's caches until somebody reads them."""


class Call:
    """Arguments of one call of a kernel; keeps alive the arrays whose addresses it hands out."""

    def __init__(self, tables: MechanismTables, n_instants: int, width: int) -> None:
        self.n_instants = n_instants
        self._width = width
        self._n_rows = tables.n_rows
        self._tables = tables
        self._kept: list[np.ndarray] = []
        self._outputs: list[np.ndarray] = []
        self._values = dict(tables.addresses)

    def _address(self, array: np.ndarray) -> int:
        self._kept.append(array)
        return address_of(array)

    def _take(self, count: int) -> int:
        first = self._n_rows
        self._n_rows += count
        return first

    def add(self, **arrays: np.ndarray) -> None:
        """Add input arrays of doubles by the names of their arguments."""
        for name, array in arrays.items():
            self._values[name] = self._address(np.ascontiguousarray(array, dtype=np.float64))

    def add_outputs(self, **arrays: np.ndarray) -> None:
        """Add arrays that receive the results."""
        self._outputs += arrays.values()
        for name, array in arrays.items():
            self._values[name] = self._address(array)

    def add_poses(self, nodes: Sequence[int], rotation: np.ndarray, origin: np.ndarray) -> None:
        """Ask for the poses of some nodes, each once.

        The arrays (n_instants, n_turned, 3, 3) and (n_instants, n_nodes, 3) receive them.
        """
        self.add_outputs(rotation=rotation, origin=origin)
        self._add_places(self._tables.pose_places(tuple(nodes), rotation.shape[1]))

    def add_wrenches(self, nodes: Sequence[int], force: np.ndarray, moment: np.ndarray) -> None:
        """Ask for the wrenches on some nodes, each once; the arrays (n_instants, n_nodes, 3) receive them."""
        self.add_outputs(wrench_force=force, wrench_moment=moment)
        self._add_places(self._tables.wrench_places(tuple(nodes)))

    def add_motions(self, nodes: Sequence[int], motions: np.ndarray) -> None:
        """Ask for the poses of some nodes, each once, and the twists of all speeds.

        The array (12 n_nodes + 6 n_speeds, n_instants) receives them.
        """
        self._values |= {"motions": self._address(motions), "n_instants": self.n_instants}
        self._add_places(self._tables.motion_places(tuple(nodes)))

    def _add_places(self, places: Places) -> None:
        self._kept += places.tables
        self._n_rows = max(self._n_rows, places.n_rows)
        self._values |= places.arguments

    def add_links(self) -> None:
        """Add the tables of the passes in ground axes, and space for their rows."""
        links = self._tables.links
        self._n_rows = max(self._n_rows, links.n_rows)
        self._values |= self._tables.link_addresses

    def add_loads(self, loads: Sequence[NodeLoad]) -> None:
        """Add external loads on nodes, which are read where they lie."""
        tables, row = self._tables, self._n_rows
        records = [
            {
                "pose": tables.poses[tables.position[load.node]],
                "wrench": tables.wrenches[tables.position[load.node]],
                "rows": row + 9 * position,
            }
            for position, load in enumerate(loads)
        ]
        self._add_loads(loads, LOADED.rows(records, TABLE_INTEGER))

    def add_loads_on_links(self, loads: Sequence[NodeLoad]) -> None:
        """Add external loads on links, read where they lie; those that the ground bears move nothing."""
        tables = self._tables
        borne: list[NodeLoad] = []
        records: list[dict[str, int]] = []
        for load in loads:
            record = tables.links.load_record(tables.position[load.node], self._n_rows + 9 * len(borne))
            if record is not None:
                borne.append(load)
                records.append(record)
        self._add_loads(borne, LOADED_LINK.rows(records, TABLE_INTEGER))

    def _add_loads(self, loads: Sequence[NodeLoad], records: np.ndarray) -> None:
        """Add loads, whose records say that their rows come next, and where their numbers lie."""
        vectors = [_rows(part) for load in loads for part in (load.force, load.point, load.moment)]
        places = [(self._address(part), part.strides[0] // 8) for part in vectors]
        # One at least, so that the table always has an address.
        self._values |= {
            "n_loads": len(loads),
            "load_row": self._take(9 * len(loads)),
            "loaded": self._address(records),
            "loads": self._address(np.array(places or [(0, 0)], dtype=np.int64)),
        }

    def arguments(self, kernel: Kernel, start: int, stop: int) -> list[int]:
        """Return the arguments for a range of instants, with a workspace of its own."""
        n_columns = sum(array.size for array in self._outputs) // max(1, self.n_instants)
        raw = np.empty((self._n_rows + n_columns) * self._width + LINE // 8)
        address = self._address(raw)
        values = self._values | {
            "start": start,
            "stop": stop,
            "workspace": address + -address % LINE,
            "stage": self._n_rows,
            "streamed": int(self._is_streamed(start)),
        }
        return [values[name] for name in kernel.arguments]

    def _is_streamed(self, start: int) -> bool:
        """Tell whether the results leave past the caches: they are large, and blocks start with lines."""
        large = sum(array.nbytes for array in self._outputs) > LARGER_THAN_CACHES
        aligned = all(address_of(array) % LINE == 0 for array in self._outputs if array.size)
        return large and aligned and start % self._width == 0


def _rows(vectors: np.ndarray) -> np.ndarray:
    """Return vectors (n, 3) as a kernel reads them: three neighbouring doubles, rows at any whole distance."""
    vectors = np.asarray(vectors, dtype=np.float64)
    is_plain = vectors.flags.aligned and vectors.strides[1] == 8 and vectors.strides[0] % 8 == 0
    return vectors if is_plain else np.ascontiguousarray(vectors)
