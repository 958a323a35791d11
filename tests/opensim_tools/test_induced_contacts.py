"""``borelli run`` beside OpenSim's InducedAccelerations with constraints in the place of the loads."""

from __future__ import annotations

import dataclasses
import shutil

import numpy as np
import pytest

import borelli as bo
from borelli.analyses.muscles.muscle_states import muscle_states
from borelli.cli.main import main
from borelli.model import Attitude, FreeJoint
from tests.opensim_tools.walker import POINT, floating, walker, write_study
from tests.shared_data import reference

FREE = "<friction_coefficient>{}</friction_coefficient><contact_radius>{}</contact_radius>"
# OpenSim prints eight decimals; accelerations are some hundred, and mass matrices have conditions of 1e3.
CLOSE = {"rtol": 1e-8, "atol": 1e-6}


@pytest.fixture(scope="module")
def osim():
    module = pytest.importorskip("opensim")
    module.Logger.setLevelString("Off")
    return module


def tables(setup):
    return {
        file.stem.removeprefix("walk_I_"): bo.load_table(file)
        for file in (setup.parent / "out").glob("*.sto")
    }


def theirs(osim, setup):
    assert osim.AnalyzeTool(str(setup)).run()
    return tables(setup)


def ours(setup, *options):
    with pytest.raises(SystemExit) as end:
        main(["run", str(setup), *options])
    assert not end.value.code
    return tables(setup)


def assert_equal_tables(found, expected):
    assert found.keys() == expected.keys()
    for name, table in expected.items():
        assert found[name].columns == table.columns, name
        np.testing.assert_allclose(found[name].values, table.values, **CLOSE, err_msg=name)


@pytest.mark.parametrize(
    ("friction", "radius"), [(1e9, 1e9), (0.5, 0.01), (1.0, 0.02), (1.5, 0.001), (3.0, 0.1)]
)
def test_rolling_feet_have_opensims_columns_whatever_lets_go(osim, tmp_path, friction, radius):
    model, options = walker(floating()), FREE.format(friction, radius)
    expected = theirs(osim, write_study(tmp_path / "theirs", model, "rolling", options))
    assert_equal_tables(ours(write_study(tmp_path / "ours", model, "rolling", options)), expected)


def test_rolling_lets_go_in_every_way_in_these_instants(tmp_path):
    """Else the comparison above would say nothing about the conditions."""
    ways = set()
    for friction, radius in [(0.5, 0.01), (1.5, 0.001), (3.0, 0.1)]:
        setup = write_study(tmp_path / "ours", walker(floating()), "rolling", FREE.format(friction, radius))
        table = ours(setup)["induced_constraint_reactions"]
        for side in ("right", "left"):
            force = np.stack([table.column(f"total_{side}_ground_F{axis}") for axis in "xyz"], axis=1)
            ways |= set(map(tuple, np.abs(force) > 1e-9))
    # All holds, the pressure alone, nothing.
    assert ways >= {(True, True, True), (False, True, False), (False, False, False)}


def test_with_the_default_mode_a_foot_neither_slips_nor_leaves_the_ground(tmp_path):
    """What is between feet and ground is then the plain constraint."""
    setup = write_study(tmp_path, walker(floating()), "rolling")
    table = ours(setup, "--mode", "default")["induced_constraint_reactions"]
    loaded = table.time < 0.5
    assert np.all(np.abs(table.column("total_left_ground_Fx")[loaded]) > 1e-6)


def test_opensims_point_constraint_acts_where_its_file_says_and_not_at_the_load(osim, tmp_path):
    """It writes the place of the load into properties, after the constraint was made from them."""
    model = walker(floating())
    place = "<location_body_2>{} {} {}</location_body_2>".format(*POINT)
    expected = ours(write_study(tmp_path / "ours", model, "point"))
    # A point that does not move in the foot can be written into the file. Then both agree.
    assert_equal_tables(expected, theirs(osim, write_study(tmp_path / "told", model, "point", place)))
    untold = theirs(osim, write_study(tmp_path / "untold", model, "point"))
    gap = np.abs(untold["ty"].column("gravity") - expected["ty"].column("gravity"))
    assert gap.max() > 0.1


