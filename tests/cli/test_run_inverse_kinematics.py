"""``borelli run`` on setup files of OpenSim's inverse-kinematics tool, and ``borelli ik`` without one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import BorelliWarning, FileFormatError, UnknownNameError
from borelli.io.setups.setup_xml import read_tool
from borelli.io.tables.trc import write_trc
from borelli.results.labelled.table import Cell, Table
from borelli.results.labelled.time_range import rows_between

from ..analyses.marked_body import marked_body, recorded, swing
from ..shared_data import ABSENT, DATA

MODEL = marked_body()
TIME = np.arange(11) / 100
MOTION = swing(MODEL, TIME)


def study(folder: Path, tool: str = "InverseKinematicsTool", tasks: str = "", **changes: str) -> Path:
    """Write a model, its markers and a setup file; return the setup's path."""
    bo.save_model(MODEL, folder / "body.toml")
    markers = recorded(MODEL, MOTION)
    names = tuple(str(n) for n in markers["marker"].values)
    table = Table(TIME, names, 1000.0 * markers.values, ("mm",) * len(names), cells=Cell.VEC3)
    write_trc(table, folder / "walk.trc")
    settings = {
        "results_directory": "./Results",
        "model_file": "body.toml",
        "marker_file": "walk.trc",
        "coordinate_file": "Unassigned",
        "output_motion_file": "Results/walk_ik.mot",
        "report_marker_locations": "true",
        **changes,
    }
    inside = "".join(f"<{tag}>{text}</{tag}>" for tag, text in settings.items())
    setup = folder / "setup.xml"
    setup.write_text(
        f'<OpenSimDocument Version="40000"><{tool} name="walk"><IKTaskSet><objects>{tasks}</objects></IKTaskSet>'
        f"{inside}</{tool}></OpenSimDocument>"
    )
    return setup


def task(kind: str, name: str, **options: object) -> str:
    inside = "".join(f"<{tag}>{text}</{tag}>" for tag, text in options.items())
    return f'<IK{kind}Task name="{name}">{inside}</IK{kind}Task>'


def all_markers() -> str:
    return "".join(task("Marker", marker.name, weight=1) for marker in MODEL.markers)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return int(end.value.code or 0)


def test_the_tables_have_the_tools_names_columns_and_units(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert run("run", study(tmp_path)) == 0
    table = bo.load_table(tmp_path / "Results" / "walk_ik.mot")
    assert table.name == "Coordinates"
    assert table.in_degrees
    assert table.columns == MODEL.coordinate_names
    np.testing.assert_allclose(table.time, TIME)
    turns = np.array([c.unit == "rad" for c in MODEL.coordinates])
    # A recording in millimetres has round-off of 1e-16 m and more.
    np.testing.assert_allclose(table.values, np.where(turns, np.degrees(MOTION.q), MOTION.q), atol=1e-7)
    errors = bo.load_table(tmp_path / "Results" / "walk_ik_marker_errors.sto")
    assert errors.columns == ("total_squared_error", "marker_error_RMS", "marker_error_max")
    assert np.abs(errors.values).max() < 1e-9
    places = bo.load_table(tmp_path / "Results" / "walk_ik_model_marker_locations.sto")
    assert places.columns[:3] == ("pelvis_0_tx", "pelvis_0_ty", "pelvis_0_tz")
    np.testing.assert_allclose(places.values[:, :3], recorded(MODEL, MOTION).values[:, 0], atol=1e-9)
    said = capsys.readouterr().out
    assert "11 of 11 instants, 18 markers, 0 sensors" in said
    assert "optimality" in said
    result = bo.load_result(tmp_path / "Results" / "walk_ik_borelli")
    np.testing.assert_allclose(result["q"], MOTION.q, atol=1e-9)
    assert run("run", tmp_path / "setup.xml") == 0
    assert "up to date" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["walk_ik.mot", "walk_ik_marker_errors.sto"])
