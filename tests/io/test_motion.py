"""Motions from files: which column is which coordinate, in which unit, and what happens to odd rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import (
    BorelliWarning,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
)
from borelli.model import Attitude, BallJoint, Body, Coordinate, Model, MotionType, PinJoint, SliderJoint
from borelli.results.labelled.table import Cell, Table

TIME = np.arange(101) / 100.0
KNEE = 30.0 + 20.0 * np.sin(2 * np.pi * TIME)
SLIDE = 0.5 + 0.1 * np.cos(2 * np.pi * TIME)


def model(third: float | None = None) -> Model:
    """Build a slider that carries a pin called knee, and perhaps a pin called toe with a default."""
    joints: list[SliderJoint | PinJoint] = [
        SliderJoint(name="slide", parent="ground", child="cart"),
        PinJoint(name="knee", parent="cart", child="shank"),
    ]
    bodies = [Body("cart", 1.0, inertia=(1, 1, 1)), Body("shank", 1.0, inertia=(1, 1, 1))]
    if third is not None:
        toe = Coordinate("toe", MotionType.ROTATIONAL, default_value=third)
        joints.append(PinJoint(name="toe", parent="shank", child="toes", coordinates=(toe,)))
        bodies.append(Body("toes", 1.0, inertia=(1, 1, 1)))
    return Model(bodies=bodies, joints=joints)


def save(path: Path, columns: dict[str, np.ndarray], time: np.ndarray = TIME, **more: object) -> Path:
    table = Table(time, tuple(columns), np.column_stack(list(columns.values())), **more)  # type: ignore[arg-type]
    bo.save_table(table, path)
    return path


BOTH = {"knee": KNEE, "slide": SLIDE}


def test_degrees_turn_into_radians_for_angles_alone(tmp_path: Path) -> None:
    motion = bo.load_motion(save(tmp_path / "m.mot", BOTH, in_degrees=True), model())
    assert motion.coordinates == ("slide", "knee")
    assert np.allclose(motion.column("knee"), np.radians(KNEE), rtol=0, atol=1e-14)
    assert np.allclose(motion.column("slide"), SLIDE, rtol=0, atol=1e-15)


def test_radians_stay_whatever_their_size(tmp_path: Path) -> None:
    motion = bo.load_motion(save(tmp_path / "m.mot", BOTH, in_degrees=False), model())
    assert np.allclose(motion.column("knee"), KNEE, rtol=0, atol=1e-13)


def test_speeds_and_accelerations_are_derivatives(tmp_path: Path) -> None:
    motion = bo.load_motion(save(tmp_path / "m.mot", BOTH, in_degrees=True), model())
    inside = slice(15, -15)
    w = 2 * np.pi
    assert motion.u is not None and motion.udot is not None
    # A quintic spline at a hundredth of the period, away from its ends.
    assert np.allclose(motion.u[inside, 1], np.radians(20 * w * np.cos(w * TIME[inside])), rtol=0, atol=1e-6)
    assert np.allclose(
        motion.udot[inside, 1], np.radians(-20 * w**2 * np.sin(w * TIME[inside])), rtol=0, atol=1e-3
    )


@pytest.mark.parametrize(
    ("name", "header", "factor", "reason"),
    [("m.mot", "x\nversion=1\n", 1.0, "radians, as OpenSim does in any other table"),
     ("m.mot", "name x\n", np.pi / 180, "degrees, as OpenSim does in a .mot file without a version"),
     ("m.sto", "x\nnRows=101\nnColumns=3\n", 1.0, "radians, as OpenSim does in any other table")],
)  # fmt: skip
def test_a_silent_header_is_taken_as_opensim_takes_it_and_told(
    name: str, header: str, factor: float, reason: str, tmp_path: Path
) -> None:
    rows = "".join(f"{t}\t0\t{2 * t}\n" for t in TIME)
    path = tmp_path / name
    path.write_text(f"{header}endheader\ntime\tslide\tknee\n{rows}")
    with pytest.warns(BorelliWarning, match=f"does not state inDegrees; angles were read as {reason}"):
        motion = bo.load_motion(path, model())
    assert np.allclose(motion.column("knee"), 2 * TIME * factor)
    assert bo.load_motion(path, model(), in_degrees=True).column("knee")[-1] == pytest.approx(np.radians(2))


def test_units_behind_labels_count_first(tmp_path: Path) -> None:
    path = save(tmp_path / "m.csv", {"knee": KNEE, "slide": SLIDE * 1000}, units=("deg", "mm"))
    motion = bo.load_motion(path, model())
    assert np.allclose(motion.column("knee"), np.radians(KNEE))
    assert np.allclose(motion.column("slide"), SLIDE)


def test_a_table_that_does_not_say_degrees_or_radians_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "m.csv", BOTH)
    with pytest.raises(
        MissingInputError, match=r"degrees or radians(.|\n)*'knee_angle_r \[deg\]'(.|\n)*in_degrees"
    ):
        bo.load_motion(path, model())
    assert np.allclose(bo.load_motion(path, model(), in_degrees=False).column("knee"), KNEE)


def test_a_unit_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "m.csv", BOTH, units=("mm", "m"))
    with pytest.raises(InvalidValueError, match="unit 'mm' does not fit the rotational coordinate 'knee'"):
        bo.load_motion(path, model())


def test_state_paths_name_coordinates(tmp_path: Path) -> None:
    columns = {
        "/jointset/k/knee/value": KNEE,
        "/jointset/k/knee/speed": KNEE,
        "/jointset/s/slide/value": SLIDE,
    }
    with pytest.warns(
        BorelliWarning, match=r"they are not coordinates of the model: '/jointset/k/knee/speed'"
    ):
        motion = bo.load_motion(save(tmp_path / "s.sto", columns, in_degrees=False), model())
    assert np.allclose(motion.column("knee"), KNEE)
    assert motion.settings["not_used"] == ["/jointset/k/knee/speed"]


def test_missing_coordinates_rest_at_their_defaults_and_are_told(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", BOTH, in_degrees=True)
    with pytest.warns(BorelliWarning, match=r"held at their default values: toe = 0\.3"):
        motion = bo.load_motion(path, model(third=0.3))
    assert (motion.column("toe") == 0.3).all()
    assert motion.u is not None and (motion.u[:, 2] == 0.0).all()
    assert motion.settings["at_default"] == ["toe"]


def test_columns_can_be_renamed(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", {"Knie": KNEE, "slide": SLIDE}, in_degrees=True)
    motion = bo.load_motion(path, model(), rename={"Knie": "knee"})
    assert np.allclose(motion.column("knee"), np.radians(KNEE))
    with pytest.raises(UnknownNameError, match=r"'Knee' is not a column(.|\n)*Closest: 'Knie'"):
        bo.load_motion(path, model(), rename={"Knee": "knee"})


def test_a_file_of_another_model_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", {"elbow": KNEE}, in_degrees=True)
    with pytest.raises(
        MissingInputError, match=r"No column of the table is a coordinate of model(.|\n)*'slide', 'knee'"
    ):
        bo.load_motion(path, model())


def test_vectors_are_no_motion(tmp_path: Path) -> None:
    table = Table(TIME, ("knee",), np.zeros((101, 1, 3)), cells=Cell.VEC3)
    bo.save_table(table, tmp_path / "v.sto")
    with pytest.raises(InvalidValueError, match="one number per coordinate, the table has cells of Vec3"):
        bo.load_motion(tmp_path / "v.sto", model())


def test_repeated_times_are_left_out_and_told(tmp_path: Path) -> None:
    index = np.sort(np.append(np.arange(101), [5, 5, 40]))
    path = save(tmp_path / "m.mot", {k: v[index] for k, v in BOTH.items()}, TIME[index], in_degrees=True)
    with pytest.warns(BorelliWarning, match="3 rows repeat the time of the row before"):
        motion = bo.load_motion(path, model())
    assert np.allclose(motion.column("knee"), np.radians(KNEE))


def test_time_that_goes_back_is_refused(tmp_path: Path) -> None:
    time = TIME.copy()
    time[50] = 0.1
    path = save(tmp_path / "m.mot", BOTH, time, in_degrees=True)
    with pytest.raises(FileFormatError, match=r"Time goes back from 0\.49 s to 0\.1 s(.|\n)*row 51"):
        bo.load_motion(path, model())


def test_short_gaps_are_filled_and_told(tmp_path: Path) -> None:
    knee = KNEE.copy()
    knee[40:45] = np.nan
    path = save(tmp_path / "m.mot", {"knee": knee, "slide": SLIDE}, in_degrees=True)
    with pytest.warns(BorelliWarning, match=r"5 missing values were filled by cubic splines \('knee'\)"):
        motion = bo.load_motion(path, model())
    # Cubic interpolation over 0.06 s of a 1 Hz sine: 20° (2 pi 0.06)^4 / 384.
    assert np.max(np.abs(motion.column("knee") - np.radians(KNEE))) < np.radians(
        20 * (2 * np.pi * 0.06) ** 4 / 384
    )


def test_long_gaps_are_refused(tmp_path: Path) -> None:
    knee = KNEE.copy()
    knee[40:65] = np.nan
    path = save(tmp_path / "m.mot", {"knee": knee, "slide": SLIDE}, in_degrees=True)
    with pytest.raises(
        FileFormatError,
        match=r"'knee' has no values between 0\.39 s and 0\.65 s(.|\n)*max_gap_s \(now 0\.2\)",
    ):
        bo.load_motion(path, model())
    with pytest.warns(BorelliWarning, match="25 missing values"):
        bo.load_motion(path, model(), max_gap_s=0.5)


def test_a_pause_in_the_recording_is_refused(tmp_path: Path) -> None:
    keep = (TIME < 0.3) | (TIME > 0.6)
    path = save(tmp_path / "m.mot", {k: v[keep] for k, v in BOTH.items()}, TIME[keep], in_degrees=True)
    with pytest.raises(FileFormatError, match=r"There are no rows between 0\.29 s and 0\.61 s"):
        bo.load_motion(path, model())


def test_incomplete_ends_are_cut_off_and_told(tmp_path: Path) -> None:
    knee = KNEE.copy()
    knee[:3] = knee[-2:] = np.nan
    path = save(tmp_path / "m.mot", {"knee": knee, "slide": SLIDE}, in_degrees=True)
    with pytest.warns(
        BorelliWarning, match=r"5 incomplete rows at the ends were removed; 0\.03 to 0\.98 s remain"
    ):
        motion = bo.load_motion(path, model())
    assert (motion.time[0], motion.time[-1]) == (0.03, 0.98)


def test_columns_without_any_value_are_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", {"knee": KNEE * np.nan, "slide": SLIDE}, in_degrees=True)
    with pytest.raises(FileFormatError, match="No row has a value for 'knee'"):
        bo.load_motion(path, model())
    alternating = {
        "knee": np.where(np.arange(101) % 2, np.nan, KNEE),
        "slide": np.where(np.arange(101) % 2, SLIDE, np.nan),
    }
    with pytest.raises(FileFormatError, match="No row is complete"):
        bo.load_motion(save(tmp_path / "n.mot", alternating, in_degrees=True), model())


def test_files_without_rows_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.mot").write_text("x\nversion=1\ninDegrees=no\nendheader\ntime\tknee\tslide\n")
    with pytest.raises(FileFormatError, match="The table has no rows"):
        bo.load_motion(tmp_path / "m.mot", model())


def test_a_single_row_is_a_posture(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", {"knee": KNEE[:1], "slide": SLIDE[:1]}, TIME[:1], in_degrees=True)
    motion = bo.load_motion(path, model(), cutoff_hz=6.0)
    assert motion.u is not None and motion.udot is not None
    assert not motion.u.any() and not motion.udot.any()


def test_a_time_range_cuts_after_differentiating(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", BOTH, in_degrees=True)
    whole, part = bo.load_motion(path, model()), bo.load_motion(path, model(), time_range=(0.2, 0.5))
    assert (part.time[0], part.time[-1]) == (0.2, 0.5)
    assert whole.udot is not None and part.udot is not None
    assert np.array_equal(part.udot, whole.udot[20:51])
    with pytest.raises(
        InvalidValueError, match="No row lies between 5 s and 6 s; the recording runs from 0 s to 1 s"
    ):
        bo.load_motion(path, model(), time_range=(5.0, 6.0))


def test_settings_say_how_it_was_smoothed(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", BOTH, in_degrees=True)
    settings = bo.load_motion(path, model(), cutoff_hz=6.0).settings
    assert settings["mode"] == "default" and settings["cutoff_hz"] == 6.0
    assert "corrected" in settings["filter"] and "degree five" in settings["derivatives"]
    assert bo.load_motion(path, model(), cutoff_hz=6.0, mode="opensim").settings["mode"] == "opensim"


def test_speeds_of_ball_joints_are_left_to_the_analysis(tmp_path: Path) -> None:
    ball = BallJoint(name="hip", parent="ground", child="thigh", attitude=Attitude.ANGLES)
    hip = Model(bodies=[Body("thigh", 1.0, inertia=(1, 1, 1))], joints=[ball])
    path = save(tmp_path / "m.mot", {"hip_rx": KNEE, "hip_ry": KNEE, "hip_rz": KNEE}, in_degrees=True)
    assert bo.load_motion(path, hip).u is None
    # The tool takes the rates of the angles for speeds, and so does the mode that reproduces it.
    assert bo.load_motion(path, hip, mode="opensim").u is not None


@pytest.mark.parametrize(
    ("ending", "degrees"), [("mot", True), ("sto", False), ("csv", True), ("csv", False)]
)
def test_saved_motions_load_as_they_were(ending: str, degrees: bool, tmp_path: Path) -> None:
    motion = bo.load_motion(save(tmp_path / "m.mot", BOTH, in_degrees=True), model())
    bo.save_motion(motion, model(), tmp_path / f"out.{ending}", in_degrees=degrees)
    back = bo.load_motion(tmp_path / f"out.{ending}", model())
    # Turning into degrees and back costs a bit.
    assert np.allclose(back.q, motion.q, rtol=1e-15, atol=1e-16)
    if ending != "csv":
        assert bo.load_table(tmp_path / f"out.{ending}").in_degrees is degrees