def test_opensims_weld_constraint_ends_with_an_error_and_ours_holds_the_foot(osim, tmp_path):
    model = walker(floating())
    with pytest.raises(RuntimeError, match="Component has no underlying System"):
        osim.AnalyzeTool(str(write_study(tmp_path / "theirs", model, "weld"))).run()
    foot = ours(write_study(tmp_path / "ours", model, "weld"))["right_foot"]
    for axis in ("X", "Y", "Z", "Ox", "Oy", "Oz"):
        np.testing.assert_allclose(foot.column(f"gravity_{axis}"), 0.0, atol=1e-8)


def test_loads_below_the_threshold_are_lost_in_opensim_and_have_columns_here(osim, tmp_path):
    found = []
    for who in ("theirs", "ours"):
        setup = write_study(tmp_path / who, walker(floating()), "rolling")
        high = "<force_threshold>300</force_threshold><ConstraintSet>"
        setup.write_text(setup.read_text().replace("<ConstraintSet>", high))
        found.append((theirs(osim, setup) if who == "theirs" else ours(setup))["ty"])
    assert found[1].columns == (*found[0].columns, "right", "left")
    np.testing.assert_allclose(found[1].values[:, 1:-2], found[0].values[:, 1:], **CLOSE)
    loads = found[1].values[:, -2:].sum(axis=1)
    assert np.abs(loads).min() > 1.0
    np.testing.assert_allclose(found[1].column("total") - loads, found[0].column("total"), **CLOSE)


def misread(q):
    """Posture of a free joint whose three angles and three translations are taken for a quaternion."""
    from scipy.spatial.transform import Rotation

    out = q.copy()
    out[:, :3] = Rotation.from_quat(q[:, :4], scalar_first=True).as_euler("XYZ")
    out[:, 3:6] = np.concatenate([q[:, 4:6], np.zeros((len(q), 1))], axis=1)
    return out


@pytest.mark.filterwarnings("ignore:.*would move at up to:borelli.errors.BorelliWarning")  # default fibres
def test_opensim_misreads_the_posture_of_free_joints(osim, tmp_path):
    """Its analysis makes a new state, in which ball and free joints go by quaternions, and copies the angles in."""
    model = walker(FreeJoint(name="root", parent="ground", child="trunk", attitude=Attitude.ANGLES))
    setup = write_study(tmp_path, model, "rolling", FREE.format(1e9, 1e9))
    text = setup.read_text().replace("<external_loads_file>grf.xml</external_loads_file>", "")
    start, end = text.index("<ConstraintSet>"), text.index("</ConstraintSet>")
    setup.write_text(text[:start] + "<ConstraintSet>" + text[end:])
    table = theirs(osim, setup)["right_foot"]
    found = np.stack([table.column(f"right_flexor_{axis}") for axis in "XYZ"], axis=1)
    motion = bo.load_motion(tmp_path / "walk.sto", model, mode="opensim", time_range=(0.1, 0.9))
    rows = np.searchsorted(motion.time, table.time - 1e-6)
    force = muscle_states(model, motion)["tendon_force"].values[rows]
    shares = []
    for q in (misread(motion.q[rows]), motion.q[rows]):
        still = np.zeros((len(rows), len(model.speed_names)))
        posture = bo.Motion(motion.time[rows], motion.coordinates, q, still, still, model.speed_names)
        tensions = dict(zip(model.muscle_names, force.T, strict=True))
        caused = bo.induced(model, posture, tensions=tensions, bodies=["right_foot"])
        shares.append(caused["body_acceleration"].sel(body="right_foot", source="muscle:right_flexor").values)
    np.testing.assert_allclose(found, shares[0], **CLOSE)
    assert np.abs(found - shares[1]).max() > 1.0


