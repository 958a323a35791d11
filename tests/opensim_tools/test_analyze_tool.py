"""``borelli run`` on setup files of OpenSim's AnalyzeTool, against OpenSim's own files and closed forms."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import BorelliWarning, FileFormatError, UnsupportedError
from borelli.io.setups.setup_xml import read_setup
from borelli.model import (
    Body,
    CoordinateActuator,
    CoordinateSpring,
    Model,
    PathActuator,
    PathPoint,
    PinJoint,
    Placement,
    RigidTendonMuscle,
    Thelen2003Muscle,
)
from borelli.model import Path as MusclePath
from tests.analyses.linkages import four_bar
from tests.analyses.test_moment_arms import two_tied_sliders
from tests.shared_data import reference

TIME = np.arange(201) / 100
ANGLE = 0.5 + 0.3 * np.sin(2 * np.pi * TIME)
LENGTH = 0.4
BODY_KINEMATICS = (
    "<BodyKinematics name='B'><in_degrees>true</in_degrees><bodies> all</bodies></BodyKinematics>"
)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main(["run", *map(str, arguments)])
    return int(end.value.code or 0)


def study(folder: Path, analyses: str, more: str = "", forces: tuple = (), turned: bool = False) -> Path:
    frame = Placement.from_angles((0, 0, 0), (0, 0, np.pi / 2 if turned else 0))
    joint = PinJoint(name="swing", parent="ground", child="bob", child_placement=frame)
    body = Body("bob", 2.0, (0, -LENGTH, 0), (0.05, 0.05, 0.05))
    bo.save_model(Model(name="pendulum", bodies=[body], joints=[joint], forces=forces), folder / "p.toml")
    bo.save_table(bo.Table(TIME, ("swing",), ANGLE[:, None], in_degrees=False), folder / "swing.sto")
    setup = folder / "setup.xml"
    setup.write_text(
        f"<OpenSimDocument Version='40000'><AnalyzeTool name='try'><model_file>p.toml</model_file>"
        f"<results_directory>out</results_directory><coordinates_file>swing.sto</coordinates_file>"
        f"<initial_time>0.5</initial_time><final_time>1.5</final_time>{more}"
        f"<AnalysisSet><objects>{analyses}</objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"
    )
    return setup


def test_a_table_of_impossible_numbers_does_not_lose_the_others(tmp_path: Path, capsys) -> None:
    """A fibre that starts at ten times its optimal length, as a default of 0.1 m does, pulls with 1e26 N."""
    setup = study(tmp_path, BODY_KINEMATICS + "<MuscleAnalysis name='M'/>")
    ends = (PathPoint("a", "ground", (0.1, 0, 0)), PathPoint("b", "bob", (0, -0.2, 0)))
    muscle = Thelen2003Muscle(
        name="short",
        path=MusclePath(ends),
        max_isometric_force=100.0,
        optimal_fiber_length=0.01,
        tendon_slack_length=0.1,
        default_fiber_length=0.1,
    )
    model = dataclasses.replace(bo.load_model(tmp_path / "p.toml"), muscles=(muscle,))
    bo.save_model(model, tmp_path / "p.toml")
    assert run(setup) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "Tables of B, M are written, but not all that the setup asks for" in told
    assert "MuscleAnalysis PassiveFiberForce: 'short' would be" in told
    written = {file.name for file in (tmp_path / "out").glob("*.sto")}
    assert {"try_B_pos_global.sto", "try_M_Length.sto"} <= written
    assert "try_M_PassiveFiberForce.sto" not in written


def test_fibre_velocities_that_no_fibre_has_are_left_out_and_named(tmp_path: Path, capsys) -> None:
    """A default of 0.1 m is three times the optimal length of a short fibre, which then has hardly a force."""
    setup = study(tmp_path, "<MuscleAnalysis name='M'/>")
    ends = (PathPoint("a", "ground", (0.1, 0, 0)), PathPoint("b", "bob", (0, -0.2, 0)))
    sound = Thelen2003Muscle(
        name="sound",
        path=MusclePath(ends),
        max_isometric_force=100.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.12,
        pennation_angle_at_optimal=0.3,
    )
    short = dataclasses.replace(sound, name="short", optimal_fiber_length=0.03, default_fiber_length=0.1)
    model = dataclasses.replace(bo.load_model(tmp_path / "p.toml"), muscles=(sound, short))
    bo.save_model(model, tmp_path / "p.toml")
    assert run(setup) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "numbers that no fibre has, up to" in told and "are left out (nan), of short at up to" in told
    assert "name a states_file, or solve for equilibrium" in told
    velocities = bo.load_table(tmp_path / "out" / "try_M_FiberVelocity.sto")
    assert np.isnan(velocities.column("short")).any() and np.isfinite(velocities.column("sound")).all()
    assert len(list((tmp_path / "out").glob("try_M_*.sto"))) == 20


def test_the_mass_centre_is_among_bodies_where_all_or_it_are_asked_for(tmp_path: Path) -> None:
    """OpenSim writes it nowhere else."""
    for bodies, kinds in (
        ("bob", {"bob"}),
        ("center_of_mass", {"center_of_mass"}),
        ("all", {"bob", "center_of_mass"}),
        ("center_of_mass bob", {"bob", "center_of_mass"}),
    ):
        folder = tmp_path / bodies.replace(" ", "_")
        folder.mkdir()
        assert run(study(folder, f"<BodyKinematics name='B'><bodies>{bodies}</bodies></BodyKinematics>")) == 0
        for end in ("pos", "vel", "acc"):
            columns = bo.load_table(folder / "out" / f"try_B_{end}_global.sto").columns
            assert {name.rsplit("_", 1)[0] for name in columns} == kinds


def test_what_needs_no_accelerations_is_written_where_forces_do_not_determine_them(tmp_path, capsys) -> None:
    """OpenSim writes NaN for accelerations of a joint that carries no mass, and all else as it is."""
    point = (
        "<PointKinematics name='P'><body_name>bob</body_name><point_name>tip</point_name></PointKinematics>"
    )
    arms = "<MuscleAnalysis name='M'><compute_moments>true</compute_moments></MuscleAnalysis>"
    setup = study(tmp_path, "<Kinematics name='K'/>" + BODY_KINEMATICS + point + arms)
    ends = (PathPoint("a", "ground", (0.1, 0, 0)), PathPoint("b", "bob", (0, -0.2, 0)))
    muscle = Thelen2003Muscle(
        name="pull",
        path=MusclePath(ends),
        max_isometric_force=100.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.0,
    )
    model = bo.load_model(tmp_path / "p.toml")
    weightless = dataclasses.replace(model.bodies["bob"], mass=0.0, inertia=(0.0, 0.0, 0.0))
    bo.save_model(dataclasses.replace(model, bodies=(weightless,), muscles=(muscle,)), tmp_path / "p.toml")
    assert run(setup) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "Tables of K, B, P, M are written" in told
    assert "tendon_slack_length of muscle 'pull' is zero" in told
    written = {file.name for file in (tmp_path / "out").glob("*.sto")}
    assert written == {
        *("try_K_q.sto", "try_K_u.sto", "try_B_pos_global.sto", "try_B_vel_global.sto"),
        *("try_P_tip_pos.sto", "try_P_tip_vel.sto", "try_M_Length.sto", "try_M_MomentArm_swing.sto"),
    }


def test_kinematics_are_those_of_the_swing(tmp_path: Path) -> None:
    point = (
        "<PointKinematics name='P'><body_name>bob</body_name><point_name>tip</point_name>"
        "<point> 0 -0.4 0</point></PointKinematics>"
    )
    setup = study(
        tmp_path, "<Kinematics name='K'><in_degrees>false</in_degrees></Kinematics>" + point + BODY_KINEMATICS
    )
    assert run(setup) == 0
    w = 2 * np.pi
    speeds = bo.load_table(tmp_path / "out" / "try_K_u.sto")
    rate = 0.3 * w * np.cos(w * speeds.time)
    # The quintic spline at a hundredth of the period.
    np.testing.assert_allclose(speeds.values[:, 0], rate, atol=1e-6)
    tip = bo.load_table(tmp_path / "out" / "try_P_tip_vel.sto")
    assert tip.columns == ("state_0", "state_1", "state_2")
    angle = 0.5 + 0.3 * np.sin(w * tip.time)
    np.testing.assert_allclose(tip.values[:, 0], LENGTH * rate * np.cos(angle), atol=1e-6)
    place = bo.load_table(tmp_path / "out" / "try_B_pos_global.sto")
    assert place.columns[:6] == ("bob_X", "bob_Y", "bob_Z", "bob_Ox", "bob_Oy", "bob_Oz")
    np.testing.assert_allclose(place.column("bob_Oz"), np.degrees(angle), atol=1e-6)
    np.testing.assert_allclose(place.column("center_of_mass_X"), LENGTH * np.sin(angle), atol=1e-6)


@pytest.mark.parametrize(
    ("more", "times"),
    [
        ("", [0.5, 0.8, 1.2, 1.5]),
        # The file's 201 rows become 401 before they are smoothed, a hundred in front.
        (
            "<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>",
            [0.5, 0.6, 1.0, 1.4, 1.5],
        ),
    ],
)
def test_every_fortieth_row_of_the_file_and_the_ends_are_written(tmp_path: Path, more, times) -> None:
    analysis = "<Kinematics name='K'><step_interval>40</step_interval></Kinematics>"
    setup = study(tmp_path, analysis, more)
    assert run(setup) == 0
    np.testing.assert_allclose(bo.load_table(tmp_path / "out" / "try_K_q.sto").time, times)
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    bo.save_model(bo.load_model(tmp_path / "p.toml"), tmp_path / "p.osim")
    setup.write_text(setup.read_text().replace("p.toml", "p.osim").replace(">out<", ">theirs<"))
    assert osim.AnalyzeTool(str(setup)).run()
    theirs = bo.load_table(tmp_path / "theirs" / "try_K_q.sto")
    # The tool's times drift a little.
    np.testing.assert_allclose(theirs.time, times, atol=1e-6)


SPEEDS = "<speeds_file>u.sto</speeds_file>"


def test_speeds_of_a_file_of_their_own_are_those_of_the_motion(tmp_path: Path) -> None:
    """They need not be derivatives of the coordinates: OpenSim's tool believes them, too."""
    analysis = "<Kinematics name='K'><in_degrees>false</in_degrees></Kinematics>"
    setup, given = study(tmp_path, analysis, SPEEDS), 1.0 + TIME**2
    bo.save_table(bo.Table(TIME, ("swing_u",), given[:, None], in_degrees=False), tmp_path / "u.sto")
    assert run(setup) == 0
    ours = bo.load_table(tmp_path / "out" / "try_K_u.sto")
    np.testing.assert_allclose(ours.values[:, 0], 1.0 + ours.time**2, atol=1e-7)
    # Another file of speeds is another input.
    bo.save_table(bo.Table(TIME, ("swing_u",), 2 * given[:, None], in_degrees=False), tmp_path / "u.sto")
    assert run(setup) == 0
    again = bo.load_table(tmp_path / "out" / "try_K_u.sto")
    np.testing.assert_allclose(again.values, 2 * ours.values, atol=1e-7)
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    bo.save_model(bo.load_model(tmp_path / "p.toml"), tmp_path / "p.osim")
    setup.write_text(setup.read_text().replace("p.toml", "p.osim").replace(">out<", ">theirs<"))
    assert osim.AnalyzeTool(str(setup)).run()
    theirs = bo.load_table(tmp_path / "theirs" / "try_K_u.sto")
    np.testing.assert_allclose(again.values, theirs.values, atol=1e-6)


