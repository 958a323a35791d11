"""A model written to TOML comes back equal; what is wrong in a file is named with file and key."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from borelli import model as bm
from borelli.errors import (
    BorelliError,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
    UnsupportedError,
)
from borelli.io.load_model import load_model, save_model
from borelli.io.toml.model_codec import FORCES
from borelli.io.toml.model_toml import model_to_toml, read_model_toml
from tests.io.osim.everything import model as opensim_s_parts

X, Y = (0.0, 0.1, 0.3, 0.7, 1.0, 1.5), (0.0, 0.3, 0.1, -0.2, 0.4, 1 / 3)


def everything() -> bm.Model:
    """A model that has at least one part of every kind, with names that need quoting."""
    names = [f"b{i}" for i in range(13)]
    place = bm.Placement.from_angles((0.1, 1 / 3, -0.2), (0.3, -1.1, 2.0))
    flexion = (bm.Coordinate("flexion", "rotational", 0.1, 0.0, (-1, 2), True, False, bm.Sine(0.1, 2), True),)
    spline = bm.SimmSpline(X, Y)
    joints = [
        bm.WeldJoint(name="weld", parent="ground", child="b0"),
        bm.PinJoint(name="pin", parent="b0", child="b1", parent_placement=place, child_placement=place),
        bm.SliderJoint(name="slider", parent="b1", child="b2"),
        bm.UniversalJoint(name="universal", parent="b2", child="b3"),
        bm.GimbalJoint(name="gimbal", parent="b3", child="b4"),
        bm.BallJoint(name="ball", parent="b4", child="b5"),
        bm.FreeJoint(name="free", parent="b5", child="b6", attitude="angles"),
        bm.PlanarJoint(name="planar", parent="b6", child="b7"),
        bm.EllipsoidJoint(name="ellipsoid", parent="b7", child="b8", radii=(0.1, 0.2, 0.3)),
        bm.ScapulothoracicJoint(
            name="scapula", parent="b8", child="b9", radii=(1, 2, 3), winging_origin=(0.1, 0.2)
        ),
        bm.ConstantCurvatureJoint(name="arc", parent="b9", child="b12", length=0.2, neutral=(0.1, -0.2, 0.3)),
        bm.CustomJoint(
            name="custom",
            parent="offset frame",
            child="b10",
            coordinates=flexion,
            rotations=(
                bm.AxisFunction((0, 0.6, 0.8), bm.Multiplier(spline, 2.0), "flexion"),
                bm.AxisFunction((0, 1, 0), bm.Polynomial((0.1, 0.2, 0.3)), "flexion"),
                bm.AxisFunction((1, 0, 0), bm.PiecewiseLinear(X, Y), "flexion"),
            ),
            translations=(
                bm.AxisFunction((1, 0, 0), bm.GCVSpline(X, Y, 3), "flexion"),
                bm.AxisFunction((0, 1, 0), bm.NaturalCubicSpline(X, Y), "flexion"),
                bm.AxisFunction((0, 0, 1), bm.Constant(0.25)),
            ),
        ),
        bm.FreeJoint(name="root", parent="ground", child="b11"),
    ]
    points = (
        bm.PathPoint("P1", "b0", (0.1, 0.2, 0.3)),
        bm.ConditionalPathPoint("P2", "b1", (0, 0, 0), "flexion", (-0.5, 0.5)),
        bm.MovingPathPoint("P3", "b10", bm.Component(spline, "flexion"), bm.Component(bm.Constant(0.2))),
    )
    path = bm.Path(points, (bm.PathWrap("cylinder", "axial", (1, 2)), bm.PathWrap("torus")))
    common = {"path": path, "max_isometric_force": 123.4}
    muscles = [
        bm.Thelen2003Muscle(name="thelen", **common),
        bm.Millard2012EquilibriumMuscle(
            name="millard",
            tendon_force_length_curve=bm.TendonForceLengthCurve(0.033, curviness=0.5),
            **common,
        ),
        bm.DeGrooteFregly2016Muscle(name="degroote", ignore_passive_fiber_force=True, **common),
        bm.Schutte1993Muscle(name="schutte", tendon_force_length_curve=spline, **common),
        bm.RigidTendonMuscle(name="rigid", **common),
        bm.OtherMuscle(name="other", class_name="Exotic", properties=(("a", "1"), ("b", "2")), **common),
    ]
    forces = [
        bm.Ligament(
            name="ligament", path=path, resting_length=0.1, pcsa_force=200, force_length_curve=spline
        ),
        bm.Blankevoort1991Ligament(name="acl", path=path, slack_length=0.1),
        bm.PathSpring(name="spring", path=path, resting_length=0.1, stiffness=1e4),
        bm.PathActuator(name="actuator", path=path),
        bm.CoordinateLimitForce(
            name="limit",
            coordinate="flexion",
            upper_limit=1,
            upper_stiffness=2,
            lower_limit=0,
            lower_stiffness=3,
        ),
        bm.CoordinateSpring(name="cspring", coordinate="pin", stiffness=3),
        bm.PointToPointSpring(name="p2p", first="b0", second="b1"),
        bm.BushingForce(name="bushing", first="b0", second="b1", second_placement=place),
        bm.CoordinateActuator(name="motor", coordinate="pin", min_control=-1, max_control=1),
        bm.TorqueActuator(name="torque", first="b0", second="b1"),
        bm.PointActuator(name="push", body="b1", applies_force=False),
    ]
    constraints = [
        bm.CoordinateCoupler(
            name="c1", dependent="slider", independent=("pin", "flexion"), function=bm.Linear((1, 2))
        ),
        bm.CoordinateCoupler(
            name="c2",
            dependent="universal_rx",
            independent=("pin", "flexion"),
            function=bm.MultivariatePolynomial(2, 1, (1, 2, 3)),
            scale=0.5,
        ),
        bm.CoordinateCoupler(
            name="c3", dependent="gimbal_rx", independent="pin", function=bm.PiecewiseConstant(X, Y)
        ),
        bm.CoordinateCoupler(name="c4", dependent="gimbal_ry", independent="pin", function=bm.Step(0, 1)),
        bm.PointConstraint(name="p", first="b3", second="b4", enforced=False),
        bm.PointOnLineConstraint(name="l", line_frame="b3", follower="b4", line_direction=(1, 0, 0)),
        bm.WeldConstraint(name="w", first="b3", second="b4", first_placement=place),
        bm.ConstantDistanceConstraint(name="d", first="b3", second="b4", distance=0.2),
    ]
    return bm.Model(
        name='every "kind" of Gelenk – naïve \\ test',
        bodies=[
            bm.Body(n, 1.0 + i / 3, (0, i / 7, 0), (0.1, 0.1, 0.1, 0.01, 0, 0)) for i, n in enumerate(names)
        ],
        joints=joints,
        frames=[bm.Frame("offset frame", "b9", place), bm.Frame("nested", "offset frame")],
        markers=[bm.Marker("m.1", "nested", (0, 0, 1e-300), fixed=True)],
        constraints=constraints,
        wrap_objects=[
            bm.WrapCylinder(
                name="cylinder", frame="b0", radius=0.1, length=0.2, quadrant="-y", placement=place
            ),
            bm.WrapSphere(name="sphere", frame="b0", radius=0.1, active=False),
            bm.WrapEllipsoid(name="ellipsoid", frame="b0", radii=(0.1, 0.2, 0.3)),
            bm.WrapTorus(name="torus", frame="b0", inner_radius=0.01, outer_radius=0.1),
        ],
        muscles=muscles,
        forces=forces,
        others=[bm.OtherComponent(name="contact", kind="HuntCrossleyForce", xml="<HuntCrossleyForce/>")],
        gravity=(0, 0, -9.81),
        unsupported=("HuntCrossleyForce 'contact'",),
        credits="A. Author\nB. Author\x7f",
    )


def test_every_kind_of_part_comes_back_equal(tmp_path: Path) -> None:
    model = everything()
    save_model(model, tmp_path / "model.toml")
    assert load_model(tmp_path / "model.toml") == model


def test_every_part_that_opensim_has_comes_back_equal(tmp_path: Path) -> None:
    model = opensim_s_parts()
    assert {type(force) for force in model.forces} == set(FORCES.values())
    save_model(model, tmp_path / "model.toml")
    assert load_model(tmp_path / "model.toml") == model


def test_an_expression_must_be_text_and_a_formula(tmp_path: Path) -> None:
    force = '\n[[forces]]\nkind = "expression coordinate force"\nname = "f"\ncoordinate = "elbow"\nexpression = {}\n'
    with pytest.raises(FileFormatError, match="text was expected, but 3 was found") as error:
        read_model_toml(write(tmp_path, ARM + force.format("3")))
    assert "arm.toml, forces[0] (f), key 'expression'" in str(error.value.where)
    with pytest.raises(InvalidValueError, match=r"'q\*', column 3: a value is expected") as refused:
        read_model_toml(write(tmp_path, ARM + force.format('"q*"')))
    assert "arm.toml, forces[0] (f)" in str(refused.value.where)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "arm.toml"
    path.write_text(text, encoding="utf-8")
    return path


ARM = """
name = "arm"
gravity = [0, -9.81, 0]

