"""One family of errors: what, where, nearest, remedy."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli import errors
from borelli.errors import UnknownNameError, closest_names


def test_message_has_what_where_closest_and_remedy_in_this_order():
    error = errors.BorelliError(
        "It is wrong.", where="walk.mot, column 7", closest=["a", "b"], remedy="rename it"
    )
    assert str(error).splitlines() == [
        "It is wrong.",
        "  Where:   walk.mot, column 7",
        "  Closest: 'a', 'b'",
        "  Remedy:  rename it",
    ]


def test_nearest_name_forgives_case_and_keeps_the_given_spelling():
    names = ["knee_angle_r", "knee_angle_l", "hip_flexion_r"]
    assert errors.closest_names("Knee_Angle_R", names)[:2] == ("knee_angle_r", "knee_angle_l")


def test_names_that_contain_a_short_one_are_close_to_it():
    names = ["pelvis_tilt_moment", "knee_angle_r_moment", "knee_r_reaction_force_x"]
    assert errors.closest_names("Knee", names) == ("knee_angle_r_moment", "knee_r_reaction_force_x")
    assert errors.closest_names("", names) == ()


def test_unknown_name_lists_what_there_is():
    error = errors.UnknownNameError.among("tigh", "link", ["shank", "thigh"], of="chain 'leg'")
    assert error.closest == ("thigh",)
    assert "'tigh' is not a link of chain 'leg'." in str(error)
    assert "use one of: 'shank', 'thigh'" in str(error)


def test_unknown_name_among_nothing_says_so():
    assert "there is no muscle to choose from" in str(errors.UnknownNameError.among("x", "muscle", []))


def test_long_lists_are_cut_and_counted():
    error = errors.UnknownNameError.among("zzz", "body", [f"b{i}" for i in range(30)])
    assert "(30 in all)" in str(error)


@pytest.mark.parametrize("kind", errors.BorelliError.__subclasses__())
def test_errors_survive_pickling_with_their_facts(kind):
    error = kind("what", where="here", closest=("near",), remedy="do")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (again.what, again.where, again.closest, again.remedy) == ("what", "here", ("near",), "do")


@pytest.mark.parametrize("name", [None, 3, ("a", "b"), float("nan"), b"bytes"])
def test_what_is_no_text_is_like_no_name(name):
    assert closest_names(name, ["a", "knee", 4]) == ()
    told = str(UnknownNameError.among(name, "coordinate", ["knee", 4]))
    assert f"{name!r} is not a coordinate" in told and "'knee', 4" in told


def test_candidates_that_are_no_text_are_passed_over():
    assert closest_names("kne", [1, None, "knee"]) == ("knee",)


def test_a_warning_is_about_the_line_of_the_user_however_deep_it_arises():
    model = bo.library.neck()
    q = np.zeros((12, 8))
    q[3] = np.nan
    motion = bo.Motion(np.arange(12) / 10.0, model.coordinate_names, q)
    for ask in (bo.body_poses, bo.contributions, bo.inverse_dynamics, bo.constraint_residuals, bo.scene):
        with pytest.warns(bo.BorelliWarning, match="contain NaN") as told:
            ask(model, motion)
        assert {Path(each.filename).name for each in told} == {Path(__file__).name}, ask


def test_warnings_name_the_line_of_the_caller() -> None:
    # A number of levels is wrong as soon as a function between is added: one function finds it.
    root = Path(errors.__file__).parent
    own = [p.name for p in root.rglob("*.py") if "warnings.warn(" in p.read_text(encoding="utf-8")]
    assert own == ["errors.py"]
