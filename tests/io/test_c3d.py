"""C3D recordings: files made by another program, and plates whose load is known in closed form."""

from __future__ import annotations

import importlib.util
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from borelli.errors import (
    BorelliWarning,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnsupportedError,
)
from borelli.io.c3d.force_plate import plate_from_channels
from borelli.io.c3d.recording import Z_UP_TO_Y_UP, load_c3d, parse_c3d, plates_table
from borelli.io.load import load_table
from tests.fuzz import seeds

# A plate of 0.6 m × 0.4 m in a laboratory with z up; its x axis runs along the laboratory's x, its z axis down.
CENTER = np.array([1.0, 2.0, 0.0])
CORNERS = CENTER + np.array([[0.3, -0.2, 0.0], [-0.3, -0.2, 0.0], [-0.3, 0.2, 0.0], [0.3, 0.2, 0.0]])
AXES = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
N = 8
FORCE = np.column_stack([np.linspace(-50, 60, N), np.linspace(20, -10, N), np.linspace(300, 900, N)])
POINT = CENTER + np.column_stack([np.linspace(-0.1, 0.2, N), np.linspace(0.15, -0.1, N), np.zeros(N)])
TWIST = np.linspace(-6.0, 4.0, N)
SENSORS = np.array([0.01, -0.02, -0.04])


def wrench_at(point: np.ndarray) -> np.ndarray:
    """Moment of the known load about a point, in laboratory axes."""
    return np.cross(POINT - point, FORCE) + np.column_stack([np.zeros((N, 2)), TWIST])


