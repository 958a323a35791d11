"""How many floating-point operations inverse dynamics takes, and how many the machine could do."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from borelli.kernels.lanes.code.compile import Kernel, lane_width, load_kernel
from borelli.kernels.lanes.code.control import count_up
from borelli.kernels.lanes.tables.variants import CHAINS
from borelli.kernels.tree.algebra import spin_matrix, times
from borelli.kernels.tree.node import BALL, HINGE, NodeVariables
from borelli.kernels.tree.node_force import (
    Wrench,
    inertial_wrench,
    node_generalized_force,
    wrench_in_parent,
)
from borelli.kernels.tree.node_motion import NodeMotion, node_motion, node_rotation

# Argument reduction, two polynomials and the exchange of signs, as sincos.py writes them.
SINE_AND_COSINE = 41


class Counted:
    """A number that counts the operations done with it; exact zeros and ones cost nothing, as in lanes."""

    total = 0

    def _count(self, other: Any, free: tuple[float, ...]) -> bool:
        if isinstance(other, float) and other in free:
            return False
        Counted.total += 1
        return True

    def __add__(self, other: Any) -> Counted:
        self._count(other, (0.0,))
        return self

    __radd__ = __sub__ = __rsub__ = __add__

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, float) and other == 0.0:
            return 0.0
        self._count(other, (1.0, -1.0))
        return self

    __rmul__ = __mul__

    def __neg__(self) -> Counted:
        return self


class _Constants:
    """Stands for the table of a node's constants."""

    def __call__(self, name: str, k: int = 0) -> Counted:
        return Counted()

    def numbers(self, name: str, count: int) -> tuple[Counted, ...]:
        return (Counted(),) * count


def inverse_dynamics_operations(tables, n_wanted: int) -> int:
    """Operations of one instant: sines, motions, wrenches, and wrenches turned to ground."""
    Counted.total = 0
    one = Counted()
    vector, matrix = (one,) * 3, (one,) * 9
    n_hinges = 0
    for code in tables.steps[:, 0]:
        motion = NodeMotion(vector, vector, vector, matrix)
        if CHAINS[code][0].has_offset:
            motion = motion._replace(spin=spin_matrix(vector, vector))
        for variant in CHAINS[code]:
            motion = _count_node(variant, motion)
            n_hinges += variant.kind == HINGE
        Counted.total += 6
    for _ in range(n_wanted):
        times(matrix, vector)
        times(matrix, vector)
    return Counted.total + SINE_AND_COSINE * n_hinges


def _count_node(variant, parent: NodeMotion) -> NodeMotion:
    """Count motion, wrench and rotation of one node."""
    one = Counted()
    vector, matrix = (one,) * 3, (one,) * 9
    node = variant.node(_Constants())
    turn = {HINGE: (one, one), BALL: matrix}.get(node.kind)
    rate = {HINGE: one, BALL: vector}.get(node.kind)
    shift = (one,) * variant.n_axes
    variables = NodeVariables(turn, rate, rate, shift, shift, shift)
    motion = node_motion(node, variables, parent)
    if node.inertia is not None:
        wrench = inertial_wrench(node.inertia, motion)
    else:
        # Nothing uses the spin of a node without mass: it is not emitted.
        Counted.total -= 15
        wrench = Wrench(vector, vector)
    carried = wrench_in_parent(node, variables, wrench)
    node_generalized_force(node, wrench, carried.force)
    node_rotation(node, variables, matrix)
    return motion


def _emit_peak(emitter, n, numbers) -> None:
    chains = 16
    cells = [emitter.cell(emitter.lanes(0.0).ir.type) for _ in range(chains)]
    factor = numbers.load(0)
    for k, cell in enumerate(cells):
        emitter.builder.store((numbers.load(0) + float(k)).ir, cell)
    with count_up(emitter, 0, n):
        for cell in cells:
            value = type(factor)(emitter, emitter.builder.load(cell), emitter.width)
            emitter.builder.store((value * factor + factor).ir, cell)
    total = factor
    for cell in cells:
        total = total + type(factor)(emitter, emitter.builder.load(cell), emitter.width)
    numbers.store(0, total)


PEAK = Kernel("peak", {"n": "integer", "numbers": "doubles"}, _emit_peak)


def peak_operations_per_second() -> float:
    """Measure the machine: fused multiply-adds in sixteen independent chains of full vectors."""
    kernel, n = load_kernel(PEAK), 200_000
    numbers = np.full(lane_width(), 0.5)
    best = np.inf
    for _ in range(20):
        start = time.process_time()
        kernel(n, numbers.ctypes.data)
        best = min(best, time.process_time() - start)
        numbers[:] = 0.5
    return 2 * 16 * lane_width() * n / best
