"""A motion that has a locked or prescribed coordinate elsewhere: AnalyzeTool puts it where the model holds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from tests.opensim_tools.test_refusals import run

TIME = np.arange(41) / 50
WAVE = bm.Sine(0.3, 4.0, 0.2, 0.1)
"""What a prescribed wrist follows (rad)."""
_ANALYSES = (
    "<Kinematics name='K'><in_degrees>false</in_degrees></Kinematics><BodyKinematics name='B'/>"
    "<JointReaction name='J'/>"
)
_SETUP = (
    "<OpenSimDocument Version='40000'><AnalyzeTool name='{name}'><model_file>arm.osim</model_file>"
    "<results_directory>out</results_directory><initial_time>0</initial_time><final_time>0.8</final_time><AnalysisSet><objects>{analyses}"
    "</objects></AnalysisSet>{motion}</AnalyzeTool></OpenSimDocument>"
)


def arm(how: str, constrained: bool) -> bm.Model:
    """Three links; the last is held; a knob may follow the elbow."""
    held: dict[str, Any] = (
        {"locked": True} if how == "locked" else {"prescribed": True, "prescribed_function": WAVE}
    )
    parents = {"shoulder": "ground", "elbow": "upper", "wrist": "lower", "knob": "upper"}
    bodies = dict(zip(parents, ("upper", "lower", "hand", "dial"), strict=True))
    joints = [
        bm.PinJoint(
            name=name,
            parent=parent,
            child=bodies[name],
            parent_placement=bm.Placement((0, -0.3 if name in ("elbow", "wrist") else 0, 0.01)),
            coordinates=(
                bm.Coordinate(name, "rotational", 0.2, range=(-5, 5), **(held if name == "wrist" else {})),
            ),
        )
        for name, parent in parents.items()
    ]
    follows = bm.CoordinateCoupler(
        name="c", function=bm.Linear((1.5,), 0.1), dependent="knob", independent=("elbow",)
    )
    count = 4 if constrained else 3
    return bm.Model(
        name="arm",
        bodies=[
            bm.Body(each, 2.0 - 0.4 * k, (0.01, -0.15, 0.005 * k), (0.03, 0.01, 0.03))
            for k, each in enumerate(list(bodies.values())[:count])
        ],
        joints=joints[:count],
        gravity=(0, -9.81, 0),
        constraints=[follows] if constrained else [],
    )


def study(folder: Path, how: str, constrained: bool) -> None:
    """Write model, motion, states and both setups; the wrist moves about 0.5 rad in the files."""
    bo.save_model(arm(how, constrained), folder / "arm.osim")
    elbow, turn = 0.4 + 0.3 * np.cos(4 * TIME), -1.2 * np.sin(4 * TIME)
    q = {"shoulder": 0.5 * np.sin(3 * TIME), "elbow": elbow, "wrist": 0.5 + 0.2 * np.sin(5 * TIME)}
    u = {"shoulder": 1.5 * np.cos(3 * TIME), "elbow": turn, "wrist": np.cos(5 * TIME)}
    if constrained:
        q["knob"], u["knob"] = 1.5 * elbow + 0.1, 1.5 * turn
    table = bo.Table(TIME, tuple(q), np.stack(list(q.values()), axis=1), in_degrees=False)
    bo.save_table(table, folder / "motion.sto")
    states = {f"/jointset/{name}/{name}/value": values for name, values in q.items()}
    states |= {f"/jointset/{name}/{name}/speed": values for name, values in u.items()}
    table = bo.Table(TIME, tuple(states), np.stack(list(states.values()), axis=1), in_degrees=False)
    bo.save_table(table, folder / "states.sto")
    for name, motion in (("coordinates", "motion"), ("states", "states")):
        text = _SETUP.format(name=name, analyses=_ANALYSES, motion=f"<{name}_file>{motion}.sto</{name}_file>")
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("how", ["locked", "prescribed"])
@pytest.mark.parametrize("name", ["coordinates", "states"])
def test_the_model_holds_it_and_a_note_says_so(name: str, how: str, tmp_path: Path, capsys) -> None:
    study(tmp_path, how, constrained=False)
    assert run(tmp_path / f"{name}.xml") == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "locked or prescribed coordinates that the file has elsewhere (rad or m): wrist by 0." in said
    assert "put where the model holds them, as in OpenSim's AnalyzeTool; unlock them" in said
    orders = (("q", WAVE.value), ("u", WAVE.derivative), ("dudt", WAVE.second_derivative))
    for order, (ending, function) in enumerate(orders):
        found = bo.load_table(tmp_path / "out" / f"{name}_K_{ending}.sto").column("wrist")
        expected = function(TIME) if how == "prescribed" else np.full(len(TIME), 0.0 if order else 0.2)
        np.testing.assert_allclose(found, expected, atol=1e-7, err_msg=ending)


def test_a_motion_that_agrees_with_the_model_says_nothing(tmp_path: Path, capsys) -> None:
    study(tmp_path, "locked", constrained=False)
    table = bo.load_table(tmp_path / "motion.sto")
    values = table.values.copy()
    values[:, 2] = 0.2
    bo.save_table(bo.Table(TIME, table.columns, values, in_degrees=False), tmp_path / "motion.sto")
    assert run(tmp_path / "coordinates.xml") == 0
    assert "elsewhere" not in capsys.readouterr().err


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("how", ["locked", "prescribed"])
def test_every_table_is_opensims(how: str, constrained: bool, tmp_path: Path, monkeypatch) -> None:
    """Where a constraint acts, OpenSim leaves speeds as they are in the file, and so do its tables and ours."""
    osim: Any = pytest.importorskip("opensim", reason="OpenSim is not installed")
    osim.Logger.setLevelString("Off")
    study(tmp_path, how, constrained)
    monkeypatch.chdir(tmp_path)
    for name in ("coordinates", "states"):
        assert osim.AnalyzeTool(f"{name}.xml").run()
    (tmp_path / "out").rename(tmp_path / "theirs")
    for name in ("coordinates", "states"):
        assert run(tmp_path / f"{name}.xml") == 0
    files = sorted((tmp_path / "theirs").glob("*.sto"))
    assert len(files) == 14
    for file in files:
        theirs, ours = bo.load_table(file), bo.load_table(tmp_path / "out" / file.name)
        size = max(1.0, float(np.abs(theirs.values).max()))
        np.testing.assert_allclose(ours.values, theirs.values, atol=2e-7 * size, err_msg=file.name)
