"""The page's own computing: the numbers of `planar.analyze` and of Borelli's static optimization."""

from __future__ import annotations

import json

import numpy as np
import pytest

import borelli as bo
from borelli import planar
from borelli.playground.body_data import body_data, reserves_of
from borelli.playground.own_chain import own_body
from borelli.playground.ready import ready_bodies
from borelli.playground.scripts import COMPUTING, equations_script, script
from tests.planar.javascript import run_javascript
from tests.playground.postures import (
    KEYS,
    body_in,
    expected_answer,
    largest_gap,
    motion_of,
    numbers,
    random_situation,
)

# Both sides are sums of at most a hundred products in float64.
ROUND_OFF = 1e-12
N_POSTURES = 12


@pytest.fixture(scope="module")
def answers():
    """Situations of every body, and what the page's scripts answer: one run of Node for all."""
    bodies = {body.key: body for body in ready_bodies()}
    draw = np.random.default_rng(7)
    cases = {key: [random_situation(bodies[key], draw) for _ in range(N_POSTURES)] for key in KEYS}
    data = {key: body_data(body) for key, body in bodies.items()}
    source = "\n".join(
        [
            equations_script(body.chain.n_links for body in bodies.values()),
            *map(script, COMPUTING),
            f"const BODIES = {json.dumps(data)};",
        ]
    )
    expression = (
        "Object.fromEntries(Object.entries(cases).map(([key, all]) => "
        f"[key, all.map((each) => {numbers('answerOf(BODIES[key], each)')})]))"
    )
    return cases, run_javascript(source, expression, cases)


@pytest.mark.parametrize("key", KEYS)
def test_scripts_give_what_analyze_gives(answers, key):
    cases, found = answers
    for situation, mine in zip(cases[key], found[key], strict=True):
        names = body_in(key, situation).chain.muscle_names
        answer = expected_answer(key, situation, dict(zip(names, mine["tension"], strict=True)))
        gaps = largest_gap(mine, answer)
        assert max(gaps.values()) < ROUND_OFF, gaps
        # Muscles and reserves deliver the torque.
        unmet = answer.residual_torque.values[0] - mine["left"]
        assert np.abs(unmet).max() < 1e-9 * max(1.0, np.abs(mine["torque"]).max())


@pytest.mark.parametrize("key", KEYS)
def test_a_body_heavier_by_a_billionth_would_be_noticed(answers, key):
    situation, mine = answers[0][key][0], answers[1][key][0]
    tensions = dict(zip(body_in(key, situation).chain.muscle_names, mine["tension"], strict=True))
    heavier = situation["heavier"] * (1.0 + 1e-9)
    assert (
        max(largest_gap(mine, expected_answer(key, {**situation, "heavier": heavier}, tensions)).values())
        > 1e-11
    )


@pytest.mark.parametrize("key", KEYS)
def test_muscles_share_the_load_as_static_optimization_does(answers, key):
    cases, found = answers
    ready = next(body for body in ready_bodies() if body.key == key)
    strengths, reserves = (
        dict(ready.strengths),
        dict(zip(ready.chain.joint_names, reserves_of(ready), strict=True)),
    )
    for situation, mine in zip(cases[key][:10], found[key][:10], strict=True):
        body, motion = body_in(key, situation), motion_of(situation)
        contacts = (*body.contacts, *(item.contact(body.chain, motion) for item in body.equipment))
        shared = bo.muscle_forces(
            planar.to_model(body.chain, strengths),
            planar.to_motion(body.chain, motion),
            planar.to_loads(body.chain, motion, contacts),
            strength="isometric",
            reserves=reserves,
            bounds=(0.0, 1.0),
        )
        np.testing.assert_allclose(mine["activation"], shared["activation"].values[0], atol=1e-9)
        scale = max(1.0, np.abs(mine["torque"]).max())
        np.testing.assert_allclose(mine["left"], shared["reserve"].values[0], atol=1e-9 * scale)


