"""Options of ``borelli analyze`` and ``run`` on how loads and angles are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.io.toml.trial_toml import load_trial
from borelli.model import Body, CoordinateCoupler, Linear, Model, PinJoint
from tests.report.test_page import Page

TIME = np.arange(201) / 100
ANGLE = 0.4 * np.sin(2 * np.pi * TIME)
PUSH = np.where((TIME > 0.5) & (TIME < 1.2), 30.0, 0.0)
"""A foot strikes the ground: no filter leaves this as it is."""
LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="push"><objects><ExternalForce name="push">
<applied_to_body>bob</applied_to_body><force_identifier>f_v</force_identifier><point_identifier>f_p</point_identifier>
</ExternalForce></objects><datafile>push.sto</datafile></ExternalLoads></OpenSimDocument>"""
SETUP = """<OpenSimDocument Version="40000"><InverseDynamicsTool><model_file>p.toml</model_file>
<coordinates_file>m.sto</coordinates_file><external_loads_file>loads.xml</external_loads_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>
<output_gen_force_file>id.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>"""


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return int(end.value.code or 0)


def files(folder: Path, in_degrees: bool = False) -> None:
    joint = PinJoint(name="swing", parent="ground", child="bob")
    body = Body("bob", 2.0, (0, -0.4, 0), (0.05, 0.05, 0.05))
    bo.save_model(Model(bodies=[body], joints=[joint]), folder / "p.toml")
    bo.save_table(bo.Table(TIME, ("swing",), ANGLE[:, None], in_degrees=in_degrees), folder / "m.sto")
    columns = tuple(f"f_{kind}{axis}" for kind in "vp" for axis in "xyz")
    values = np.zeros((TIME.size, 6))
    values[:, 0], values[:, 4] = PUSH, 1.0
    bo.save_table(bo.Table(TIME, columns, values), folder / "push.sto")
    (folder / "loads.xml").write_text(LOADS)
    (folder / "setup.xml").write_text(SETUP)


def analyze(folder: Path, *more: object) -> int:
    where = ("analyze", folder / "p.toml", "--motion", folder / "m.sto", "--loads", folder / "loads.xml")
    return command(*where, "--out", folder / "out", *more)


def load_share(folder: Path) -> np.ndarray:
    result = bo.load_result(folder)
    return result["generalized_force"].sel(source="load:push").values[:, 0]