@pytest.mark.parametrize(
    ("column", "n_rows", "says"),
    [("other_u", 201, "no speed of swing"), ("swing_u", 100, "lacks rows of the motion")],
)
def test_a_file_of_speeds_that_lacks_some_is_refused(
    column: str, n_rows: int, says: str, tmp_path: Path, capsys
) -> None:
    setup = study(tmp_path, "<Kinematics name='K'/>", SPEEDS)
    table = bo.Table(TIME[:n_rows], (column,), TIME[:n_rows, None], in_degrees=False)
    bo.save_table(table, tmp_path / "u.sto")
    assert run(setup) != 0
    assert says in capsys.readouterr().err


def test_speeds_beside_another_motion_are_told_and_not_used(tmp_path: Path, capsys) -> None:
    setup = study(tmp_path, "<Kinematics name='K'/>", SPEEDS)
    assert run(setup, "--motion", tmp_path / "swing.sto") == 0
    assert "<speeds_file> is ignored: the motion is not that of the setup" in " ".join(
        capsys.readouterr().err.split()
    )


FILTERED = "<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>"


@pytest.mark.parametrize(("final", "beyond"), [("2.0", False), ("2.4", True)])
def test_instants_that_the_filter_makes_up_are_told(tmp_path: Path, capsys, final: str, beyond: bool) -> None:
    setup = study(tmp_path, "<Kinematics name='K'/>", FILTERED)
    setup.write_text(setup.read_text().replace("<final_time>1.5<", f"<final_time>{final}<"))
    assert run(setup) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert (
        "recording runs from 0 s to 2 s, and 39 of the 191 instants asked for lie outside" in said
    ) == beyond
    # The same rows as OpenSim writes, which knows no end of what it padded.
    assert bo.load_table(tmp_path / "out" / "try_K_q.sto").time[-1] == pytest.approx(float(final))
    assert run(setup, "--mode", "default", "--again") == 0
    assert bo.load_table(tmp_path / "out" / "try_K_q.sto").time[-1] == 2.0


