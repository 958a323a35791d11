"""Orientations of sensors: placed on bodies as OpenSim places them, and followed to the optimum."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli.cli.main import main
from borelli.errors import (
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
)
from borelli.model.joints.coordinate import MotionType

from ..shared_data import ABSENT, DATA
from .marked_body import TIME, marked_body, recorded, swing

MODEL = marked_body()
MOTION = swing(MODEL, TIME[:5])
CASE = DATA / "ik" / "imu" / "tutorial_walking"


def sensed(motion: bo.Motion, bodies: tuple[str, ...] = MODEL.body_names) -> xr.DataArray:
    """Orientations of bodies, as sensors that lie along their axes would tell them."""
    turned = bo.body_poses(MODEL, motion)["rotation"].sel(body=list(bodies))
    return turned.rename(body="sensor", body_axis="sensor_axis")


def without_shifts() -> bo.Model:
    from borelli.opensim_tools.imu import without_translations

    return without_translations(MODEL)


def test_exact_orientations_give_the_angles_back() -> None:
    result = bo.inverse_kinematics(without_shifts(), orientations=sensed(MOTION))
    assert (result["status"] == 0).all()
    assert float(result["kkt_residual"].max()) < 1e-10
    assert float(result["orientation_error"].max()) < 1e-8
    shifts = [name in ("tx", "ty", "tz") for name in MODEL.coordinate_names]
    np.testing.assert_allclose(
        result["q"].values[:, ~np.array(shifts)], MOTION.q[:, ~np.array(shifts)], atol=1e-8
    )
    assert (result["q"].values[:, shifts] == 0.0).all()


def test_a_sensor_that_faces_back_is_followed() -> None:
    motion = swing(MODEL, TIME[:2], np.pi)
    result = bo.inverse_kinematics(without_shifts(), orientations=sensed(motion))
    assert float(result["orientation_error"].max()) < 1e-8
    # A whole turn more fits as well, and no knee does it.
    knees = result["q"].sel(coordinate=["knee_r", "knee_l"])
    assert float(np.abs(knees).max()) < np.pi


@pytest.mark.filterwarnings("ignore:The model misses the markers")  # they give way to the sensors
def test_markers_and_sensors_share_one_objective() -> None:
    markers = recorded(MODEL, MOTION, noise=0.01)
    turned = sensed(MOTION, ("thigh_r", "shank_l"))
    noise = Rotation.random(1, random_state=3).as_rotvec()[0] * 0.05
    turned = turned.copy(data=Rotation.from_rotvec(noise).as_matrix() @ turned.values)
    both = bo.inverse_kinematics(MODEL, markers, orientations=turned, radian_in_metres=0.5)
    assert (both["status"] == 0).all()
    assert float(both["kkt_residual"].max()) < 1e-10
    alone = bo.inverse_kinematics(MODEL, markers)
    own = 0.5 * (both["marker_error"] ** 2).mean("marker") + 0.125 * (both["orientation_error"] ** 2).mean(
        "sensor"
    )
    np.testing.assert_allclose(both["objective"], own, rtol=1e-12)
    # Beside sensors the markers give way, and the sensors are followed better than without them.
    assert (both["rms_error"] > alone["rms_error"]).all()
    there = bo.body_poses(MODEL, alone.borelli.motion())["rotation"].sel(body=["thigh_r", "shank_l"]).values
    apart = Rotation.from_matrix(
        np.einsum("tsij,tskj->tsik", there, turned.values).reshape(-1, 3, 3)
    ).magnitude()
    assert both["orientation_error"].values.mean() < apart.mean()


def test_what_sensors_get_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingInputError, match="neither markers nor orientations"):
        bo.inverse_kinematics(MODEL)
    with pytest.raises(MissingInputError, match="no sensor is a body or frame"):
        bo.inverse_kinematics(MODEL, orientations=sensed(MOTION).assign_coords(sensor=list("abcdef")))
    with pytest.raises(UnknownNameError, match="'foot' is not a body or frame"):
        bo.inverse_kinematics(MODEL, orientations=sensed(MOTION), orientation_weights={"foot": 1.0})
    with pytest.raises(InvalidValueError, match="must have the same instants"):
        bo.inverse_kinematics(MODEL, recorded(MODEL, MOTION)[:3], orientations=sensed(MOTION))
    bo.save_table(bo.Table(np.arange(2.0), ("pelvis_imu",), np.zeros((2, 1))), tmp_path / "x.sto")
    with pytest.raises(FileFormatError, match="Orientations are cells of four numbers"):
        bo.load_orientations(tmp_path / "x.sto")
    with pytest.raises(MissingInputError, match="no sensor has a name that ends in '_imu'"):
        bo.place_sensors(MODEL, sensed(MOTION))


@pytest.mark.skipif(not CASE.is_dir(), reason=ABSENT)
@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_sensors_are_placed_and_followed_as_by_opensim(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # OpenSim's own motion is where ours goes, and is compared with it.
    shutil.copy(CASE / "out" / "imu_ik.mot", tmp_path)
    for setup in ("setup_imu_placer.xml", "setup_imu_ik.xml"):
        with pytest.raises(SystemExit) as end:
            given = ["--model", str(tmp_path / "calibrated.osim")] if "ik" in setup else []
            main(["run", str(CASE / setup), "--out", str(tmp_path), *given])
        assert not end.value.code
    assert "had before is up to 0.55° away (knee_angle_r" in capsys.readouterr().out
    own, theirs = bo.load_model(tmp_path / "calibrated.osim"), bo.load_model(CASE / "out" / "calibrated.osim")
    frames = [frame for frame in theirs.frames if frame.name.endswith("_imu")]
    assert len(frames) == 8
    for frame in frames:
        place = own.frames[frame.name].placement
        np.testing.assert_allclose(np.array(place.rotation), np.array(frame.placement.rotation), atol=1e-12)
        np.testing.assert_allclose(place.translation, frame.placement.translation, atol=1e-12)
    # OpenSim's own tools look for the components that its placer adds beside the frames.
    assert {o.name for o in own.others if o.kind == "IMU"} == {frame.name for frame in frames}
    stored = np.load(CASE / "ref.npz")
    table = bo.load_table(tmp_path / "imu_ik.mot")
    assert table.columns == tuple(str(n) for n in stored["coord_names"])
    # The patella's coordinate, which a constraint drives, is coupled: OpenSim writes it in radians, too.
    turns = np.array([own.coordinates[name].motion is MotionType.ROTATIONAL for name in table.columns])
    tight = np.where(turns, np.degrees(stored["q_1e-08"]), stored["q_1e-08"])
    # OpenSim's tightest answer is within 2e-4 degrees of the optimum; at the tool's own accuracy 0.5 degrees off.
    np.testing.assert_allclose(table.values, tight, atol=5e-4)
    errors = bo.load_table(tmp_path / "imu_ik.mot_orientationErrors.sto")
    columns = [errors.columns.index(str(n)) for n in stored["sensor_names"]]
    np.testing.assert_allclose(errors.values[:, columns], stored["orientation_error_1e-08"], atol=1e-6)
    degrees = bo.load_table(tmp_path / "imu_ik.mot_orientationErrors_deg.sto")
    np.testing.assert_allclose(degrees.values, np.degrees(errors.values), atol=1e-9)


def test_placed_sensors_are_components_that_opensim_opens(tmp_path: Path) -> None:
    opensim = pytest.importorskip("opensim")
    recorded = sensed(MOTION).assign_coords(sensor=[f"{name}_imu" for name in MODEL.body_names])
    placed = bo.place_sensors(MODEL, recorded).model
    again = bo.place_sensors(placed, recorded).model
    assert [o.name for o in again.others] == [f"{name}_imu" for name in MODEL.body_names]
    bo.save_model(placed, tmp_path / "placed.osim")
    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(tmp_path / "placed.osim"))
    model.initSystem()
    found = {c.getName(): c for c in model.getComponentsList() if c.getConcreteClassName() == "IMU"}
    assert set(found) == {f"{name}_imu" for name in MODEL.body_names}
    frame = opensim.IMU.safeDownCast(found["pelvis_imu"]).getConnectee("frame")
    assert frame.getName() == "pelvis_imu"
