"""Planar chain files: reference cases read as they are, both spellings alike, every complaint in its words."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli import library, planar
from borelli.errors import (
    BorelliError,
    DuplicateNameError,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnknownNameError,
)
from borelli.io.planar_file import case_from, load_chain, parse_chain, save_chain
from borelli.io.planar_schema import SECTIONS
from borelli.io.planar_spelling import FLAT
from borelli.io.planar_spelling import SHORT as SHORT_KEYS

FIXTURE = Path(__file__).parent.parent / "fixtures" / "planar_golden.json"
CASES = {case["id"]: case for case in json.loads(FIXTURE.read_text())["cases"]}
CHAIN_CASES = [name for name, case in CASES.items() if case["kind"] == "planar_chain"]
TOLERANCE = 1e-11  # as the references were verified, relative to (1e-3 + |value|)


def close(have, want) -> bool:
    want = np.asarray(want, dtype=float)
    return bool(np.all(np.abs(np.asarray(have) - want) <= TOLERANCE * (1e-3 + np.abs(want))))


def read(content) -> planar.Chain:
    return parse_chain(json.dumps(content).encode(), "chain.json")


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


EQUIPMENT = [
    {"kind": "weight", "name": "dumbbell", "link": 1, "point": [0.2, 0.0], "mass": 4.0},
    {
        "kind": "band",
        "link": "a",
        "point": [0.3, 0],
        "anchor": [0, -1],
        "stiffness": 90.0,
        "rest_length": 0.4,
    },
    {
        "kind": "spring",
        "link": 1,
        "point": [0, 0.1],
        "anchor": [1, 0],
        "stiffness": 5,
        "rest_length": 0,
        "damping": 2,
    },
    {
        "kind": "cable",
        "link": 1,
        "point": [0.1, 0],
        "anchor": [0, 2],
        "stack_mass": 9,
        "ratio": 2,
        "inertia": False,
    },
]
ONE_LINK = {
    "links": [{"name": "a", "length": 0.4, "mass": 1.0, "inertia": 0.1, "com": [0.2, 0.0]}],
    "motion": {"angle": [0.4]},
}


def test_equipment_is_read_written_and_read_again(tmp_path):
    case = read(ONE_LINK | {"equipment": EQUIPMENT})
    assert case.equipment == (
        planar.Weight("dumbbell", 1, (0.2, 0.0), 4.0),
        planar.Band("band2", "a", (0.3, 0.0), (0.0, -1.0), 90.0, 0.4),
        planar.Spring("spring3", 1, (0.0, 0.1), (1.0, 0.0), 5.0, 0.0, 2.0),
        planar.Cable("cable4", 1, (0.1, 0.0), (0.0, 2.0), 9.0, 2.0, inertia=False),
    )
    answer = planar.analyze(case.chain, case.motion, **case.loads)
    assert {"load:dumbbell", "load:band2", "load:spring3", "load:cable4"} < set(answer["source"].values)
    save_chain(tmp_path / "again.json", case.chain, case.motion, equipment=case.equipment)
    again = load_chain(tmp_path / "again.json")
    torque = planar.analyze(again.chain, again.motion, **again.loads)["torque"]
    np.testing.assert_array_equal(torque, answer["torque"])


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (
            {"kind": "band", "link": 1, "point": [0, 0], "anchor": [0, 1], "stiffness": 1},
            "needs 'rest_length'",
        ),
        ({"kind": "weight", "link": 1, "point": [0, 0], "mass": 1, "ratio": 2}, "which has no 'ratio'"),
        ({"kind": "rope", "link": 1, "point": [0, 0]}, "must be one of"),
        ({"kind": "band", "lnk": 1}, "'lnk' is not a key of equipment"),
    ],
)
def test_equipment_is_refused_with_its_place(item, text):
    with pytest.raises(BorelliError, match=re.escape(text)) as told:
        read(ONE_LINK | {"equipment": [item]})
    assert "equipment[0]" in str(told.value)


def test_cesaris_symbols_hold_a_recording():
    """Two frames, the paper's own and the same at rest, with a spring force that changes."""
    inputs, outputs = CASES["cesari_three_link"]["inputs"], CASES["cesari_three_link"]["outputs"]
    still = [0.0, 0.0, 0.0]
    rates = {key: [inputs[key], still] for key in ("alpha_dot", "alpha_ddot")}
    content = inputs | rates | {"time": [0.0, 0.1], "alpha": [inputs["alpha"]] * 2, "F_S": [20.0, 5.0]}
    case = read(content)
    answer = planar.analyze(case.chain, case.motion, **case.loads)
    assert close(answer["torque"][0], outputs["T"])
    assert close(answer["torque"][1], np.add(outputs["G"], np.array(outputs["T_ext"]) / 4.0))
    assert list(answer["time"].values) == [0.0, 0.1]