def test_tables_of_a_tool_without_a_name_are_called_as_opensim_calls_them(tmp_path: Path) -> None:
    setup = study(tmp_path, "<Kinematics name='K'/>")
    setup.write_text(setup.read_text().replace(" name='try'", ""))
    assert run(setup) == 0
    assert (tmp_path / "out" / "_K_q.sto").is_file() and (tmp_path / "out" / "analyze_borelli").is_dir()


def test_tables_of_an_analysis_without_a_name_are_called_as_opensim_calls_them(
    tmp_path: Path, capsys
) -> None:
    """Published setups have <MuscleAnalysis> alone, and folders of files that begin with two underscores."""
    analyses = "<Kinematics/><Actuation/><StaticOptimization/>"
    assert (
        run(
            study(
                tmp_path,
                analyses,
                forces=(CoordinateActuator(name="motor", coordinate="swing", optimal_force=50.0),),
            )
        )
        == 0
    )
    written = {file.name for file in (tmp_path / "out").glob("*.sto")}
    ends = ("q", "u", "dudt", "force", "speed", "power", "activation")
    assert written == {f"try__{end}.sto" for end in ends}
    told = " ".join(capsys.readouterr().err.split())
    assert (
        "several analyses of the setup write try__force.sto: the last of them, StaticOptimization, stands there"
        in told
    )
    # The motor holds the pendulum: what Actuation wrote, without a control, would be zero.
    assert np.abs(bo.load_table(tmp_path / "out" / "try__force.sto").column("motor")).max() > 1.0


