"""Where the ground pushes: by hand, against the input's own columns, and as the same wrench about any point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import borelli as bo


@pytest.fixture(scope="module")
def walk():
    files = bo.library.sample_walk()
    return bo.load_model(files.model), bo.load_loads(files.loads), files


def test_the_centre_of_pressure_is_that_of_the_input(walk):
    model, loads, files = walk
    lines = files.loads.with_suffix(".mot").read_text(encoding="utf-8").splitlines()[5:]
    numbers = np.array([line.split() for line in lines[1:]], dtype=float)
    columns = dict(zip(lines[0].split(), numbers.T, strict=True))
    found = bo.ground_reaction(model, loads, columns["time"])
    for side in "rl":
        own = found.sel(foot=f"foot_{side}")
        lifted = columns[f"ground_{side}_vy"] >= 20.0
        assert lifted.any() and not lifted.all()
        for k, axis in enumerate("xyz"):
            column = columns[f"ground_{side}_p{axis}"]
            np.testing.assert_allclose(
                own["centre_of_pressure"].values[lifted, k], column[lifted], atol=1e-12
            )
            np.testing.assert_allclose(
                own["ground_force"].values[:, k], columns[f"ground_{side}_v{axis}"], atol=1e-12
            )
        np.testing.assert_allclose(
            own["free_moment"].values[lifted], columns[f"ground_{side}_my"][lifted], atol=1e-12
        )
        assert np.isnan(own["centre_of_pressure"].values[~lifted]).all()


def test_two_loads_on_a_foot_have_one_centre_of_pressure_by_hand(walk):
    model = walk[0]
    loads = [
        bo.Load("heel", "foot_r", force=(0.0, 300.0, 0.0), point=(0.0, 0.0, 0.0)),
        bo.Load("toe", "foot_r", force=(0.0, 100.0, 0.0), point=(0.2, 0.0, 0.04), moment=(0.0, 5.0, 0.0)),
    ]
    found = bo.ground_reaction(model, loads, np.array([0.0])).isel(time=0, foot=0)
    np.testing.assert_allclose(found["ground_force"], (0.0, 400.0, 0.0))
    np.testing.assert_allclose(found["centre_of_pressure"], (0.05, 0.0, 0.01), atol=1e-15)
    assert float(found["free_moment"]) == pytest.approx(5.0)


def test_it_is_the_same_wrench_about_any_point_whichever_way_is_up(walk):
    random = np.random.default_rng(7)
    time = np.arange(5.0)
    for up in np.eye(3):
        model = replace(walk[0], gravity=tuple(-9.81 * up))
        own = [
            bo.Load(
                f"plate{k}",
                "foot_l",
                random.normal(0.0, 40.0, (5, 3)) + 400.0 * up,
                random.normal(0.0, 0.3, (5, 3)),
                random.normal(0.0, 20.0, (5, 3)),
            )
            for k in range(3)
        ]
        found = bo.ground_reaction(model, own, time).isel(foot=0)
        about = random.normal(size=3)
        wanted = sum(np.cross(each.point - about, each.force) + each.moment for each in own)
        force, centre = found["ground_force"].values, found["centre_of_pressure"].values
        got = np.cross(centre - about, force) + found["free_moment"].values[:, None] * up
        np.testing.assert_allclose(got, wanted, atol=1e-9)


def test_a_hand_that_carries_stands_on_nothing_and_without_gravity_there_is_no_ground(walk):
    model, loads, _ = walk
    bag = bo.Load("bag", "forearm_r", force=(0.0, -50.0, 0.0), point=(0.0, 0.8, 0.3))
    time = np.linspace(0.1, 1.8, 5)
    assert bo.ground_reaction(model, [*loads, bag], time)["foot"].values.tolist() == ["foot_r", "foot_l"]
    assert bo.ground_reaction(model, [bag], time).sizes["foot"] == 0
    with pytest.raises(bo.BorelliError, match="the direction of the ground is unknown"):
        bo.ground_reaction(replace(model, gravity=(0.0, 0.0, 0.0)), loads, time)