def test_the_spring_of_cesari_is_measured_from_the_wrist_or_from_the_hand():
    inputs = dict(CASES["cesari_three_link"]["inputs"])
    beyond = inputs.pop("d_S_from_hand_com")
    case = read(inputs | {"d_S_from_wrist": inputs["d"][-1] + beyond})
    answer = planar.analyze(case.chain, case.motion, **case.loads)
    assert close(answer["torque"][0], CASES["cesari_three_link"]["outputs"]["T"])


@pytest.mark.parametrize(
    ("change", "error", "text", "hint"),
    [
        ({"d_S": 0.1}, UnknownNameError, "'d_S' is ambiguous", "d_S_from_wrist"),
        ({"d_S_from_wrist": 0.1}, DuplicateNameError, "distance is given twice", "keep one"),
        ({"F_S": [1.0, 2.0]}, ShapeError, "'F_S' has 2 value(s), 'alpha' 1 instant(s)", "one for each"),
        ({"F_S": ["x"]}, FileFormatError, "'F_S' must be a number", None),
    ],
)
def test_cesaris_symbols_are_refused_with_a_hint(change, error, text, hint):
    with pytest.raises(error, match=re.escape(text)) as told:
        read(CASES["cesari_three_link"]["inputs"] | change)
    assert hint is None or hint in told.value.remedy


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


def test_cesaris_symbols_give_cesaris_torques():
    case = read(CASES["cesari_three_link"]["inputs"])
    answer = planar.analyze(case.chain, case.motion, **case.loads)
    assert close(answer["torque"][0], CASES["cesari_three_link"]["outputs"]["T"])
    assert close(answer["reaction"][0], CASES["cesari_three_link"]["outputs"]["joint_forces_on_distal"])


FULL = {
    "name": "arm",
    "description": "any text",
    "gravity": [0.0, -9.81],
    "base": {"position": [0.1, 0.2], "mass": 3.0, "com": [0.0, -0.1]},
    "links": [
        {
            "name": "upper",
            "joint": "shoulder",
            "length": 0.3,
            "mass": 2.0,
            "inertia": 0.02,
            "com": [0.13, 0.01],
        },
        {
            "name": "lower",
            "joint": "elbow",
            "length": 0.25,
            "mass": 1.0,
            "inertia": 0.01,
            "com_distance": 0.11,
            "com_angle": 0.2,
        },
    ],
    "muscles": [
        {"name": "biceps", "path": [["upper", [0.1, 0.02]], ["lower", [0.05, 0.0]]], "tension": 120.0}
    ],
    "contacts": [
        {"name": "load", "link": "lower", "point": [0.25, 0.0], "force": [0.0, -20.0]},
        {"name": "push", "link": 1, "distance": 0.2, "angle": 0.1, "magnitude": 5.0, "direction": 1.2},
    ],
    "couples": [{"name": "twist", "link": 2, "moment": 0.5}],
    "motion": {"angle": [0.3, 0.9], "velocity": [1.0, -2.0], "acceleration": [3.0, 4.0]},
}
SHORT = {
    "name": "arm",
    "g": [0.0, -9.81],
    "J1": [0.1, 0.2],
    "base": {"m": 3.0, "c": [0.0, -0.1]},
    "links": [
        {"name": "upper", "joint": "shoulder", "l": 0.3, "m": 2.0, "I": 0.02, "c": [0.13, 0.01]},
        {"name": "lower", "joint": "elbow", "l": 0.25, "m": 1.0, "I": 0.01, "lC": 0.11, "eps": 0.2},
    ],
    "muscles": [{"name": "biceps", "path": [[1, [0.1, 0.02]], [2, [0.05, 0.0]]], "tension": 120.0}],
    "contacts": [
        {"name": "load", "link": 2, "point": [0.25, 0.0], "force": [0.0, -20.0]},
        {"name": "push", "link": 1, "lR": 0.2, "eps": 0.1, "R": 5.0, "gamma": 1.2},
    ],
    "couples": [{"name": "twist", "link": 2, "moment": 0.5}],
    "theta": [0.3, 0.9],
    "theta_dot": [1.0, -2.0],
    "theta_ddot": [3.0, 4.0],
}


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


