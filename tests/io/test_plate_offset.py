"""What a force plate reads while nothing stands on it is found, told, and taken off on request."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.cli.main import main
from borelli.errors import BorelliWarning, InvalidValueError, MissingInputError
from borelli.io.c3d.force_plate import ForcePlate, plate_from_channels
from borelli.io.c3d.plate_offset import find_offset
from tests.io.test_c3d import AXES, CENTER, CORNERS, four_posts

N = 2000
TIME = np.arange(N) / 1000.0
STANCE = (TIME > 0.6) & (TIME < 1.3)
LOAD = np.where(STANCE, 700.0 * np.abs(np.sin(np.pi * (TIME - 0.6) / 0.7)) ** 0.3, 0.0)
FORCE = np.column_stack([0.1 * LOAD, np.zeros(N), LOAD])
"""On the subject, z up; a foot stands at one point."""
POINT = CENTER + np.array([0.05, 0.1, 0.0])
LEVEL = np.array([3.0, -2.0, -16.0, 1.5, -0.7, 0.4])
"""Force (N) and moment (N m) that the amplifiers add, in plate axes of what carries the subject."""


def channels_of(kind: int, level: float = 1.0, seed: int = 0) -> dict[str, Any]:
    """Channels of a plate under the load, with noise of half a newton and an offset."""
    local = FORCE @ AXES
    depth = np.array([0.0, 0.0, -0.05])
    moment = np.cross(POINT - (CENTER - AXES @ depth), FORCE) @ AXES
    # Along the plate's z axis, which points down, a subject pushes with less than nothing.
    wrench = np.column_stack([local, moment]) + level * LEVEL * [1, 1, -1, 1, 1, 1]
    wrench += np.random.default_rng(seed).normal(size=wrench.shape) * [0.5, 0.5, 0.5, 0.02, 0.02, 0.02]
    given = {"kind": kind, "corners": CORNERS, "origin": depth, "time": TIME}
    if kind == 2:
        return {"channels": wrench, **given}
    if kind == 4:
        return {"channels": wrench / 2.0, "calibration": 2.0 * np.eye(6), **given}
    if kind == 1:
        point = np.broadcast_to((POINT - CENTER) @ AXES, (N, 3))[:, :2]
        return {"channels": np.column_stack([wrench[:, :3], point, np.zeros(N)]), **given}
    posts = four_posts(wrench[:, :3], wrench[:, 3:], 0.2, 0.12)
    return {"channels": posts, **given, "origin": np.array([0.2, 0.12, -0.05])}


def measured(kind: int = 2, remove_offset: bool = False, **changes: Any) -> ForcePlate:
    given = channels_of(kind, **changes)
    return plate_from_channels(given.pop("channels"), remove_offset=remove_offset, **given)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_an_offset_is_found_and_told(kind: int) -> None:
    plate = measured(kind)
    # The mean of 1,300 samples of noise.
    np.testing.assert_allclose(plate.offset, [3.0, 2.0, -16.0], atol=0.1)
    assert not plate.offset_removed
    (note,) = plate.notes
    assert note.startswith("it reads -16.0 N while nothing stands on it (65 % of the time)")
    assert "--remove-offset" in note
    # What the user saw: never unloaded.
    assert np.isfinite(plate.point).all()


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_it_is_taken_off_on_request(kind: int) -> None:
    plate = measured(kind, remove_offset=True)
    assert plate.offset_removed and "which was removed" in plate.notes[0]
    # Five standard deviations of the noise.
    np.testing.assert_allclose(plate.force, FORCE, atol=2.5)
    assert np.isnan(plate.point[TIME < 0.59]).all() and np.isnan(plate.point[TIME > 1.31]).all()
    well = LOAD > 300.0
    np.testing.assert_allclose(plate.point[well], np.broadcast_to(POINT, (N, 3))[well], atol=2e-3)
    with_it = measured(kind).force
    assert np.abs(with_it[well] - FORCE[well])[:, 2].min() > 13.0


def test_a_plate_without_offset_is_left_as_it_is() -> None:
    plate, asked = measured(level=0.0), measured(level=0.0, remove_offset=True)
    assert plate.notes == () and np.abs(plate.offset).max() < 0.1
    np.testing.assert_allclose(asked.force, plate.force, atol=0.1)


def test_a_plate_that_is_always_loaded_tells_none() -> None:
    assert find_offset(np.full(500, 350.0) + np.sin(TIME[:500])) is None
    given = channels_of(2)
    given["channels"] = given["channels"][700:1200]
    given["time"] = TIME[700:1200]
    plate = plate_from_channels(given.pop("channels"), remove_offset=True, **given)
    assert np.isnan(plate.offset).all() and not plate.offset_removed
    assert "it is always loaded" in plate.notes[0]


def test_the_first_newtons_of_a_step_are_no_offset() -> None:
    """A foot passes every small load in a moment; a plate that nobody leaves has no level."""
    rising = np.linspace(0.0, 800.0, 1000)
    assert find_offset(rising) is None
    found = find_offset(np.concatenate([np.full(200, 12.0), rising]))
    assert found is not None and found.normal == pytest.approx(12.0, abs=0.3)


FRAMES = N // 4
FILE_TIME = np.arange(N) / 400.0
"""The file is written with 400 samples a second."""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A C3D recording, z up, of a foot with two markers on a plate that was not set to zero."""
    pytest.importorskip("ezc3d", reason="ezc3d is not installed")
    folder = tmp_path_factory.mktemp("walk")
    given = channels_of(2)
    place = 1000.0 * (POINT + np.array([[0.0, 0.0, 0.05], [0.1, 0.0, 0.05]]))
    np.savez(
        folder / "walk.npz",
        markers=np.repeat(place[None], FRAMES, axis=0),
        channels=given["channels"] * [1, 1, 1, 1e3, 1e3, 1e3],
        units=["N"] * 3 + ["Nmm"] * 3,
        USED=[1],
        TYPE=[2],
        CORNERS=CORNERS.T[:, :, None] * 1000.0,
        ORIGIN=given["origin"][:, None] * 1000.0,
        CHANNEL=np.arange(1.0, 7.0)[:, None],
        CAL_MATRIX=np.eye(6)[:, :, None],
    )
    script = Path(__file__).with_name("write_c3d.py")
    subprocess.run(
        [sys.executable, str(script), str(folder / "walk.npz"), str(folder / "walk.c3d")], check=True
    )
    foot = bm.Body("calcn_r", 1.0, inertia=(0.1, 0.1, 0.1))
    joint = bm.SliderJoint(name="slide", parent="ground", child="calcn_r")
    x, y, z = POINT[0], POINT[2], -POINT[1]
    markers = [
        bm.Marker("R.ASIS", "calcn_r", (x, y + 0.05, z)),
        bm.Marker("Müde", "calcn_r", (x + 0.1, y + 0.05, z)),
    ]
    bo.save_model(bm.Model(bodies=[foot], joints=[joint], markers=markers), folder / "foot.toml")
    return folder


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return int(end.value.code or 0)