def test_analyses_of_one_name_have_forces_of_their_own(tmp_path: Path) -> None:
    motor = CoordinateActuator(name="motor", coordinate="swing", optimal_force=50.0)
    for number in (1, 2):
        forces = bo.Table(TIME, ("motor",), np.full((len(TIME), 1), 10.0 * number))
        bo.save_table(forces, tmp_path / f"forces{number}.sto")
    reaction = "<JointReaction name='{0}'><forces_file>forces{1}.sto</forces_file></JointReaction>"
    moments = []
    for names in ("AB", "AA"):
        folder = tmp_path / names
        folder.mkdir()
        for number in (1, 2):
            (folder / f"forces{number}.sto").write_bytes((tmp_path / f"forces{number}.sto").read_bytes())
        analyses = "".join(reaction.format(name, number) for number, name in enumerate(names, start=1))
        assert run(study(folder, analyses, forces=(motor,))) == 0
        table = bo.load_table(folder / "out" / f"try_{names[1]}_ReactionLoads.sto")
        moments.append(table.values)
    np.testing.assert_array_equal(*moments)


def test_times_of_an_analysis_are_not_used_and_that_is_said(tmp_path: Path, capsys) -> None:
    analysis = "<Kinematics name='K'><start_time>0.7</start_time><end_time>0.9</end_time></Kinematics>"
    assert run(study(tmp_path, analysis)) == 0
    assert "start_time and end_time of K are ignored, as in OpenSim" in capsys.readouterr().err
    np.testing.assert_allclose(bo.load_table(tmp_path / "out" / "try_K_q.sto").time[[0, -1]], [0.5, 1.5])


INDUCED = "<InducedAccelerations name='I'><coordinate_names>all</coordinate_names></InducedAccelerations>"


def test_reactions_are_expressed_in_frames_by_every_name_that_opensim_knows_them_by(tmp_path: Path) -> None:
    names = ("bob", "/bodyset/bob", "swing/bob_offset", "/jointset/swing/bob_offset", "Child", "ground")
    setup = study(
        tmp_path,
        f"<JointReaction name='J'><joint_names>{'swing ' * len(names)}</joint_names>"
        f"<express_in_frame>{' '.join(names)}</express_in_frame></JointReaction>",
        turned=True,
    )
    assert run(setup) == 0
    with pytest.warns(BorelliWarning, match="several columns share the label"):
        table = bo.load_table(tmp_path / "out" / "try_J_ReactionLoads.sto")
    shown = [name.rsplit("_", 1)[0] for name in table.columns[::9]]
    assert shown == [
        f"swing_on_bob_in_{axes}" for axes in ("bob", "bob", "bob_offset", "bob_offset", "bob", "ground")
    ]
    force = table.values.reshape(len(table.time), len(names), 9)[:, :, :3]
    np.testing.assert_allclose(force[:, [1, 4]], force[:, [0, 0]], atol=1e-12)
    np.testing.assert_allclose(force[:, 3], force[:, 2], atol=1e-12)
    # The frame of the joint is turned by a quarter on the body: its x axis is the body's y axis.
    np.testing.assert_allclose(force[:, 2, 0], force[:, 0, 1], atol=1e-9)
    np.testing.assert_allclose(force[:, 2, 1], -force[:, 0, 0], atol=1e-9)
    np.testing.assert_allclose(
        np.linalg.norm(force, axis=2), np.linalg.norm(force[:, :1], axis=2) @ np.ones((1, 6))
    )


