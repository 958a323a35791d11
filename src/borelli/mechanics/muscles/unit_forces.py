"""What every actuator does to every speed per newton of its force, in the instants of a block."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.compiled.paths import CompiledPaths
from borelli.mechanics.forces.actuators import straight_forces
from borelli.mechanics.memory import scratch
from borelli.mechanics.muscles.optimization_task import Task
from borelli.mechanics.paths.path_pass import PathForces, felt_speeds, path_forces


class UnitForces(NamedTuple):
    """Generalized forces of unit forces of paths, then of the other actuators, time last.

    They lie in memory that the thread uses again: what a path cannot feel is left as it was.
    """

    paths: CompiledPaths
    rows: np.ndarray
    """(n_actuators n_u + 1, n): one for each actuator and speed, and a last one of ones"""
    force: np.ndarray
    """(n_actuators, n_u, n): the same without the last row"""

    def by_time(self, found: PathForces) -> np.ndarray:
        """All of them with time first, zero where nothing is felt, (n, n_actuators, n_u)."""
        n_actuators, n_u, n = self.force.shape
        whole, n_paths = np.zeros((n, n_actuators, n_u)), len(self.paths.names)
        for path, speed in self._felt(found):
            whole[:, path, speed] = self.force[path, speed]
        whole[:, n_paths:] = np.moveaxis(self.force[n_paths:], 2, 0)
        return whole

    def listed(self, task: Task, found: PathForces) -> tuple[np.ndarray, np.ndarray]:
        """All rows, (n_rows, n), and which of them is the arm of each actuator on each constraint; -1 for none."""
        n_actuators, n_u, _ = self.force.shape
        n_paths = len(self.paths.names)
        row = np.full((len(task.weight), n_u), -1)
        for path, speed in self._felt(found):
            row[path, speed] = path * n_u + speed
        row[n_paths:n_actuators] = np.arange(n_paths * n_u, n_actuators * n_u).reshape(
            n_actuators - n_paths, n_u
        )
        place = row[:, task.independent.speeds]
        for index, position in enumerate(task.reserves[:, 0].astype(int), task.of_reserves.start):
            place[index, position] = n_actuators * n_u
        return self.rows, place

    def _felt(self, found: PathForces) -> frozenset[tuple[int, int]]:
        return felt_speeds(self.paths) | {(path, speed) for path, speed, _ in found.guides}


def unit_forces(
    task: Task, paths: CompiledPaths, q: np.ndarray, u: np.ndarray
) -> tuple[UnitForces, PathForces]:
    """Compute them for muscles and actuators along paths, then the others; they hold until the thread's next call."""
    compiled, others = task.prepared.compiled, task.actuators.straight
    n_paths, n_u = len(paths.names), compiled.mechanism.n_speeds
    n_actuators = n_paths + len(others)
    rows = scratch("unit forces", (n_actuators * n_u + 1, len(q)))
    rows[-1] = 1.0
    force = rows[:-1].reshape(n_actuators, n_u, len(q))
    found = path_forces(compiled, paths, q, u=u, out=force[:n_paths])
    if others:
        straight_forces(compiled, others, q, force[n_paths:])
    return UnitForces(paths, rows, force), found
