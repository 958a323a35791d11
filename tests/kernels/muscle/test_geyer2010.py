"""The muscle of Geyer & Herr (2010): numbers of the paper, and forces against a computation in plain Python."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import borelli as bo
from borelli import model as bm
from borelli.errors import UnsupportedError
from borelli.kernels.muscle import geyer2010

FORCE, FIBER, TENDON = 4000.0, 0.04, 0.26  # the paper's soleus


def test_five_percent_of_the_force_are_left_at_the_width() -> None:
    assert geyer2010.active_force_length(1.0, 0.56) == 1.0
    for length in (0.44, 1.56):
        assert geyer2010.active_force_length(length, 0.56) == pytest.approx(0.05, rel=1e-14)


def test_velocities_run_from_nothing_to_one_and_a_half_times_the_force() -> None:
    speeds = {-1.0: 0.0, 0.0: 1.0, 1.0: 1.5}
    for velocity, force in speeds.items():
        assert geyer2010.force_velocity(velocity, 5.0, 1.5) == pytest.approx(force, abs=1e-15)
    # Shortening by half the fastest velocity: Hill's (1 - x) / (1 + K x).
    assert geyer2010.force_velocity(-0.5, 5.0, 1.5) == pytest.approx(0.5 / 3.5, rel=1e-15)


def test_lengthening_is_steeper_than_shortening_as_in_the_paper() -> None:
    step = 1e-7
    up = (geyer2010.force_velocity(step, 5.0, 1.5) - 1.0) / step
    down = (1.0 - geyer2010.force_velocity(-step, 5.0, 1.5)) / step
    assert up / down == pytest.approx(
        0.5 * (1.0 + 7.56 * 5.0) / 6.0, rel=1e-4
    )  # differences of round-off / step


def test_tendon_and_passive_fibres_reach_one_at_their_strains() -> None:
    assert geyer2010.tendon_force_length(1.04, 0.04) == pytest.approx(1.0, rel=1e-13)
    assert geyer2010.passive_force_length(1.56, 0.56) == pytest.approx(1.0, rel=1e-13)
    assert geyer2010.tendon_force_length(0.9, 0.04) == geyer2010.passive_force_length(0.9, 0.56) == 0.0


def slider() -> bm.Model:
    """A cart on a rail, pulled by one muscle whose length is the coordinate."""
    path = bm.Path(
        [bm.PathPoint("wall", "ground", (0.0, 0.0, 0.0)), bm.PathPoint("hook", "cart", (0.0, 0.0, 0.0))]
    )
    muscle = bm.Geyer2010Muscle(
        name="soleus",
        path=path,
        max_isometric_force=FORCE,
        optimal_fiber_length=FIBER,
        tendon_slack_length=TENDON,
        max_contraction_velocity=6.0,
    )
    joint = bm.SliderJoint(name="rail", parent="ground", child="cart", coordinates=(bm.Coordinate("x"),))
    return bm.Model(
        name="cart", bodies=[bm.Body("cart", 1.0, inertia=(1e-3,) * 3)], joints=[joint], muscles=[muscle]
    )


def moving(length: np.ndarray, speed: np.ndarray) -> bo.Motion:
    time = np.arange(float(len(length)))
    return bo.Motion(time, ("x",), length[:, None], speed[:, None], np.zeros((len(length), 1)))


def test_strength_is_the_product_of_the_papers_curves() -> None:
    fiber = np.array([0.7, 1.0, 1.3]) * FIBER
    speed = np.array([-0.05, 0.0, 0.1])
    found = bo.muscle_strength(slider(), moving(fiber + TENDON, speed))
    for index in range(3):
        x, v = fiber[index] / FIBER, speed[index] / (6.0 * FIBER)
        bell = math.exp(math.log(0.05) * abs((x - 1.0) / 0.56) ** 3)
        hill = (1 + v) / (1 - 5 * v) if v < 0 else 1.5 + 0.5 * (v - 1) / (37.8 * v + 1)
        assert found["active_force"].values[index, 0] == pytest.approx(FORCE * bell * hill, rel=1e-12)
        passive = FORCE * max(x - 1.0, 0.0) ** 2 / 0.56**2
        assert found["passive_force"].values[index, 0] == pytest.approx(passive, rel=1e-9, abs=1e-9)


def test_fibres_balance_the_tendon_where_scipy_finds_them() -> None:
    length = FIBER + TENDON * 1.02
    found = bo.muscle_equilibrium(slider(), moving(np.array([length]), np.zeros(1)), 0.5)

    def gap(fiber: float) -> float:
        x = fiber / FIBER
        own = 0.5 * math.exp(math.log(0.05) * abs((x - 1) / 0.56) ** 3) + max(x - 1, 0.0) ** 2 / 0.56**2
        return own - max((length - fiber) / TENDON - 1, 0.0) ** 2 / 0.04**2

    assert found["fiber_length"].item() == pytest.approx(
        brentq(gap, 0.5 * FIBER, length, xtol=1e-15), rel=1e-9
    )


def test_it_is_kept_in_toml_and_refused_by_name_in_opensims_files(tmp_path: Path) -> None:
    bo.save_model(slider(), tmp_path / "cart.toml")
    assert bo.load_model(tmp_path / "cart.toml").muscles["soleus"] == slider().muscles["soleus"]
    with pytest.raises(UnsupportedError, match="OpenSim has no muscle of the kind 'Geyer2010'"):
        bo.save_model(slider(), tmp_path / "cart.osim")
    assert not (tmp_path / "cart.osim").exists()