def test_a_table_that_was_overwritten_is_written_again(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Also by numbers of another program, in a file of the same size."""
    setup, table = study(tmp_path), tmp_path / "Results" / name
    assert run("run", setup) == 0
    good = table.read_bytes()
    for damage in (b"junk", good.replace(b"1", b"2")):
        table.write_bytes(damage)
        capsys.readouterr()
        assert run("run", setup) == 0
        assert "up to date" not in capsys.readouterr().out
        assert table.read_bytes() == good


def test_tasks_weigh_markers_and_coordinates(tmp_path: Path) -> None:
    wanted = task("Coordinate", "knee_r", weight=1e6, value_type="manual_value", value=0.05)
    idle = task("Coordinate", "knee_l", weight=1e6, apply="false") + task(
        "Marker", "pelvis_1", apply="false", weight=9
    )
    setup = study(
        tmp_path, tasks=all_markers() + wanted + idle, report_errors="false", report_marker_locations="false"
    )
    assert run("run", setup) == 0
    table = bo.load_table(tmp_path / "Results" / "walk_ik.mot")
    knee = np.radians(table.values[:, table.columns.index("knee_r")])
    np.testing.assert_allclose(knee, 0.05, atol=1e-5)
    other = np.radians(table.values[:, table.columns.index("knee_l")])
    # A task that is switched off does not draw the other knee to its default, zero.
    assert other.max() < -0.5
    assert not (tmp_path / "Results" / "walk_ik_marker_errors.sto").exists()


def test_a_misspelt_tool_without_a_time_range_takes_all_of_the_recording(tmp_path: Path) -> None:
    setup = study(tmp_path, "InverseKinemtaticsTool")
    with pytest.warns(BorelliWarning, match="<InverseKinemtaticsTool> is read as <InverseKinematicsTool>"):
        settings = read_tool(setup)
    assert settings.time_range == (-np.inf, np.inf)


def test_rows_are_those_nearest_to_the_time_range() -> None:
    time = np.array([0.6, 0.61, 0.62, 0.63])
    assert rows_between(time, (0.605, 0.625), "x") == slice(1, 4)
    assert rows_between(time, (-9.0, 0.6149), "x") == slice(0, 2)
    assert rows_between(time, (-np.inf, np.inf), "x") == slice(0, 4)
    with pytest.raises(bo.BorelliError, match=r"there is no data from 2 s to 3 s: .* 0.6 s to 0.63 s"):
        rows_between(time, (2.0, 3.0), "x")


def test_what_the_setup_gets_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        FileFormatError, match="'knee_r' takes its values from a file, but the setup names none"
    ):
        read_tool(study(tmp_path, tasks=task("Coordinate", "knee_r", weight=1, value_type="from_file")))
    from borelli.opensim_tools.inverse_kinematics import run_inverse_kinematics

    with pytest.raises(UnknownNameError, match="'knee_x' is not a coordinate"):
        run_inverse_kinematics(read_tool(study(tmp_path, tasks=task("Coordinate", "knee_x", weight=1))))
    with pytest.warns(
        BorelliWarning, match="the model does not have these markers, so their tasks are ignored: 'nose'"
    ):
        run_inverse_kinematics(
            read_tool(study(tmp_path, tasks=task("Marker", "nose", weight=1) + all_markers()))
        )


def test_the_command_needs_no_setup(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    study(tmp_path)
    out = tmp_path / "walk.mot"
    files = (tmp_path / "body.toml", tmp_path / "walk.trc")
    assert run("ik", *files, "--out", out, "--from-s", 0.02, "--weight", "pelvis_0=3") == 0
    table = bo.load_table(out)
    assert table.time[0] == pytest.approx(0.02)
    assert "9 of 9 instants" in capsys.readouterr().out
    assert run("ik", *files, "--weight", "pelvis_0") == 2
    assert "'pelvis_0' is not a marker and its weight" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_a_trial_begins_with_markers(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    study(tmp_path)
    common = ("analyze", tmp_path / "body.toml", "--muscles", "none", "--out")
    assert run(*common, tmp_path / "a", "--markers", tmp_path / "walk.trc") == 0
    assert "Motion from 18 markers, 0.0 mm off on average" in capsys.readouterr().out
    bo.save_motion(bo.Motion(TIME, MOTION.coordinates, MOTION.q), MODEL, tmp_path / "walk.mot")
    assert run(*common, tmp_path / "b", "--motion", tmp_path / "walk.mot") == 0
    one, two = (bo.load_result(tmp_path / name)["total_generalized_force"] for name in "ab")
    # Second differences of coordinates that are known to 1e-12 rad, a hundredth of a second apart.
    np.testing.assert_allclose(one, two, atol=1e-5 * float(np.abs(two).max()))
    assert run(*common, tmp_path / "c") == 2
    assert "give either a motion or markers" in capsys.readouterr().err
    assert run(*common, tmp_path / "c", "--motion", "x.mot", "--markers", "x.trc") == 2


@pytest.mark.parametrize("case", ["gait2354_fromfile", "core_subject01"])
@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_setups_of_opensim_give_the_optimum(case: str, tmp_path: Path) -> None:
    folder = DATA / "ik" / "ik" / case
    if not folder.is_dir():
        pytest.skip(ABSENT)
    stored = np.load(folder / "ref.npz")
    assert run("run", folder / "setup_ik_1e-05.xml", "--out", tmp_path) == 0
    table = bo.load_table(tmp_path / "ik.mot")
    assert table.columns == tuple(str(n) for n in stored["coord_names"])
    np.testing.assert_allclose(table.time, stored["time"], atol=1e-6)
    turns = stored["coord_rotational"].astype(bool)
    q = np.where(turns, np.radians(table.values), table.values)
    # Weakly seen angles agree to some 1e-6 rad where the references are optimal to 1e-9.
    np.testing.assert_allclose(q, stored["q_optimum"], atol=2e-6)
