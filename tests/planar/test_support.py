"""The ground's support of the base: found from the motion, compared with a measured one, whatever the muscles do."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import library, planar
from borelli.results.explanation import explain
from tests.planar.golden import CASES, CHAIN_CASES, chain_of, gap, loads_of, motion_of

TOLERANCE = 1e-12  # references have 17 digits; sums of a dozen products of doubles


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_support_equals_the_reference_whatever_the_tensions(case):
    inputs, outputs = CASES[case]["inputs"], CASES[case]["outputs"]["base_reaction"]
    loads = loads_of(inputs)
    answer = planar.analyze(chain_of(inputs), motion_of(inputs), **loads)
    assert any(tension > 0 for tension in loads["tensions"].values())
    assert gap(answer.support_force[0], outputs["force"]) < TOLERANCE
    assert gap(answer.support_moment[0], outputs["moment_about_J1"]) < TOLERANCE


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_shares_of_the_support_add_up_to_it(case):
    inputs, outputs = CASES[case]["inputs"], CASES[case]["outputs"]["base_reaction"]
    loads = loads_of(inputs)
    del loads["tensions"]
    found = planar.support(chain_of(inputs), motion_of(inputs), **loads)
    assert gap(found.support_force_share.sum("source")[0], outputs["force"]) < TOLERANCE
    assert gap(found.support_moment_share.sum("source")[0], outputs["moment_about_J1"]) < TOLERANCE
    assert float(found.closure) < 1e-14
    assert found.source[0] == "weight:base"


def test_loads_and_acceleration_of_the_base_are_part_of_its_support():
    chain = planar.Chain(
        (planar.Link("a", 0.4, 2.0, 0.03, (0.2, 0.01)),), planar.Base((0.1, 0.2), 3.0, (0.15, 0.05))
    )
    motion = planar.Motion([0.0], [[0.7]], [[1.5]], [[-2.0]], [[0.4, -0.6]])
    contacts = (
        planar.Contact("shelf", "base", (0.3, 0.1), (5.0, 7.0)),
        planar.Contact("hand", "a", (0.3, 0.0), (1.0, 2.0)),
    )
    couples = (planar.Couple("twist", "base", 0.5),)
    found = planar.support(chain, motion, contacts, couples)
    assert float(found.closure) < 1e-14
    # Newton and Euler for the whole, with positions and accelerations of the mass centres.
    places = planar.kinematics(chain, motion)
    com, acceleration = places.com_position[0, 0].values, places.com_acceleration[0, 0].values
    gravity = np.array(chain.gravity)
    pushed = 2.0 * (acceleration - gravity) + 3.0 * (np.array([0.4, -0.6]) - gravity)
    np.testing.assert_allclose(found.support_force[0], pushed - [6.0, 9.0], rtol=1e-13)
    joint = np.array([0.1, 0.2])

    def moment(point, force):
        arm = np.asarray(point) - joint
        return arm[0] * force[1] - arm[1] * force[0]

    hand = joint + 0.3 * np.array([np.cos(0.7), np.sin(0.7)])
    wanted = 0.03 * -2.0 + moment(com, 2.0 * (acceleration - gravity))
    wanted += moment((0.15, 0.05), 3.0 * (np.array([0.4, -0.6]) - gravity))
    wanted -= moment((0.3, 0.1), (5.0, 7.0)) + moment(hand, (1.0, 2.0)) + 0.5
    assert float(found.support_moment[0]) == pytest.approx(wanted, rel=1e-12)


def test_centre_of_pressure_of_a_body_at_rest_lies_below_its_mass_centre():
    chain, posture = library.leg_squat(), [1.2, 2.3, 1.0]
    answer = planar.analyze(chain, planar.Motion.static(posture), tensions={"vasti": 900.0})
    com = planar.kinematics(chain, planar.Motion.static(posture)).com_position[0].values
    mass = [link.mass for link in chain.links]
    whole = (mass @ com[:, 0] + chain.base.mass * chain.base.com[0]) / (sum(mass) + chain.base.mass)
    np.testing.assert_allclose(answer.centre_of_pressure[0], [whole, 0.0], atol=1e-13)


@pytest.mark.parametrize("tilt", [0.0, 0.4])
def test_the_floor_runs_across_gravity_at_the_height_of_the_base(tilt):
    down = 9.81 * np.array([np.sin(tilt), -np.cos(tilt)])
    base = planar.Base((0.0, 0.0), floor=-0.3)
    chain = planar.Chain((planar.Link("a", 1.0, 2.0, 0.1, (0.5, 0.0)),), base, tuple(down))
    answer = planar.analyze(chain, planar.Motion.static([0.3]))
    place = answer.centre_of_pressure[0].values
    com = 0.5 * np.array([np.cos(0.3), np.sin(0.3)])
    up = -down / 9.81
    assert place @ up == pytest.approx(-0.3, abs=1e-14)
    # At rest the support passes through the mass centre.
    assert (com - place)[0] * down[1] - (com - place)[1] * down[0] == pytest.approx(0.0, abs=1e-13)


def test_where_nothing_presses_there_is_no_centre_of_pressure():
    chain = planar.Chain((planar.Link("a", 1.0, 2.0, 0.1, (0.5, 0.0)),), gravity=(0.0, 0.0))
    answer = planar.analyze(chain, planar.Motion([0.0], [[0.0]], [[3.0]], [[0.0]]))
    assert abs(answer.support_force[0, 0]) > 1.0
    assert np.isnan(answer.centre_of_pressure).all()


def test_a_push_that_was_not_measured_is_the_whole_body_residual():
    chain, motion = library.leg_squat(), library.squat_to_stand()
    push = planar.Contact("wall", "trunk", (0.35, 0.11), (90.0, 20.0))
    truth = planar.analyze(chain, motion, contacts=(push,))
    measured = {"base_force": truth.support_force, "base_moment": truth.support_moment}
    whole = planar.analyze(chain, motion, contacts=(push,), **measured)
    assert float(whole.whole_body_residual_force) < 1e-9
    assert float(whole.whole_body_residual_moment) < 1e-9
    for data_set in ("distal", "proximal"):
        answer = planar.analyze(chain, motion, data_set=data_set, **measured)
        np.testing.assert_allclose(answer.support_force_residual, np.tile((90.0, 20.0), (motion.n_times, 1)))
        assert float(answer.whole_body_residual_force) == pytest.approx(np.hypot(90.0, 20.0))
    # The proximal set needs no contact on the trunk; the distal one does.
    np.testing.assert_allclose(answer.torque, truth.torque, atol=1e-9)
    np.testing.assert_allclose(answer.support_force, truth.support_force)


def test_support_is_explained_by_name():
    told = explain(planar.support(library.leg_squat(), library.squat_to_stand()), "support force y")
    assert told.output.name == "support_force_y"
    assert told.shares[0].source == "weight:trunk"
    assert "on the base, by the ground, in world axes" in told.sentence