def test_an_output_that_is_not_supported_leaves_the_others_written(tmp_path: Path, capsys) -> None:
    paths = "/jointset/swing/swing|value /jointset/swing/swing|mood |com_position"
    reporter = f"<OutputReporter name='O'><output_paths>{paths}</output_paths></OutputReporter>"
    assert run(study(tmp_path, reporter)) != 0
    assert "'/jointset/swing/swing|mood' is not supported" in " ".join(capsys.readouterr().err.split())
    table = bo.load_table(tmp_path / "out" / "try_Outputs.sto")
    np.testing.assert_allclose(table.values[:, 0], 0.5 + 0.3 * np.sin(2 * np.pi * table.time), atol=1e-9)
    assert (tmp_path / "out" / "try_OutputsVec3.sto").is_file()


def test_a_reporter_none_of_whose_outputs_is_supported_is_refused(tmp_path: Path, capsys) -> None:
    assert run(study(tmp_path, "<OutputReporter><output_paths>|mood</output_paths></OutputReporter>")) != 0
    assert "'|mood' is not supported" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_mass_centre_is_written_where_no_body_is_named(tmp_path: Path) -> None:
    assert (
        run(
            study(
                tmp_path, "<InducedAccelerations name='I'><body_names> </body_names></InducedAccelerations>"
            )
        )
        == 0
    )
    assert (tmp_path / "out" / "try_I_center_of_mass.sto").is_file()


def test_induced_accelerations_of_a_spring_add_up(tmp_path: Path) -> None:
    spring = CoordinateSpring(name="band", coordinate="swing", stiffness=30.0)
    setup = study(tmp_path, INDUCED, forces=(spring,))
    assert run(setup) == 0
    table = bo.load_table(tmp_path / "out" / "try_I_swing.sto")
    assert table.columns == ("total", "gravity", "velocity", "band")
    np.testing.assert_allclose(table.values[:, 0], table.values[:, 1:].sum(axis=1), atol=1e-8)
    assert np.abs(table.column("band")).max() > 1.0
    assert (tmp_path / "out" / "try_I_center_of_mass.sto").is_file()


def test_what_the_motion_needs_besides_is_provided_in_the_default_mode(tmp_path: Path) -> None:
    assert run(study(tmp_path, INDUCED), "--mode", "default") == 0
    table = bo.load_table(tmp_path / "out" / "try_I_swing.sto")
    assert table.columns == ("total", "gravity", "velocity", "provided")
    expected = -0.3 * (2 * np.pi) ** 2 * np.sin(2 * np.pi * table.time)
    # The quintic spline at a hundredth of the period, in degrees.
    np.testing.assert_allclose(table.column("total"), np.degrees(expected), atol=0.02)


LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="l"><objects><ExternalForce name="sole">
<applied_to_body>bob</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>bob</point_expressed_in_body><force_identifier>f</force_identifier>
<point_identifier>p</point_identifier></ExternalForce></objects><datafile>grf.sto</datafile></ExternalLoads>
</OpenSimDocument>"""


def test_contacts_hold_and_their_reactions_are_written(tmp_path: Path) -> None:
    constraint = "<ConstraintSet><objects><PointConstraint name='c'/></objects></ConstraintSet>"
    more = "<report_constraint_reactions>true</report_constraint_reactions><body_names>bob</body_names>"
    analysis = INDUCED.replace("</Induced", f"{more}{constraint}</Induced")
    setup = study(tmp_path, analysis, "<external_loads_file>grf.xml</external_loads_file>")
    (tmp_path / "grf.xml").write_text(LOADS)
    force = np.tile([0.0, 30.0, 0.0, 0.1, -LENGTH, 0.0], (len(TIME), 1))
    bo.save_table(bo.Table(TIME, ("fx", "fy", "fz", "px", "py", "pz"), force), tmp_path / "grf.sto")
    assert run(setup) == 0
    table = bo.load_table(tmp_path / "out" / "try_I_swing.sto")
    # A pendulum held at a point does not accelerate, whatever pulls; what its speed asks for is left over.
    np.testing.assert_allclose(table.column("gravity"), 0.0, atol=1e-9)
    held = bo.load_table(tmp_path / "out" / "try_I_induced_constraint_reactions.sto")
    assert held.columns[:3] == ("total_c_ground_Fx", "total_c_ground_Fy", "total_c_ground_Fz")
    assert "gravity_c_bob_Mz" in held.columns
    # The moment of the contact about the pin, which is the ground's origin, carries that of the weight.
    angle = 0.5 + 0.3 * np.sin(2 * np.pi * held.time)
    carried = 2.0 * 9.80665 * LENGTH * np.sin(angle)
    np.testing.assert_allclose(held.column("gravity_c_ground_Mz"), carried, atol=1e-4)
    body = bo.load_table(tmp_path / "out" / "try_I_bob.sto")
    assert body.columns[:6] == ("total_X", "total_Y", "total_Z", "total_Ox", "total_Oy", "total_Oz")


def test_contacts_that_do_not_fit_the_loads_are_refused(tmp_path: Path, capsys) -> None:
    constraint = "<ConstraintSet><objects><PointConstraint name='c'/></objects></ConstraintSet>"
    assert run(study(tmp_path, INDUCED.replace("</Induced", f"{constraint}</Induced"))) == 2
    assert "ConstraintSet has 1 constraints for 0 external loads" in capsys.readouterr().err
    other = constraint.replace("PointConstraint", "RodConstraint")
    with pytest.raises(UnsupportedError, match="<RodConstraint> cannot replace an external load"):
        read_setup(study(tmp_path, INDUCED.replace("</Induced", f"{other}</Induced")))


def test_the_result_folder_is_explained_and_the_same_inputs_are_recognised(tmp_path, capsys) -> None:
    setup = study(tmp_path, "<Kinematics name='K'/>")
    assert run(setup) == 0
    assert "Shares add up to their totals" in capsys.readouterr().out
    result = bo.load_result(tmp_path / "out" / "try_borelli")
    assert float(result["closure"]) < 1e-12
    assert bo.explain(result, "swing_moment", at=1.0).closure < 1e-12
    assert run(setup) == 0
    assert "Same inputs as before" in capsys.readouterr().out
    assert run(setup, "--again") == 0
    assert "Shares add up to their totals" in capsys.readouterr().out


def test_a_table_that_was_deleted_is_written_again(tmp_path, capsys) -> None:
    setup = study(tmp_path, "<Kinematics name='K'/>")
    assert run(setup) == 0
    (tmp_path / "out" / "try_K_u.sto").unlink()
    assert run(setup) == 0
    assert "Same inputs as before" not in capsys.readouterr().out
    assert (tmp_path / "out" / "try_K_u.sto").is_file()


def test_other_numbers_in_the_data_of_loads_are_noticed(tmp_path, capsys) -> None:
    setup = study(tmp_path, "<Kinematics name='K'/>", "<external_loads_file>grf.xml</external_loads_file>")
    (tmp_path / "grf.xml").write_text(LOADS)
    columns, sizes = ("fx", "fy", "fz", "px", "py", "pz"), []
    for force in (30.0, 30.0, 60.0):
        rows = np.tile([0.0, force, 0.0, 0.1, -LENGTH, 0.0], (len(TIME), 1))
        bo.save_table(bo.Table(TIME, columns, rows), tmp_path / "grf.sto")
        assert run(setup) == 0
        found = bo.load_result(tmp_path / "out" / "try_borelli")["generalized_force"]
        sizes.append(float(np.abs(found.sel(source="load:sole")).max()))
    assert capsys.readouterr().out.count("Same inputs as before") == 1
    np.testing.assert_allclose(sizes[2], 2 * sizes[0], rtol=1e-12)


def muscle() -> tuple:
    points = (PathPoint("a", "ground", (0.1, 0, 0)), PathPoint("b", "bob", (0, -0.2, 0)))
    return (PathActuator(name="pull", path=MusclePath(points=points)),)


def test_joint_reactions_with_given_forces_follow_newton(tmp_path: Path) -> None:
    tension = np.full(len(TIME), 50.0)
    bo.save_table(bo.Table(TIME, ("pull",), tension[:, None]), tmp_path / "forces.sto")
    analysis = (
        "<JointReaction name='JR'><forces_file>forces.sto</forces_file><joint_names> ALL</joint_names>"
        "<apply_on_bodies> child</apply_on_bodies><express_in_frame> ground</express_in_frame></JointReaction>"
    )
    assert run(study(tmp_path, analysis, forces=muscle())) == 0
    table = bo.load_table(tmp_path / "out" / "try_JR_ReactionLoads.sto")
    assert table.columns[0] == "swing_on_bob_in_ground_fx"
    model, motion = (
        bo.load_model(tmp_path / "p.toml"),
        bo.load_motion(tmp_path / "swing.sto", bo.load_model(tmp_path / "p.toml")),
    )
    motion = motion.instants((motion.time > 0.4999) & (motion.time < 1.5001))
    # No force acts about the pin but gravity and the muscle: the moment about its axis is nothing.
    np.testing.assert_allclose(table.column("swing_on_bob_in_ground_mz"), 0.0, atol=1e-9)
    assert model.path_names == ("pull",)
    assert motion.n_times == len(table.time)


@pytest.mark.parametrize(
    ("analysis", "more", "message"),
    [
        ("<ProbeReporter name='F'/>", "", "<ProbeReporter> is not a supported analysis"),
        (
            "<InducedAccelerations name='I'><compute_potentials_only>true</compute_potentials_only>"
            "</InducedAccelerations>",
            "",
            "option <compute_potentials_only> of InducedAccelerations is not supported",
        ),
        (
            "<Kinematics name='K'/>",
            "<speeds_file>u.sto</speeds_file><lowpass_cutoff_frequency_for_coordinates>6"
            "</lowpass_cutoff_frequency_for_coordinates>",
            "<speeds_file> has unfiltered speeds of coordinates that <lowpass_cutoff",
        ),
    ],
)
def test_what_is_not_supported_is_refused_by_name(analysis, more, message, tmp_path: Path) -> None:
    setup = study(tmp_path, analysis, more)
    with pytest.raises(UnsupportedError, match=message):
        read_setup(setup)
    assert run(setup) == 2
    assert not (tmp_path / "out").exists()


def test_options_that_opensims_analysis_does_not_have_are_told_and_left_alone(tmp_path, capsys) -> None:
    """Of old programs: an option of another analysis, and infinity as Microsoft's C library writes it."""
    odd = "<coordinates> all</coordinates><start_time>-1.#INF00000</start_time><end_time>1.#INF</end_time>"
    assert run(study(tmp_path, f"<BodyKinematics name='B'>{odd}</BodyKinematics>")) == 0
    assert "unknown options are ignored: <BodyKinematics/coordinates>" in capsys.readouterr().err
    assert (tmp_path / "out" / "try_B_pos_global.sto").exists()