def channels_of(kind: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return channels, ORIGIN and calibration that a plate of this type records under the known load."""
    local = FORCE @ AXES
    if kind == 1:
        point = (POINT - CENTER) @ AXES
        return np.column_stack([local, point[:, :2], -TWIST]), np.zeros(3), None
    if kind in (2, 4):
        # ORIGIN runs from the sensors to the middle of the surface.
        moment = wrench_at(CENTER - AXES @ SENSORS) @ AXES
        values = np.column_stack([local, moment])
        if kind == 2:
            return values, SENSORS, None
        calibration = np.eye(6) * 2.0 + 0.1 * np.random.default_rng(0).normal(size=(6, 6))
        return values @ np.linalg.inv(calibration).T, SENSORS, calibration
    a, b, depth = 0.2, 0.12, -0.05
    moment = wrench_at(CENTER - AXES @ np.array([0.0, 0.0, depth])) @ AXES
    return four_posts(local, moment, a, b), np.array([a, b, depth]), None


def four_posts(force: np.ndarray, moment: np.ndarray, a: float, b: float) -> np.ndarray:
    """Distribute a wrench over four posts at (±a, ±b): the channels of a type 3 plate."""
    fx, fy, fz = force.T
    mx, my, mz = moment.T
    z = [fz / 4 + sy * mx / (4 * b) - sx * my / (4 * a) for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    # Half of the twist by the pairs along x, half by those along y.
    x12, x34 = fx / 2 - mz / (4 * b), fx / 2 + mz / (4 * b)
    y14, y23 = fy / 2 + mz / (4 * a), fy / 2 - mz / (4 * a)
    return np.column_stack([x12, x34, y14, y23, *z])


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_plates_give_force_point_and_free_moment_in_the_laboratory(kind: int) -> None:
    channels, origin, calibration = channels_of(kind)
    plate = plate_from_channels(
        channels,
        kind=kind,
        corners=CORNERS,
        origin=origin,
        time=np.arange(N) / 1000.0,
        calibration=calibration,
    )
    # Closed form: only round-off remains.
    assert np.allclose(plate.force, FORCE, rtol=0, atol=1e-10)
    assert np.allclose(plate.point, POINT, rtol=0, atol=1e-12)
    assert np.allclose(plate.free_moment, np.column_stack([np.zeros((N, 2)), TWIST]), rtol=0, atol=1e-10)
    assert np.allclose(plate.moment, wrench_at(CENTER), rtol=0, atol=1e-10)
    assert plate.notes == ()


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_the_force_on_the_plate_is_turned_into_the_reaction(kind: int) -> None:
    channels, origin, calibration = channels_of(kind)
    signs = np.array([-1, -1, -1, 1, 1, -1]) if kind == 1 else -1.0
    plate = plate_from_channels(
        channels * signs,
        kind=kind,
        corners=CORNERS,
        origin=origin,
        time=np.arange(N),
        calibration=calibration,
    )
    assert np.allclose(plate.force, FORCE, atol=1e-10)
    assert np.allclose(plate.free_moment[:, 2], TWIST, atol=1e-10)
    assert plate.notes == ("the file holds the force on the plate; its sign was changed to get the reaction",)


@pytest.mark.parametrize("kind", [2, 3])
def test_an_origin_above_the_surface_is_put_below(kind: int) -> None:
    channels, origin, _ = channels_of(kind)
    wrong = -origin if kind == 2 else origin * [1, 1, -1]
    plate = plate_from_channels(channels, kind=kind, corners=CORNERS, origin=wrong, time=np.arange(N))
    assert np.allclose(plate.point, POINT, atol=1e-12)
    assert "sensors above the surface" in plate.notes[0]


def test_an_unloaded_plate_has_no_point_and_no_free_moment() -> None:
    channels, origin, _ = channels_of(2)
    channels[3] = 0.0
    plate = plate_from_channels(channels, kind=2, corners=CORNERS, origin=origin, time=np.arange(N))
    assert np.isnan(plate.point[3]).all()
    assert plate.free_moment[3].tolist() == [0.0, 0.0, 0.0]
    assert np.isfinite(np.delete(plate.point, 3, axis=0)).all()


def test_impossible_plates_are_refused() -> None:
    channels, origin, _ = channels_of(2)
    common: dict[str, Any] = {"corners": CORNERS, "origin": origin, "time": np.arange(N)}
    with pytest.raises(UnsupportedError, match="Force plate type 7 is not known; types 1 to 4 are"):
        plate_from_channels(channels, kind=7, **common)
    with pytest.raises(ShapeError, match="A plate of type 3 has 8 channels, not 6"):
        plate_from_channels(channels, kind=3, **common)
    with pytest.raises(ShapeError, match="needs a calibration matrix of 6 × 6"):
        plate_from_channels(channels, kind=4, **common)
    with pytest.raises(InvalidValueError, match="corners of the plate do not span a rectangle"):
        plate_from_channels(channels, kind=2, **{**common, "corners": np.zeros((4, 3))})


def make_c3d(path: Path, kinds: tuple[int, ...] = (2,), sign: float = 1.0) -> np.ndarray:
    """Let ezc3d write a recording: two markers in mm at 100 Hz, plates at 400 Hz; return the markers (m)."""
    if importlib.util.find_spec("ezc3d") is None:
        pytest.skip("ezc3d is not installed")
    markers = np.arange(N // 4 * 6.0).reshape(N // 4, 2, 3) + 0.25
    parts = [channels_of(kind) for kind in kinds]
    columns = [sign * part[0] * millimetres(kind) for kind, part in zip(kinds, parts, strict=True)]
    numbers = np.zeros((max(column.shape[1] for column in columns), len(kinds)))
    first = 1
    for index, column in enumerate(columns):
        numbers[: column.shape[1], index] = np.arange(first, first + column.shape[1])
        first += column.shape[1]
    lengths = np.diag([1, 1, 1, 1e3, 1e3, 1e3])
    matrices = [np.eye(6) if part[2] is None else lengths @ part[2] for part in parts]
    np.savez(
        path.with_suffix(".npz"),
        markers=markers,
        channels=np.concatenate(columns, axis=1),
        units=[unit for kind in kinds for unit in (["N"] * 3 + ["Nmm"] * 3 if kind != 3 else ["N"] * 8)],
        USED=[len(kinds)],
        TYPE=kinds,
        CORNERS=np.stack([CORNERS.T * 1000.0] * len(kinds), axis=-1),
        ORIGIN=np.stack([part[1] * 1000.0 for part in parts], axis=-1),
        CHANNEL=numbers,
        CAL_MATRIX=np.stack(matrices, axis=-1),
    )
    script = Path(__file__).with_name("write_c3d.py")
    subprocess.run([sys.executable, str(script), str(path.with_suffix(".npz")), str(path)], check=True)
    return markers / 1000.0


def millimetres(kind: int) -> np.ndarray:
    """Factors that turn this test's channels (m, N m) into what a file in millimetres holds."""
    return {1: np.array([1, 1, 1, 1e3, 1e3, 1e3]), 2: np.array([1, 1, 1, 1e3, 1e3, 1e3])}.get(
        kind, np.ones(1)
    )


def test_a_recording_of_another_program(tmp_path: Path) -> None:
    markers = make_c3d(tmp_path / "walk.c3d", (1, 2, 3, 4))
    recording = load_c3d(tmp_path / "walk.c3d")
    assert recording.markers.columns[0] == "R.ASIS"
    assert recording.markers.units == ("m", "m")
    # The format stores float32.
    assert np.allclose(recording.markers.values, markers, rtol=1e-6)
    assert recording.markers.time.tolist() == pytest.approx([0.0, 0.01])
    assert recording.analog.time.tolist() == pytest.approx(np.arange(N) / 400.0)
    assert len(recording.plates) == 4
    for plate in recording.plates:
        assert np.allclose(plate.force, FORCE, rtol=1e-5, atol=1e-3), plate.name
        assert np.allclose(plate.point, POINT, rtol=0, atol=1e-6), plate.name
        assert np.allclose(plate.free_moment[:, 2], TWIST, rtol=0, atol=1e-4), plate.name


def test_events_have_label_side_and_time(tmp_path: Path) -> None:
    make_c3d(tmp_path / "walk.c3d")
    (event,) = load_c3d(tmp_path / "walk.c3d").events
    assert (event.label, event.context) == ("Foot Strike", "Left")
    assert event.time == pytest.approx(0.01)


def test_axes_can_be_turned_to_y_up(tmp_path: Path) -> None:
    make_c3d(tmp_path / "walk.c3d")
    plain, turned = load_c3d(tmp_path / "walk.c3d"), load_c3d(tmp_path / "walk.c3d", rotation=Z_UP_TO_Y_UP)
    x, y, z = plain.markers.values[0, 0]
    assert turned.markers.values[0, 0].tolist() == pytest.approx([x, z, -y])
    assert turned.plates[0].force[0].tolist() == pytest.approx(
        [FORCE[0, 0], FORCE[0, 2], -FORCE[0, 1]], rel=1e-5
    )
    assert turned.plates[0].point[0].tolist() == pytest.approx([POINT[0, 0], 0.0, -POINT[0, 1]], abs=1e-6)
    with pytest.raises(ShapeError, match="A rotation is a 3 × 3 matrix"):
        load_c3d(tmp_path / "walk.c3d", rotation=np.eye(2))


def integer_c3d(processor: int = 84, missing: bool = False) -> bytes:
    """Build a file by hand: whole-number data, one marker, one channel, any processor."""
    order = ">" if processor == 86 else "<"

    def floats(value: float) -> bytes:
        if processor != 85:
            return struct.pack(order + "f", value)
        packed = struct.pack("<f", value * 4.0)
        return packed[2:] + packed[:2]

    def group(number: int, name: str) -> bytes:
        return struct.pack("bb", len(name), -number) + name.encode() + struct.pack(order + "h", 3) + b"\0"

    def parameter(number: int, name: str, kind: int, dims: list[int], body: bytes) -> bytes:
        rest = struct.pack("bB", kind, len(dims)) + bytes(dims) + body + b"\0"
        return (
            struct.pack("bb", len(name), number)
            + name.encode()
            + struct.pack(order + "h", 2 + len(rest))
            + rest
        )

    entries = (
        group(1, "POINT")
        + parameter(1, "LABELS", -1, [4, 1], b"HEEL")
        + parameter(1, "UNITS", -1, [2, 1], b"mm")
    )
    entries += (
        group(2, "ANALOG")
        + parameter(2, "SCALE", 4, [1], floats(0.5))
        + parameter(2, "GEN_SCALE", 4, [], floats(2.0))
    )
    entries += parameter(2, "OFFSET", 2, [1], struct.pack(order + "h", 10)) + b"\0\0"
    parameters = (bytes([1, 80, 1, processor]) + entries).ljust(512, b"\0")
    header = bytes([2, 80]) + struct.pack(order + "HHHHH", 1, 1, 1, 2, 0) + floats(0.25)
    header += struct.pack(order + "HH", 3, 1) + floats(50.0)
    data = b""
    for frame in range(2):
        seen = -1 if missing and frame else 0
        data += struct.pack(order + "5h", 4 + frame, 8, -12, seen, 30 + frame)
    return header.ljust(512, b"\0") + parameters + data.ljust(512, b"\0")


GOOD = integer_c3d()


@pytest.mark.parametrize("processor", [84, 85, 86], ids=["Intel", "DEC", "MIPS"])
def test_whole_number_data_of_every_processor(processor: int) -> None:
    recording = parse_c3d(integer_c3d(processor))
    assert recording.markers.values[:, 0].tolist() == pytest.approx(
        np.array([[1.0, 2.0, -3.0], [1.25, 2.0, -3.0]]) / 1000
    )
    assert recording.analog.values[:, 0].tolist() == [20.0, 21.0]
    assert recording.markers.time.tolist() == pytest.approx([0.0, 0.02])


def test_a_recording_without_markers_and_channels_is_empty() -> None:
    data = bytearray(GOOD)
    data[2:6] = bytes(4)
    recording = parse_c3d(bytes(data))
    assert (recording.markers.n_columns, recording.analog.n_columns, recording.markers.n_times) == (0, 0, 0)


def test_a_negative_residual_marks_a_missing_marker() -> None:
    values = parse_c3d(integer_c3d(missing=True)).markers.values
    assert np.isfinite(values[0]).all() and np.isnan(values[1]).all()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"time,a\n0,1\n", "expected a C3D recording"),
        (GOOD[:600], r"The file ends inside its parameters(.|\n)*byte 600"),
        (GOOD[:1030], r"The file ends in frame 1 of 2(.|\n)*byte 1030"),
        (b"\xc8" + GOOD[1:], "points to parameters in block 200, beyond the end"),
        (GOOD[:515] + b"\x01" + GOOD[516:], "The processor type is 1; 84"),
        (
            GOOD.replace(b"\x01\x00\x02\x00\x00\x00", b"\x01\x00\xff\xff\x00\x00", 1),
            "The file ends in frame 52 of 65535",
        ),
        (GOOD.replace(b"mm", b"ft"), "POINT:UNITS is 'ft'"),
    ],
)
def test_damaged_recordings_say_where_reading_stopped(data: bytes, message: str) -> None:
    with pytest.raises((FileFormatError, UnsupportedError), match=message):
        parse_c3d(data, "f.c3d")


