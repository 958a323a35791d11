"""The lanes back end gives the NumPy back end's numbers, whatever the tree and however it is called."""

from __future__ import annotations

import gc
import itertools
import threading
import tracemalloc

import numpy as np
import pytest
from random_mechanisms import FOREIGN_KINDS, TABLE_KINDS, Builder, tree

from borelli.kernels import backend
from borelli.kernels.backend import NodeLoad
from borelli.kernels.lanes.call import LARGER_THAN_CACHES
from borelli.kernels.lanes.code.width import WIDTHS
from borelli.kernels.lanes.driver import LanesBackend, thread_ranges
from borelli.kernels.tree.numpy_backend import NumpyBackend
from tests.session_folder import session_folder

NUMPY = NumpyBackend()
# Both back ends sum the same terms in another order and with fused roundings; what they lose is a few units
# in the last place of the largest term, carried over at most a few dozen joints.
TOLERANCE = 1e-12

SINGLE = [(kind,) for kind in TABLE_KINDS if kind != "weld"]
MIXED = [TABLE_KINDS, tuple(reversed(TABLE_KINDS)), ("weld", "hinge", "weld", "ball", "hinge", "hinge")]


@pytest.fixture(scope="module")
def lanes(tmp_path_factory):
    """Return the back end, compiled from a cache that is empty when the tests begin."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BORELLI_CACHE_DIR", str(session_folder(tmp_path_factory, "empty-cache")))
        yield LanesBackend()


@pytest.fixture(autouse=True)
def left_to_numpy():
    """Collect what the back end says that it leaves to NumPy; the analyses, if loaded, would warn of it."""
    told = []
    before = list(backend._listeners)
    backend.announce_fallback(told.append)
    yield told
    backend._listeners[:] = before


def assert_close(got, expected, tolerance=TOLERANCE):
    """Compare arrays frame by frame, relative to the largest number of the frame; answers of yes or no, too."""
    got, expected = np.asarray(got, float), np.asarray(expected, float)
    assert got.shape == expected.shape
    axes = tuple(range(1, expected.ndim))
    scale = abs(expected).max(axis=axes, keepdims=True, initial=1e-300)
    assert np.all(abs(got - expected) <= tolerance * scale), np.max(abs(got - expected) / scale)


def loads_on(mechanism, n_instants, seed=5):
    rng = np.random.default_rng(seed)
    nodes = [*range(0, len(mechanism.nodes), 2), 0]  # twice on the first node
    return [NodeLoad(node, *rng.normal(size=(3, n_instants, 3))) for node in nodes]


@pytest.mark.parametrize("kinds", SINGLE + MIXED, ids=lambda kinds: "+".join(kinds)[:30])
@pytest.mark.parametrize("seed", [0, 1])
def test_all_questions_have_the_same_answers(lanes, kinds, seed):
    builder = tree(kinds, seed)
    mechanism = builder.build()
    q, u, udot = builder.motion(19)
    every, loads = range(len(mechanism.nodes)), loads_on(mechanism, 19)
    for got, expected in zip(
        lanes.inverse_dynamics(mechanism, q, u, udot, loads, every),
        NUMPY.inverse_dynamics(mechanism, q, u, udot, loads, every),
        strict=True,
    ):
        assert_close(got, expected)
    for got, expected in zip(lanes.poses(mechanism, q, every), NUMPY.poses(mechanism, q, every), strict=True):
        assert_close(got, expected)
    with_ground = [-1, *every]
    for got, expected in zip(
        lanes.speed_motions(mechanism, q, with_ground),
        NUMPY.speed_motions(mechanism, q, with_ground),
        strict=True,
    ):
        assert_close(np.moveaxis(got, 2, 0), np.moveaxis(expected, 2, 0))
    matrix = NUMPY.mass_matrix(mechanism, q)
    assert_close(lanes.mass_matrix(mechanism, q), matrix)
    for got, expected in zip(lanes.energy(mechanism, q, u), NUMPY.energy(mechanism, q, u), strict=True):
        # Potential energy is a difference of larger terms: compare with the sum of weights times metres.
        scale = np.maximum(abs(expected), 10.0)
        assert np.all(abs(got - expected) <= TOLERANCE * scale)
    # What a load inside a joint does is left to NumPy; bodies are at the ends of joints.
    inside = {node for mobilizer in mechanism.mobilizers for node in mobilizer.nodes[:-1]}
    for chosen in (loads, [load for load in loads if load.node not in inside]):
        close_accelerations(lanes, mechanism, q, u, udot, chosen, matrix)


def close_accelerations(lanes, mechanism, q, u, force, loads, matrix, reference=NUMPY):
    """Compare what the accelerations need: themselves they are as uncertain as the matrix is singular."""
    got = lanes.forward_dynamics(mechanism, q, u, force, loads)
    expected = reference.forward_dynamics(mechanism, q, u, force, loads)
    scale = abs(matrix).max(axis=(1, 2)) * abs(expected).max(axis=1) + abs(force).max(axis=1)
    needed = np.einsum("tij,tj->ti", matrix, got - expected)
    assert np.all(abs(needed).max(axis=1) <= TOLERANCE * scale)
    caused = lanes.mass_matrix_solve(mechanism, q, force)
    own = abs(matrix).max(axis=(1, 2)) * abs(caused).max(axis=1) + abs(force).max(axis=1)
    gap = np.einsum("tij,tj->ti", matrix, caused) - force
    assert np.all(abs(gap).max(axis=1) <= TOLERANCE * own)


@pytest.mark.parametrize("width", WIDTHS)
def test_processors_with_other_vectors_give_the_same_answers(width):
    own, builder = LanesBackend(width), tree(TABLE_KINDS, 2)
    # Past the caches, and with a ragged end.
    n_instants = 1 + LARGER_THAN_CACHES // (8 * 6 * len(builder.ends))
    mechanism = builder.build()
    q, u, udot = builder.motion(n_instants)
    loads = [NodeLoad(node, *builder.rng.normal(size=(3, n_instants, 3))) for node in builder.ends[1::3]]
    for got, expected in zip(
        own.inverse_dynamics(mechanism, q, u, udot, loads, builder.ends[1:]),
        NUMPY.inverse_dynamics(mechanism, q, u, udot, loads, builder.ends[1:]),
        strict=True,
    ):
        assert_close(got, expected)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_gives_the_same_numbers(lanes, width):
    # Not the same bits: which products and sums are fused depends on the width.
    own, builder = LanesBackend(width), tree(TABLE_KINDS, 4)
    mechanism = builder.build()
    q, u, udot = builder.motion(19)
    every, loads = range(len(mechanism.nodes)), loads_on(mechanism, 19)
    matrix = NUMPY.mass_matrix(mechanism, q)
    close_accelerations(own, mechanism, q, u, udot, loads, matrix, reference=lanes)
    for got, expected in zip(
        _everything_else(own, mechanism, q, u, udot, loads, every),
        _everything_else(lanes, mechanism, q, u, udot, loads, every),
        strict=True,
    ):
        assert_close(got, expected)


def _everything_else(lanes, mechanism, q, u, udot, loads, nodes):
    yield from lanes.inverse_dynamics(mechanism, q, u, udot, loads, nodes)
    yield from lanes.poses(mechanism, q, nodes)
    yield from (np.moveaxis(part, 2, 0) for part in lanes.speed_motions(mechanism, q, nodes))
    yield lanes.mass_matrix(mechanism, q)
    yield from lanes.energy(mechanism, q, u)


def _everything(lanes, mechanism, q, u, udot, loads, nodes):
    yield from _everything_else(lanes, mechanism, q, u, udot, loads, nodes)
    yield lanes.forward_dynamics(mechanism, q, u, udot, loads)


@pytest.mark.parametrize("kinds", [*SINGLE, TABLE_KINDS], ids=lambda kinds: "+".join(kinds)[:30])
@pytest.mark.parametrize("n_loads", [0, 3])
def test_joints_seen_from_outside_have_the_same_answers(lanes, kinds, n_loads):
    # Nobody asks for nodes inside a joint: its hinges are then computed in one go.
    builder = tree(kinds, 3)
    for kind in kinds:
        builder.add(kind)
    mechanism = builder.build()
    q, u, udot = builder.motion(19)
    ends = builder.ends[1:]
    loads = [NodeLoad(node, *builder.rng.normal(size=(3, 19, 3))) for node in ends[:n_loads]]
    for got, expected in zip(
        lanes.inverse_dynamics(mechanism, q, u, udot, loads, ends),
        NUMPY.inverse_dynamics(mechanism, q, u, udot, loads, ends),
        strict=True,
    ):
        assert_close(got, expected)


def test_hinges_at_right_angles_are_one_step(lanes):
    builder = tree(("right angles", "hinge", "right angles"))
    tables = lanes.tables_of(builder.build())
    assert len(tables.steps) == 3
    assert tables.inside_joints == {0, 1, 4, 5}
    separate = lanes.tables_of(builder.build(), [1])
    assert len(separate.steps) == 7


def human(seed=0):
    """Return a tree like a body: a floating root, three-axis joints and hinges, two dozen freedoms."""
    builder = Builder(seed)
    builder.add("custom")
    trunk = builder.ends[-1]
    for _ in range(3):
        builder.add("two hinges", trunk)
        builder.add("coupled", builder.ends[-1])
        builder.add("hinge", builder.ends[-1])
    return builder


@pytest.mark.parametrize("n_instants", [0, 1, 7, 8, 9, 33])
def test_any_number_of_instants_is_answered(lanes, n_instants):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(n_instants)
    got = lanes.inverse_dynamics(mechanism, q, u, udot, (), [3, 1])
    assert got.generalized_force.shape == (n_instants, mechanism.n_speeds)
    assert got.force.shape == (n_instants, 2, 3)
    for array, expected in zip(got, NUMPY.inverse_dynamics(mechanism, q, u, udot, (), [3, 1]), strict=True):
        assert_close(array, expected)
    assert lanes.mass_matrix(mechanism, q).shape == (n_instants, mechanism.n_speeds, mechanism.n_speeds)


def test_a_node_may_be_asked_for_twice(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(9)
    for got, expected in zip(
        lanes.inverse_dynamics(mechanism, q, u, udot, (), [3, 1, 3]),
        NUMPY.inverse_dynamics(mechanism, q, u, udot, (), [3, 1, 3]),
        strict=True,
    ):
        assert_close(got, expected)
    for got, expected in zip(
        lanes.poses(mechanism, q, [2, 2, 0]), NUMPY.poses(mechanism, q, [2, 2, 0]), strict=True
    ):
        assert_close(got, expected)


def test_no_node_at_all_may_be_asked_for(lanes):
    builder = tree(TABLE_KINDS, 0)
    q, u, udot = builder.motion(5)
    pose, twist = lanes.speed_motions(builder.build(), q, [])
    assert pose.shape == (0, 12, len(q))
    assert twist.shape[1:] == (6, len(q))
    rotation, origin = lanes.poses(builder.build(), q, [])
    assert rotation.shape == (5, 0, 3, 3) and origin.shape == (5, 0, 3)
    assert lanes.inverse_dynamics(builder.build(), q, u, udot, (), []).generalized_force.shape[0] == 5


def test_one_and_two_threads_agree_to_the_last_bit(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(1300)
    loads = loads_on(mechanism, 1300)

    with backend.using(threads=1):
        one = list(_everything(lanes, mechanism, q, u, udot, loads, [0, 5]))
    with backend.using(threads=2):
        two = list(_everything(lanes, mechanism, q, u, udot, loads, [0, 5]))
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a, b)


def test_large_results_are_the_same_numbers_as_small_ones(lanes):
    # Large ones leave past the caches, small ones by ordinary stores.
    builder = human()
    mechanism = builder.build()
    n_instants = 1 + LARGER_THAN_CACHES // (8 * mechanism.n_speeds**2)
    q, _, _ = builder.motion(n_instants)
    large = lanes.mass_matrix(mechanism, q)
    assert large.nbytes > LARGER_THAN_CACHES
    for start in (0, n_instants - 20):
        part = slice(start, start + 20)
        assert np.array_equal(large[part], lanes.mass_matrix(mechanism, q[part]))


def test_an_instant_does_not_depend_on_its_neighbours(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(21)
    whole = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
    alone = lanes.inverse_dynamics(mechanism, q[13:14], u[13:14], udot[13:14]).generalized_force
    assert np.array_equal(whole[13:14], alone)


def test_nan_stays_in_its_instant(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(21)
    clean = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
    q[4] = np.nan
    got = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
    assert np.isnan(got[4]).all()
    rest = np.arange(21) != 4
    assert np.array_equal(got[rest], clean[rest])


@pytest.mark.parametrize("bad", [1e16, -1e16, np.nan, np.inf])
def test_forces_of_no_body_are_told_in_every_lane(lanes, bad):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(21)
    assert lanes.inverse_dynamics(mechanism, q, u, udot).is_plausible
    for instant in range(21):
        for speed in (0, udot.shape[1] - 1):
            own = udot.copy()
            own[instant, speed] = bad
            assert not lanes.inverse_dynamics(mechanism, q, u, own).is_plausible


def test_angles_beyond_the_fast_sine_are_still_right(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(5)
    q[2, 1] = 3.0e7
    got = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
    assert_close(got, NUMPY.inverse_dynamics(mechanism, q, u, udot).generalized_force)
    assert_close(lanes.poses(mechanism, q, [4])[0], NUMPY.poses(mechanism, q, [4])[0])
    assert_close(lanes.mass_matrix(mechanism, q), NUMPY.mass_matrix(mechanism, q))


def test_angles_beyond_the_fast_sine_are_told(lanes, left_to_numpy):
    builder = human()
    q, u, _ = builder.motion(5)
    q[3, 2] = -3.0e7
    mechanism = builder.build()
    lanes.energy(mechanism, q, u)
    assert [(left.reason, left.coordinates) for left in left_to_numpy] == [
        ("an angle beyond 600,000 rad", (2,))
    ]
    assert left_to_numpy[0].mechanism is mechanism


@pytest.mark.parametrize(
    ("kind", "reason", "coordinates"),
    [
        ("steep", "a function made of polynomials of degree 12", (1,)),
        ("four slides", "a joint with 4 translation axes", (1, 2, 3, 4)),
    ],
)
def test_joints_without_code_are_told(lanes, left_to_numpy, kind, reason, coordinates):
    builder = tree(("hinge", kind, "hinge"))
    q, _, _ = builder.motion(3)
    lanes.mass_matrix(builder.build(), q)
    assert [(left.reason, left.coordinates) for left in left_to_numpy] == [(reason, coordinates)]


def test_what_has_code_is_not_told(lanes, left_to_numpy):
    builder = tree(TABLE_KINDS)
    mechanism = builder.build()
    q, u, udot = builder.motion(3)
    lanes.inverse_dynamics(mechanism, q, u, udot, (), [0])
    lanes.poses(mechanism, q, [0])
    lanes.mass_matrix(mechanism, q)
    lanes.forward_dynamics(mechanism, q, u, udot)
    assert not left_to_numpy


@pytest.mark.parametrize("kind", FOREIGN_KINDS)
def test_joints_without_code_are_answered_too(lanes, kind):
    builder = tree(("hinge", kind, "hinge"))
    mechanism = builder.build()
    q, u, udot = builder.motion(9)
    got = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
    assert_close(got, NUMPY.inverse_dynamics(mechanism, q, u, udot).generalized_force)
    assert_close(lanes.mass_matrix(mechanism, q), NUMPY.mass_matrix(mechanism, q))


def test_a_subject_far_away_loses_no_digits(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(9)
    near = lanes.mass_matrix(mechanism, q)
    q[:, 3:6] += 1e4  # the root's translations
    assert_close(lanes.mass_matrix(mechanism, q), near)
    accelerations = lanes.forward_dynamics(mechanism, q, u, udot)
    force = lanes.inverse_dynamics(mechanism, q, u, accelerations).generalized_force
    # Limited by the conditioning of the mass matrix, not by the distance.
    np.testing.assert_allclose(force, udot, atol=1e-8)


def test_strided_and_single_precision_input_is_accepted(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(12)
    expected = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
    wide = np.asfortranarray(np.repeat(q, 2, axis=1))[:, ::2]
    assert np.array_equal(lanes.inverse_dynamics(mechanism, wide, u, udot).generalized_force, expected)
    single = q.astype(np.float32)
    got = lanes.inverse_dynamics(mechanism, single, u, udot).generalized_force
    assert_close(got, NUMPY.inverse_dynamics(mechanism, single.astype(float), u, udot).generalized_force)


@pytest.mark.parametrize(
    "where", ["columns of one table", "one row for all", "every second row", "columns apart", "single"]
)
def test_loads_are_read_wherever_they_lie(lanes, where):
    builder, n = human(), 21
    mechanism = builder.build()
    q, u, force = builder.motion(n)
    table = np.random.default_rng(8).normal(size=(2 * n, 27))
    laid = {
        "columns of one table": lambda k: table[:n, 3 * k : 3 * k + 3],
        "one row for all": lambda k: np.broadcast_to(table[0, 3 * k : 3 * k + 3], (n, 3)),
        "every second row": lambda k: table[::2, 3 * k : 3 * k + 3],
        "columns apart": lambda k: table[:n, k : k + 19 : 9],
        "single": lambda k: table[:n, 3 * k : 3 * k + 3].astype(np.float32),
    }[where]
    given = [NodeLoad(node, *map(laid, range(3 * i, 3 * i + 3))) for i, node in enumerate(builder.ends[1:4])]
    # What lies side by side; each vector in memory of its own.
    plain = [NodeLoad(load.node, *(np.array(part, float) for part in load[1:])) for load in given]
    for got, expected in (
        (lanes.forward_dynamics(mechanism, q, u, force, own) for own in (given, plain)),
        (lanes.inverse_dynamics(mechanism, q, u, force, own).generalized_force for own in (given, plain)),
    ):
        assert np.array_equal(got, expected)
    assert not np.array_equal(
        lanes.forward_dynamics(mechanism, q, u, force), lanes.forward_dynamics(mechanism, q, u, force, plain)
    )


def test_loads_of_accelerations_are_not_copied(lanes, monkeypatch):
    builder, n = human(), 1000
    mechanism = builder.build()
    q, u, force = builder.motion(n)
    loads = [NodeLoad(node, *np.zeros((3, n, 3))) for node in builder.ends[1:4]]
    lanes.forward_dynamics(mechanism, q, u, force, loads)
    tracemalloc.start()
    try:
        lanes.forward_dynamics(mechanism, q, u, force, loads)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The answer and a workspace, which does not grow with the instants.
    answer = force.nbytes
    assert most < answer + 27 * 8 * n, (most, answer)


def test_tables_are_made_once_and_die_with_their_mechanism(lanes):
    builder = human()
    mechanism = builder.build()
    gc.collect()
    before = len(lanes._tables)
    assert lanes.tables_of(mechanism) is lanes.tables_of(mechanism)
    assert len(lanes._tables) == before + 1
    del mechanism
    gc.collect()
    assert len(lanes._tables) == before


def test_many_threads_may_call_at_once(lanes):
    builder = human()
    mechanism = builder.build()
    q, u, udot = builder.motion(700)
    expected = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
    failures = []

    def work():
        for _ in range(5):
            got = lanes.inverse_dynamics(mechanism, q, u, udot).generalized_force
            if not np.array_equal(got, expected):
                failures.append(got)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures


@pytest.mark.parametrize(
    ("n_instants", "n_threads", "expected"),
    [
        (0, 2, 1),
        (100, 2, 1),
        (5000, 1, 1),
        (5000, 2, 2),
        (5000, 64, 9),
    ],
)
@pytest.mark.parametrize("width", WIDTHS)
def test_threads_share_whole_blocks(n_instants, n_threads, expected, width):
    ranges = thread_ranges(n_instants, n_threads, width)
    assert len(ranges) == expected
    assert ranges[0][0] == 0
    assert ranges[-1][1] == n_instants
    for (_, stop), (start, _) in itertools.pairwise(ranges):
        assert stop == start
        assert stop % width == 0
