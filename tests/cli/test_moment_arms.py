"""The command moment-arms: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.cli.main import main
from borelli.io.load_model import save_model
from borelli.io.sto import read_sto
from borelli.model import (
    Body,
    ConditionalPathPoint,
    Coordinate,
    Model,
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
    assert {path.name for path in out.iterdir()} == {f"{stem}.sto", f"{stem}.png", f"{stem}.html"}
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
