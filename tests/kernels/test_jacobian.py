"""Twists of speeds: those that carry some nodes alone are what they are among all."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.tree.blocks import columns
from borelli.kernels.tree.jacobian import carrying_speeds, speed_motions
from tests.random_trees import random_model, random_motion


@pytest.mark.parametrize("seed", range(4))
def test_what_carries_nodes_of_interest_moves_as_among_all(seed):
    model = random_model(seed, n_bodies=6)
    mechanism = compile_model(model).mechanism
    q = columns(random_motion(model, seed, n_times=3).q)
    node = len(mechanism.nodes) - 1
    twists, poses = speed_motions(mechanism, q)
    own_twists, own_poses = speed_motions(mechanism, q, [node])
    carried = carrying_speeds(mechanism, node)
    assert np.array_equal(np.array(own_poses[node].origin), np.array(poses[node].origin))
    for speed in range(mechanism.n_speeds):
        expected = twists[speed] if speed in carried else ((0.0,) * 3,) * 3
        for mine, theirs in zip(own_twists[speed], expected, strict=True):
            assert np.array_equal(np.broadcast_arrays(*mine), np.broadcast_arrays(*theirs))
