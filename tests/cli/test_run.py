"""``borelli run`` on a setup file of OpenSim's inverse-dynamics tool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.setups.setup_xml import read_setup
from borelli.model import Body, CoordinateSpring, Model, PinJoint
from tests.report.test_page import Page

MASS, LENGTH, INERTIA = 2.0, 0.4, 0.05
TIME = np.arange(201) / 100
ANGLE = 30 + 20 * np.sin(2 * np.pi * TIME)


def study(folder: Path, **changes: str) -> Path:
    """Write a pendulum, its motion, a load and a setup file; return the setup's path."""
    (folder / "Data").mkdir()
    joint = PinJoint(name="swing", parent="ground", child="bob")
    body = Body("bob", MASS, (0, -LENGTH, 0), (INERTIA, INERTIA, INERTIA))
    bo.save_model(Model(name="pendulum", bodies=[body], joints=[joint]), folder / "pendulum.toml")
    bo.save_table(bo.Table(TIME, ("swing",), ANGLE[:, None], in_degrees=True), folder / "Data" / "swing.mot")
    settings = {
        "results_directory": "./Results",
        "model_file": "pendulum.toml",
        "time_range": "0.5 1.5",
        "forces_to_exclude": "Muscles",
        "external_loads_file": "Unassigned",
        "coordinates_file": r"Data\swing.mot",
        "lowpass_cutoff_frequency_for_coordinates": "-1",
        "output_gen_force_file": "id.sto",
        **changes,
    }
    inside = "".join(f"<{tag}>{text}</{tag}>" for tag, text in settings.items())
    setup = folder / "setup.xml"
    setup.write_text(
        f'<OpenSimDocument Version="40000"><InverseDynamicsTool>{inside}</InverseDynamicsTool></OpenSimDocument>'
    )
    return setup


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main(["run", *map(str, arguments)])
    return int(end.value.code or 0)


def test_a_pendulums_torque_is_newtons(tmp_path: Path) -> None:
    assert run(study(tmp_path)) == 0
    table = bo.load_table(tmp_path / "Results" / "id.sto")
    assert table.name == "Inverse Dynamics Generalized Forces"
    assert table.columns == ("swing_moment",)
    assert (table.time[0], table.time[-1]) == (0.5, 1.5)
    w, amplitude = 2 * np.pi, np.radians(20)
    angle = np.radians(30) + amplitude * np.sin(w * table.time)
    acceleration = -amplitude * w**2 * np.sin(w * table.time)
    torque = (INERTIA + MASS * LENGTH**2) * acceleration + MASS * 9.80665 * LENGTH * np.sin(angle)
    # The spline's second derivative at a hundredth of the period, half a second from the ends.
    assert np.allclose(table.values[:, 0], torque, rtol=0, atol=1e-5)


def test_the_output_can_go_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(study(tmp_path), "--out", tmp_path / "there" / "id.csv", "--mode", "default") == 0
    assert bo.load_table(tmp_path / "there" / "id.csv").units == ("N m",)
    assert "101 instants, 1 generalized forces" in capsys.readouterr().out


def test_norms_and_surfaces_reach_the_page_and_wrong_ones_stop_before_computing(tmp_path, capsys) -> None:
    setup = study(tmp_path)
    model = bo.load_model(tmp_path / "pendulum.toml")
    shown = replace(model.bodies["bob"], geometry=("bob.obj",))
    bo.save_model(replace(model, bodies=[shown]), tmp_path / "pendulum.toml")
    (tmp_path / "bones").mkdir()
    (tmp_path / "bones" / "bob.obj").write_text("v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n", encoding="utf-8")
    norms = tmp_path / "norms.csv"
    norms.write_text("joint,plane,quantity,percent,mean,sd\nnee,sagittal,angle,0,1,1\n", encoding="utf-8")
    for wrong, told in {
        ("--norms", norms): "'nee' is not a joint of a normative table",
        ("--geometry", tmp_path / "nowhere"): "There is no folder",
        ("--no-explain", "--geometry", tmp_path / "bones"): "--no-explain leaves the page out",
    }.items():
        assert run(setup, *wrong) == 2
        assert told in capsys.readouterr().err
        assert not (tmp_path / "Results").exists()
    norms.write_text(
        "joint,plane,quantity,percent,mean,sd\nknee,sagittal,angle,0,1,1\nknee,sagittal,angle,100,1,1\n"
    )
    # The second run finds the tables as they were, and draws the page again all the same.
    assert run(setup, "--no-explain") == 0
    assert run(setup, "--norms", norms, "--geometry", tmp_path / "bones") == 0
    page = next(tmp_path.glob("Results/*/report.html"))
    assert Page(page.read_text(encoding="utf-8")).data[0]["scene"]["meshes"]["bones"][0]["link"] == 0
    # Surfaces beside the model need no folder.
    (tmp_path / "bones" / "bob.obj").rename(tmp_path / "bob.obj")
    assert run(setup, "--norms", norms) == 0
    assert Page(page.read_text(encoding="utf-8")).data[0]["scene"]["meshes"]["bones"][0]["link"] == 0