def test_opensim_turns_accelerations_of_translations_into_degrees(osim, tmp_path):
    model, options = walker(floating()), FREE.format(1e9, 1e9)
    expected = theirs(osim, write_study(tmp_path / "theirs", model, "rolling", options, in_degrees=True))
    found = ours(write_study(tmp_path / "ours", model, "rolling", options, in_degrees=True))
    np.testing.assert_allclose(found["rx"].values, expected["rx"].values, rtol=1e-8, atol=1e-4)
    np.testing.assert_allclose(np.degrees(found["ty"].values), expected["ty"].values, rtol=1e-8, atol=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "left_foot</rolling_body>",
            "left_leg</rolling_body>",
            "holds 'left_leg', but the load 'left' that it",
        ),
        (
            "<rolling_body>left_foot</rolling_body>",
            "<socket_rolling_body>/bodyset/left_leg</socket_rolling_body>",
            "holds 'left_leg', but the load 'left' that it",
        ),
        (
            "<surface_body>ground",
            "<surface_body>trunk",
            "holds a body on 'trunk': only a constraint to ground",
        ),
        (
            "<surface_body>",
            "<surface_normal>0 0 1</surface_normal><surface_body>",
            "is not 0 1 0: only level",
        ),
        (
            "0.5</friction",
            "-0.5</friction",
            "the friction of a rolling contact is -0.5, and must not be negative",
        ),
    ],
)
def test_constraints_that_cannot_take_the_place_of_a_load_are_refused(tmp_path, capsys, old, new, message):
    setup = write_study(tmp_path, walker(floating()), "rolling", FREE.format(0.5, 0.01))
    setup.write_text(setup.read_text().replace(old, new))
    with pytest.raises(SystemExit) as end:
        main(["run", str(setup)])
    assert end.value.code == 2
    assert message in capsys.readouterr().err.replace("\n", " ")
    assert not (tmp_path / "out").exists()


def test_a_walking_subject_has_opensims_columns(osim, tmp_path):
    """Ten coordinates, eighteen muscles in equilibrium, forces from plates, uneven steps of time."""
    for name in ("subject01.osim", "ik.mot", "subject01_walk_grf.xml", "subject01_walk_grf.mot"):
        shutil.copy(reference("gait10dof18musc", "pipeline", name), tmp_path)
    feet = "".join(
        f"<RollingOnSurfaceConstraint name='{side}'><rolling_body>calcn_{side}</rolling_body>"
        "<surface_body>ground</surface_body></RollingOnSurfaceConstraint>"
        for side in "rl"
    )
    setup = tmp_path / "setup.xml"
    setup.write_text(
        "<OpenSimDocument Version='20302'><AnalyzeTool name='walk'><model_file>subject01.osim</model_file>"
        "<results_directory>out</results_directory><coordinates_file>ik.mot</coordinates_file>"
        "<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>"
        "<external_loads_file>subject01_walk_grf.xml</external_loads_file><initial_time>0.7</initial_time>"
        "<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>"
        "<final_time>1.3</final_time><AnalysisSet><objects><InducedAccelerations name='I'>"
        "<step_interval>10</step_interval><coordinate_names>all</coordinate_names>"
        f"<ConstraintSet><objects>{feet}</objects></ConstraintSet></InducedAccelerations>"
        "</objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"
    )
    expected, found = theirs(osim, setup), ours(setup)
    assert found.keys() == expected.keys()
    for name, table in expected.items():
        own = found[name]
        # The swinging foot is now and then below the threshold, where its load has columns of its own.
        assert own.columns[: len(table.columns)] == table.columns
        np.testing.assert_allclose(own.time, table.time, atol=1e-6)
        acting = [c for c in table.columns if not c.startswith("total")]
        same = [table.columns.index(c) for c in acting]
        if name in ("pelvis_tx", "pelvis_ty"):
            table = dataclasses.replace(table, values=np.radians(table.values))
        # Equilibria of muscles end within some 1e-7 of the maximum force.
        np.testing.assert_allclose(
            own.values[:, same], table.values[:, same], atol=1e-6 * np.abs(table.values).max(), err_msg=name
        )
