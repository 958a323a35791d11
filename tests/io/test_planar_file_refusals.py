"""Planar chain files that say something wrong: every complaint names its place, and nothing else is ever raised."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli import planar
from borelli.errors import (
    BorelliError,
    DuplicateNameError,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnknownNameError,
)
from borelli.io.planar.chain_file import case_from, load_chain, parse_chain
from tests.io.chain_files import CASES, FULL, SHORT, read


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
