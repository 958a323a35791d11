"""Every complaint about a model file says what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from borelli import model as bm
from borelli.errors import BorelliError, UnsupportedError
from borelli.io.osim import read_osim, write_osim
from borelli.model.functions.function import Function

from .old import document, objects

BODY = '<Body name="b"><mass>2</mass><inertia>0.1 0.1 0.1 0 0 0</inertia>{}</Body>'
PIN = """<PinJoint name="j"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/b</socket_child_frame><coordinates>{}</coordinates></PinJoint>"""
ONE = '<Coordinate name="q"/>'


def model(body: str = "", joint: str = PIN.format(ONE), more: str = "") -> str:
    return document(objects("BodySet", BODY.format(body)) + objects("JointSet", joint) + more)


def wrap(text: str) -> str:
    return model(f"<WrapObjectSet><objects>{text}</objects></WrapObjectSet>")


def path(points: str, wraps: str = "") -> str:
    inside = objects("PathPointSet", points) + objects("PathWrapSet", wraps)
    return force(f'<PathActuator name="cable"><GeometryPath>{inside}</GeometryPath></PathActuator>')


def force(text: str) -> str:
    return model(more=objects("ForceSet", text))


def constraint(text: str) -> str:
    return model(more=objects("ConstraintSet", text))


def frame(text: str) -> str:
    stations = "".join(
        f'<Station name="{name}"><socket_parent_frame>{carrier}</socket_parent_frame>'
        f"<location>{at}</location></Station>"
        for name, carrier, at in (
            ("a", "/bodyset/b", "0 0 0"),
            ("b", "/bodyset/b", "1 0 0"),
            ("c", "/bodyset/b", "0 1 0"),
            ("far", "/bodyset/b", "2 0 0"),
            ("still", "/ground", "0 0 1"),
            ("own", "../f", "0 1 0"),
        )
    )
    return model(
        f"<components>{stations}<StationDefinedFrame name='f'>{text}</StationDefinedFrame></components>"
    )


def landmarks(c: str = "c", more: str = "") -> str:
    named = {"point_a": "a", "point_b": "b", "point_c": c, "origin_point": "a"}
    return "".join(f"<socket_{name}>../{at}</socket_{name}>" for name, at in named.items()) + more


POINT = "<PathPoint name='{}'><socket_parent_frame>/{}</socket_parent_frame><location>0 0 0</location></PathPoint>"
TWO = POINT.format("p", "ground") + POINT.format("r", "bodyset/b")
CUSTOM = PIN.replace("PinJoint", "CustomJoint").replace(
    "</CustomJoint>", "<SpatialTransform>{}</SpatialTransform></CustomJoint>"
)
REFUSED = {
    "wrap objects of type WrapCone cannot be used; 'w' is one": wrap("<WrapCone name='w'/>"),
    "'up' is not a quadrant": wrap("<WrapSphere name='w'><quadrant>up</quadrant></WrapSphere>"),
    "the radius of wrap object 'w' must be more than zero": wrap(
        "<WrapSphere name='w'><radius>-1</radius></WrapSphere>"
    ),
    "the path of 'cable' needs at least two points, but has 1": path(POINT.format("p", "ground")),
    "path points of type Knot cannot be used; the path of 'cable' has one": path(
        TWO.replace("PathPoint", "Knot", 2)
    ),
    "conditional path point 'p' names no coordinate": path(
        TWO.replace("PathPoint", "ConditionalPathPoint", 2)
    ),
    "'p' is not connected to a body: <parent_frame> is empty": path(TWO.replace("/ground", "", 1)),
    "'best' is not a wrap method": path(TWO, "<PathWrap><method>best</method></PathWrap>"),
    "a path wrap names no wrap object": path(TWO, "<PathWrap/>"),
    "counts path points, not 1 to 1.5": path(TWO, "<PathWrap><range>1 1.5</range></PathWrap>"),
    "'w' is not a wrap object of model 'test'": path(
        TWO, "<PathWrap><wrap_object>w</wrap_object></PathWrap>"
    ),
    "PinJoint 'j' has 1 coordinates, but 2 are given": model(
        joint=PIN.format(ONE + '<Coordinate name="p"/>')
    ),
    "a transform axis is called 'twist'": model(
        joint=CUSTOM.replace("{}", ONE, 1).replace("{}", '<TransformAxis name="twist"/>')
    ),
    "coordinate 'q' has no effect: no axis of joint 'j' depends on it": model(
        joint=CUSTOM.replace("{}", ONE, 1).replace("{}", "")
    ),
    "sit on different bodies: b, ground": frame(landmarks("still")),
    "frame 'f' is placed by itself": frame(landmarks("own")),
    "the landmarks of frame 'f' lie on one line": frame(landmarks("far")),
    "frame 'f' has the same axis twice": frame(landmarks(more="<ab_axis>-y</ab_axis>")),
    "'w' is not an axis of frame 'f'": frame(landmarks(more="<ab_axis>w</ab_axis>")),
    "'nowhere' is not a station": frame(landmarks("nowhere")),
    "coupler 'c' has no function": constraint('<CoordinateCouplerConstraint name="c"/>'),
    "coupler 'c' names too few coordinates": constraint(
        '<CoordinateCouplerConstraint name="c"><coupled_coordinates_function><Constant/>'
        "</coupled_coordinates_function></CoordinateCouplerConstraint>"
    ),
    r"force 'm' \(CoordinateActuator\) names no coordinate": force('<CoordinateActuator name="m"/>'),
    "is attached to itself": model(
        "<components><PhysicalOffsetFrame name='f'><socket_parent>../f</socket_parent></PhysicalOffsetFrame>"
        "</components>",
        PIN.format(ONE).replace("/bodyset/b", "/bodyset/b/f"),
    ),
    "the mass of body 'b' is not a number": model().replace("<mass>2</mass>", ""),
    "'heavy' is not a number": model().replace("<mass>2</mass>", "<mass>heavy</mass>"),
    "Expected 3 numbers, found 2": model("<mass_center>0 0</mass_center>"),
    "'perhaps' is neither true nor false": model(
        joint=PIN.format('<Coordinate name="q"><locked>perhaps</locked></Coordinate>')
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_wrong_with_a_file_is_said_with_its_place(message: str, tmp_path: Path) -> None:
    (tmp_path / "model.osim").write_text(REFUSED[message], encoding="utf-8")
    with pytest.raises(BorelliError, match=message) as caught:
        read_osim(tmp_path / "model.osim")
    assert "model.osim" in str(caught.value.where)


class Odd(Function):
    """A function that OpenSim does not have."""

    def evaluate(self, *arguments, by=()):  # type: ignore[no-untyped-def]
        raise NotImplementedError


class OddForce(bm.Force):
    """A force that OpenSim does not have."""


class OddConstraint(bm.Constraint):
    """A constraint that OpenSim does not have."""


class OddWrap(bm.WrapObject):
    """A wrap object that OpenSim does not have."""


def one_body(**parts: object) -> bm.Model:
    joint = bm.PinJoint(name="j", parent="ground", child="b")
    return bm.Model(bodies=(bm.Body("b", 1.0),), joints=(joint,), **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"forces": (OddForce(name="f"),)}, "forces of type OddForce have no counterpart in OpenSim"),
        (
            {"constraints": (OddConstraint(name="c"),)},
            "constraints of type OddConstraint have no counterpart",
        ),
        (
            {"wrap_objects": (OddWrap(name="w", frame="b"),)},
            "wrap objects of type OddWrap have no counterpart",
        ),
        (
            {
                "constraints": (
                    bm.CoordinateCoupler(name="c", dependent="j", independent=("k",), function=Odd()),
                )
            },
            "functions of type Odd have no counterpart in OpenSim",
        ),
    ],
)
def test_what_opensim_does_not_have_is_not_written(parts: dict, message: str, tmp_path: Path) -> None:
    if "constraints" in parts and isinstance(parts["constraints"][0], bm.CoordinateCoupler):
        second = bm.PinJoint(name="k", parent="b", child="c")
        first = bm.PinJoint(name="j", parent="ground", child="b")
        given = bm.Model(bodies=(bm.Body("b", 1.0), bm.Body("c", 1.0)), joints=(first, second), **parts)
    else:
        given = one_body(**parts)
    with pytest.raises(UnsupportedError, match=message):
        write_osim(given, tmp_path / "a.osim")
    assert not list(tmp_path.iterdir())


def test_a_moving_point_without_any_coordinate_is_not_written(tmp_path: Path) -> None:
    points = (bm.MovingPathPoint("p", "ground"), bm.PathPoint("r", "b", (0, 0, 0)))
    still = bm.Model(
        bodies=(bm.Body("b", 1.0),),
        joints=(bm.WeldJoint(name="j", parent="ground", child="b"),),
        forces=(bm.PathActuator(name="cable", path=bm.Path(points)),),
    )
    with pytest.raises(UnsupportedError, match="cannot be written without a coordinate"):
        write_osim(still, tmp_path / "a.osim")