def test_a_single_frame_without_rates_is_a_posture_at_rest():
    content = {**FULL, "motion": {"angle": [0.3, 0.9]}}
    motion = read(content).motion
    np.testing.assert_array_equal(motion.velocity, 0.0)
    np.testing.assert_array_equal(motion.acceleration, 0.0)


def test_many_frames_in_joint_angles():
    time = np.linspace(0.0, 1.0, 11)
    alpha = np.stack([0.1 * time, 0.2 + 0.3 * time], axis=1)
    content = {**FULL, "motion": {"time": time.tolist(), "angle": alpha.tolist(), "angles": "joint"}}
    motion = read(content).motion
    np.testing.assert_allclose(motion.angle, np.cumsum(alpha, axis=1), atol=1e-15)
    # A quintic spline reproduces straight lines to round-off.
    np.testing.assert_allclose(motion.velocity[:, 1], 0.4, atol=1e-10)


def changed(path, value):
    content = copy.deepcopy(FULL)
    target = content
    for step in path[:-1]:
        target = target[step]
    if value is None:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return content


LINK = {"length": 0.1, "mass": 1.0, "inertia": 0.1, "com": [0.0, 0.0]}


@pytest.mark.parametrize(
    ("content", "error", "what", "where"),
    [
        (changed(["lnks"], []), UnknownNameError, "'lnks' is not a key of a planar chain file", "lnks"),
        (
            changed(["links", 1, "lenght"], 1),
            UnknownNameError,
            "'lenght' is not a key of links",
            "links[1].lenght",
        ),
        (changed(["base", "weight"], 1), UnknownNameError, "'weight' is not a key of base", "base.weight"),
        (changed(["links", 0, "mass"], None), MissingInputError, "links[0] has no 'mass'", "links[0].mass"),
        (changed(["links"], None), MissingInputError, "the file has no 'links'", "links"),
        (changed(["links", 0, "mass"], "2"), FileFormatError, "must be a finite number", "links[0].mass"),
        (changed(["links", 0, "mass"], True), FileFormatError, "must be a finite number", "links[0].mass"),
        (changed(["links", 0, "mass"], -2.0), InvalidValueError, "The mass is -2", "link 'upper'"),
        (changed(["links", 0, "length"], 0), InvalidValueError, "The length is 0", "link 'upper'"),
        (changed(["links", 0, "name"], "lower"), DuplicateNameError, "Two links are named", "chain 'arm'"),
        (changed(["links", 0, "name"], "a\nb"), FileFormatError, "cannot be printed", "links[0].name"),
        (
            changed(["links", 0, "com"], [1.0]),
            FileFormatError,
            "must have at least 2 item(s)",
            "links[0].com",
        ),
        (changed(["links", 0, "com"], None), FileFormatError, "needs its mass centre once", "links[0]"),
        (
            changed(["links", 0, "com_distance"], 1.0),
            FileFormatError,
            "needs its mass centre once",
            "links[0]",
        ),
        (changed(["links"], {}), FileFormatError, "must be a list", "links"),
        (changed(["links"], []), FileFormatError, "must have at least 1 item(s)", "links"),
        (changed(["links", 0], 7), FileFormatError, "must be an object with keys", "links[0]"),
        (
            changed(["links", 0, "l"], 0.3),
            DuplicateNameError,
            "'links[0].length' and 'links[0].l' mean",
            "links[0].l",
        ),
        (changed(["theta"], [1, 2]), DuplicateNameError, "'motion.angle' and 'theta' mean the same", "theta"),
        (changed(["J1"], [1, 2]), DuplicateNameError, "'base.position' and 'J1' mean the same", "J1"),
        (changed(["gravity"], 9.81), FileFormatError, "must be a list", "gravity"),
        (
            changed(["muscles", 0, "path"], [[0, [0, 0]]]),
            FileFormatError,
            "at least two points",
            "muscles[0].path",
        ),
        (
            changed(["muscles", 0, "path"], [[0, [0, 0]], [1, [0]]]),
            FileFormatError,
            "has point 1 that is not [link, [x, y]]",
            "muscles[0].path",
        ),
        (
            changed(["muscles", 0, "path"], [[0, [0, 0]], ["uper", [0, 0]]]),
            UnknownNameError,
            "'uper' is not a link of chain 'arm'",
            "muscle 'biceps'",
        ),
        (
            changed(["muscles", 0, "path"], [[0, [0, 0]], [9, [0, 0]]]),
            UnknownNameError,
            "attached to link 9, which does not exist",
            "chain 'arm'",
        ),
        (changed(["muscles", 0, "tension"], [1, [2]]), FileFormatError, "equally many", "muscles[0].tension"),
        (changed(["muscles", 0, "tension"], []), MissingInputError, "is empty", "muscles[0].tension"),
        (
            changed(["contacts", 0, "force"], None),
            FileFormatError,
            "needs 'point' and 'force'",
            "contacts[0]",
        ),
        (changed(["contacts", 0, "axes"], "wold"), FileFormatError, "must be one of", "contacts[0].axes"),
        (changed(["contacts", 0, "link"], None), MissingInputError, "has no 'link'", "contacts[0].link"),
        (changed(["couples", 0, "moment"], "x"), FileFormatError, "must be a number", "couples[0].moment"),
        (
            changed(["motion", "angle"], [0.3]),
            ShapeError,
            "The table of velocities has shape (1, 2)",
            "motion",
        ),
        (
            changed(["motion", "angle"], [[0.3, 0.9], [0.3, 0.9]]),
            MissingInputError,
            "has 2 instants and no times",
            "motion.time",
        ),
        ({"links": [LINK], "theta": [1.0, 2.0]}, ShapeError, "The motion has 2 angle(s)", "motion"),
        ([1, 2], FileFormatError, "The file holds a list, expected an object", "chain.json"),
        (3, FileFormatError, "The file holds a number", "chain.json"),
        (
            {"links": [LINK], "unknown_contacts": [], "contact_link": 1},
            DuplicateNameError,
            "Unknown contacts are given twice",
            "unknown_contacts",
        ),
        (
            {"links": [LINK], "known_torques": {"1": 0}, "known_tau_1": 0},
            DuplicateNameError,
            "mean the same",
            "known_tau_1",
        ),
        (
            {"alpha": [0.0], "m": [1.0]},
            FileFormatError,
            "Cesari's symbols need the lists m, l, d and I",
            "l, d, I",
        ),
        (
            {"alpha": [0.0], "mm": [1.0]},
            UnknownNameError,
            "'mm' is not a key of a chain file in Cesari's",
            "mm",
        ),
        (
            {"alpha": [0.0], "m": [1], "l": [1], "d": [1], "I": [1], "g": "x"},
            FileFormatError,
            "'g' must be a number",
            "g",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(content, error, what, where):
    with pytest.raises(error) as caught:
        read(content)
    assert what in caught.value.what
    assert where in caught.value.where
    assert caught.value.where.startswith("chain.json")


def test_nearest_keys_are_offered():
    with pytest.raises(UnknownNameError) as caught:
        read(changed(["links", 1, "lenght"], 1))
    assert caught.value.closest[0] == "length"
    assert "com_distance" in caught.value.remedy
    with pytest.raises(UnknownNameError) as caught:
        read(changed(["theta_dott"], [1]))
    assert caught.value.closest[0] in ("theta_dot", "theta_ddot")


def test_more_than_one_complaint_is_counted():
    content = changed(["links", 0, "mass"], "heavy")
    content["links"][1]["length"] = "long"
    with pytest.raises(FileFormatError, match=r"\(1 more problem\(s\)"):
        read(content)


@pytest.mark.parametrize(
    ("data", "error", "what", "where"),
    [
        (b"", FileFormatError, "The file is empty", "byte 0"),
        (b" \n", FileFormatError, "The file is empty", "byte 0"),
        (b'{"links": [', FileFormatError, "The file is not JSON", "line 1, column 12"),
        (b"\x00\x01\x02", FileFormatError, "The file is binary", "byte 0"),
        (b'{"links": "\xff"}', FileFormatError, "not text in UTF-8", "byte 11"),
        ("{}".encode("utf-16"), FileFormatError, "UTF-16", "byte 0"),
        (b"[" * 100_000, FileFormatError, "nested too deeply", "chain.json"),
        (b'{"g": [0, NaN]}', FileFormatError, "NaN is not a valid number", "chain.json"),
        (b'{"g": [0, -Infinity]}', FileFormatError, "-Infinity is not a valid number", "chain.json"),
        (b'{"name": "a", "name": "b"}', FileFormatError, "'name' appears twice", "chain.json"),
        (b'{"links": [{"l": 1e999}]}', FileFormatError, "'links[0].l' must be a finite number", "links[0].l"),
    ],
)
def test_files_that_are_not_chain_files_are_refused(tmp_path, data, error, what, where):
    path = tmp_path / "chain.json"
    path.write_bytes(data)
    with pytest.raises(error) as caught:
        load_chain(path)
    assert what in caught.value.what
    assert where in caught.value.where


def test_a_number_of_five_thousand_digits_is_not_finite():
    data = json.dumps(FULL).replace("0.3, 0.9", "0.3, " + "9" * 5000).encode()
    with pytest.raises(FileFormatError, match=r"'motion\.angle' holds a number that is not finite"):
        parse_chain(data)


def test_an_absent_file_is_answered_with_its_neighbour(tmp_path):
    (tmp_path / "chain.json").write_text("{}")
    with pytest.raises(MissingInputError, match=r"There is no file 'chian\.json'") as caught:
        load_chain(tmp_path / "chian.json")
    assert caught.value.closest == ("chain.json",)


SCRAPS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.sampled_from(["", "upper", "x", "\ud800", "[b]"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["link", "l", "com", "name", "\ud800", "q"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_no_damage_to_a_file_raises_anything_but_ours(data):
    content = copy.deepcopy(data.draw(st.sampled_from([FULL, SHORT, CASES["cesari_three_link"]["inputs"]])))
    for _ in range(data.draw(st.integers(1, 2))):
        target = content
        while isinstance(target, dict | list) and target:
            keys = list(target) if isinstance(target, dict) else list(range(len(target)))
            key = data.draw(st.sampled_from(keys))
            if data.draw(st.booleans()) or not isinstance(target[key], dict | list):
                target[key] = data.draw(SCRAPS)
                break
            target = target[key]
    try:
        case = case_from(content)
        if case.motion is not None:
            planar.analyze(case.chain, case.motion, **case.loads)
    except BorelliError as error:
        str(error).encode("utf-8", "backslashreplace")


@pytest.mark.parametrize(
    ("motion", "place"),
    [
        ({"time": [], "angle": []}, "motion.time"),
        ({"angle": []}, "motion.angle"),
        ({"time": [0, 1], "angle": [[], []]}, "motion.angle"),
    ],
)
def test_an_empty_motion_is_refused_with_file_place_and_remedy(motion, place, tmp_path):
    path = tmp_path / "still.json"
    link = {"length": 1.0, "mass": 1.0, "inertia": 0.1, "com": [0.5, 0.0]}
    path.write_text(json.dumps({"links": [link], "motion": motion}))
    with pytest.raises(MissingInputError) as caught:
        load_chain(path)
    assert caught.value.what.startswith(f"The motion has no instants: {place!r} is empty.")
    assert caught.value.where == f"{path}, {place}"
    assert (
        caught.value.remedy
        == "give at least one instant, an angle (rad) for each link, or leave 'motion' out"
    )
