"""What a setup file asks for and cannot have is refused by name before the motion is read; the rest is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.model import Body, Model, PathPoint, PinJoint, Thelen2003Muscle
from borelli.model import Path as MusclePath
from borelli.opensim_tools.analyze_tool import AnalyzeTool

TIME = np.arange(101) / 100


def study(folder: Path, analysis: str, more: str = "") -> Path:
    path = MusclePath((PathPoint("a", "ground", (0.05, 0.02, 0)), PathPoint("b", "bob", (0.03, -0.35, 0.01))))
    muscle = Thelen2003Muscle(
        name="flexor",
        path=path,
        max_isometric_force=100.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.25,
    )
    body = Body("bob", 2.0, (0, -0.4, 0), (0.05, 0.05, 0.05))
    joint = PinJoint(name="swing", parent="ground", child="bob")
    bo.save_model(Model(name="p", bodies=[body], joints=[joint], muscles=[muscle]), folder / "p.toml")
    angle = 0.5 + 0.3 * np.sin(2 * np.pi * TIME)
    bo.save_table(bo.Table(TIME, ("swing",), angle[:, None], in_degrees=False), folder / "swing.sto")
    setup = folder / "setup.xml"
    setup.write_text(
        "<OpenSimDocument Version='40000'><AnalyzeTool name='try'><model_file>p.toml</model_file>"
        f"<results_directory>out</results_directory><coordinates_file>swing.sto</coordinates_file>{more}"
        f"<AnalysisSet><objects><Kinematics name='K'/>{analysis}</objects></AnalysisSet></AnalyzeTool>"
        "</OpenSimDocument>"
    )
    return setup


def run(setup: Path, *options: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["run", str(setup), *options])
    return int(end.value.code or 0)


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        ("<JointReaction><joint_names>swin</joint_names></JointReaction>", "'swin' is not a joint"),
        (
            "<JointReaction><apply_on_bodies>both</apply_on_bodies></JointReaction>",
            "'both' is not a side of a joint",
        ),
        (
            "<JointReaction><express_in_frame>bib</express_in_frame></JointReaction>",
            "'bib' is not a body or frame of model 'p'",
        ),
        # A path that leads nowhere is not its last part.
        (
            "<JointReaction><express_in_frame>nowhere/bob</express_in_frame></JointReaction>",
            "'nowhere/bob' is not a body or frame of model 'p'",
        ),
        (
            "<JointReaction><express_in_frame>/</express_in_frame></JointReaction>",
            "'/' is not a body or frame of model 'p'",
        ),
        (
            "<JointReaction><forces_file>none.sto</forces_file></JointReaction>",
            "The file does not exist: forces_file 'none.sto'",
        ),
        ("<Kinematics><coordinates>knee</coordinates></Kinematics>", "'knee' is not a coordinate"),
        ("<BodyKinematics><bodies>foot</bodies></BodyKinematics>", "'foot' is not a body"),
        ("<PointKinematics><body_name>foot</body_name></PointKinematics>", "'foot' is not a body or frame"),
        ("<MuscleAnalysis><muscle_list>flex</muscle_list></MuscleAnalysis>", "'flex' is not a muscle"),
        (
            "<MuscleAnalysis><moment_arm_coordinate_list>knee</moment_arm_coordinate_list></MuscleAnalysis>",
            "'knee' is not a coordinate",
        ),
        (
            "<InducedAccelerations><coordinate_names>knee</coordinate_names></InducedAccelerations>",
            "'knee' is not a coordinate",
        ),
        (
            "<InducedAccelerations><body_names>foot center_of_mass</body_names></InducedAccelerations>",
            "'foot' is not a body",
        ),
    ],
)
def test_names_are_looked_up_before_the_motion_is_read(tmp_path, capsys, monkeypatch, analysis, message):
    def read(self: AnalyzeTool) -> None:
        raise AssertionError("the motion was read")

    monkeypatch.setattr(AnalyzeTool, "motion", property(read))
    assert run(study(tmp_path, analysis)) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_options_that_the_tool_does_not_have_are_named(tmp_path, capsys):
    assert run(study(tmp_path, "", "<results_dir>there</results_dir><pseudo_states_file/>")) == 0
    told = capsys.readouterr().err
    assert "unknown options are ignored: <results_dir>" in told
    assert "pseudo_states_file" not in told


def test_options_that_inverse_dynamics_does_not_have_are_named(tmp_path, capsys):
    study(tmp_path, "")
    setup = tmp_path / "id.xml"
    setup.write_text(
        "<OpenSimDocument Version='40000'><InverseDynamicsTool><model_file>p.toml</model_file>"
        "<coordinates_file>swing.sto</coordinates_file><cutoff>6</cutoff></InverseDynamicsTool></OpenSimDocument>"
    )
    assert run(setup) == 0
    assert "unknown options are ignored: <cutoff>" in capsys.readouterr().err
