"""Paths are computed in blocks by any number of threads, in memory used before: not a bit depends on either."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.paths.block_stops import list_present
from borelli.kernels.paths.columns import END_POINT, FIRST_POINT, N_CONDITIONAL, PATH_WIDTH, POINT_COORDINATE
from borelli.mechanics.paths.path_pass import PathForces, _shared_out, path_forces, paths_of
from tests.path_models import random_paths

N = 3000


def found(moving: bool, threads: int) -> PathForces:
    compiled = compile_model(random_paths(3, moving=moving))
    rng = np.random.default_rng(0)
    # Smooth, as a motion is: points come and go, paths touch surfaces and leave them.
    phase = np.linspace(0.0, 20.0, N)[:, None] + rng.uniform(0.0, 6.0, compiled.mechanism.n_coordinates)
    u = rng.normal(size=(N, compiled.mechanism.n_speeds))
    return path_forces(compiled, paths_of(compiled), 0.8 * np.sin(phase), threads, u, time_last=True)


def numbers(forces: PathForces) -> list[np.ndarray]:
    guides = [done for *_, done in sorted(forces.guides, key=lambda guide: guide[:2])]
    parts = [forces.length, forces.speed, forces.force, forces.state, forces.status, *guides]
    return [np.array(part) for part in parts]


@pytest.mark.parametrize("moving", [False, True], ids=["fixed points", "moving points"])
def test_threads_change_no_bit(moving: bool) -> None:
    one = found(moving, 1)
    expected = numbers(one)
    assert expected[3].any()
    for threads in (2, 3):
        more = found(moving, threads)
        assert (more.is_plausible, more.is_settled) == (one.is_plausible, one.is_settled)
        for own, other in zip(numbers(more), expected, strict=True):
            np.testing.assert_array_equal(own, other)


def test_what_memory_held_before_changes_nothing() -> None:
    first = found(True, 1)
    expected, settled = numbers(first), first.is_settled
    assert settled == (not expected[4].any())
    for part in (first.length, first.speed, first.force, first.state, first.status):
        part[...] = 1
    del first, part
    again = found(True, 1)
    assert again.is_settled == settled
    for own, other in zip(numbers(again), expected, strict=True):
        np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 704, 705, 2000, 20_000])
def test_blocks_cover_all_instants_once_and_are_small_where_threads_end(n: int, threads: int) -> None:
    blocks = _shared_out(n, threads)
    assert [k for block in blocks for k in range(block.start, block.stop)] == list(range(n))
    if threads > 1 and n > 10_000:
        assert blocks[0].stop - blocks[0].start > max(block.stop - block.start for block in blocks[-threads:])


@pytest.mark.parametrize("conditional", [False, True])
def test_states_of_paths_that_cannot_change_are_not_touched(conditional: bool) -> None:
    row = np.zeros(PATH_WIDTH, np.int64)
    row[FIRST_POINT], row[END_POINT], row[N_CONDITIONAL] = 0, 2, int(conditional)
    points, values = np.zeros((2, 4), np.int64), np.tile([0.0, 0.0, 0.0, -1.0, 1.0], (2, 1))
    points[:, POINT_COORDINATE] = -1, 0 if conditional else -1
    listed, n = np.zeros((4, 3), np.int64), 4
    # What no thread has touched takes no memory, and to read it would.
    state = np.full(n, 0 if conditional else 1 << 40)
    before = state.copy()
    list_present(points, values, row, np.array([[0.0], [2.0], [0.5], [3.0]]), 0, n, listed, state, 0)
    there = [2, 1, 2, 1] if conditional else [2, 2, 2, 2]
    assert listed[:, 0].tolist() == there
    assert (state == before).all() != conditional
