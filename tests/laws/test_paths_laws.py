"""Laws of paths on random models: virtual power, slopes, four methods, no history."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import borelli as bo
from borelli.analyses.muscles.moment_arms import METHODS
from borelli.errors import BorelliWarning
from tests.path_models import random_paths
from tests.random_trees import ELEMENTARY, random_motion

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_tension_times_speed_is_generalized_force_times_speeds(seed):
    """Speeds come from velocities of points, forces from wrenches: two ways through the tree."""
    model = random_paths(seed, moving=seed % 2 == 1)
    motion = random_motion(model, seed, n_times=5)
    tension = np.random.default_rng(seed).uniform(0, 500, (5, len(model.path_names)))
    speed = bo.paths(model, motion).speed.values
    force = bo.paths(model, motion, forces=True).generalized_force.values
    power = (tension * speed).sum(axis=1)
    work = np.einsum("np,npk,nk->n", tension, force, motion.u)
    assert power == pytest.approx(-work, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if seed != 4])
def test_four_methods_agree(seed):
    model = random_paths(seed)
    motion = random_motion(model, seed, n_times=3)
    arms = {method: bo.moment_arms(model, motion, method).values for method in METHODS}
    for method in ("path_velocity", "partial_velocity"):
        assert arms[method] == pytest.approx(arms["generalized_force"], abs=1e-11)
    # The slope of the length: five points of step 1e-3 on curved paths. With seed 4 a conditional point
    # switches between them.
    assert arms["perturbation"] == pytest.approx(arms["generalized_force"], abs=1e-7)


def test_effective_torque_disagrees_with_the_slope_where_points_move():
    model = random_paths(1, moving=True)
    motion = random_motion(model, 1, n_times=3)
    with pytest.warns(BorelliWarning, match="points of paths move"):
        arms = bo.moment_arms(model, motion)
    with pytest.warns(BorelliWarning, match="points of paths move"):
        slope = bo.moment_arms(model, motion, "perturbation")
    assert arms.values == pytest.approx(slope.values, abs=1e-7)
    assert np.abs(arms.effective_torque_arm.values - slope.values).max() > 1e-2
    assert arms.effective_torque_arm.values + arms.undriven_work.values == pytest.approx(
        arms.values, abs=1e-14
    )


def test_a_path_does_not_remember_other_instants():
    model = random_paths(3)
    motion = random_motion(model, 3, n_times=40)
    forwards = bo.paths(model, motion).length.values
    alone = [bo.paths(model, motion.instants(slice(k, k + 1))).length.values[0] for k in range(0, 40, 7)]
    assert (np.array(alone) == forwards[::7]).all()


def test_lengths_do_not_change_without_steps():
    """A fine sweep of every coordinate of a random model: steps only where something switches."""
    from borelli.compiled.compile import compile_model
    from borelli.mechanics.paths.path_pass import path_forces, paths_of

    # Joints whose speeds are the rates of their coordinates.
    model = random_paths(5, kinds=(*ELEMENTARY, "custom"))
    compiled = compile_model(model)
    paths = paths_of(compiled)
    start = random_motion(model, 5, n_times=1).q[0]
    n, step = 700, np.deg2rad(0.1)
    for coordinate in range(len(start)):
        q = np.tile(start, (n, 1))
        q[:, coordinate] += step * (np.arange(n) - n // 2)
        found = path_forces(compiled, paths, q)
        jump = np.abs(
            np.diff(found.length, axis=0)
            + 0.5 * step * (found.force[1:, :, coordinate] + found.force[:-1, :, coordinate])
        )
        same = found.state[1:] == found.state[:-1]
        settled = (found.status[1:] == 0) & (found.status[:-1] == 0)
        # The trapezoidal rule over 0.1 degrees; a change of side bends the length but does not break it.
        assert jump[same & settled].max(initial=0.0) < 5e-5


def test_warnings_name_nothing_without_moving_points():
    model = random_paths(0)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        bo.moment_arms(model, random_motion(model, 0, n_times=1))
    assert not said