def test_tools_without_a_page_refuse_what_is_drawn_on_one(tmp_path, capsys) -> None:
    (tmp_path / "s.xml").write_text(
        "<InverseKinematicsTool><model_file>m.osim</model_file><marker_file>m.trc</marker_file>"
        "<output_motion_file>out.mot</output_motion_file></InverseKinematicsTool>"
    )
    (tmp_path / "m.osim").touch()
    (tmp_path / "m.trc").touch()
    assert run(tmp_path / "s.xml", "--geometry", tmp_path) == 2
    assert "this tool writes none" in capsys.readouterr().err


def with_spring(folder: Path, **changes: str) -> Path:
    setup = study(folder, **changes)
    joint = PinJoint(name="swing", parent="ground", child="bob")
    spring = CoordinateSpring(name="band", coordinate="swing", stiffness=3.0)
    body = Body("bob", MASS, (0, -LENGTH, 0), (INERTIA, INERTIA, INERTIA))
    bo.save_model(Model(bodies=[body], joints=[joint], forces=[spring]), folder / "pendulum.toml")
    return setup


def test_springs_of_the_model_are_counted_unless_excluded(tmp_path: Path) -> None:
    found = {}
    for excluded in ("Muscles", "Muscles band"):
        folder = tmp_path / excluded
        folder.mkdir()
        assert run(with_spring(folder, forces_to_exclude=excluded)) == 0
        found[excluded] = bo.load_table(folder / "Results" / "id.sto")
    w = 2 * np.pi
    angle = np.radians(30) + np.radians(20) * np.sin(w * found["Muscles"].time)
    change = found["Muscles"].values[:, 0] - found["Muscles band"].values[:, 0]
    # The spring pulls back, so that more is left to be provided; eight decimals are printed.
    np.testing.assert_allclose(change, 3.0 * angle, atol=1e-7)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_file": "Unassigned"}, "The setup does not name a model_file"),
        ({"results_directory": "../../../../tmp"}, "goes 4 folders up"),
        ({"time_range": "0"}, "Expected 2 numbers, found 1"),
    ],
)
def test_broken_setups_are_refused(change: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_setup(study(tmp_path, **change))


def test_other_tools_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "s.xml").write_text("<OpenSimDocument><CMCTool name='x'/></OpenSimDocument>")
    with pytest.raises(
        UnsupportedError, match=r"<CMCTool> is not a supported tool(.|\n)*supported: InverseDynamicsTool"
    ):
        read_setup(tmp_path / "s.xml")


def test_what_a_setup_leaves_out_has_the_tools_defaults(tmp_path: Path) -> None:
    files = "<model_file>m.osim</model_file><coordinates_file>q.mot</coordinates_file>"
    (tmp_path / "s.xml").write_text(f"<InverseDynamicsTool>{files}</InverseDynamicsTool>")
    setup = read_setup(tmp_path / "s.xml")
    assert (setup.cutoff_hz, setup.external_loads) == (None, None)
    assert setup.time_range == (-np.inf, np.inf)
    assert setup.output.name == "inverse_dynamics.sto"


def test_commands_that_are_suggested_can_be_copied_where_folders_have_blanks(tmp_path: Path, capsys) -> None:
    assert run(study(tmp_path, results_directory="my results"), "--no-explain") == 0
    told = capsys.readouterr().out
    assert f"borelli explain '{tmp_path / 'my results' / 'id_borelli'}' and borelli report '" in told
