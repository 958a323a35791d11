"""What an OpenSim 4 document says is what the model has; what is not used is kept and named."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import BorelliError, BorelliWarning, FileFormatError, UnknownNameError, UnsupportedError
from borelli.io.osim import read_osim, write_osim

from . import everything
from .models import coupled_knee
from .old import document, objects
from .peer import assert_same

BODY = '<Body name="{0}"><mass>2</mass><inertia>0.1 0.1 0.1 0 0 0</inertia>{1}</Body>'


def body(name: str, more: str = "") -> str:
    return BODY.format(name, more)


def pin(name: str, parent: str, child: str, coordinate: str = "q", frames: str = "", more: str = "") -> str:
    return (
        f'<PinJoint name="{name}"><socket_parent_frame>{parent}</socket_parent_frame>'
        f"<socket_child_frame>{child}</socket_child_frame><coordinates>"
        f'<Coordinate name="{coordinate}">{more}</Coordinate></coordinates><frames>{frames}</frames></PinJoint>\n'
    )


def frame(name: str, parent: str, more: str = "") -> str:
    return (
        f'<PhysicalOffsetFrame name="{name}"><socket_parent>{parent}</socket_parent>'
        f"<translation>0.1 0 0</translation>{more}</PhysicalOffsetFrame>"
    )


def one_body(more: str = "", joint: str = "", version: int = 40000, bodies: str = "") -> str:
    return document(
        objects("BodySet", bodies or body("b"))
        + objects("JointSet", joint or pin("j", "/ground", "/bodyset/b"))
        + more,
        version,
    )


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def from_text(text: str) -> bo.Model:
        path = tmp_path / "model.osim"
        path.write_text(text, encoding="utf-8")
        return read_osim(path)

    return from_text


@pytest.mark.parametrize(
    ("parent", "child"),
    [
        ("/ground", "/bodyset/b"),
        ("../../ground", "../../bodyset/b"),
        ("ground", "b"),
        ("/test/ground", "/test/bodyset/b"),
        (" /ground ", "bodyset/b"),
    ],
)
def test_connections_are_followed_in_every_spelling(parent: str, child: str, read: Any) -> None:
    joint = read(one_body(joint=pin("j", parent, child))).joints["j"]
    assert (joint.parent, joint.child) == ("ground", "b")


def test_frames_nest_to_any_depth_whoever_owns_them(read: Any) -> None:
    inner = frame("inner", "..", f"<components>{frame('innermost', '..')}</components>")
    text = one_body(
        joint=pin("j", "here", "/bodyset/b/inner/innermost", frames=frame("here", "/ground")),
        bodies=body("b", f"<components>{inner}</components>"),
        more=objects("ComponentSet", frame("loose", "/jointset/j/here")),
    )
    model = read(text)
    assert model.place("innermost")[1].translation == pytest.approx((0.2, 0, 0))
    assert model.place("loose") == ("ground", bm.Placement((0.2, 0.0, 0.0)))
    assert model.child_of(model.joints["j"])[0] == "b"


def test_frames_that_share_a_name_are_told_apart_by_their_joints(read: Any) -> None:
    joints = pin("j", "offset", "/bodyset/b", frames=frame("offset", "/ground")) + pin(
        "k", "offset", "/bodyset/c", "p", frames=frame("offset", "/bodyset/b")
    )
    model = read(one_body(joint=joints, bodies=body("b") + body("c")))
    assert model.frames.names == ("j/offset", "k/offset")
    assert model.parent_of(model.joints["k"])[0] == "b"


def test_bodies_joints_and_forces_count_wherever_a_file_keeps_them(
    read: Any, tmp_path: Path, opensim: Any
) -> None:
    actuator = '<CoordinateActuator name="motor"><coordinate>p</coordinate></CoordinateActuator>'
    loose = f"<components>{body('c')}{pin('k', '/bodyset/b', '/c', 'p')}{actuator}</components>"
    model = read(one_body(loose))
    assert model.body_names == ("b", "c")
    assert model.parent_of(model.joints["k"])[0] == "b"
    assert model.forces.names == ("motor",) and not model.others
    assert_same(opensim, tmp_path / "model.osim", model)


def test_a_frame_on_landmarks_has_their_axes(read: Any, tmp_path: Path, opensim: Any) -> None:
    points = {"a": "0.1 0 0", "b": "0.4 0.1 0", "c": "0.1 0.5 0.2", "o": "0 0.1 0.3"}
    stations = "".join(
        f'<Station name="{name}"><socket_parent_frame>..</socket_parent_frame><location>{at}</location></Station>'
        for name, at in points.items()
    )
    defined = """<StationDefinedFrame name="d"><socket_point_a>/bodyset/b/a</socket_point_a>
    <socket_point_b>/bodyset/b/b</socket_point_b><socket_point_c>/bodyset/b/c</socket_point_c>
    <socket_origin_point>/bodyset/b/o</socket_origin_point><ab_axis>-z</ab_axis><ab_x_ac_axis>+x</ab_x_ac_axis>
    </StationDefinedFrame>"""
    text = one_body(
        bodies=body("b", f"<components>{stations}{defined}</components>") + body("c"),
        joint=pin("j", "/ground", "/bodyset/b") + pin("k", "/bodyset/b/d", "/bodyset/c", "p"),
        version=40500,
    )
    model = read(text)
    theirs = opensim.Model(str(tmp_path / "model.osim"))
    state = theirs.initSystem()
    pose = theirs.getComponent("/bodyset/b/d").getTransformInGround(state)
    matrix = [[pose.R().asMat33().get(i, j) for j in range(3)] for i in range(3)]
    np.testing.assert_allclose(model.frames["d"].placement.rotation, matrix, atol=1e-14)
    np.testing.assert_allclose(model.frames["d"].placement.translation, pose.p().to_numpy(), atol=1e-15)


def test_landmarks_on_different_frames_of_one_body_define_a_frame(
    read: Any, tmp_path: Path, opensim: Any
) -> None:
    outer = """<PhysicalOffsetFrame name="outer"><socket_parent>..</socket_parent>
    <translation>0.1 0.2 -0.1</translation><orientation>0.3 -0.2 0.5</orientation></PhysicalOffsetFrame>"""
    inner = """<PhysicalOffsetFrame name="inner"><socket_parent>/bodyset/b/outer</socket_parent>
    <translation>0 -0.3 0.1</translation><orientation>-0.4 0.1 0.7</orientation></PhysicalOffsetFrame>"""
    points = {
        "a": ("outer", "0.1 0 0"),
        "b": ("inner", "0.4 0.1 0"),
        "c": ("", "0.1 0.5 0.2"),
        "o": ("inner", "0 0.1 0.3"),
    }
    stations = "".join(
        f'<Station name="{name}"><socket_parent_frame>/bodyset/b{"/" * bool(on)}{on}</socket_parent_frame>'
        f"<location>{at}</location></Station>"
        for name, (on, at) in points.items()
    )
    sockets = {"point_a": "a", "point_b": "b", "point_c": "c", "origin_point": "o"}
    connected = "".join(f"<socket_{k}>/bodyset/b/{at}</socket_{k}>" for k, at in sockets.items())
    defined = f'<StationDefinedFrame name="d">{connected}</StationDefinedFrame>'
    text = one_body(
        bodies=body("b", f"<components>{outer}{inner}{stations}{defined}</components>") + body("c"),
        joint=pin("j", "/ground", "/bodyset/b") + pin("k", "/bodyset/b/d", "/bodyset/c", "p"),
        version=40500,
    )
    model = read(text)
    assert model.frames["d"].parent == "b"
    theirs = opensim.Model(str(tmp_path / "model.osim"))
    pose = theirs.getComponent("/bodyset/b/d").getTransformInGround(theirs.initSystem())
    matrix = [[pose.R().asMat33().get(i, j) for j in range(3)] for i in range(3)]
    np.testing.assert_allclose(model.frames["d"].placement.rotation, matrix, atol=1e-14)
    np.testing.assert_allclose(model.frames["d"].placement.translation, pose.p().to_numpy(), atol=1e-15)


def test_defaults_fill_what_objects_leave_out(read: Any) -> None:
    defaults = """<defaults><Coordinate name="default"><range>-1 2</range><clamped>true</clamped></Coordinate>
    <CoordinateActuator name="default"><optimal_force>300</optimal_force></CoordinateActuator></defaults>"""
    actuators = objects(
        "ForceSet",
        '<CoordinateActuator name="a"><coordinate>q</coordinate></CoordinateActuator>',
        '<CoordinateActuator name="b"><coordinate>q</coordinate><optimal_force>7</optimal_force></CoordinateActuator>',
    )
    model = read(one_body(defaults + actuators))
    assert model.coordinates["q"].range == (-1.0, 2.0) and model.coordinates["q"].clamped
    assert [force.optimal_force for force in model.forces] == [300.0, 7.0]


def test_coordinates_have_all_their_properties(read: Any) -> None:
    more = """<default_value>0.3</default_value><default_speed_value>-1</default_speed_value><range>-0.5 Inf</range>
    <locked>true</locked><prescribed>true</prescribed><is_free_to_satisfy_constraints>true</is_free_to_satisfy_constraints>
    <prescribed_function><Sine><amplitude>0.2</amplitude></Sine></prescribed_function>"""
    coordinate = read(one_body(joint=pin("j", "/ground", "/bodyset/b", more=more))).coordinates["q"]
    assert (coordinate.default_value, coordinate.default_speed) == (0.3, -1.0)
    assert coordinate.range == (-0.5, np.inf)
    assert coordinate.locked and coordinate.prescribed and coordinate.free_to_satisfy_constraints
    assert coordinate.prescribed_function == bm.Sine(0.2)


def test_names_may_be_unicode_and_hold_blanks(read: Any) -> None:
    more = objects(
        "ConstraintSet",
        """<CoordinateCouplerConstraint name="c"><coupled_coordinates_function><LinearFunction><coefficients>1 0
        </coefficients></LinearFunction></coupled_coordinates_function><independent_coordinate_names>knee ∠
        </independent_coordinate_names><dependent_coordinate_name>q 2</dependent_coordinate_name>
        </CoordinateCouplerConstraint>""",
    )
    joints = pin("genou droit", "/ground", "/bodyset/fémur d", "knee ∠") + pin(
        "k", "/bodyset/fémur d", "/bodyset/c", "q 2"
    )
    model = read(one_body(more, joint=joints, bodies=body("fémur d") + body("c")))
    coupler = model.constraints["c"]
    assert isinstance(coupler, bm.CoordinateCoupler)
    assert (coupler.independent, coupler.dependent) == (("knee ∠",), "q 2")


def test_limits_of_rotations_are_in_degrees_and_those_of_translations_are_not(read: Any) -> None:
    slider = pin("k", "/bodyset/b", "/bodyset/c", "x").replace("PinJoint", "SliderJoint")
    limit = """<CoordinateLimitForce name="{0}"><coordinate>{0}</coordinate><upper_limit>90</upper_limit>
    <upper_stiffness>2</upper_stiffness><damping>0.5</damping></CoordinateLimitForce>"""
    text = one_body(
        objects("ForceSet", limit.format("q"), limit.format("x")),
        joint=pin("j", "/ground", "/bodyset/b") + slider,
        bodies=body("b") + body("c"),
    )
    turning, sliding = read(text).forces
    assert turning.upper_limit == pytest.approx(np.pi / 2)
    assert turning.upper_stiffness == pytest.approx(360 / np.pi)
    assert (sliding.upper_limit, sliding.upper_stiffness, sliding.damping) == (90.0, 2.0, 0.5)


def test_what_is_not_used_is_kept_named_and_warned_of_once(read: Any) -> None:
    more = (
        objects("ContactGeometrySet", '<ContactSphere name="heel"><radius>0.03</radius></ContactSphere>')
        + objects("ControllerSet", '<PrescribedController name="brain"/>')
        + objects("ProbeSet", '<SystemEnergyProbe name="cost"/>')
        + objects(
            "ForceSet",
            '<ElasticFoundationForce name="contact"><appliesForce>false</appliesForce></ElasticFoundationForce>',
        )
        + objects("ConstraintSet", '<RollingOnSurfaceConstraint name="wheel"/>')
    )
    with pytest.warns(BorelliWarning) as caught:
        model = read(one_body(more))
    assert len(caught) == 1
    assert set(model.unsupported) == {
        "contact geometry 'heel' (ContactSphere)",
        "controller 'brain' (PrescribedController)",
        "probe 'cost' (SystemEnergyProbe)",
        "force 'contact' (ElasticFoundationForce)",
        "constraint 'wheel' (RollingOnSurfaceConstraint)",
    }
    assert all(line in str(caught[0].message) for line in model.unsupported)
    assert "<radius>0.03</radius>" in model.others["heel"].xml
    assert not model.others["contact"].active and model.others["wheel"].active


def test_a_kept_constraint_in_force_is_refused_where_it_would_count(read: Any) -> None:
    wheel = (
        '<RollingOnSurfaceConstraint name="wheel"><isEnforced>{}</isEnforced></RollingOnSurfaceConstraint>'
    )
    motion = bo.Motion(np.zeros(1), ("q",), np.zeros((1, 1)))
    with pytest.warns(BorelliWarning, match="wheel"):
        model = read(one_body(objects("ConstraintSet", wheel.format("true"))))
    with pytest.raises(UnsupportedError, match="'wheel' is of type RollingOnSurfaceConstraint"):
        bo.assemble(model, motion)
    with pytest.warns(BorelliWarning, match="wheel"):
        idle = read(one_body(objects("ConstraintSet", wheel.format("false"))))
    assert bo.assemble(idle, motion).n_times == 1


def test_the_geometry_of_the_ground_is_kept_and_written_back(read: Any, tmp_path: Path) -> None:
    mesh = '<attached_geometry><Mesh name="floor"><mesh_file>floor.vtp</mesh_file></Mesh></attached_geometry>'
    model = read(one_body(f'<Ground name="ground">{mesh}</Ground>'))
    assert model.unsupported == () and "floor.vtp" in model.others["ground"].xml
    write_osim(model, tmp_path / "again.osim")
    assert "<mesh_file>floor.vtp</mesh_file>" in read_osim(tmp_path / "again.osim").others["ground"].xml


def test_what_is_kept_is_written_back(read: Any, tmp_path: Path) -> None:
    more = objects("ContactGeometrySet", '<ContactSphere name="heel"><radius>0.03</radius></ContactSphere>')
    with pytest.warns(BorelliWarning, match="heel"):
        model = read(one_body(more))
    write_osim(model, tmp_path / "again.osim")
    with pytest.warns(BorelliWarning, match="heel"):
        again = read_osim(tmp_path / "again.osim")
    assert again.others["heel"].xml == model.others["heel"].xml


def test_a_force_along_an_unknown_kind_of_path_is_kept_whole(read: Any) -> None:
    muscle = '<Thelen2003Muscle name="m"><FunctionBasedPath name="path"/></Thelen2003Muscle>'
    with pytest.warns(BorelliWarning, match=r"force 'm' \(Thelen2003Muscle\)"):
        model = read(one_body(objects("ForceSet", muscle)))
    assert not model.muscles and model.others["m"].path is None


def test_a_body_without_a_joint_moves_freely_as_in_opensim(read: Any) -> None:
    with pytest.warns(BorelliWarning, match="body 'c' has no joint: it moves freely"):
        model = read(one_body(bodies=body("b") + body("c")))
    assert isinstance(model.joints["free_c"], bm.FreeJoint)
    assert model.coordinate_names[1:3] == ("free_c_coord_0", "free_c_coord_1")


def test_the_inertia_of_a_massless_body_is_zero_as_in_opensim(read: Any) -> None:
    with pytest.warns(BorelliWarning, match="body 'b' has no mass"):
        model = read(one_body(bodies=body("b").replace("<mass>2</mass>", "<mass>0</mass>")))
    assert not any(model.bodies["b"].inertia)


def test_wrap_objects_of_equal_names_are_told_apart(read: Any) -> None:
    wrap = "<WrapObjectSet><objects><WrapSphere name='w'><radius>0.1</radius></WrapSphere></objects></WrapObjectSet>"
    joints = pin("j", "/ground", "/bodyset/b") + pin("k", "/ground", "/bodyset/c", "p")
    model = read(one_body(bodies=body("b", wrap) + body("c", wrap), joint=joints))
    assert model.wrap_objects.names == ("w", "c/w")


CUSTOM = """<CustomJoint name="j"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/b</socket_child_frame><coordinates><Coordinate name="q"/></coordinates>
<SpatialTransform><TransformAxis name="rotation1"><coordinates>q</coordinates><axis>0 0 1</axis>
{}</TransformAxis></SpatialTransform></CustomJoint>"""


def test_an_unknown_joint_is_an_error_that_names_file_and_line(read: Any) -> None:
    with pytest.raises(UnsupportedError, match="joints of type SpringJoint cannot be used") as caught:
        read(one_body(joint=pin("j", "/ground", "/bodyset/b").replace("PinJoint", "SpringJoint")))
    assert str(caught.value.where).endswith("model.osim, line 4, <SpringJoint>")


def test_an_unknown_function_in_a_joint_is_an_error_that_names_file_and_line(read: Any) -> None:
    function = "<ExpressionBasedFunction><expression>q^2</expression></ExpressionBasedFunction>"
    with pytest.raises(UnsupportedError, match="functions of type ExpressionBasedFunction") as caught:
        read(one_body(joint=CUSTOM.format(function)))
    assert "model.osim, line 7, <ExpressionBasedFunction>" in str(caught.value.where)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("<LinearFunction><coefficients>1</coefficients></LinearFunction>", "needs slopes and an intercept"),
        ("<SimmSpline><x>0 1</x></SimmSpline>", "a SimmSpline has no <y>"),
        ("<SimmSpline><x>0 -1</x><y>1 2</y></SimmSpline>", "must increase"),
        ("<MultiplierFunction><scale>2</scale></MultiplierFunction>", "has no function inside"),
        ("<GCVSpline><half_order>9</half_order></GCVSpline>", "is 1, 2, 3 or 4, not 9"),
        ("<GCVSpline><error_variance>0.1</error_variance></GCVSpline>", "a smoothing GCVSpline"),
        (
            "<MultivariatePolynomialFunction><coefficients>1</coefficients><dimension>2</dimension><order>2</order>"
            "</MultivariatePolynomialFunction>",
            "has 6 coefficients, but 1 are given",
        ),
        (
            "<MultivariatePolynomialFunction><coefficients>1</coefficients><dimension>99</dimension><order>2</order>"
            "</MultivariatePolynomialFunction>",
            "99 arguments and order 2 cannot be read",
        ),
        (
            "<LinearFunction><coefficients>1 2 3</coefficients></LinearFunction>",
            "axis function of 2 arguments",
        ),
    ],
)
def test_functions_that_make_no_sense_are_refused(function: str, message: str, read: Any) -> None:
    with pytest.raises(BorelliError, match=message) as caught:
        read(one_body(joint=CUSTOM.format(function)))
    assert "model.osim" in str(caught.value.where)


def test_opensims_inexact_joints_are_said_and_can_be_refused(tmp_path: Path) -> None:
    write_osim(coupled_knee(), tmp_path / "knee.osim")
    with pytest.warns(BorelliWarning, match="joint 'joint': one coordinate drives several rotations"):
        model = bo.load_model(tmp_path / "knee.osim")
    assert model.joints["joint"].axis_rates is bm.AxisRates.SIMBODY
    exact = bo.load_model(tmp_path / "knee.osim", exact_joints=True)
    assert exact.joints["joint"].axis_rates is bm.AxisRates.EXACT


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        (
            '<TransformAxis name="rotation1"><coordinates/><axis>1 0 0</axis><Constant><value>0.3</value></Constant>'
            '</TransformAxis><TransformAxis name="rotation2"><coordinates>q</coordinates><axis>0 1 0</axis>'
            "<LinearFunction><coefficients>1 0</coefficients></LinearFunction></TransformAxis>",
            "OpenSim ignores a constant rotation before a moving one",
        ),
        (
            '<TransformAxis name="rotation1"><coordinates>q</coordinates><axis>1 0 0</axis>'
            "<MultivariatePolynomialFunction><coefficients>0 1 1</coefficients><dimension>1</dimension><order>2</order>"
            "</MultivariatePolynomialFunction></TransformAxis>",
            "OpenSim uses first instead of second derivatives",
        ),
    ],
)
def test_joints_that_opensim_gets_wrong_are_named(axes: str, message: str, read: Any) -> None:
    before, rest = CUSTOM.split("<TransformAxis", 1)
    joint = before + axes + rest[rest.index("</SpatialTransform>") :]
    with pytest.warns(BorelliWarning, match=message):
        read(one_body(joint=joint))


def test_a_connection_to_nothing_names_what_is_near(read: Any) -> None:
    with pytest.raises(UnknownNameError, match="'femur_R' is not a body or frame") as caught:
        read(one_body(joint=pin("j", "/ground", "/bodyset/femur_R"), bodies=body("femur_r")))
    assert caught.value.closest == ("femur_r",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<OpenSimDocument Version='40000'><Model name='m'><BodySet>", "XML is broken"),
        (
            "<OpenSimDocument Version='40000'><ForceSet/></OpenSimDocument>",
            "holds <ForceSet>, but no <Model>",
        ),
        ("<OpenSimDocument Version='10600'><Model/></OpenSimDocument>", "has version 10600"),
        (
            "<OpenSimDocument Version='99999'><Model/></OpenSimDocument>",
            "versions 10901 to 40600 can be read",
        ),
        ("<OpenSimDocument Version='four'><Model/></OpenSimDocument>", "is 'four', not a number"),
        ("<Model name='m'/>", "no <OpenSimDocument Version"),
        ("<html></html>", "is a <html>, expected an OpenSim model"),
        ("version=1", "does not begin with '<'"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", "document type or entities, which is not allowed"),
    ],
)
def test_files_that_are_not_models_say_what_was_expected(text: str, message: str, read: Any) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
        read(text)
    assert "model.osim" in str(caught.value.where)


def test_thousands_of_equal_names_cost_no_time(read: Any) -> None:
    # Counting up from zero for each would take minutes.
    marker = '<Marker name="m"><socket_parent_frame>/ground</socket_parent_frame></Marker>'
    probe = '<SystemEnergyProbe name="m"/>'
    more = objects("MarkerSet", *[marker] * 5000) + objects("ProbeSet", *[probe] * 5000)
    with pytest.warns(BorelliWarning, match=r"… and 4900 more \(model.unsupported lists them\)"):
        model = read(one_body(more))
    assert model.markers.names[:3] == ("m", "m_0", "m_1")
    assert len(set(model.others.names)) == 5000


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    write_osim(everything.model(), tmp_path / "whole.osim")
    data = (tmp_path / "whole.osim").read_bytes()
    for end in range(1, len(data) - 30, len(data) // 40):
        (tmp_path / "cut.osim").write_bytes(data[:end])
        with pytest.raises(FileFormatError):
            read_osim(tmp_path / "cut.osim")


def test_words_replaced_by_nonsense_give_an_answer_or_our_error(tmp_path: Path) -> None:
    write_osim(everything.model(), tmp_path / "whole.osim")
    text = (tmp_path / "whole.osim").read_text("utf-8")
    words = list(re.finditer(r"[\w./-]+", text))
    nonsense = ["nan", "inf", "-1", "", "x y", "1e999", "/", "..", "<a/>", "0", "0.5"]
    rng = np.random.default_rng(0)
    answers = 0
    for _ in range(150):
        start, end = words[rng.integers(len(words))].span()
        damaged = text[:start] + nonsense[rng.integers(len(nonsense))] + text[end:]
        (tmp_path / "damaged.osim").write_text(damaged, encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BorelliWarning)
            try:
                read_osim(tmp_path / "damaged.osim")
                answers += 1
            except BorelliError:
                pass
    assert 5 < answers < 145


def landmarks_on_landmarks(levels: int, backwards: bool = False) -> str:
    """Frames defined by landmarks on two frames that are defined so on two frames, and so on."""
    parts = []
    for level in range(levels)[:: -1 if backwards else 1]:
        for side in "lr":
            for name, at in {"a": "0 0 0", "b": "1 0 0", "c": "0 1 0", "o": "0 0 0"}.items():
                other = "l" if name in "ab" else "r"
                on = f"/bodyset/b/f{level - 1}{other}" if level else ".."
                parts.append(
                    f'<Station name="{name}{level}{side}"><socket_parent_frame>{on}</socket_parent_frame>'
                    f"<location>{at}</location></Station>"
                )
            points = {"point_a": "a", "point_b": "b", "point_c": "c", "origin_point": "o"}
            connected = "".join(
                f"<socket_{socket}>/bodyset/b/{name}{level}{side}</socket_{socket}>"
                for socket, name in points.items()
            )
            parts.append(f'<StationDefinedFrame name="f{level}{side}">{connected}</StationDefinedFrame>')
    return one_body(bodies=body("b", f"<components>{''.join(parts)}</components>"), version=40500)


def test_landmarks_on_landmarks_are_placed_once(read: Any) -> None:
    # Each of them placed anew for everyone that stands on it, this would take four to the power of 60.
    assert len(read(landmarks_on_landmarks(60)).frames) == 120


def test_landmarks_on_landmarks_without_end_are_refused(read: Any) -> None:
    with pytest.raises(FileFormatError, match=r"more than 100 that are placed by each other(.|\n)*on bodies"):
        read(landmarks_on_landmarks(400, backwards=True))