def test_a_recording_warns_and_its_plates_become_loads_without_the_offset(walk: Path) -> None:
    with pytest.warns(BorelliWarning, match=r"plate_1: it reads -16\.0 N"):
        bo.load_c3d(walk / "walk.c3d")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        markers = bo.load_markers(walk / "walk.c3d")
    with pytest.warns(BorelliWarning, match="which was removed"):
        plates = bo.load_plates(walk / "walk.c3d", up=markers.attrs["up"], remove_offset=True)
    loads, contacts = bo.plate_loads(bo.load_model(walk / "foot.toml"), markers, plates)
    assert [each.body for each in contacts] == ["calcn_r"]
    np.testing.assert_allclose(loads[0].force[:, 1], np.where(LOAD > 25.0, LOAD, 0.0), atol=30.0)
    assert np.abs(loads[0].force[TIME < 0.5]).max() == 0.0


def test_the_commands_remove_it(walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("capture", walk / "walk.c3d", "--model", walk / "foot.toml") == 0
    shown = capsys.readouterr()
    assert "loaded 100 % of the time" in shown.out and "offset -16.0 N\n" in shown.out
    assert "--remove-offset" in shown.err
    assert command("capture", walk / "walk.c3d", "--remove-offset") == 0
    assert "loaded 35 % of the time" in (out := capsys.readouterr().out) and "-16.0 N (removed)" in out
    assert command("convert", walk / "walk.c3d", tmp_path / "grf.mot", "--y-up", "--remove-offset") == 0
    vertical = bo.load_table(tmp_path / "grf.mot").column("ground_force_1_vy")
    assert vertical[TIME < 0.5].max() == 0.0


def test_analyze_takes_markers_and_plates_from_one_recording(
    walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("analyze", walk / "foot.toml", "--markers", walk / "walk.c3d", "--out", tmp_path / "out")
    assert command(*where, "--remove-offset") == 0
    assert (
        "plate_1, 1.500 to" in (out := " ".join(capsys.readouterr().out.split()))
        and ": calcn_r (100 %" in out
    )
    assert bo.load_loads(tmp_path / "out_grf.xml")[0].body == "calcn_r"
    result = bo.load_result(tmp_path / "out")
    share = result["generalized_force"].sel(source="load:plate_1_calcn_r").values[:, 0]
    pushed = np.interp(result["time"].values, FILE_TIME, np.where(LOAD > 25.0, 0.1 * LOAD, 0.0))
    # The joint holds the foot against a tenth of the load; noise, and the first newtons below the threshold.
    np.testing.assert_allclose(-share, pushed, atol=5.0)


def test_loads_are_written_and_read_as_they_were(tmp_path: Path) -> None:
    time = np.arange(5) / 10.0
    rows = np.arange(15.0).reshape(5, 3)
    loads = [
        bo.Load("right", "calcn_r", rows, rows / 10, -rows, time),
        bo.Load("left", "calcn_l", 2 * rows, rows / 5, rows, time),
    ]
    table = bo.save_loads(loads, tmp_path / "grf.xml")
    assert table == tmp_path / "grf.mot"
    for one, other in zip(loads, bo.load_loads(tmp_path / "grf.xml"), strict=True):
        assert (one.name, one.body) == (other.name, other.body)
        for part in ("force", "point", "moment", "time"):
            np.testing.assert_allclose(getattr(other, part), getattr(one, part), atol=1e-9)
    with pytest.raises(InvalidValueError, match=r"an \.xml file"):
        bo.save_loads(loads, tmp_path / "grf.mot")
    with pytest.raises(MissingInputError, match="no loads to write"):
        bo.save_loads([], tmp_path / "grf.xml")
    with pytest.raises(InvalidValueError, match="'right' and 'late' have different times"):
        bo.save_loads([loads[0], bo.Load("late", "b", rows, rows, rows, time + 1)], tmp_path / "grf.xml")
    with pytest.raises(MissingInputError, match="without times"):
        bo.save_loads([bo.Load("still", "b", rows, rows, rows)], tmp_path / "grf.xml")
