"""Equipment and the symbols of Cesari et al. (2001) in planar chain files."""

from __future__ import annotations

import re

import numpy as np
import pytest

from borelli import planar
from borelli.errors import (
    BorelliError,
    DuplicateNameError,
    FileFormatError,
    ShapeError,
    UnknownNameError,
)
from borelli.io.planar.chain_file import load_chain, save_chain
from tests.io.chain_files import CASES, ONE_LINK, close, read

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


def test_cesaris_symbols_give_cesaris_torques():
    case = read(CASES["cesari_three_link"]["inputs"])
    answer = planar.analyze(case.chain, case.motion, **case.loads)
    assert close(answer["torque"][0], CASES["cesari_three_link"]["outputs"]["T"])
    assert close(answer["reaction"][0], CASES["cesari_three_link"]["outputs"]["joint_forces_on_distal"])
