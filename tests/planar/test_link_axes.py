"""Compression and shear: the reaction along and across a link, with every share."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import library, planar
from borelli.planar import task
from borelli.planar.every_instant import compiled
from tests.planar.golden import CASES, chain_of, loads_of, motion_of


def run(**options):
    inputs = CASES["planar_n3"]["inputs"]
    return planar.analyze(chain_of(inputs), motion_of(inputs), **loads_of(inputs), **options)


def test_a_weight_on_a_slope_presses_with_its_cosine_and_shears_with_its_sine():
    chain = planar.Chain((planar.Link("a", 1.0, 2.0, 0.1, (0.5, 0.0)),))
    slope = 0.4
    answer = planar.analyze(chain, planar.Motion.static([np.pi / 2 - slope]))
    # A link leaning to the right stands on its joint, which holds it up: along it, and across it to the left.
    assert float(answer.compression[0, 0]) == pytest.approx(2.0 * 9.81 * np.cos(slope), rel=1e-14)
    assert float(answer.shear[0, 0]) == pytest.approx(2.0 * 9.81 * np.sin(slope), rel=1e-14)


@pytest.mark.parametrize("which", ["distal", "proximal"])
@pytest.mark.parametrize("way", [None, compiled])
def test_compression_and_shear_are_the_reaction_in_the_axes_of_a_link(which, way, monkeypatch):
    if way:
        monkeypatch.setattr(task, "way_for", lambda *_: way)
    answer = run(link_axes=which)
    angle = CASES["planar_n3"]["inputs"]["theta"]
    whose = angle if which == "distal" else [angle[0], *angle[:-1]]
    for joint, theta in enumerate(whose):
        turn = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
        along, across = turn @ answer.reaction[0, joint].values
        np.testing.assert_allclose(answer.compression[0, joint], along, rtol=1e-13)
        np.testing.assert_allclose(answer.shear[0, joint], across, rtol=1e-13)
        shares = turn @ answer.reaction_share[0, joint].values
        np.testing.assert_allclose(answer.compression_share[0, joint], shares[0], atol=1e-12)
        np.testing.assert_allclose(answer.shear_share[0, joint], shares[1], atol=1e-12)


def test_shares_add_up_to_compression_and_shear():
    answer = run()
    for name in ("compression", "shear"):
        total = answer[f"{name}_share"].sum("source")
        np.testing.assert_allclose(total, answer[name], atol=1e-12 * float(abs(answer.reaction).max()))
        assert abs(answer[name]).min() > 1e-3  # none is zero by accident


def test_they_are_left_out_where_they_are_not_wanted():
    bare = run(link_axes=None)
    assert not {"compression", "shear", "compression_share", "shear_share"} & set(bare.data_vars)
    np.testing.assert_array_equal(bare.torque_share, run().torque_share)


def test_answer_says_whose_axis_it_is():
    assert "along the axis of the distal link; positive presses" in run().compression_on
    assert "the proximal link (at the first joint" in run(link_axes="proximal").shear_on


def test_the_knee_of_a_squat_is_pressed_along_shank_and_thigh_alike():
    """Standing nearly upright both axes agree, and the thigh's muscles press the knee together."""
    chain, motion = library.leg_squat(), library.squat_to_stand()
    last = {"tensions": {"vasti": 1000.0}}
    both = [planar.analyze(chain, motion, **last, link_axes=which) for which in ("distal", "proximal")]
    knee = [answer.compression.sel(joint="knee")[-1].item() for answer in both]
    assert knee[0] == pytest.approx(knee[1], rel=0.05)
    assert min(knee) > 1000.0