def test_corrections_of_plates_are_told(tmp_path: Path) -> None:
    make_c3d(tmp_path / "walk.c3d", sign=-1.0)
    with pytest.warns(BorelliWarning, match="plate_1: the file holds the force on the plate"):
        recording = load_c3d(tmp_path / "walk.c3d")
    assert np.allclose(recording.plates[0].force, FORCE, rtol=1e-5, atol=1e-3)


def test_plates_become_a_table_for_external_loads(tmp_path: Path) -> None:
    make_c3d(tmp_path / "walk.c3d", (2, 3))
    table = plates_table(load_c3d(tmp_path / "walk.c3d"))
    assert table.columns[:4] == (
        "ground_force_1_vx",
        "ground_force_1_vy",
        "ground_force_1_vz",
        "ground_force_1_px",
    )
    assert table.columns[-1] == "ground_torque_2_z"
    assert np.allclose(table.values[:, :3], FORCE, rtol=1e-5, atol=1e-3)
    assert np.isfinite(table.values).all()
    with pytest.raises(MissingInputError, match="The recording has no force plates"):
        plates_table(parse_c3d(integer_c3d()))


def test_recordings_are_shown_and_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from borelli.cli.main import main

    make_c3d(tmp_path / "walk.c3d")
    for arguments in (
        ["info", "walk.c3d"],
        ["convert", "walk.c3d", "m.trc", "--y-up"],
        ["convert", "walk.c3d", "g.mot"],
    ):
        with pytest.raises(SystemExit) as end:
            main([str(tmp_path / word) if "." in word else word for word in arguments])
        assert not end.value.code
    shown = capsys.readouterr().out
    assert "2 markers, 6 analog channels" in shown
    assert "plate_1: type 2, middle at (1.000, 2.000, 0.000) m, loaded 100% of the time" in shown
    assert "Event: Left Foot Strike at 0.01 s" in shown
    assert (tmp_path / "m.trc").exists() and (tmp_path / "g.mot").exists()
    with pytest.raises(SystemExit):
        main(["convert", str(tmp_path / "walk.c3d"), str(tmp_path / "x.csv"), "--part", "plate"])
    assert "'plate' is not a part of a recording" in capsys.readouterr().err
    assert load_table(tmp_path / "walk.c3d").columns[0] == "R.ASIS"


