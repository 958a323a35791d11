"""Bad input: each kind has its message, and nothing is computed."""

import numpy as np
import pytest

from borelli import errors, planar

LINK = planar.Link("a", 0.4, 2.0, 0.03, (0.2, 0.0))
CHAIN = planar.Chain((LINK, planar.Link("b", 0.3, 1.0, 0.01, (0.1, 0.0))), name="arm")
REST = planar.Motion.static([0.1, 0.2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"length": 0.0}, "The length is 0; it must be greater than 0"),
        ({"length": -1.0}, "The length is -1"),
        ({"mass": -0.1}, "The mass is -0.1; it must be at least 0"),
        ({"inertia": -1e-3}, "The moment of inertia is -0.001"),
        ({"mass": float("nan")}, "The mass holds NaN or infinity"),
        ({"com": (0.1, float("inf"))}, "The mass centre holds NaN or infinity, first at index"),
        ({"com": (0.1, 0.2, 0.3)}, "must be a planar vector"),
        ({"length": [0.1, 0.2]}, "must be one number, not an array"),
        ({"mass": "heavy"}, "is not a number"),
        ({"name": ""}, "A link needs a name"),
    ],
)
def test_impossible_link_is_refused(change, message):
    good = {"name": "a", "length": 0.4, "mass": 2.0, "inertia": 0.03, "com": (0.2, 0.0)}
    with pytest.raises(errors.BorelliError, match=message):
        planar.Link(**{**good, **change})


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (((0, (0, 0)),), r"The path has 1 point\(s\)"),
        (((0, (0, 0)), (1,)), r"Path point 1 is \(1,\)"),
        (((0, (0, 0)), ("a", (0, 0))), "Path point 1 is on link 'a'"),
        (((0, (0, 0)), (1, (0, float("nan")))), "Path point 1 holds NaN"),
    ],
)
def test_impossible_muscle_is_refused(path, message):
    with pytest.raises(errors.BorelliError, match=message):
        planar.Muscle("m", path)


def test_muscle_on_a_missing_link_names_the_links_there_are():
    muscle = planar.Muscle("m", ((0, (0, 0)), (7, (0.1, 0))))
    with pytest.raises(
        errors.UnknownNameError, match=r"'m' is attached to link 7(?s:.*)0 \(base\) to 1 \('a'\)"
    ):
        planar.Chain((LINK,), muscles=(muscle,))


def test_names_must_differ_and_exist():
    with pytest.raises(errors.DuplicateNameError, match="Two links are named 'a'"):
        planar.Chain((LINK, LINK))
    with pytest.raises(errors.DuplicateNameError, match="Two links are named 'base'"):
        planar.Chain((planar.Link("base", 1, 1, 1, (0, 0)),))
    muscle = planar.Muscle("m", ((0, (0, 0)), (1, (0.1, 0))))
    with pytest.raises(errors.DuplicateNameError, match="Two muscles are named 'm'"):
        planar.Chain((LINK,), muscles=(muscle, muscle))
    with pytest.raises(errors.MissingInputError, match="at least one link"):
        planar.Chain(())
    contact = planar.Contact("push", "a", (0, 0), (1, 0))
    with pytest.raises(errors.DuplicateNameError, match="Two loads are named 'push'"):
        planar.analyze(CHAIN, REST, (contact,), (planar.Couple("push", 1, 2.0),))
    with pytest.raises(errors.UnknownNameError, match="'aa' is not a link of chain 'arm'") as told:
        planar.analyze(CHAIN, REST, (planar.Contact("push", "aa", (0, 0), (1, 0)),))
    assert told.value.closest == ("a",)
    with pytest.raises(errors.UnknownNameError, match=r"5 is not a link(?s:.*)0 \(base\) to 2"):
        planar.analyze(CHAIN, REST, (planar.Contact("push", 5, (0, 0), (1, 0)),))
    with pytest.raises(errors.UnknownNameError, match="3 is not a joint"):
        planar.forward_dynamics(CHAIN, REST, torques={3: 1.0})


@pytest.mark.parametrize(
    ("time", "angle", "more", "message"),
    [
        ([], np.zeros((0, 2)), (), "The motion has no instants"),
        ([0.0, 0.0], np.zeros((2, 2)), (), "Time does not increase: instant 1"),
        ([1.0, 0.0], np.zeros((2, 2)), (), "after 1 s"),
        ([0.0, float("nan")], np.zeros((2, 2)), (), "Time holds NaN"),
        ([[0.0]], np.zeros((1, 2)), (), r"Time has shape \(1, 1\)"),
        ([0.0], np.zeros(2), (), r"angles has shape \(2,\); it must be \(1, n_links\)"),
        ([0.0], np.full((1, 2), np.nan), (), r"angles holds NaN or infinity, first at index \(0, 0\)"),
        ([0.0], np.zeros((1, 2)), (np.zeros((1, 3)),), r"velocities has shape \(1, 3\)"),
        ([0.0, 1.0], np.zeros((2, 2)), (), "too few to derive the rates"),
    ],
)
def test_impossible_motion_is_refused(time, angle, more, message):
    with pytest.raises(errors.BorelliError, match=message):
        planar.Motion(time, angle, *more)