[[bodies]]
name = "upper"
mass = 2
com = [0, -0.15, 0]
inertia = [0.02, 0.002, 0.02]

[[bodies]]
name = "fore"
mass = 1.5

[[joints]]
kind = "pin"
name = "shoulder"
parent = "ground"
child = "upper"

[[joints]]
kind = "pin"
name = "elbow"
parent = "upper"
child = "fore"
parent_placement = {translation = [0, -0.3, 0], angles = [0, 0, 0.1]}
coordinates = [{name = "elbow_flexion", range = [0, 2.6]}]

[[muscles]]
kind = "Thelen2003"
name = "biceps"
path = {points = [
    {kind = "fixed", name = "o", frame = "upper", location = [0, 0, 0.02]},
    {kind = "fixed", name = "i", frame = "fore", location = [0, -0.05, 0.01]},
]}
"""


def test_a_model_written_by_hand_is_read(tmp_path: Path) -> None:
    model = read_model_toml(write(tmp_path, ARM))
    assert model.coordinate_names == ("shoulder", "elbow_flexion")
    assert model.coordinates["elbow_flexion"].range == (0.0, 2.6)
    assert model.bodies["upper"].inertia == (0.02, 0.002, 0.02, 0.0, 0.0, 0.0)
    np.testing.assert_allclose(model.joints["elbow"].parent_placement.rotation[0][0], np.cos(0.1))
    assert model.path_names == ("biceps",)


BROKEN: dict[str, tuple[str, str, type[BorelliError], str]] = {
    "not TOML": ('name = "arm"', "name = arm", FileFormatError, r"The file is not TOML: .*line 2"),
    "unknown list": (
        "[[muscles]]",
        "[[musles]]",
        UnknownNameError,
        "'musles' is not a key(.|\n)*Closest: 'muscles'",
    ),
    "unknown key": (
        'parent = "upper"',
        'paren = "upper"',
        UnknownNameError,
        r"'paren' is not a key of a pin joint.\n  Where: .*arm.toml, joints\[1\] \(elbow\)\n  Closest: 'parent'",
    ),
    "missing key": (
        'child = "fore"\n',
        "",
        MissingInputError,
        r"the key 'child' of a pin joint is missing.\n  Where: .*joints\[1\] \(elbow\)",
    ),
    "unknown kind": ('"Thelen2003"', '"Thelen2004"', UnknownNameError, "(.|\n)*Closest: 'Thelen2003'"),
    "no kind": (
        'kind = "Thelen2003"\n',
        "",
        MissingInputError,
        r"the key 'kind' is missing.\n  Where: .*muscles\[0\] \(biceps\)",
    ),
    "kind that is no text": ('"Thelen2003"', "3", UnknownNameError, "'3' is not a kind"),
    "text for a number": (
        "mass = 2",
        'mass = "2"',
        InvalidValueError,
        r"must be a number, not '2'(.|\n)*bodies\[0\]",
    ),
    "number for text": (
        'parent = "upper"',
        "parent = 3",
        FileFormatError,
        r"text was expected, but 3 was found.\n  Where: .*key 'parent'",
    ),
    "truth for a number": ("mass = 2", "mass = true", InvalidValueError, "must be a number, not True"),
    "date for a number": (
        "mass = 2",
        "mass = 1979-05-27",
        FileFormatError,
        r"a date or time was found: 1979-05-27.\n  Where: .*, bodies\[0\], mass",
    ),
    "huge number": (
        "mass = 2",
        "mass = 1" + "0" * 400,
        InvalidValueError,
        "too large for a floating-point number",
    ),
    "too many digits": ("mass = 2", "mass = 1" + "0" * 5000, FileFormatError, "The file is not TOML"),
    "deep nesting": ("mass = 2", "mass = " + "[" * 3000 + "]" * 3000, FileFormatError, "nested too deeply"),
    "list for a table": (
        "[[bodies]]",
        "[bodies]",
        FileFormatError,
        "The file is not TOML|must be a list of tables",
    ),
    "no list of tables": (
        ARM,
        "bodies = 3",
        FileFormatError,
        r"'bodies' must be a list of tables: \[\[bodies\]\]",
    ),
    "a list of numbers": (
        ARM,
        "bodies = [3]",
        FileFormatError,
        r"a table was expected, but 3 was found.\n.*bodies\[0\]",
    ),
    "name that is no text": ('name = "arm"', "name = 3", FileFormatError, "'name' must be text"),
    "unsupported": (
        'name = "arm"',
        "unsupported = 3",
        FileFormatError,
        "'unsupported' must be a list of text",
    ),
    "no placement": (
        "{translation = [0, -0.3, 0], angles = [0, 0, 0.1]}",
        "3",
        FileFormatError,
        "a placement was expected, but 3",
    ),
    "strange placement": ("angles =", "angle =", UnknownNameError, "'angle' is not a key of a placement"),
    "two orientations": (
        "angles = [0, 0, 0.1]",
        "angles = [0, 0, 0.1], rotation = []",
        InvalidValueError,
        "both angles and a rotation",
    ),
    "bad rotation": (
        "angles = [0, 0, 0.1]",
        "rotation = [[2, 0, 0], [0, 1, 0], [0, 0, 1]]",
        InvalidValueError,
        "is not a rotation matrix(.|\n)*key 'parent_placement'",
    ),
    "number for a list": (
        'coordinates = [{name = "elbow_flexion", range = [0, 2.6]}]',
        "coordinates = 3",
        FileFormatError,
        "a list was expected, but 3",
    ),
    "short range": ("range = [0, 2.6]", "range = [0]", FileFormatError, r"2 values were expected, but \[0\]"),
    "bad choice": (
        "range = [0, 2.6]",
        'motion = "rotation"',
        UnknownNameError,
        "'rotation' is not a choice(.|\n)*Closest: 'rotational'",
    ),
    "a list for a choice": (
        "range = [0, 2.6]",
        "motion = []",
        UnknownNameError,
        r"'\[\]' is not a choice",
    ),
    "inconsistent model": (
        'parent = "upper"',
        'parent = "uper"',
        UnknownNameError,
        r"'uper' is not a body or frame of model 'arm'.\n  Where: .*arm.toml; parent of joint 'elbow'",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused(tmp_path: Path, case: str) -> None:
    old, new, error, message = BROKEN[case]
    assert old in ARM
    with pytest.raises(error, match=message):
        read_model_toml(write(tmp_path, ARM.replace(old, new, 1)))


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"'.tml' is not a model format(.|\n)*Closest: '.toml'"):
        load_model(tmp_path / "arm.tml")
    with pytest.raises(UnknownNameError, match=r"'.txt' is not a model format that can be written"):
        save_model(everything(), tmp_path / "arm.txt")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingInputError, match=r"There is no file 'arm.toml', expected a Borelli model"):
        load_model(tmp_path / "arm.toml")


def test_symbols_cannot_be_written() -> None:
    sympy = pytest.importorskip("sympy")
    model = bm.Model(
        bodies=[bm.Body("b", sympy.Symbol("m"))], joints=[bm.PinJoint(name="j", parent="ground", child="b")]
    )
    with pytest.raises(
        UnsupportedError, match="m cannot be written to a file: it is not a plain number or text"
    ):
        model_to_toml(model)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_gives_a_model_or_a_clear_error(tmp_path: Path, data: st.DataObject) -> None:
    lines = ARM.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        index = data.draw(st.integers(0, len(lines) - 1))
        other = lines[data.draw(st.integers(0, len(lines) - 1))]
        value: Any = data.draw(
            st.sampled_from(["", "-1", "nan", "inf", '"x"', "[]", "{}", "true", "[[1]]", other, "07:32:00"])
        )
        key = lines[index].split("=")[0]
        lines[index] = value if value == other else f"{key}= {value}"
    with contextlib.suppress(BorelliError):
        read_model_toml(write(tmp_path, "\n".join(lines)))