def test_a_setup_without_analyses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no analysis that is on"):
        read_setup(study(tmp_path, "<Kinematics name='K'><on>false</on></Kinematics>"))


def test_points_of_unknown_bodies_are_refused(tmp_path: Path, capsys) -> None:
    analysis = (
        "<PointKinematics name='P'><relative_to_body_name>bib</relative_to_body_name></PointKinematics>"
    )
    assert run(study(tmp_path, analysis)) == 2
    assert "'bib' is not a body or frame" in capsys.readouterr().err


def test_a_controller_without_a_file_is_switched_off_as_in_opensim(tmp_path: Path, capsys) -> None:
    controls = "<ControllerSet><objects><ControlSetController name='cmc'/></objects></ControllerSet>"
    assert run(study(tmp_path, INDUCED, controls, forces=muscle())) == 0
    unknown = controls.replace("ControlSetController", "ToyReflexController")
    assert run(study(tmp_path, "<Kinematics name='K'/>", unknown, forces=muscle())) == 2
    assert "controller 'cmc' is a ToyReflexController, which cannot be evaluated" in capsys.readouterr().err
    off = unknown.replace("'cmc'/>", "'cmc'><enabled>false</enabled></ToyReflexController>")
    assert run(study(tmp_path, "<Kinematics name='K'/>", off, forces=muscle())) == 0


def with_muscle(folder: Path, analysis: str) -> Path:
    setup = study(folder, "<Kinematics name='K'/>" + analysis)
    model = bo.load_model(folder / "p.toml")
    points = (PathPoint("a", "ground", (0.1, 0, 0)), PathPoint("b", "bob", (0, -0.2, 0)))
    own = RigidTendonMuscle(
        name="flexor",
        path=MusclePath(points=points),
        max_isometric_force=100.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.1,
    )
    bo.save_model(dataclasses.replace(model, muscles=(own,)), folder / "p.toml")
    return setup


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        (
            "<JointReaction name='J'/>",
            "JointReaction needs muscle forces, which it takes from the muscle states",
        ),
        (
            "<InducedAccelerations name='I'/>",
            "InducedAccelerations needs muscle forces, which it takes from the muscle states",
        ),
    ],
)
def test_what_needs_muscle_states_is_refused_and_the_rest_is_written(analysis, message, tmp_path, capsys):
    setup = with_muscle(tmp_path, analysis)
    assert run(setup) == 2
    assert message in capsys.readouterr().err
    assert sorted(file.name for file in (tmp_path / "out").glob("*.sto")) == [
        f"try_K_{end}.sto" for end in ("dudt", "q", "u")
    ]
    # What is up to date is still not whole.
    assert run(setup) == 2
    assert message in capsys.readouterr().err