def test_plates_that_the_parameters_do_not_describe_are_refused() -> None:
    good = seeds.c3d()
    assert len(parse_c3d(good).plates) == 1
    channel = struct.pack("<6h", *range(1, 7))
    with pytest.raises(
        FileFormatError, match=r"The plate names channels \[1\.0, .*, 99\.0\], the file has 7(.|\n)*plate_1"
    ):
        parse_c3d(good.replace(channel, struct.pack("<6h", 1, 2, 3, 4, 5, 99)), "f.c3d")
    with pytest.raises(
        FileFormatError, match=r"FORCE_PLATFORM:ORIGIN has shape \(0,\); plate 1 needs \(3,\) of it"
    ):
        parse_c3d(good.replace(b"ORIGIN", b"ORIGAN"))
    with pytest.raises(UnsupportedError, match="Force plate type 9 is not known"):
        parse_c3d(good.replace(b"TYPE\x08\x00\x02\x01\x01\x02", b"TYPE\x08\x00\x02\x01\x01\x09"))


def test_a_plate_without_channels_is_left_out_and_the_markers_are_read() -> None:
    """An editing program of Vicon leaves the plate's parameters, all channels zero, where the analog part is gone."""
    good = seeds.c3d()
    channel = struct.pack("<6h", *range(1, 7))
    with pytest.warns(BorelliWarning, match=r"f\.c3d, plate_1 is left out: it has no analog channels"):
        found = parse_c3d(good.replace(channel, struct.pack("<6h", *[0] * 6)), "f.c3d")
    assert found.plates == ()
    np.testing.assert_array_equal(found.markers.values, parse_c3d(good).markers.values)


def test_impossible_parameters_and_rates_are_refused() -> None:
    good = seeds.c3d()
    with pytest.raises(FileFormatError, match=r"A parameter has type 9 and 1 dimensions(.|\n)*byte"):
        parse_c3d(good.replace(b"SCALE\x22\x00\x04", b"SCALE\x22\x00\x09"))
    with pytest.raises(FileFormatError, match="The frame rate is nan"):
        parse_c3d(good.replace(struct.pack("<f", 100.0), struct.pack("<f", float("nan"))))
