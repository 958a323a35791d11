"""Planar chain files: reference cases read as they are, both spellings alike, what is saved comes back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from borelli import library, planar
from borelli.errors import (
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
)
from borelli.io.planar.chain_file import load_chain, parse_chain, save_chain
from borelli.io.planar.schema import SECTIONS
from borelli.io.planar.spelling import FLAT
from borelli.io.planar.spelling import SHORT as SHORT_KEYS
from tests.io.chain_files import CASES, CHAIN_CASES, FULL, SHORT, close, read


@pytest.mark.parametrize("name", CHAIN_CASES)
def test_reference_inputs_load_as_they_are_and_give_the_reference_outputs(name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    case = read(inputs)
    answer = planar.analyze(case.chain, case.motion, **case.loads)
    assert close(answer["torque"][0], outputs["tau"])
    assert close(answer["residual_torque"][0], outputs["tau_residual"])
    assert close(-answer["reaction"][0], outputs["phi"])
    for kind, label in (("weight", "weight:"), ("thdd", "acceleration:"), ("thd2", "velocity:")):
        columns = [source for source in answer["source"].values if source.startswith(label)]
        want = np.asarray(outputs["tau_contrib"][kind])
        want = want[:, 1:] if kind == "weight" else want  # the base's weight loads no joint
        assert close(answer["torque_share"].sel(source=columns)[0], want)


@pytest.mark.parametrize("name", CHAIN_CASES)
def test_reference_support_gives_the_same_outputs_from_the_other_side(name):
    outputs = CASES[name]["outputs"]
    support = outputs["base_reaction"]
    content = CASES[name]["inputs"] | {
        "base_force": support["force"],
        "base_moment_about_J1": support["moment_about_J1"],
    }
    case = read(content)
    answer = planar.analyze(
        case.chain,
        case.motion,
        **case.loads,
        data_set="proximal",
        base_force=case.base_force,
        base_moment=case.base_moment,
    )
    # Contacts enter the support and are taken out again: round-off of the largest of them.
    np.testing.assert_allclose(answer["torque"][0], outputs["tau"], rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(-answer["reaction"][0], outputs["phi"], rtol=1e-10, atol=1e-11)


def test_reference_state_without_accelerations_moves_as_it_should():
    case = read(CASES["planar_forward_n3"]["inputs"])
    assert case.motion is None
    angle, velocity = case.state
    state = planar.Motion([0.0], angle, velocity, np.zeros_like(angle))
    found = planar.forward_dynamics(case.chain, state, **case.loads)
    assert close(np.asarray(found)[0], CASES["planar_forward_n3"]["outputs"]["theta_ddot"])


def test_reference_unknown_contact_is_found_from_the_support():
    outputs = CASES["planar_unknown_contact"]["outputs"]
    case = read(CASES["planar_unknown_contact"]["inputs"])
    known = planar.Known(base_force=case.base_force, base_moment=case.base_moment)
    solution = planar.solve_contacts(case.chain, case.motion, case.unknown, known)
    # The reference contact follows from differences of forces four times its size.
    np.testing.assert_allclose(solution.contacts[0].force[0], outputs["contact_force"], rtol=1e-12)
    assert dict(case.known_torques) == {3: -35.0}


def test_polar_contacts_may_change_over_time():
    motion = {"time": [0.0, 1.0], "angle": [[0.1], [0.2]], "velocity": [[0], [0]], "acceleration": [[0], [0]]}
    link = {"length": 1.0, "mass": 1.0, "inertia": 0.1, "com": [0.5, 0.0]}
    turning = {
        "link": 1,
        "distance": 0.8,
        "angle": [0.0, 0.1],
        "magnitude": [10.0, 20.0],
        "direction": [1.2, 1.5],
    }
    case = read({"links": [link], "motion": motion, "contacts": [turning]})
    share = planar.analyze(case.chain, case.motion, **case.loads)["torque_share"].sel(source="load:contact1")
    # Biscarini (13): R l_R sin(gamma_R - epsilon_R).
    wanted = [-10.0 * 0.8 * np.sin(1.2), -20.0 * 0.8 * np.sin(1.5 - 0.1)]
    assert close(share[:, 0], wanted)


def test_full_and_short_spelling_say_the_same():
    full, short = read(FULL), read(SHORT)
    assert full.chain == short.chain
    one, other = (planar.analyze(case.chain, case.motion, **case.loads) for case in (full, short))
    np.testing.assert_array_equal(one["torque_share"], other["torque_share"])
    np.testing.assert_array_equal(one["reaction_share"], other["reaction_share"])


def test_what_is_saved_comes_back_to_the_last_bit(tmp_path):
    chain, motion = library.reaching_arm(), library.reach()
    spring = library.hand_spring(chain, motion)
    tensions = {"biceps": np.linspace(0.0, 50.0, motion.n_times), "brachialis": 12.0}
    couple = planar.Couple("grip", "hand", 0.25)
    path = tmp_path / "arm.json"
    save_chain(path, chain, motion, (spring,), (couple,), tensions)
    case = load_chain(path)
    assert case.chain == chain
    one = planar.analyze(chain, motion, (spring,), (couple,), tensions)
    other = planar.analyze(case.chain, case.motion, **case.loads)
    for name in ("torque", "reaction", "muscle_torque", "torque_share", "reaction_share"):
        np.testing.assert_array_equal(one[name], other[name])
    assert [entry.name for entry in tmp_path.iterdir()] == ["arm.json"]


def test_names_that_were_left_out_are_left_out_again(tmp_path):
    bare = planar.Chain(
        (planar.Link("a", 1.0, 1.0, 0.1, (0.5, 0.0)), planar.Link("b", 1.0, 1.0, 0.1, (0.5, 0.0)))
    )
    push = planar.Contact("push", np.int64(2), (1.0, 0.0), (0.0, -1.0))
    save_chain(tmp_path / "bare.json", bare, contacts=(push,))
    case = load_chain(tmp_path / "bare.json")
    assert case.chain == bare
    assert case.contacts[0].link == 2
    with pytest.raises(UnknownNameError, match="'c' is not a link of chain 'chain'"):
        save_chain(tmp_path / "bare.json", bare, couples=(planar.Couple("twist", "c", 1.0),))


def test_nothing_is_left_behind_when_saving_fails(tmp_path):
    chain, motion = library.two_link_arm(), library.curl()
    bad = planar.Contact("bad", 1, (0.0, 0.0), (np.nan, 0.0))
    with pytest.raises(InvalidValueError, match="The force of contact 'bad' holds NaN"):
        save_chain(tmp_path / "arm.json", chain, motion, (bad,))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UnknownNameError, match="'bicep' is not a muscle of chain 'two_link_arm'"):
        save_chain(tmp_path / "arm.json", chain, tensions={"bicep": 1.0})
    with pytest.raises(MissingInputError, match="does not exist"):
        save_chain(tmp_path / "none" / "arm.json", chain)


GUIDE = Path(__file__).parent.parent.parent / "docs" / "planar.md"


def test_the_example_of_the_guide_is_a_chain_file():
    block = GUIDE.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    case = parse_chain(block.encode(), "planar.md")
    answer = planar.analyze(case.chain, case.motion, **case.loads)
    # A box of 50 N held at 0.26 cos 0.2 m, and the forearm's weight at 0.15 cos 0.2 m.
    elbow = (50.0 * 0.26 + 1.6 * 9.81 * 0.15) * np.cos(0.2)
    assert float(answer["torque"].sel(joint="elbow")[0]) == pytest.approx(elbow, rel=1e-12)


def test_the_guide_names_every_key():
    text = GUIDE.read_text(encoding="utf-8")
    keys = {key for section in SECTIONS.values() for key in section.model_fields}
    keys |= {short for section in SHORT_KEYS.values() for short in section} | set(FLAT)
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


def test_a_single_instant_without_rates_is_a_posture_at_rest():
    content = {**FULL, "motion": {"angle": [0.3, 0.9]}}
    motion = read(content).motion
    np.testing.assert_array_equal(motion.velocity, 0.0)
    np.testing.assert_array_equal(motion.acceleration, 0.0)


def test_many_instants_in_joint_angles():
    time = np.linspace(0.0, 1.0, 11)
    alpha = np.stack([0.1 * time, 0.2 + 0.3 * time], axis=1)
    content = {**FULL, "motion": {"time": time.tolist(), "angle": alpha.tolist(), "angles": "joint"}}
    motion = read(content).motion
    np.testing.assert_allclose(motion.angle, np.cumsum(alpha, axis=1), atol=1e-15)
    # A quintic spline reproduces straight lines to round-off.
    np.testing.assert_allclose(motion.velocity[:, 1], 0.4, atol=1e-10)