def test_motion_of_another_chain_is_refused():
    with pytest.raises(errors.ShapeError, match=r"3 angle\(s\) per instant, chain 'arm' has 2 link\(s\)"):
        planar.analyze(CHAIN, planar.Motion.static([0.1, 0.2, 0.3]))


def test_impossible_loads_are_refused():
    with pytest.raises(
        errors.ShapeError, match=r"shape \(3, 2\); it must be \(2,\) \(constant\) or \(1, 2\)"
    ):
        planar.analyze(CHAIN, REST, (planar.Contact("push", 1, (0, 0), np.zeros((3, 2))),))
    with pytest.raises(errors.InvalidValueError, match="The force holds NaN"):
        planar.analyze(CHAIN, REST, (planar.Contact("push", 1, (0, 0), (np.nan, 0)),))
    with pytest.raises(errors.ShapeError, match=r"it must be one number \(constant\) or \(1,\)"):
        planar.analyze(CHAIN, REST, couples=(planar.Couple("twist", 1, [1.0, 2.0]),))
    with pytest.raises(errors.InvalidValueError, match="axes of a force are 'body'"):
        planar.Contact("push", 1, (0, 0), (1, 0), axes="body")
    with pytest.raises(errors.InvalidValueError, match="A contact needs a name"):
        planar.Contact("", 1, (0, 0), (1, 0))


def test_impossible_tensions_are_refused():
    chain = planar.Chain((LINK,), muscles=(planar.Muscle("biceps", ((0, (0.1, 0.2)), (1, (0.1, 0)))),))
    motion = planar.Motion.static([0.1])
    with pytest.raises(errors.UnknownNameError, match="'bicep' is not a muscle") as told:
        planar.analyze(chain, motion, tensions={"bicep": 3.0})
    assert told.value.closest == ("biceps",)
    with pytest.raises(errors.InvalidValueError, match="-3 N at instant 0; a muscle cannot push"):
        planar.analyze(chain, motion, tensions={"biceps": -3.0})


def test_coinciding_muscle_points_name_muscle_and_instant():
    chain = planar.Chain((LINK,), muscles=(planar.Muscle("m", ((0, (0.1, 0.0)), (1, (0.1, 0.0)))),))
    motion = planar.Motion.static([[0.5], [0.0]])
    with pytest.raises(errors.InvalidValueError, match=r"coincide(?s:.*)muscle 'm', instant 1"):
        planar.analyze(chain, motion)


def test_proximal_set_says_what_is_missing():
    with pytest.raises(errors.MissingInputError, match="base_force and base_moment") as told:
        planar.analyze(CHAIN, REST, data_set="proximal")
    assert "N m about the first joint" in told.value.remedy
    with pytest.raises(errors.MissingInputError, match="and base_moment was not given"):
        planar.analyze(CHAIN, REST, data_set="proximal", base_force=(0, 1))
    with pytest.raises(errors.MissingInputError, match="Half of the base's support is given: base_moment"):
        planar.analyze(CHAIN, REST, base_force=(0, 1))
    with pytest.raises(errors.UnknownNameError, match="'joints' is not a space"):
        planar.analyze(CHAIN, REST, space="joints")
    with pytest.raises(errors.UnknownNameError, match="'distale' is not a link of a joint") as told:
        planar.analyze(CHAIN, REST, link_axes="distale")
    assert "distal" in told.value.closest
    with pytest.raises(errors.InvalidValueError, match="'distant' is not a data set"):
        planar.analyze(CHAIN, REST, data_set="distant")
    clash = (planar.Contact("base_force", 1, (0, 0), (1, 0)),)
    with pytest.raises(errors.DuplicateNameError, match="which is the name of the support of the base"):
        planar.analyze(CHAIN, REST, clash, data_set="proximal", base_force=(0, 1), base_moment=0.0)


def test_massless_chain_cannot_be_moved():
    chain = planar.Chain((planar.Link("a", 1.0, 0.0, 0.0, (0.5, 0.0)),))
    with pytest.raises(errors.UnsolvableError, match="mass matrix is singular"):
        planar.forward_dynamics(chain, planar.Motion.static([0.0]))


def test_spring_needs_a_direction():
    with pytest.raises(errors.InvalidValueError, match="axis of the spring has no length"):
        planar.spring_contact("s", CHAIN, REST, "b", (0, 0), 10.0, 0.0, axis=(0, 0))
