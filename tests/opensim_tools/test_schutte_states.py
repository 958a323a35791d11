"""Muscles of Schutte's class: the AnalyzeTool takes their forces from their states, as OpenSim does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.opensim_tools.static_pose import write_static_pose
from tests.opensim_tools.test_refusals import run

ANALYSES = (
    "<JointReaction name='R'/><ForceReporter name='F'/><Actuation name='A'/>"
    "<StatesReporter name='S'/><Kinematics name='K'/>"
    "<MuscleAnalysis name='M'><compute_moments>false</compute_moments></MuscleAnalysis>"
)
TIME = np.linspace(0.0, 1.0, 6)
ANGLE, SPEED = 0.4 * np.sin(3.0 * TIME), 1.2 * np.cos(3.0 * TIME)
STATES = {
    "/jointset/swing/swing/value": ANGLE,
    "/jointset/swing/swing/speed": SPEED,
    "/forceset/front/activation": 0.1 + 0.5 * TIME,
    "/forceset/front/fiber_length": 0.1085 - 0.03 * TIME + 0.03 * TIME**2 - 0.001 * (np.arange(6) % 2),
    "/forceset/back/activation": 0.6 - 0.5 * TIME,
    "/forceset/back/fiber_length": 0.104 + 0.005 * TIME,
}
# Of OpenSim 4.6 at 0, 0.2, … s (N): the fibres of the states, and fibres in equilibrium with the activations.
OPENSIM = {
    "false": {
        "front": [109.598561, 0.0, 0.0, 0.0, 0.0, 32.729387],
        "back": [3.599089, 1015.799204, 1412.571399, 1280.097487, 675.809067, 0.0],
    },
    "true": {
        "front": [81.5903, 140.8121, 199.4090, 263.0421, 337.2439, 422.7285],
        "back": [531.7075, 430.8421, 359.7308, 299.4596, 229.2368, 134.2906],
    },
}


def arm() -> bm.Model:
    def muscle(name: str, x: float, **sizes: float) -> bm.Schutte1993Muscle:
        points = [
            bm.PathPoint(f"{name}-P1", "ground", (x, 0.1, 0)),
            bm.PathPoint(f"{name}-P2", "forearm", (0.6 * x, -0.2, 0)),
        ]
        return bm.Schutte1993Muscle(name=name, path=bm.Path(points), **sizes)

    return bm.Model(
        name="arm",
        bodies=[bm.Body("forearm", 1.5, com=(0, -0.2, 0), inertia=(0.02, 0.002, 0.02))],
        joints=[bm.PinJoint(name="swing", parent="ground", child="forearm")],
        muscles=[
            muscle(
                "front",
                0.04,
                max_isometric_force=700.0,
                optimal_fiber_length=0.11,
                tendon_slack_length=0.19,
                time_scale=0.13,
                damping=0.07,
                max_contraction_velocity=8.0,
            ),
            muscle(
                "back",
                -0.05,
                max_isometric_force=900.0,
                optimal_fiber_length=0.09,
                tendon_slack_length=0.2,
                pennation_angle_at_optimal=0.3,
            ),
        ],
    )


def write(folder: Path, balanced: str = "false", with_states: bool = True) -> Path:
    bo.save_model(arm(), folder / "arm.osim")
    columns = STATES if with_states else {"swing": ANGLE}
    rows = np.column_stack([TIME, *columns.values()])
    lines = ["\t".join(map(repr, row)) for row in rows.tolist()]
    head = f"motion\nversion=1\nnRows=6\nnColumns={rows.shape[1]}\ninDegrees=no\nendheader\n"
    (folder / "motion.sto").write_text(head + "\t".join(["time", *columns]) + "\n" + "\n".join(lines) + "\n")
    kind = "states_file" if with_states else "coordinates_file"
    (folder / "setup.xml").write_text(
        "<OpenSimDocument Version='40000'><AnalyzeTool name='an'><model_file>arm.osim</model_file>"
        "<results_directory>out</results_directory><output_precision>12</output_precision>"
        "<initial_time>0</initial_time><final_time>1</final_time>"
        f"<solve_for_equilibrium_for_auxiliary_states>{balanced}</solve_for_equilibrium_for_auxiliary_states>"
        f"<{kind}>motion.sto</{kind}><AnalysisSet><objects>{ANALYSES}</objects></AnalysisSet>"
        "</AnalyzeTool></OpenSimDocument>"
    )
    return folder / "setup.xml"


@pytest.mark.parametrize("balanced", ["false", "true"])
def test_forces_follow_from_the_states(tmp_path, balanced, capsys):
    assert run(write(tmp_path, balanced)) == 0
    table = bo.load_table(tmp_path / "out" / "an_F_forces.sto")
    assert table.columns == ("front", "back")
    for name, expected in OPENSIM[balanced].items():
        # OpenSim's equilibrium is one within a hundredth of a newton.
        np.testing.assert_allclose(table.column(name), expected, atol=0.02 if balanced == "true" else 1e-5)
    told = capsys.readouterr().err
    assert "not known" not in told and "of no length" not in told


@pytest.mark.parametrize("balanced", ["false", "true"])
def test_all_tables_are_those_of_opensim(tmp_path, balanced, monkeypatch):
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    setup = write(tmp_path, balanced)
    monkeypatch.chdir(tmp_path)
    assert osim.AnalyzeTool("setup.xml").run()
    (tmp_path / "out").rename(tmp_path / "theirs")
    assert run(setup) == 0
    compared = 0
    for file in sorted((tmp_path / "theirs").glob("*.sto")):
        theirs, ours = bo.load_table(file), bo.load_table(tmp_path / "out" / file.name)
        assert ours.columns == theirs.columns and np.isfinite(ours.values).all()
        if np.isnan(theirs.values).all():
            continue  # OpenSim's class has no fibre force, and no powers.
        size = max(1.0, float(np.abs(theirs.values).max()))
        atol = 1e-10 * size if balanced == "false" else 5e-5 * size
        np.testing.assert_allclose(ours.values, theirs.values, atol=atol, err_msg=file.name)
        compared += 1
    assert compared >= 18


def test_fibres_without_a_length_are_named(tmp_path, capsys):
    """OpenSim's class has no default fibre length: tendons bear the whole path, with many times the largest force."""
    run(write(tmp_path, with_states=False))
    assert "fibres of no length: front, back" in capsys.readouterr().err
    forces = bo.load_table(tmp_path / "out" / "an_F_forces.sto")
    states = bo.load_table(tmp_path / "out" / "an_S_states.sto")
    # OpenSim 4.6: 16398.607890 and 18110.535098 N in the first instant.
    np.testing.assert_allclose(forces.values[0], [16398.607890, 18110.535098], rtol=1e-8)
    assert not states.column("/forceset/back/fiber_length").any()


