"""Limbs of a model beside those of people."""

from __future__ import annotations

import pytest

import borelli as bo
from borelli import model as bm
from borelli.library.anthropometry import HEIGHT_MM, table_row


def leg(thigh: float, names: tuple[str, str] = ("femur_r", "tibia_r")) -> bm.Model:
    first, second = names
    hip = bm.PinJoint(name="hip", parent="ground", child=first, coordinates=(bm.Coordinate("hip"),))
    knee = bm.PinJoint(
        name="knee",
        parent=first,
        child=second,
        parent_placement=bm.Placement((0.0, -thigh, 0.0)),
        coordinates=(bm.Coordinate("knee", default_value=-1.0),),
    )
    bodies = [bm.Body(name, 1.0, inertia=(1.0, 1.0, 1.0)) for name in names]
    return bm.Model(bodies=bodies, joints=[hip, knee])


def test_a_thigh_of_de_levas_people_has_their_height() -> None:
    shares = [table_row("thigh", sex).length_mm / HEIGHT_MM[sex] for sex in HEIGHT_MM]
    sizes = bo.library.segment_sizes(leg(1.80 * sum(shares) / 2))
    assert sizes["segment"].values.tolist() == ["thigh_r"]
    assert float(sizes["length"][0]) == pytest.approx(1.80 * sum(shares) / 2, rel=1e-12)
    assert float(sizes["height"][0]) == pytest.approx(1.80, rel=1e-12)


def test_sides_are_not_mixed_and_other_names_are_left_out() -> None:
    assert bo.library.segment_sizes(leg(0.4, ("thigh_l", "shank_l")))["segment"].values.tolist() == [
        "thigh_l"
    ]
    assert bo.library.segment_sizes(leg(0.4, ("femur_l", "tibia_r"))).sizes["segment"] == 0
    assert bo.library.segment_sizes(leg(0.4, ("link1", "link2"))).sizes["segment"] == 0