def test_a_chain_with_every_kind_of_load_and_tilted_gravity_is_that_of_analyze():
    draw = np.random.default_rng(3)
    links = tuple(
        planar.Link(f"link_{k}", *draw.uniform(0.2, 0.6, 2), 0.05, tuple(draw.uniform(-0.2, 0.3, 2)))
        for k in range(3)
    )
    base = planar.Base((0.3, 0.2), 2.0, (0.25, 0.1), floor=-0.4)
    path = ((0, (0.2, 0.4)), (2, (0.1, 0.05)), (3, (0.2, 0.1)))
    chain = planar.Chain(links, base, (3.0, -9.0), (planar.Muscle("cord", path),))
    contacts = (
        planar.Contact("push", 2, (0.1, 0.05), (20.0, -35.0)),
        planar.Contact("pad", 2, (0.2, -0.05), (-15.0, 8.0), axes="link"),
        planar.Contact("wall", 0, (0.1, 0.6), (12.0, 5.0)),
    )
    couples = (planar.Couple("twist", 3, 4.0), planar.Couple("floor", 0, -2.0))
    equipment = (
        planar.Spring("spring", 3, (0.1, 0.0), (1.5, 1.0), stiffness=80.0, rest_length=2.5, damping=6.0),
        planar.Cable("stack", 3, (0.2, 0.0), (-0.5, 1.5), stack_mass=3.0, ratio=2.0),
    )
    motion = planar.Motion([0.0], *draw.uniform(-2.0, 2.0, (3, 1, 3)))
    body = own_body(
        chain, motion.angle, contacts=contacts, couples=couples, equipment=equipment, tensions={"cord": 90.0}
    )
    source = "\n".join([equations_script([3]), *map(script, COMPUTING)])
    names = ("angle", "velocity", "acceleration")
    case = {
        "body": body_data(body),
        "situation": {name: getattr(motion, name)[0].tolist() for name in names},
    }
    found = run_javascript(source, numbers("answerOf(cases.body, cases.situation)"), case)
    answer = planar.analyze(chain, motion, contacts, couples, {"cord": 90.0}, equipment=equipment)
    gaps = largest_gap(found, answer)
    assert max(gaps.values()) < ROUND_OFF, gaps


def test_a_pull_on_all_links_reaches_its_place_within_the_ranges():
    body = next(each for each in ready_bodies() if each.key == "reach")
    source = "\n".join([equations_script([3]), *map(script, (*COMPUTING, "posing.js"))])
    start = np.radians(body.start_deg)
    hand = planar.kinematics(body.chain, planar.Motion.static(start))["joint_position"].values[0, -1]
    places = [(hand + shift).tolist() for shift in ([0.1, 0.1], [0.0, 0.25], [5.0, 0.0])]
    case = {"body": body_data(body), "angle": start.tolist(), "places": places}
    call = "reached(cases.body, poseOf(cases.body, {angle: cases.angle}), 2, place)"
    found = run_javascript(source, f"cases.places.map((place) => {call})", case)
    ends = planar.kinematics(body.chain, planar.Motion.static(found))["joint_position"].values[:, -1]
    reach = sum(link.length for link in body.chain.links)
    np.testing.assert_allclose(ends[:2], places[:2], atol=1e-4 * reach)  # nearer than that it rests
    assert np.linalg.norm(ends[2]) > 0.95 * reach  # out of reach: stretched towards it
    limits = np.radians(body.ranges_deg)
    relative = np.diff(found, axis=1, prepend=0.0)
    assert (relative >= limits[:, 0] - 1e-12).all() and (relative <= limits[:, 1] + 1e-12).all()


def test_the_postures_drawn_meet_every_case_of_static_optimization(answers):
    # Otherwise the agreement above could be that of easy cases: muscles idle, free and at full strength, and too weak.
    activation = np.concatenate([each["activation"] for found in answers[1].values() for each in found])
    left = np.concatenate([each["left"] for found in answers[1].values() for each in found])
    assert (activation == 0.0).any() and (activation == 1.0).any()
    assert ((activation > 0.01) & (activation < 0.99)).sum() > 50
    assert np.abs(left).max() > 10.0