@pytest.mark.filterwarnings(
    "ignore:.*would move at up to:borelli.errors.BorelliWarning"
)  # as fast as it takes
def test_powers_add_up():
    model = arm()
    motion = bo.Motion(TIME, ("swing",), ANGLE[:, None], SPEED[:, None], 0.0 * SPEED[:, None])
    found = bo.muscle_states(
        model,
        motion,
        activation={
            "front": STATES["/forceset/front/activation"],
            "back": STATES["/forceset/back/activation"],
        },
        fiber_length={"front": np.full(6, 0.105), "back": np.full(6, 0.105)},
    )
    total = found["fiber_active_power"] + found["fiber_passive_power"] + found["tendon_power"]
    np.testing.assert_allclose(total, found["muscle_power"], atol=1e-9)
    np.testing.assert_allclose(
        found["fiber_force"] * np.cos(found["pennation_angle"]), found["tendon_force"], atol=1e-9
    )


def test_one_note_says_whose_accelerations_are_written(tmp_path, capsys):
    """Of a class that is not known, the forces cause nothing; a second note used to say that they do."""
    setup = write(tmp_path)
    model = tmp_path / "arm.osim"
    model.write_text(model.read_text().replace("Schutte1993Muscle_Deprecated", "Delp1990Muscle_Deprecated"))
    setup.write_text(setup.read_text().replace("<JointReaction name='R'/>", ""))
    assert run(setup) == 2
    told = capsys.readouterr().err
    assert told.count("accelerations are those") == 1 and "those of the motion, not those caused" in told
    # ForceReporter and Actuation were not made for the same reason, which is said once.
    assert told.rpartition("UnsupportedError")[2].count("are not known") == 1


def test_a_static_pose_has_the_states(tmp_path):
    """OpenSim's MarkerPlacer writes them as they are by default: zero."""
    rest = bo.Motion(np.zeros(1), ("swing",), np.zeros((1, 1)))
    write_static_pose(arm(), rest, tmp_path / "pose.mot")
    table = bo.load_table(tmp_path / "pose.mot")
    for name in ("front", "back"):
        assert table.column(f"/forceset/{name}/activation").tolist() == [0.0]
        assert table.column(f"/forceset/{name}/fiber_length").tolist() == [0.0]
