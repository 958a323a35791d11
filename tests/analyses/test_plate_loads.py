"""Force plates become loads on the feet that stand on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli import model as bm
from borelli.errors import MissingInputError, UnknownNameError


@dataclass
class Plate:
    name: str
    time: np.ndarray
    force: np.ndarray
    point: np.ndarray
    free_moment: np.ndarray
    center: np.ndarray


def two_feet() -> bm.Model:
    names = ("calcn_r", "calcn_l")
    return bo.Model(
        bodies=[bm.Body(name, 1.0, inertia=(1, 1, 1)) for name in (*names, "torso")],
        joints=[bm.FreeJoint(name=f"j{n}", parent="ground", child=n) for n in (*names, "torso")],
        markers=[
            *(bm.Marker(f"{n}_{k}", n, (0.05 * k, 0, 0)) for n in names for k in range(3)),
            bm.Marker("c7", "torso", (0, 0, 0)),
        ],
    )


N = 101
TIME = np.linspace(0.0, 1.0, N)
RIGHT, LEFT = np.array([0.5, 0.05, 0.1]), np.array([1.1, 0.05, -0.1])


def recorded() -> xr.DataArray:
    """The right foot stands at one place, the left at another; the torso is above the right one."""
    places = {f"calcn_r_{k}": np.add(RIGHT, (0.05 * k, 0, 0)) for k in range(3)}
    places |= {f"calcn_l_{k}": np.add(LEFT, (0.05 * k, 0, 0)) for k in range(3)}
    places["c7"] = np.add(RIGHT, (0.0, 1.4, 0.0))
    values = np.repeat(np.stack(list(places.values()))[None], N, axis=0)
    return xr.DataArray(
        values,
        dims=("time", "marker", "axis"),
        coords={"time": TIME, "marker": list(places), "axis": list("xyz")},
    )


def plate(name: str, under: list[tuple[float, float, np.ndarray]]) -> Plate:
    """A plate at 1 kHz, loaded with 700 N under a point for some time."""
    time = np.linspace(0.0, 1.0, 1001)
    force, point = np.zeros((1001, 3)), np.full((1001, 3), np.nan)
    for begin, end, at in under:
        rows = (time >= begin) & (time <= end)
        force[rows] = (10.0, 700.0, -5.0)
        point[rows] = at * [1, 0, 1]
    moment = np.zeros((1001, 3))
    moment[:, 1] = np.where(np.isfinite(point[:, 0]), 2.0, 0.0)
    return Plate(name, time, force, point, moment, np.array([0.8, 0.0, 0.0]))


def test_each_foot_gets_the_load_of_the_plate_under_it() -> None:
    plates = [plate("one", [(0.1, 0.6, RIGHT)]), plate("two", [(0.4, 0.9, LEFT)])]
    loads, contacts = bo.plate_loads(two_feet(), recorded(), plates)
    assert [(load.name, load.body) for load in loads] == [
        ("one_calcn_r", "calcn_r"),
        ("two_calcn_l", "calcn_l"),
    ]
    assert [each.certainty for each in contacts] == [1.0, 1.0]
    # The mean marker of a foot is 50 mm before its first one.
    assert contacts[0].distance == pytest.approx(0.05)
    assert loads[0].force[300] == pytest.approx([10.0, 700.0, -5.0])
    assert loads[0].point[300] == pytest.approx([0.5, 0.0, 0.1])
    assert loads[0].moment[300] == pytest.approx([0.0, 2.0, 0.0])
    assert not loads[0].force[700:].any()


def test_two_feet_on_one_plate_in_turn_are_told_apart() -> None:
    loads, contacts = bo.plate_loads(
        two_feet(), recorded(), [plate("one", [(0.05, 0.4, RIGHT), (0.55, 0.95, LEFT)])]
    )
    assert [each.body for each in contacts] == ["calcn_r", "calcn_l"]
    right, left = loads
    assert right.force[200, 1] == 700.0 and right.force[800, 1] == 0.0
    assert left.force[200, 1] == 0.0 and left.force[800, 1] == 700.0


def test_a_load_that_wanders_between_the_feet_is_less_sure() -> None:
    wandering = plate("one", [(0.1, 0.4, RIGHT), (0.4001, 0.8, LEFT)])
    ((*_,), (contact,)) = bo.plate_loads(two_feet(), recorded(), [wandering])
    assert contact.body == "calcn_l"
    assert 0.5 < contact.certainty < 0.65


def test_a_load_far_from_all_feet_is_nobodys() -> None:
    loads, contacts = bo.plate_loads(
        two_feet(), recorded(), [plate("one", [(0.1, 0.6, np.array([3.0, 0, 2.0]))])]
    )
    assert loads == []
    assert contacts[0].body == ""


def test_without_markers_on_feet_nothing_is_guessed() -> None:
    plates = [plate("one", [(0.1, 0.6, RIGHT)])]
    with pytest.raises(MissingInputError, match="the feet on the plates are unknown"):
        bo.plate_loads(two_feet(), recorded().sel(marker=["c7"]), plates, bodies=["calcn_r"])
    with pytest.raises(UnknownNameError, match="'calcn' is not a body of model"):
        bo.plate_loads(two_feet(), recorded(), plates, bodies=["calcn"])
