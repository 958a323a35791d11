"""The Lagrangian form: its identities, its limits."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from tests.random_trees import ELEMENTARY, random_model, random_motion


def shifted(motion, step):
    return bo.Motion(motion.time, motion.coordinates, motion.q + step * motion.u, motion.u, motion.udot)


@pytest.mark.parametrize("seed", range(4))
def test_rate_of_inertia_less_twice_the_coriolis_matrix_is_skew(seed):
    model = random_model(seed, 6, ELEMENTARY)
    motion = random_motion(model, seed)
    found = bo.lagrangian(model, motion)
    h = 1e-6
    after, before = (bo.lagrangian(model, shifted(motion, s))["H"].values for s in (h, -h))
    rate = (after - before) / (2 * h)
    skew = rate - 2 * found["C"].values
    # The rate is a central difference of step 1e-6.
    np.testing.assert_allclose(skew, -np.swapaxes(skew, 1, 2), atol=1e-6 * np.abs(rate).max())


def test_the_coefficients_h_do_not_make_it_skew():
    """Negative control: h_ijk are not Christoffel symbols, though both give the same force."""
    model = random_model(3, 5, ("pin",))
    motion = random_motion(model, 3)
    found = bo.lagrangian(model, motion)
    other = np.einsum("tijk,tk->tij", found["h"].values, motion.u)
    assert np.abs(other - found["C"].values).max() > 1e-2
    both = [np.einsum("tij,tj->ti", x, motion.u) for x in (other, found["C"].values)]
    np.testing.assert_allclose(both[0], both[1], rtol=1e-9, atol=1e-9)


def test_gravity_is_the_slope_of_the_potential_energy():
    model = random_model(5, 5, ELEMENTARY)
    motion = random_motion(model, 5)
    gravity = bo.lagrangian(model, motion)["G"].values
    h = 1e-6
    for column in range(motion.q.shape[1]):
        step = h * np.eye(motion.q.shape[1])[column]
        after, before = (
            bo.energy(model, bo.Motion(motion.time, motion.coordinates, motion.q + s, motion.u, motion.udot))
            for s in (step, -step)
        )
        slope = (after["potential_energy"] - before["potential_energy"]).values / (2 * h)
        np.testing.assert_allclose(gravity[:, column], slope, rtol=1e-6, atol=1e-6)


def test_many_instants_are_taken_in_pieces():
    model = random_model(6, 3, ("pin", "slider"))
    motion = random_motion(model, 6, 100)
    whole = bo.lagrangian(model, motion)["generalized_force"].values
    one = bo.lagrangian(model, motion.instants(slice(70, 71)))["generalized_force"].values
    np.testing.assert_allclose(whole[70], one[0], rtol=1e-13)


def test_instants_with_nan_stay_nan():
    model = random_model(7, 3, ("pin",))
    motion = random_motion(model, 7, 3)
    q = motion.q.copy()
    q[0] = np.nan
    broken = bo.Motion(motion.time, motion.coordinates, q, motion.u, motion.udot)
    with pytest.warns(bo.BorelliWarning, match="1 of 3 instants"):
        found = bo.lagrangian(model, broken)
    assert np.isnan(found["h"].values[0]).all()
    assert np.isfinite(found["h"].values[1:]).all()


def test_nothing_but_nan_is_no_crash():
    model = random_model(7, 2, ("pin",))
    nan = np.full((2, len(model.coordinate_names)), np.nan)
    with pytest.warns(bo.BorelliWarning, match="2 of 2 instants"):
        found = bo.lagrangian(model, bo.Motion([0.0, 1.0], model.coordinate_names, nan, nan, nan))
    assert np.isnan(found["H"].values).all()


@pytest.mark.parametrize("kind", ["ball", "custom", "ellipsoid"])
def test_joints_that_are_not_revolute_or_prismatic_are_refused(kind):
    model = random_model(8, 1, (kind,))
    with pytest.raises(bo.BorelliError) as caught:
        bo.lagrangian(model, random_motion(model, 8))
    assert f"not {kind} joints" in str(caught.value)
    assert "joint 'j0'" in str(caught.value)
    assert "inverse_dynamics" in str(caught.value)
