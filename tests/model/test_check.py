"""Every rule of a model refuses what it should, and says so."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

from borelli import model as bm
from borelli.errors import (
    BorelliError,
    BorelliWarning,
    DuplicateNameError,
    InvalidValueError,
    ShapeError,
    UnknownNameError,
)

UPPER, FORE = bm.Body("upper", 2.0), bm.Body("fore", 1.0)
SHOULDER = bm.PinJoint(name="shoulder", parent="ground", child="upper")
ELBOW = bm.PinJoint(name="elbow", parent="upper", child="fore")
LINE = bm.Path((bm.PathPoint("o", "ground", (0, 1, 0)), bm.PathPoint("i", "fore", (0, 0, 0))))


def arm(**changes: Any) -> bm.Model:
    parts: dict = {"name": "arm", "bodies": [UPPER, FORE], "joints": [SHOULDER, ELBOW]}
    return bm.Model(**(parts | changes))


def muscle(path: bm.Path, name: str = "biceps") -> bm.Thelen2003Muscle:
    return bm.Thelen2003Muscle(name=name, path=path)


def custom(**changes: Any) -> bm.CustomJoint:
    parts: dict = {
        "name": "elbow",
        "parent": "upper",
        "child": "fore",
        "coordinates": (bm.Coordinate("flexion"),),
        "rotations": (
            bm.AxisFunction((0, 0, 1), bm.Linear(), "flexion"),
            bm.AxisFunction((0, 1, 0)),
            bm.AxisFunction((1, 0, 0)),
        ),
    }
    return bm.CustomJoint(**(parts | changes))


def test_a_sound_model_passes() -> None:
    assert arm(joints=[SHOULDER, custom()], muscles=[muscle(LINE)]).coordinate_names == (
        "shoulder",
        "flexion",
    )


LOOP = [bm.PinJoint(name="a", parent="fore", child="upper"), ELBOW]
BROKEN: dict[str, tuple[dict[str, Any], type[BorelliError], str]] = {
    "a nameless body": (
        {"bodies": [UPPER, bm.Body("")]},
        InvalidValueError,
        "of model 'arm' has no name: ''",
    ),
    "two bodies of one name": (
        {"bodies": [UPPER, UPPER]},
        DuplicateNameError,
        "2 bodies or frames are called 'upper'",
    ),
    "a frame named like a body": (
        {"frames": [bm.Frame("upper", "fore")]},
        DuplicateNameError,
        "2 bodies or frames are called 'upper'",
    ),
    "two muscles of one name": (
        {"muscles": [muscle(LINE)] * 2},
        DuplicateNameError,
        "2 muscles or forces are called 'biceps'",
    ),
    "a body called ground": (
        {"bodies": [UPPER, FORE, bm.Body("ground")]},
        DuplicateNameError,
        "'ground' is the name of the body that does not move",
    ),
    "a frame on itself": (
        {"frames": [bm.Frame("a", "b"), bm.Frame("b", "a")]},
        InvalidValueError,
        "frame 'a' is fixed to itself: a → b → a",
    ),
    "a frame on nothing": (
        {"frames": [bm.Frame("a", "uper")]},
        UnknownNameError,
        "'uper' is not a body or frame of model 'arm'(.|\n)*frame 'a'(.|\n)*Closest: 'upper'",
    ),
    "an unknown parent": (
        {"joints": [SHOULDER, bm.PinJoint(name="elbow", parent="uper", child="fore")]},
        UnknownNameError,
        "'uper' is not a body or frame(.|\n)*parent of joint 'elbow'(.|\n)*Closest: 'upper'",
    ),
    "an unknown child": (
        {"joints": [SHOULDER, bm.PinJoint(name="elbow", parent="upper", child="for")]},
        UnknownNameError,
        "'for' is not a body or frame(.|\n)*child of joint 'elbow'(.|\n)*Closest: 'fore'",
    ),
    "ground as a child": (
        {"joints": [SHOULDER, bm.PinJoint(name="elbow", parent="upper", child="ground")]},
        InvalidValueError,
        "joint 'elbow' has ground as its child",
    ),
    "a body with two joints": (
        {"joints": [SHOULDER, ELBOW, bm.PinJoint(name="strap", parent="ground", child="fore")]},
        InvalidValueError,
        "body 'fore' is the child of two joints: 'elbow' and 'strap'",
    ),
    "a body without a joint": (
        {"joints": [SHOULDER]},
        InvalidValueError,
        "body 'fore' is not the child of a joint",
    ),
    "a loop": ({"joints": LOOP}, InvalidValueError, "a loop that never reaches ground: upper → fore → upper"),
    "a marker on nothing": (
        {"markers": [bm.Marker("m", "hand", (0, 0, 0))]},
        UnknownNameError,
        "'hand' is not a body or frame(.|\n)*marker 'm'",
    ),
    "a point on nothing": (
        {"muscles": [muscle(bm.Path((LINE.points[0], bm.PathPoint("i", "hand", (0, 0, 0)))))]},
        UnknownNameError,
        "'hand' is not a body or frame(.|\n)*point 'i' of the path of 'biceps'",
    ),
    "a constraint on nothing": (
        {"constraints": [bm.PointConstraint(name="c", first="hand", second="fore")]},
        UnknownNameError,
        "'hand' is not a body or frame(.|\n)*constraint 'c'",
    ),
    "a spring on nothing": (
        {"forces": [bm.PointToPointSpring(name="s", first="hand", second="fore")]},
        UnknownNameError,
        "'hand' is not a body or frame(.|\n)*force 's'",
    ),
    "a wrap object on nothing": (
        {"wrap_objects": [bm.WrapSphere(name="w", frame="hand", radius=0.1)]},
        UnknownNameError,
        "'hand' is not a body or frame(.|\n)*wrap object 'w'",
    ),
    "a coordinate of two joints": (
        {
            "joints": [
                SHOULDER,
                bm.PinJoint(
                    name="elbow", parent="upper", child="fore", coordinates=(bm.Coordinate("shoulder"),)
                ),
            ]
        },
        DuplicateNameError,
        "2 coordinates are called 'shoulder'",
    ),
    "an axis function of a strange coordinate": (
        {
            "joints": [
                SHOULDER,
                custom(translations=(bm.AxisFunction((1, 0, 0), bm.Linear(), "shoulder"),) * 3),
            ]
        },
        UnknownNameError,
        "'shoulder' is not a coordinate of joint 'elbow'",
    ),
    "a coordinate without effect": (
        {"joints": [SHOULDER, custom(coordinates=(bm.Coordinate("flexion"), bm.Coordinate("idle")))]},
        InvalidValueError,
        "coordinate 'idle' moves nothing",
    ),
    "a coupler of an unknown coordinate": (
        {"constraints": [bm.CoordinateCoupler(name="c", dependent="elbo", independent="shoulder")]},
        UnknownNameError,
        "'elbo' is not a coordinate of model 'arm'(.|\n)*constraint 'c'(.|\n)*Closest: 'elbow'",
    ),
    "a force on an unknown coordinate": (
        {"forces": [bm.CoordinateActuator(name="motor", coordinate="wrist")]},
        UnknownNameError,
        "'wrist' is not a coordinate(.|\n)*force 'motor'",
    ),
    "a conditional point of an unknown coordinate": (
        {
            "muscles": [
                muscle(bm.Path((*LINE.points, bm.ConditionalPathPoint("c", "fore", (0, 0, 0), "x", (0, 1)))))
            ]
        },
        UnknownNameError,
        "'x' is not a coordinate(.|\n)*point 'c' of the path of 'biceps'",
    ),
    "a moving point of an unknown coordinate": (
        {
            "muscles": [
                muscle(
                    bm.Path((*LINE.points, bm.MovingPathPoint("m", "fore", bm.Component(bm.Linear(), "x"))))
                )
            ]
        },
        UnknownNameError,
        "'x' is not a coordinate(.|\n)*point 'm' of the path of 'biceps'",
    ),
    "an unknown wrap object": (
        {"muscles": [muscle(bm.Path(LINE.points, (bm.PathWrap("ball"),)))]},
        UnknownNameError,
        "'ball' is not a wrap object(.|\n)*path of 'biceps'",
    ),
    "a range that ends before it begins": (
        {"joints": [SHOULDER, custom(coordinates=(bm.Coordinate("flexion", range=(1, 0)),))]},
        InvalidValueError,
        r"the range of coordinate 'flexion' ends \(0\) before it begins \(1\)",
    ),
    "a coordinate driven twice": (
        {
            "constraints": [
                bm.CoordinateCoupler(name=name, dependent="elbow", independent="shoulder") for name in "ab"
            ]
        },
        InvalidValueError,
        "coordinate 'elbow' is driven by two couplers: 'a' and 'b'",
    ),
    "a negative mass": ({"bodies": [UPPER, bm.Body("fore", -1.0)]}, InvalidValueError, "has a mass of -1 kg"),
    "an infinite mass": (
        {"bodies": [UPPER, bm.Body("fore", math.inf)]},
        InvalidValueError,
        "a mass of inf kg",
    ),
    "an infinite inertia": (
        {"bodies": [UPPER, bm.Body("fore", 1.0, inertia=(1, 1, math.inf))]},
        InvalidValueError,
        "the inertia of body 'fore' is not finite",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_model_is_refused(case: str) -> None:
    changes, error, message = BROKEN[case]
    with pytest.raises(error, match=message):
        arm(**changes)


def test_an_inertia_that_no_mass_has_is_warned_of() -> None:
    with pytest.warns(
        BorelliWarning, match="no distribution of mass has the inertia of 'fore' in model 'arm'"
    ):
        arm(bodies=[UPPER, bm.Body("fore", 1.0, inertia=(1, 1, 3))])


def test_a_negative_inertia_is_warned_of_and_computed_with() -> None:
    with pytest.warns(
        BorelliWarning, match="the inertia of 'fore' in model 'arm': a principal moment is negative"
    ):
        arm(bodies=[UPPER, bm.Body("fore", 1.0, inertia=(1, 1, 1, 2, 0, 0))])


def test_points_and_thin_rods_are_bodies() -> None:
    model = arm(bodies=[bm.Body("upper", 1.0), bm.Body("fore", 1.0, inertia=(0, 1, 1))])
    assert tuple(model.bodies["fore"].inertia)[:3] == (0, 1, 1)


def test_a_disk_that_was_rounded_in_a_file_passes() -> None:
    model = arm(bodies=[UPPER, bm.Body("fore", 1.0, inertia=(0.5, 0.5, 1.0000004))])
    assert tuple(model.bodies["fore"].inertia)[:3] == (0.5, 0.5, 1.0000004)


def test_a_coupler_out_of_force_may_share_its_dependent_coordinate() -> None:
    couplers = [
        bm.CoordinateCoupler(name="a", dependent="elbow", independent="shoulder"),
        bm.CoordinateCoupler(name="b", dependent="elbow", independent="shoulder", enforced=False),
    ]
    assert len(arm(constraints=couplers).constraints) == 2


def test_abstract_numbers_are_not_judged() -> None:
    sympy = pytest.importorskip("sympy")
    mass, length = sympy.symbols("mass length")
    body = bm.Body("fore", -mass, (length, 0, 0), (length, mass, -mass))
    model = arm(bodies=[UPPER, body], frames=[bm.Frame("tip", "fore", bm.Placement((length, 0, 0)))])
    assert model.bodies["fore"].mass == -mass
    assert model.bodies["fore"].inertia_matrix[2, 2] == -mass


PARTS: dict[str, tuple[Any, type[BorelliError], str]] = {
    "NaN mass": (
        lambda: bm.Body("b", np.nan),
        InvalidValueError,
        r"the mass of body 'b' is not a number \(NaN\)",
    ),
    "text for a mass": (
        lambda: bm.Body("b", "1"),
        InvalidValueError,
        "the mass of body 'b' must be a number",
    ),
    "short centre": (
        lambda: bm.Body("b", 1, (0, 0)),
        ShapeError,
        "mass centre of body 'b' needs 3 numbers, but 2",
    ),
    "infinite centre": (
        lambda: bm.Body("b", 1, (0, math.inf, 0)),
        InvalidValueError,
        "has an infinite component",
    ),
    "short inertia": (lambda: bm.Body("b", 1, inertia=(1, 1)), ShapeError, "needs 3, 6 or 3 × 3 numbers"),
    "skew inertia": (
        lambda: bm.Body("b", 1, inertia=((1, 0.5, 0), (0.4, 1, 0), (0, 0, 1))),
        InvalidValueError,
        "the inertia of body 'b' is not symmetric: 0.5 against 0.4",
    ),
    "mirror": (
        lambda: bm.Placement(rotation=((1, 0, 0), (0, 1, 0), (0, 0, -1))),
        InvalidValueError,
        "is not a rotation matrix",
    ),
    "two rows": (
        lambda: bm.Placement(rotation=((1, 0, 0), (0, 1, 0))),
        ShapeError,
        "needs three rows, but 2",
    ),
    "no rows": (lambda: bm.Placement(rotation=3), ShapeError, "must be three rows of three numbers"),
    "no direction": (lambda: bm.Placement.with_z_along((0, 0, 0)), InvalidValueError, "points nowhere"),
    "too many coordinates": (
        lambda: bm.PinJoint(
            name="p", parent="a", child="b", coordinates=(bm.Coordinate("x"), bm.Coordinate("y"))
        ),
        ShapeError,
        "pin joint 'p' has 1 coordinates, but 2 were given",
    ),
    "prescribed without function": (
        lambda: bm.Coordinate("c", prescribed=True),
        InvalidValueError,
        "coordinate 'c' is prescribed, but no function of time is given",
    ),
    "axis of no length": (lambda: bm.AxisFunction((0, 0, 0)), InvalidValueError, "zero length"),
    "axis function of nothing": (
        lambda: bm.AxisFunction((1, 0, 0), bm.Linear()),
        ShapeError,
        r"an axis function of 1 arguments \(Linear\) was given 0 coordinates: none",
    ),
    "two axes": (
        lambda: custom(rotations=()),
        ShapeError,
        "custom joint 'elbow' needs three rotations, but 0",
    ),
    "coupler arguments": (
        lambda: bm.CoordinateCoupler(name="c", dependent="a", independent=("b", "d")),
        ShapeError,
        "constraint 'c' has a function of 1 arguments, but 2 coordinates",
    ),
    "coupler of itself": (
        lambda: bm.CoordinateCoupler(name="c", dependent="a", independent="a"),
        InvalidValueError,
        "constraint 'c' makes 'a' depend on itself",
    ),
    "line without direction": (
        lambda: bm.PointOnLineConstraint(name="c", line_frame="a", follower="b", line_direction=(0, 0, 0)),
        InvalidValueError,
        "the line of constraint 'c' has no direction",
    ),
    "distance of zero": (
        lambda: bm.ConstantDistanceConstraint(name="c", first="a", second="b", distance=0),
        InvalidValueError,
        "the distance of constraint 'c' must be more than zero, not 0",
    ),
    "one point": (
        lambda: bm.Path(LINE.points[:1]),
        ShapeError,
        "a path needs at least two points, but has 1",
    ),
    "conditional range": (
        lambda: bm.ConditionalPathPoint("c", "fore", (0, 0, 0), "x", (1, 0)),
        InvalidValueError,
        r"the range of path point 'c' ends \(0\) before it begins \(1\)",
    ),
    "moving point without coordinate": (
        lambda: bm.Component(bm.Linear()),
        ShapeError,
        "a component of a moving point varies, but names no coordinate",
    ),
    "moving point of two coordinates": (
        lambda: bm.Component(bm.Linear((1, 2)), "x"),
        ShapeError,
        "a component of a moving point is a function of one coordinate",
    ),
    "flat sphere": (
        lambda: bm.WrapSphere(name="w", frame="a", radius=0),
        InvalidValueError,
        "the radius of wrap object 'w' must be more than zero, not 0",
    ),
    "flat ellipsoid": (
        lambda: bm.WrapEllipsoid(name="w", frame="a", radii=(1, 1, -1)),
        InvalidValueError,
        "the radii of wrap object 'w' must be more than zero, not -1",
    ),
    "weak muscle": (
        lambda: bm.Thelen2003Muscle(name="m", path=LINE, max_isometric_force=-1),
        InvalidValueError,
        "max_isometric_force of muscle 'm' is below zero: -1",
    ),
}


@pytest.mark.parametrize("case", PARTS)
def test_a_part_that_cannot_be_is_refused(case: str) -> None:
    make, error, message = PARTS[case]
    with pytest.raises(error, match=message):
        make()


def chain(n_joints: int) -> bm.Model:
    names = ["ground", *(f"b{k}" for k in range(n_joints))]
    joints = [bm.PinJoint(name=f"j{k}", parent=names[k], child=names[k + 1]) for k in range(n_joints)]
    return bm.Model(bodies=[bm.Body(name, 1.0) for name in names[1:]], joints=joints)


def test_chains_are_checked_in_time_that_grows_with_their_length() -> None:
    # A second in all; joint after joint followed to ground, it would be twenty.
    before = time.process_time()
    assert len(chain(2000).joints) == 2000
    assert time.process_time() - before < 5.0


def test_frames_on_frames_end_somewhere() -> None:
    def on_each_other(count: int) -> bm.Model:
        names = [f"f{k}" for k in range(count)]
        return arm(
            frames=[bm.Frame(name, on) for name, on in zip(names, ["fore", *names[:-1]], strict=True)][::-1]
        )

    assert on_each_other(200).place("f199")[0] == "fore"
    with pytest.raises(
        InvalidValueError, match=r"'f200' is fixed to a frame(.|\n)*so on 201 times(.|\n)*200 frames"
    ):
        on_each_other(201)


def test_a_long_loop_is_told_in_short() -> None:
    joints = [bm.PinJoint(name=f"j{k}", parent=f"b{(k + 1) % 50}", child=f"b{k}") for k in range(50)]
    with pytest.raises(InvalidValueError, match="ground: b0 → b1 → b2 → b3 → b4 → b5 → b6 → … → b0"):
        bm.Model(bodies=[bm.Body(f"b{k}", 1.0) for k in range(50)], joints=joints)


def test_half_a_letter_is_no_name() -> None:
    with pytest.raises(InvalidValueError, match="half a letter"):
        arm(bodies=[UPPER, FORE], markers=[bm.Marker("m\ud800", "fore", (0, 0, 0))])


@pytest.mark.parametrize("name", ["m\nVerdict:  GREEN", "m\r\n"])
def test_a_name_has_one_line(name: str) -> None:
    with pytest.raises(InvalidValueError, match=r"of one of the markers has a line break(.|\n)*one line"):
        arm(bodies=[UPPER, FORE], markers=[bm.Marker(name, "fore", (0, 0, 0))])
    with pytest.raises(InvalidValueError, match=r"the name of the model, .*, has a line break"):
        arm(name="an arm\nVerdict:  GREEN")
