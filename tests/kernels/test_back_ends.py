"""What every back end must satisfy, whatever it is made of."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.backend import NodeLoad
from tests.random_trees import ALL, random_model, random_motion

MIXED = [(seed, ALL) for seed in range(3)]
SINGLE = [(7, (kind,)) for kind in ALL if kind != "weld"]


@pytest.fixture(params=SINGLE + MIXED, ids=lambda p: f"{'+'.join(p[1])[:20]}-{p[0]}")
def case(request):
    seed, kinds = request.param
    model = random_model(seed, 6, kinds)
    motion = random_motion(model, seed, 9)
    mechanism = compile_model(model).mechanism
    rng = np.random.default_rng(seed)
    loads = [NodeLoad(len(mechanism.nodes) - 1, *rng.normal(0, 5, (3, 9, 3)))]
    return mechanism, motion, loads


def assert_close(found, expected, tolerance=1e-10):
    """Double precision over six joints, relative to the largest number."""
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * (1 + np.abs(expected).max()))


def test_rotations_are_orthonormal_and_right_handed(backend, case):
    mechanism, motion, _ = case
    rotation, _ = backend.poses(mechanism, motion.q, range(len(mechanism.nodes)))
    assert_close(rotation @ np.swapaxes(rotation, 2, 3), np.broadcast_to(np.eye(3), rotation.shape), 1e-12)
    assert_close(np.linalg.det(rotation), np.ones(rotation.shape[:2]), 1e-12)


def test_rotations_may_be_left_out_from_some_node_on(backend, case):
    mechanism, motion, _ = case
    nodes = range(len(mechanism.nodes))
    rotation, origin = backend.poses(mechanism, motion.q, nodes)
    for n_turned in (0, 1, len(nodes)):
        some, same = backend.poses(mechanism, motion.q, nodes, n_turned)
        assert np.array_equal(some, rotation[:, :n_turned])
        assert np.array_equal(same, origin)
    twice, both = backend.poses(mechanism, motion.q, [0, 0], 1)
    assert np.array_equal(twice, rotation[:, :1])
    assert np.array_equal(both, origin[:, [0, 0]])


def test_inverse_dynamics_is_linear_in_the_accelerations_with_the_mass_matrix(backend, case):
    mechanism, motion, loads = case
    mass = backend.mass_matrix(mechanism, motion.q)
    still = np.zeros_like(motion.udot)
    moving = backend.inverse_dynamics(mechanism, motion.q, motion.u, motion.udot, loads).generalized_force
    held = backend.inverse_dynamics(mechanism, motion.q, motion.u, still, loads).generalized_force
    assert_close(moving - held, np.einsum("tij,tj->ti", mass, motion.udot))


def test_forward_dynamics_undoes_inverse_dynamics(backend, case):
    mechanism, motion, loads = case
    force = backend.inverse_dynamics(mechanism, motion.q, motion.u, motion.udot, loads).generalized_force
    # The condition number of the mass matrix enters.
    assert_close(backend.forward_dynamics(mechanism, motion.q, motion.u, force, loads), motion.udot, 1e-7)


def test_kinetic_energy_is_half_the_mass_matrix_between_speeds(backend, case):
    mechanism, motion, _ = case
    mass = backend.mass_matrix(mechanism, motion.q)
    expected = 0.5 * np.einsum("ti,tij,tj->t", motion.u, mass, motion.u)
    assert_close(backend.energy(mechanism, motion.q, motion.u).kinetic, expected)


def test_one_instant_and_many_instants_agree(backend, case):
    mechanism, motion, _ = case
    many = backend.inverse_dynamics(mechanism, motion.q, motion.u, motion.udot).generalized_force
    for frame in (0, 8):
        rows = [x[frame : frame + 1] for x in (motion.q, motion.u, motion.udot)]
        assert_close(backend.inverse_dynamics(mechanism, *rows).generalized_force[0], many[frame], 1e-13)


def test_no_instants_give_no_results(backend, case):
    mechanism, motion, _ = case
    empty = [x[:0] for x in (motion.q, motion.u, motion.udot)]
    assert backend.inverse_dynamics(mechanism, *empty).generalized_force.shape == (0, mechanism.n_speeds)
    assert backend.mass_matrix(mechanism, empty[0]).shape == (0, mechanism.n_speeds, mechanism.n_speeds)
