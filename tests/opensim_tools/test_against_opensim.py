"""``borelli run`` beside OpenSim's AnalyzeTool on the same setup files: the same files, columns and numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.analyses.muscles.muscle_states import muscle_states
from borelli.cli.main import main
from borelli.model import (
    Body,
    BushingForce,
    CoordinateLimitForce,
    CoordinateSpring,
    DeGrooteFregly2016Muscle,
    Ligament,
    Millard2012EquilibriumMuscle,
    Model,
    PathPoint,
    PinJoint,
    Placement,
    Thelen2003Muscle,
)
from borelli.model import Path as MusclePath

RIGID = ("rigid", "stiff")
"""Muscles with rigid tendons, whose force depends on speed."""
TIME = np.arange(101) / 100
ANGLES = np.stack([0.5 + 0.3 * np.sin(2 * np.pi * TIME), -0.4 + 0.5 * np.cos(3 * np.pi * TIME)], axis=1)
MUSCLES = (
    "<MuscleAnalysis name='M'><step_interval>4</step_interval><muscle_list>all</muscle_list>"
    "<moment_arm_coordinate_list>all</moment_arm_coordinate_list></MuscleAnalysis>"
)
MOTION = (
    "<Kinematics name='K'><in_degrees>true</in_degrees></Kinematics>"
    "<BodyKinematics name='B'><in_degrees>true</in_degrees></BodyKinematics>"
    "<PointKinematics name='P'><body_name>lower</body_name><point_name>tip</point_name>"
    "<point>0.1 -0.4 0.02</point><relative_to_body_name>ground</relative_to_body_name></PointKinematics>"
    "<PointKinematics name='R'><body_name>lower</body_name><point_name>tip</point_name>"
    "<point>0.1 -0.4 0.02</point><relative_to_body_name>upper</relative_to_body_name></PointKinematics>"
    "<BodyKinematics name='L'><express_results_in_body_local_frame>true</express_results_in_body_local_frame>"
    "</BodyKinematics><StatesReporter name='S'/>"
)
REACTIONS = "".join(
    f"<JointReaction name='{on}_{axes}'><joint_names>ALL</joint_names><apply_on_bodies>{on}</apply_on_bodies>"
    f"<express_in_frame>{axes}</express_in_frame></JointReaction>"
    for on in ("child", "parent")
    for axes in ("ground", "child", "parent", "lower")
)
INDUCED = (
    "<InducedAccelerations name='I'><in_degrees>true</in_degrees><coordinate_names>all</coordinate_names>"
    "<body_names>upper lower center_of_mass</body_names></InducedAccelerations>"
)
EQUILIBRIUM = "<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>"


def arm(passive: bool = True) -> Model:
    over = MusclePath(
        (PathPoint("a", "ground", (0.05, 0.02, 0)), PathPoint("b", "upper", (0.03, -0.35, 0.01)))
    )
    across = MusclePath(
        (
            PathPoint("a", "ground", (0.06, -0.05, 0)),
            PathPoint("b", "upper", (0.05, -0.3, 0.01)),
            PathPoint("c", "lower", (0.02, -0.1, -0.01)),
        )
    )
    fibres = {
        "max_isometric_force": 500.0,
        "optimal_fiber_length": 0.12,
        "tendon_slack_length": 0.24,
        "pennation_angle_at_optimal": 0.2,
    }
    muscles = (
        Thelen2003Muscle(name="thelen", path=over, **fibres),
        Thelen2003Muscle(name="long", path=across, **{**fibres, "tendon_slack_length": 0.4}),
        Millard2012EquilibriumMuscle(name="millard", path=over, **fibres),
        Millard2012EquilibriumMuscle(name="undamped", path=over, fiber_damping=0.0, **fibres),
        Millard2012EquilibriumMuscle(name="rigid", path=over, ignore_tendon_compliance=True, **fibres),
        Millard2012EquilibriumMuscle(name="idle", path=over, ignore_activation_dynamics=True, **fibres),
        DeGrooteFregly2016Muscle(name="degroote", path=over, fiber_damping=0.01, **fibres),
        DeGrooteFregly2016Muscle(name="stiff", path=over, ignore_tendon_compliance=True, **fibres),
    )
    turned = Placement.from_angles((0.0, -0.35, 0.01), (0.3, -0.2, 0.1))
    forces = (
        CoordinateSpring(name="torsion", coordinate="elbow", stiffness=4.0, rest=0.2, viscosity=0.2),
        CoordinateLimitForce(
            name="stop",
            coordinate="shoulder",
            upper_limit=0.6,
            upper_stiffness=20.0,
            lower_limit=-0.4,
            lower_stiffness=30.0,
            damping=0.5,
            transition=0.3,
        ),
        Ligament(name="band", path=across, resting_length=0.4, pcsa_force=40.0),
        BushingForce(
            name="cuff",
            first="upper",
            second="lower",
            first_placement=turned,
            rotational_stiffness=(1.0, 2.0, 3.0),
            translational_stiffness=(10.0, 20.0, 30.0),
        ),
    )
    bodies = (
        Body("upper", 2.0, (0.01, -0.2, 0), (0.05, 0.01, 0.05)),
        Body("lower", 1.5, (0, -0.15, 0.01), (0.04, 0.01, 0.04)),
    )
    joints = (
        PinJoint(
            name="shoulder", parent="ground", child="upper", parent_placement=Placement((0.02, 0.03, 0))
        ),
        PinJoint(
            name="elbow",
            parent="upper",
            child="lower",
            parent_placement=turned,
            child_placement=Placement((0.01, 0.02, 0)),
        ),
    )
    return Model(
        name="arm",
        bodies=bodies,
        joints=joints,
        muscles=muscles,
        forces=forces if passive else (),
        gravity=(0, -9.81, 0),
    )


def study(folder: Path, name: str, analyses: str, more: str) -> Path:
    setup = folder / f"{name}.xml"
    setup.write_text(
        f"<OpenSimDocument Version='40000'><AnalyzeTool name='{name}'><model_file>arm.osim</model_file>"
        f"<results_directory>out</results_directory><initial_time>0.2</initial_time>"
        f"<final_time>0.5</final_time>{more}<AnalysisSet><objects>{analyses}</objects></AnalysisSet>"
        "</AnalyzeTool></OpenSimDocument>"
    )
    return setup


def write_states(file: Path) -> None:
    """Coordinates and speeds that need not belong together, activations and fibre lengths, as OpenSim names them."""
    states = {
        "/jointset/shoulder/shoulder/value": ANGLES[:, 0],
        "/jointset/shoulder/shoulder/speed": 1.0 + np.sin(TIME),
        "/jointset/elbow/elbow/value": ANGLES[:, 1],
        "/jointset/elbow/elbow/speed": -0.5 + np.cos(TIME),
    }
    # Near equilibrium, so that tendons are taut and fibres neither rest nor race.
    motion = bo.Motion(TIME, ("shoulder", "elbow"), ANGLES)
    balanced = muscle_states(arm(), motion, equilibrium=True)["fiber_length"]
    for number, muscle in enumerate(arm().muscles):
        if not muscle.ignore_activation_dynamics:
            states[f"/forceset/{muscle.name}/activation"] = 0.2 + 0.05 * number + 0.1 * np.sin(5 * TIME)
        if muscle.name == "degroote":
            states[f"/forceset/{muscle.name}/normalized_tendon_force"] = 0.3 + 0.1 * np.cos(4 * TIME)
        elif not muscle.ignore_tendon_compliance:
            shorter = 0.0015 + 0.0005 * np.cos(9 * TIME)
            states[f"/forceset/{muscle.name}/fiber_length"] = balanced.sel(muscle=muscle.name) - shorter
    states["/forceset/cuff/dissipated_energy"] = 0.1 * TIME
    bo.save_table(
        bo.Table(TIME, tuple(states), np.stack(list(states.values()), axis=1), in_degrees=False), file
    )


CASES = {
    "defaults": ("<coordinates_file>arm.sto</coordinates_file>", MUSCLES + MOTION + REACTIONS),
    "balanced": ("<coordinates_file>arm.sto</coordinates_file>" + EQUILIBRIUM, MUSCLES + MOTION + REACTIONS),
    "states": ("<states_file>states.sto</states_file>", MUSCLES + MOTION + REACTIONS),
    "induced": ("<states_file>states.sto</states_file>", INDUCED),
}


@pytest.fixture(scope="module", params=list(CASES))
def both(request, tmp_path_factory):
    """Folders with what OpenSim wrote, and with what Borelli wrote."""
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    more, analyses = CASES[request.param]
    folders = []
    for who in ("theirs", "ours"):
        folder = tmp_path_factory.mktemp(who)
        # OpenSim counts springs in every column of induced accelerations, so that they do not add up.
        bo.save_model(arm(passive=analyses is not INDUCED), folder / "arm.osim")
        bo.save_table(bo.Table(TIME, ("shoulder", "elbow"), ANGLES, in_degrees=False), folder / "arm.sto")
        write_states(folder / "states.sto")
        setup = study(folder, request.param, analyses, more)
        if who == "theirs":
            assert osim.AnalyzeTool(str(setup)).run()
        else:
            with pytest.raises(SystemExit) as end:
                main(["run", str(setup)])
            assert not end.value.code
        folders.append(folder / "out")
    return folders


def test_the_same_files_are_written(both):
    theirs, ours = (sorted(file.name for file in folder.glob("*.sto")) for folder in both)
    assert ours == theirs


def test_every_table_has_opensims_columns_and_numbers(both):
    for file in sorted(both[0].glob("*.sto")):
        theirs, ours = bo.load_table(file), bo.load_table(both[1] / file.name)
        assert ours.columns == theirs.columns, file.name
        assert (ours.name, ours.in_degrees) == (theirs.name, theirs.in_degrees), file.name
        np.testing.assert_allclose(ours.time, theirs.time, atol=1e-7)
        # Eight decimals are printed; equilibria end within 1e-8 of the maximum force, some 1e-5 N, which
        # light bodies feel as 1e-4 rad/s² (in degrees).
        size = max(1.0, float(np.abs(theirs.values).max()))
        loose = 2e-5 if "balanced" in file.name else 1e-8
        same = [not (file.name.startswith("induced") and name.startswith(RIGID)) for name in theirs.columns]
        np.testing.assert_allclose(
            ours.values[:, same], theirs.values[:, same], atol=loose * size, err_msg=file.name
        )


@pytest.mark.parametrize("both", ["induced"], indirect=True)
def test_induced_accelerations_add_up_where_opensims_do_not(both):
    """OpenSim takes the force of each muscle at rest and the total in motion; with rigid tendons they differ."""
    theirs, ours = (bo.load_table(folder / "induced_I_shoulder.sto") for folder in both)
    gap, own_gap = (np.abs(t.column("total") - t.values[:, 1:].sum(axis=1)).max() for t in (theirs, ours))
    assert gap > 1.0
    assert own_gap < 1e-6


@pytest.mark.parametrize(
    ("excluded", "told"),
    [
        ("Muscles", ""),
        ("ALL", ""),
        ("muscles cuff", ""),
        ("ACTUATORS", ""),
        ("", "their forces at default activation are included"),
        ("Muscles quadriceps", "names forces that the model does not have: quadriceps"),
    ],
)
def test_inverse_dynamics_counts_the_forces_that_are_not_excluded(
    excluded, told, tmp_path, capsys, monkeypatch
):
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    bo.save_model(arm(), tmp_path / "arm.osim")
    bo.save_table(bo.Table(TIME, ("shoulder", "elbow"), ANGLES, in_degrees=False), tmp_path / "arm.sto")
    setup = tmp_path / "id.xml"
    setup.write_text(
        "<OpenSimDocument Version='40000'><InverseDynamicsTool name='id'><results_directory>out</results_directory>"
        "<model_file>arm.osim</model_file><time_range>0.2 0.5</time_range>"
        f"<forces_to_exclude>{excluded}</forces_to_exclude><coordinates_file>arm.sto</coordinates_file>"
        "<output_gen_force_file>id.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>"
    )
    monkeypatch.chdir(tmp_path)
    assert osim.InverseDynamicsTool(str(setup)).run()
    theirs = bo.load_table(tmp_path / "out" / "id.sto")
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["run", str(setup), "--out", str(tmp_path / "ours.sto")])
    assert not end.value.code
    assert told in capsys.readouterr().err
    ours = bo.load_table(tmp_path / "ours.sto")
    assert ours.columns == theirs.columns
    # Eight decimals are printed.
    np.testing.assert_allclose(ours.values, theirs.values, atol=1e-8)