def test_loads_are_filtered_on_request_like_the_motion(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    assert analyze(tmp_path, "--cutoff-hz", 6) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "the loads are not filtered, the motion at 6 Hz" in told and "--loads-cutoff-hz 6" in told
    raw = load_share(tmp_path / "out")
    assert analyze(tmp_path, "--cutoff-hz", 6, "--loads-cutoff-hz", 6) == 0
    assert "the loads are" not in capsys.readouterr().err
    soft = load_share(tmp_path / "out")
    # The hinge lies one metre below the push: the step of 30 N becomes one that takes a tenth of a second.
    assert np.abs(np.diff(raw)).max() == pytest.approx(30.0) and np.abs(np.diff(soft)).max() < 8.0
    loads = bo.load_loads(tmp_path / "loads.xml", cutoff_hz=6.0)
    # The joint must bear what the load does.
    np.testing.assert_allclose(soft, -load_torque(loads[0]), atol=1e-9)


def load_torque(load: bo.Load) -> np.ndarray:
    return np.cross(load.point, load.force)[:, 2]


def test_a_setup_and_a_trial_file_filter_loads_too(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    assert command("run", tmp_path / "setup.xml") == 0
    assert "the loads are not filtered, the motion at 6 Hz" in " ".join(capsys.readouterr().err.split())
    raw = bo.load_table(tmp_path / "id.sto").values[:, 0]
    assert command("run", tmp_path / "setup.xml", "--loads-cutoff-hz", 6) == 0
    soft = bo.load_table(tmp_path / "id.sto").values[:, 0]
    own = bo.load_loads(tmp_path / "loads.xml", mode="opensim")[0]
    smoothed = bo.load_loads(tmp_path / "loads.xml", mode="opensim", cutoff_hz=6.0)[0]
    expected = load_torque(own) - load_torque(smoothed)
    np.testing.assert_allclose(soft - raw, expected, atol=1e-4)
    (tmp_path / "trial.toml").write_text(
        'model = "p.toml"\nmotion = "m.sto"\nloads = "loads.xml"\nout = "trial"\n'
        "[options]\ncutoff_hz = 6.0\nloads_cutoff_hz = 5.0\n"
    )
    assert load_trial(tmp_path / "trial.toml").loads_cutoff_hz == 5.0
    assert command("run", tmp_path / "trial.toml") == 0
    assert "the loads are filtered at 5 Hz, the motion at 6 Hz" in " ".join(capsys.readouterr().err.split())


def test_angles_are_those_that_the_user_says(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    assert analyze(tmp_path, "--angles", "degrees", "--cutoff-hz", 6, "--loads-cutoff-hz", 6) == 0
    result = bo.load_result(tmp_path / "out")
    weight = result["generalized_force"].sel(source="weight:bob").values[:, 0]
    # The filter leaves a swing of 1 Hz within a thousandth; angles of 0.4 degrees are small.
    expected = 2.0 * 9.80665 * 0.4 * np.sin(np.radians(ANGLE))
    np.testing.assert_allclose(np.abs(weight[20:-20]), np.abs(expected[20:-20]), atol=2e-3)
    assert analyze(tmp_path, "--angles", "turns") != 0
    assert "--angles" in capsys.readouterr().err


def test_a_motion_that_violates_constraints_is_taken_only_on_request(tmp_path: Path, capsys) -> None:
    joints = [
        PinJoint(name="hip", parent="ground", child="thigh"),
        PinJoint(name="knee", parent="thigh", child="shank"),
    ]
    bodies = [Body(name, 2.0, (0, -0.2, 0), (0.05, 0.05, 0.05)) for name in ("thigh", "shank")]
    coupler = CoordinateCoupler(
        name="together", dependent="knee", independent=("hip",), function=Linear((1.0,), 0.0)
    )
    bo.save_model(Model(bodies=bodies, joints=joints, constraints=[coupler]), tmp_path / "p.toml")
    values = np.column_stack([ANGLE, ANGLE + 0.2])
    bo.save_table(bo.Table(TIME, ("hip", "knee"), values, in_degrees=False), tmp_path / "m.sto")
    where = ("analyze", tmp_path / "p.toml", "--motion", tmp_path / "m.sto", "--out", tmp_path / "out")
    assert command(*where) != 0
    assert "--allow-violations" in capsys.readouterr().err
    assert command(*where, "--allow-violations") == 0


def test_norms_and_geometry_reach_the_page_and_wrong_ones_stop_before_computing(tmp_path, capsys):
    files(tmp_path)
    model = bo.load_model(tmp_path / "p.toml")
    shown = replace(model.bodies["bob"], geometry=("bob.obj",))
    bo.save_model(replace(model, bodies=[shown]), tmp_path / "p.toml")
    (tmp_path / "bones").mkdir()
    (tmp_path / "bones" / "bob.obj").write_text("v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n", encoding="utf-8")
    trial = ("analyze", tmp_path / "p.toml", "--motion", tmp_path / "m.sto", "--out", tmp_path / "out")
    norms = tmp_path / "norms.csv"
    norms.write_text("joint,plane,quantity,percent,mean,sd\nnee,sagittal,angle,0,1,1\n", encoding="utf-8")
    assert command(*trial, "--norms", norms) == 2
    assert "'nee' is not a joint of a normative table" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    norms.write_text(
        "joint,plane,quantity,percent,mean,sd\nknee,sagittal,angle,0,1,1\nknee,sagittal,angle,100,1,1\n"
    )
    assert command(*trial, "--norms", norms, "--geometry", tmp_path / "bones", "--cutoff-hz", 6) == 0
    page = tmp_path / "out" / "report.html"
    (drawn,) = Page(page.read_text(encoding="utf-8")).data
    assert drawn["scene"]["meshes"]["bones"][0]["link"] == 0
    # The next page of the folder has them again.
    assert command("report", tmp_path / "out") == 0
    assert capsys.readouterr().err.count("surfaces") == 0
    assert Page(page.read_text(encoding="utf-8")).data[0]["scene"]["meshes"] is not None
    assert command("verify", tmp_path / "out") == 0
    assert command("report", tmp_path / "out", "--geometry", tmp_path / "nowhere") == 2
    assert "There is no folder" in capsys.readouterr().err
