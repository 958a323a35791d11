"""The command moment-arms: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.analyses.muscles.moment_arms import METHODS
from borelli.cli.main import main
from borelli.io.load_model import save_model
from borelli.io.tables.sto import read_sto
from borelli.model import (
    Body,
    Component,
    ConditionalPathPoint,
    Constant,
    Coordinate,
    Linear,
    Model,
    MovingPathPoint,
    Path,
    PathPoint,
    PathWrap,
    PinJoint,
    RigidTendonMuscle,
    SliderJoint,
    WrapCylinder,
)


@pytest.fixture
def file(tmp_path):
    """An elbow with a muscle over a pulley, one with a point that comes and goes, and one that does not cross."""
    ends = (PathPoint("o", "ground", (-0.3, 0.02, 0)), PathPoint("i", "arm", (0.3, 0.02, 0)))
    via = ConditionalPathPoint("via", "arm", (0.1, 0.1, 0), "elbow", (0.2, 2.0))
    still = (PathPoint("a", "ground", (0, 0, 0)), PathPoint("b", "ground", (0, 1, 0)))
    model = Model(
        name="elbow model",
        bodies=(Body("arm", 1.0), Body("cart", 1.0)),
        joints=(
            PinJoint(
                name="hinge",
                parent="ground",
                child="arm",
                coordinates=(Coordinate("elbow", range=(-0.5, 0.5)),),
            ),
            SliderJoint(name="rail", parent="ground", child="cart"),
        ),
        wrap_objects=(WrapCylinder(name="pulley", frame="ground", radius=0.05, quadrant="+y"),),
        muscles=(
            RigidTendonMuscle(name="over", path=Path(ends, (PathWrap("pulley"),))),
            RigidTendonMuscle(name="switch", path=Path((ends[0], via, ends[1]))),
            RigidTendonMuscle(name="idle", path=Path(still)),
        ),
    )
    path = tmp_path / "elbow.toml"
    save_model(model, path)
    return str(path)


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(["moment-arms", *arguments])
    return ended.value.code


def test_arms_are_printed_and_a_jump_names_its_conditional_point(file, capsys):
    assert run(file, "--coordinate", "elbow") == 0
    printed = capsys.readouterr().out
    assert "about elbow (-28.65° to 28.65°), mm; positive drives the coordinate up" in printed
    assert "over" in printed
    assert "idle" not in printed
    (jump,) = [line for line in printed.splitlines() if "conditional point" in line]
    assert jump.startswith("switch")
    assert jump.endswith("conditional point via")
    # Half-way between the two steps around 0.2 rad = 11.459°.
    assert float(jump.split()[2].rstrip("°")) == pytest.approx(11.459, abs=0.06)


def test_table_has_opensims_name_and_the_arms_in_metres(file, tmp_path, capsys):
    out = tmp_path / "results"
    assert (
        run(file, "--coordinate", "elbow", "--muscles", "over", "--range-deg", "-20", "5", "--out", str(out))
        == 0
    )
    stem = "elbow_model_MuscleAnalysis_MomentArm_elbow"
    length = "elbow_model_MuscleAnalysis_Length.sto"
    assert {path.name for path in out.iterdir()} == {f"{stem}.sto", f"{stem}.png", f"{stem}.html", length}
    lengths = read_sto(out / length)
    # The slope of the length is minus the arm, which is constant here.
    slope = np.diff(lengths.values[:, 0]) / np.diff(np.radians(lengths.time))
    np.testing.assert_allclose(slope, -0.05, atol=1e-9)
    table = read_sto(out / f"{stem}.sto")
    assert table.columns == ("over",)
    assert table.time[[0, -1]] == pytest.approx([-20, 5])
    # Over a pulley on the axis the arm is its radius.
    assert np.ptp(table.values) < 1e-12
    assert table.values[0, 0] == pytest.approx(0.05, abs=1e-9)
    assert (out / f"{stem}.png").read_bytes().startswith(b"\x89PNG")
    assert "Moment arms about elbow" in (out / f"{stem}.html").read_text(encoding="utf-8")
    assert "Written to" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--coordinate", "elbo"), "'elbo' is not a coordinate of model 'elbow model'"),
        (("--coordinate", "rail", "--range-deg", "0", "1"), "'rail' is not an angle"),
        (("--coordinate", "rail"), "'rail' has no range of its own"),
        (("--coordinate", "elbow", "--range-deg", "9", "1"), "ends (0.0174533) before it begins"),
        (("--coordinate", "elbow", "--muscles", "ove"), "'ove' is not a path of model"),
        (("--coordinate", "elbow", "--method", "velocity"), "'velocity' is not a method"),
        (("--coordinate", "elbow", "--angle", "elbow"), "'elbow' is not an angle"),
        (("--coordinate", "elbow", "--angle", "a = elbo"), "'elbo' is not a variable of the expression"),
        (("--coordinate", "elbow", "--angle", "a = 2"), "depends on no coordinate"),
        (
            ("--coordinate", "elbow", "--range-deg", "-1", "1", "--angle", "a = cos(elbow)"),
            "'a' cannot turn where the coordinate is 0 (rad or m)",
        ),
    ],
)
def test_bad_input_ends_with_its_message(file, capsys, arguments, message):
    assert run(file, *arguments) == 2
    assert message in capsys.readouterr().err


def test_a_jump_names_the_point_that_enters_a_surface(tmp_path, capsys):
    ends = (PathPoint("o", "ground", (-0.3, -0.03, 0)), PathPoint("i", "cart", (0.3, -0.03, 0)))
    model = Model(
        name="cart",
        bodies=(Body("cart", 1.0),),
        joints=(
            SliderJoint(
                name="rail",
                parent="ground",
                child="cart",
                coordinates=(Coordinate("travel", range=(-0.29, 0.0)),),
            ),
        ),
        wrap_objects=(WrapCylinder(name="roll", frame="ground", radius=0.05),),
        muscles=(RigidTendonMuscle(name="m", path=Path(ends, (PathWrap("roll"),))),),
    )
    save_model(model, tmp_path / "cart.toml")
    assert run(str(tmp_path / "cart.toml"), "--coordinate", "travel") == 0
    printed = capsys.readouterr().out
    assert "Discontinuities: 1" in printed
    assert printed.rstrip().endswith("lift-off from wrap object roll: point i leaves it")


@pytest.fixture
def guided(tmp_path):
    """A hinge whose muscle has a point that moves with it."""
    x = (
        Component(Linear((0.02,), 0.1), "elbow"),
        Component(Constant(0.03)),
        Component(Constant(0.0)),
    )
    points = (
        PathPoint("o", "ground", (-0.3, 0.02, 0)),
        MovingPathPoint("slider", "arm", *x),
        PathPoint("i", "arm", (0.3, 0.0, 0)),
    )
    fixed = (points[0], PathPoint("fixed", "arm", (0.1, 0.03, 0)), points[2])
    hinge = PinJoint(
        name="hinge", parent="ground", child="arm", coordinates=(Coordinate("elbow", range=(-0.5, 0.5)),)
    )
    model = Model(
        name="guided",
        bodies=(Body("arm", 1.0),),
        joints=(hinge,),
        muscles=(
            RigidTendonMuscle(name="slid", path=Path(points)),
            RigidTendonMuscle(name="plain", path=Path(fixed)),
        ),
    )
    save_model(model, tmp_path / "guided.toml")
    return str(tmp_path / "guided.toml")


def test_moving_points_come_with_a_note_and_their_effective_torque_arm(guided, tmp_path, capsys):
    assert run(guided, "--coordinate", "elbow", "--out", str(tmp_path / "out")) == 0
    told = capsys.readouterr()
    assert "note: points of paths move in their bodies with coordinates ('slider' of 'slid')" in told.err
    second = told.out.partition("Effective torque arms, mm: the effect of tension on the bones")[2]
    assert "slid" in second
    assert "plain" not in second
    table = read_sto(tmp_path / "out" / "guided_MuscleAnalysis_EffectiveTorqueArm_elbow.sto")
    assert table.columns == ("slid",)
    # By hand: the moment of unit forces along the two straight pieces that meet in the point, about the hinge.
    turn = np.radians(table.time)
    place = np.stack([0.1 + 0.02 * turn, np.full(turn.size, 0.03)], axis=1)
    end = np.tile([0.3, 0.0], (turn.size, 1))
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]).transpose(2, 0, 1)
    place, end = (np.einsum("nij,nj->ni", rotation, point) for point in (place, end))
    to_origin = np.array([-0.3, 0.02]) - place
    to_origin /= np.linalg.norm(to_origin, axis=1, keepdims=True)
    # The piece between two points of one body does nothing to it.
    torque = place[:, 0] * to_origin[:, 1] - place[:, 1] * to_origin[:, 0]
    np.testing.assert_allclose(table.values[:, 0], torque, atol=1e-12)
    # The excursion counts the work on the guide: some millimetres more or less.
    arms = read_sto(tmp_path / "out" / "guided_MuscleAnalysis_MomentArm_elbow.sto")
    assert np.abs(arms.values[:, arms.columns.index("slid")] - torque).max() > 1e-3


def test_arms_about_half_of_the_angle_are_twice_as_long_by_every_method(file, capsys):
    printed = {}
    for method in METHODS:
        given = ("--coordinate", "elbow", "--muscles", "over", "--range-deg", "-20", "5", "--method", method)
        assert run(file, *given, "--angle", "half = elbow/2 + 0.3") == 0
        printed[method] = capsys.readouterr().out
        assert "Moment arms about half (elbow -20.00° to 5.00°), mm" in printed[method]
        (row,) = [line for line in printed[method].splitlines() if line.startswith("over ")]
        assert float(row.split()[1]) == pytest.approx(100.0, abs=1e-3)


def test_of_an_angle_that_several_coordinates_turn_the_swept_one_moves(file, capsys):
    given = (
        "--coordinate",
        "elbow",
        "--muscles",
        "over",
        "--range-deg",
        "-20",
        "5",
        "--angle",
        "a = rail + elbow",
    )
    assert run(file, *given) == 0
    # With the elbow held and the rail moving instead, the muscle would feel nothing.
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("over ")]
    assert float(row.split()[1]) == pytest.approx(50.0, abs=1e-3)