def test_muscle_analysis_without_known_states_writes_lengths_and_arms(tmp_path, capsys):
    analysis = "<MuscleAnalysis name='M'><compute_moments>true</compute_moments></MuscleAnalysis>"
    assert run(with_muscle(tmp_path, analysis)) == 0
    assert "MuscleAnalysis writes only lengths and moment arms" in capsys.readouterr().err
    written = {file.name for file in (tmp_path / "out").glob("try_M_*")}
    assert written == {"try_M_Length.sto", "try_M_MomentArm_swing.sto"}


def test_joints_of_a_loop_share_its_load_with_the_constraint(tmp_path: Path) -> None:
    """A linkage that falls: nothing drives its pins, and so they transmit no moment."""
    output = "<output_paths>/jointset/rocker|reaction_on_child</output_paths>"
    setup = study(tmp_path, f"<JointReaction name='J'/><OutputReporter name='O'>{output}</OutputReporter>")
    model = four_bar("point")
    crank = 0.4 + 0.3 * TIME
    start = [model.default_values()[name] for name in model.coordinate_names[1:]]
    q = np.column_stack([crank, *(np.full(len(TIME), value) for value in start)])
    motion = bo.assemble(model, bo.Motion(TIME, model.coordinate_names, q))
    bo.save_model(model, tmp_path / "p.toml")
    bo.save_table(bo.Table(TIME, model.coordinate_names, motion.q, in_degrees=False), tmp_path / "swing.sto")
    assert run(setup) == 0
    table = bo.load_table(tmp_path / "out" / "try_J_ReactionLoads.sto")
    moments = [column for column in table.columns if column.endswith("_mz")]
    assert len(moments) == 3
    assert max(np.abs(table.column(column)).max() for column in moments) < 1e-9
    spatial = bo.load_table(tmp_path / "out" / "try_OutputsSpatialVec.sto")
    force = [table.column(f"rocker_on_rocker_in_ground_f{axis}") for axis in "xyz"]
    np.testing.assert_allclose(spatial.values[:, 0, 3:], np.transpose(force), atol=1e-9)


@pytest.mark.parametrize(("mode", "arm"), [("opensim", 0.5), ("default", 0.0)])
def test_arms_in_a_loop_with_a_choice_are_opensims_least_motion(tmp_path, mode, arm) -> None:
    """Sliders in a row whose end is held: OpenSim 4.6 spreads the motion of the second over its neighbours."""
    setup = study(
        tmp_path, "<MuscleAnalysis name='M'><compute_moments>true</compute_moments></MuscleAnalysis>"
    )
    bo.save_model(two_tied_sliders(), tmp_path / "p.toml")
    places = np.column_stack([0.2 + 0 * TIME, -0.1 + 0 * TIME, -0.1 + 0 * TIME])
    bo.save_table(bo.Table(TIME, ("x0", "x1", "x2"), places, in_degrees=False), tmp_path / "swing.sto")
    assert run(setup, "--mode", mode) == 0
    arms = bo.load_table(tmp_path / "out" / "try_M_MomentArm_x1.sto")
    np.testing.assert_allclose(arms.values, arm, atol=1e-9)


# ------------------------------------------------- OpenSim's own files

CASES = [
    ("gait2354", "setup_id.xml", "id.sto", 1e-8),  # eight decimals are printed
    ("gait2354", "setup_gait2354_JRA.xml", "gait2354_JRA_JointReaction_ReactionLoads.sto", 1e-9),
    # On child and parent, in the axes of ground and of the child body.
    ("gait2392_SO_tutorial", "setup_tut_JRApub.xml", "tut_JRApub_JointReaction_ReactionLoads.sto", 1e-9),
]


@pytest.mark.parametrize(("case", "setup", "output", "tolerance"), CASES)
def test_setup_files_run_unchanged_and_give_opensims_numbers(
    case, setup, output, tolerance, tmp_path
) -> None:
    source = reference(case, "pipeline")
    shutil.copytree(source, tmp_path / "study")
    expected = bo.load_table(source / output)
    (tmp_path / "study" / output).unlink()
    assert run(tmp_path / "study" / setup) == 0
    found = bo.load_table(tmp_path / "study" / output)
    assert found.columns == expected.columns
    assert found.name == expected.name
    np.testing.assert_allclose(found.time, expected.time, atol=1e-7)
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=tolerance)
