"""External loads: identifiers, frames, data files, and what is refused."""

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
from borelli.io.load_span import within_loads
from borelli.io.setups.external_loads import read_external_loads
from borelli.results.labelled.table import Cell, Table

TIME = np.linspace(0.0, 1.0, 11)
FORCE = np.column_stack([TIME, 700 + TIME, -TIME])
POINT = np.column_stack([0.1 * TIME, np.zeros(11), 0.2 - TIME])
TORQUE = np.column_stack([np.zeros(11), 5 * TIME, np.zeros(11)])


def force(name: str = "right", prefix: str = "", extra: str = "", point: str = "ground_force_p") -> str:
    return f"""<ExternalForce name="{name}"><applied_to_body> calcn_r </applied_to_body>
      <force_identifier> {prefix}ground_force_v </force_identifier><point_identifier>{point}</point_identifier>
      <torque_identifier> ground_torque_ </torque_identifier>{extra}</ExternalForce>"""


def study(
    folder: Path, *forces: str, data: str = "grf.mot", point: np.ndarray = POINT, load: np.ndarray = FORCE
) -> Path:
    """Write a description and its data; return the description's path."""
    names = [stem + axis for stem in ("ground_force_v", "ground_force_p", "ground_torque_") for axis in "xyz"]
    table = Table(TIME, tuple(names), np.column_stack([load, point, TORQUE]), name="grf")
    bo.save_table(table, folder / "grf.mot")
    xml = folder / "grf.xml"
    xml.write_text(
        f"""<?xml version="1.0"?><OpenSimDocument Version="30000"><ExternalLoads name="grf">
        <objects>{"".join(forces or (force(),))}</objects><datafile> {data} </datafile>
        </ExternalLoads></OpenSimDocument>"""
    )
    return xml


def test_columns_become_a_load_in_ground(tmp_path: Path) -> None:
    (load,) = bo.load_loads(study(tmp_path))
    assert (load.name, load.body) == ("right", "calcn_r")
    assert np.array_equal(load.force, FORCE)
    assert np.array_equal(load.point, POINT)
    assert np.array_equal(load.moment, TORQUE)
    assert np.array_equal(load.time, TIME)


def test_loads_at_the_times_of_a_motion(tmp_path: Path) -> None:
    times = np.array([0.05, 0.5, 0.95])
    motion = bo.Motion(times, ("a",), np.zeros((3, 1)))
    (load,) = bo.load_loads(study(tmp_path), motion)
    assert np.allclose(load.force[:, 1], 700 + times)
    (cubic,) = bo.load_loads(study(tmp_path), times, mode="opensim")
    # Straight lines are splines too.
    assert np.allclose(cubic.force[:, 1], 700 + times)
    with pytest.raises(UnknownNameError, match="'spline' is not a mode"):
        bo.load_loads(study(tmp_path), mode="spline")  # type: ignore[arg-type]


def test_description_alone(tmp_path: Path) -> None:
    off = force("left", extra="<isDisabled> true </isDisabled>")
    gone = force("hand", extra="<appliesForce>false</appliesForce>")
    description = read_external_loads(study(tmp_path, force(), off, gone))
    assert [f.name for f in description.forces] == ["right"]
    assert description.disabled == ("left", "hand")
    assert description.data_file == tmp_path / "grf.mot"
    with pytest.warns(BorelliWarning, match="'left' is switched off; 'hand' is switched off"):
        assert len(bo.load_loads(tmp_path / "grf.xml")) == 1


def test_another_data_file_can_be_given(tmp_path: Path) -> None:
    xml = study(tmp_path, data="Unassigned")
    with pytest.raises(MissingInputError, match="does not name its data file"):
        bo.load_loads(xml)
    assert len(bo.load_loads(xml, data_file=tmp_path / "grf.mot")) == 1


def test_vector_columns_are_found_by_their_identifier(tmp_path: Path) -> None:
    xml = study(tmp_path, data="v.sto")
    names = ("ground_force_v", "ground_force_p", "ground_torque_")
    bo.save_table(
        Table(TIME, names, np.stack([FORCE, POINT, TORQUE], axis=1), cells=Cell.VEC3), tmp_path / "v.sto"
    )
    assert np.array_equal(bo.load_loads(xml)[0].force, FORCE)


def test_missing_columns_are_named_with_the_nearest(tmp_path: Path) -> None:
    xml = study(tmp_path, force(prefix="1_"))
    with pytest.raises(UnknownNameError) as caught:
        bo.load_loads(xml)
    assert "The force of load 'right' needs columns 1_ground_force_vx, …y, …z" in str(caught.value)
    assert "ground_force_vx" in caught.value.closest
    assert "line 2, <ExternalForce>" in str(caught.value)


TURN = np.tile(np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), (11, 1, 1))
ORIGIN = np.tile([1.0, 2.0, 3.0], (11, 1))


def in_body(what: str) -> str:
    return f"<{what}_expressed_in_body>/bodyset/calcn_r</{what}_expressed_in_body>"


def test_forces_and_points_of_moving_bodies_need_their_poses(tmp_path: Path) -> None:
    xml = study(tmp_path, force(extra=in_body("force") + in_body("point")))
    with pytest.raises(
        MissingInputError, match=r"in the axes of 'calcn_r', which move(.|\n)*poses=bo\.body_poses"
    ):
        bo.load_loads(xml)
    (load,) = bo.load_loads(xml, poses={"calcn_r": (TURN, ORIGIN)})
    assert np.allclose(load.force, FORCE[:, [2, 0, 1]])
    assert np.allclose(load.moment, TORQUE[:, [2, 0, 1]])
    assert np.allclose(load.point, ORIGIN + POINT[:, [2, 0, 1]])


def test_poses_may_be_the_dataset_of_body_poses(tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    rotation = (("time", "body", "axis", "body_axis"), TURN[:, None])
    origin = (("time", "body", "axis"), ORIGIN[:, None])
    poses = xarray.Dataset(
        {"rotation": rotation, "origin": origin}, coords={"body": ["calcn_r"], "time": TIME}
    )
    xml = study(tmp_path, force(extra=in_body("force")))
    assert np.allclose(bo.load_loads(xml, poses=poses)[0].force, FORCE[:, [2, 0, 1]])
    with pytest.raises(MissingInputError, match="The poses do not hold the body 'calcn_r'"):
        bo.load_loads(xml, poses=poses.assign_coords(body=["tibia_r"]))
    with pytest.raises(InvalidValueError, match="has 11 instants, the loads have 3"):
        bo.load_loads(xml, TIME[:3], poses=poses)


def test_a_force_without_a_point_acts_at_the_origin_of_its_body(tmp_path: Path) -> None:
    xml = study(tmp_path, force(point=""))
    with pytest.raises(MissingInputError, match="which move"):
        bo.load_loads(xml)
    assert np.allclose(bo.load_loads(xml, poses={"calcn_r": (TURN, ORIGIN)})[0].point, ORIGIN)


def test_points_missing_under_no_load_are_held_and_told(tmp_path: Path) -> None:
    point, load = POINT.copy(), FORCE.copy()
    point[3:5], load[3:5] = np.nan, 0.0
    with pytest.warns(BorelliWarning, match="2 points of 'right' are missing where its force is zero"):
        (found,) = bo.load_loads(study(tmp_path, point=point, load=load))
    assert np.array_equal(found.point[3], POINT[2])
    with pytest.raises(
        FileFormatError, match=r"The point of load 'right' is missing at 0\.3 s, where its force is not zero"
    ):
        bo.load_loads(study(tmp_path, point=point))


def test_a_plate_that_is_never_loaded_needs_no_points(tmp_path: Path) -> None:
    (found,) = bo.load_loads(study(tmp_path, point=POINT * np.nan, load=FORCE * 0.0))
    assert not found.point.any()


def test_a_torque_alone_needs_no_point_and_no_pose(tmp_path: Path) -> None:
    alone = (
        force()
        .replace("<force_identifier> ground_force_v </force_identifier>", "")
        .replace("ground_force_p", "")
    )
    (found,) = bo.load_loads(study(tmp_path, alone))
    assert not found.force.any()
    assert np.array_equal(found.moment, TORQUE)


def test_repeated_times_are_left_out_and_told(tmp_path: Path) -> None:
    xml = study(tmp_path)
    lines = (tmp_path / "grf.mot").read_text().replace("nRows=11", "nRows=12").splitlines()
    (tmp_path / "grf.mot").write_text("\n".join([*lines, lines[-1]]) + "\n")
    with pytest.warns(BorelliWarning, match="1 rows repeat the instant of the row before"):
        assert len(bo.load_loads(xml)[0].time) == 11  # type: ignore[arg-type]


def test_missing_forces_are_refused(tmp_path: Path) -> None:
    load = FORCE.copy()
    load[2, 1] = np.nan
    with pytest.raises(
        FileFormatError, match=r"The force of load 'right' is missing at 0\.2 s(.|\n)*write zero"
    ):
        bo.load_loads(study(tmp_path, load=load))


def test_forces_can_be_filtered(tmp_path: Path) -> None:
    (load,) = bo.load_loads(study(tmp_path), cutoff_hz=2.0)
    # A straight line passes any low-pass filter; eleven rows leave little to pad with.
    assert np.allclose(load.force, FORCE, rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<applied_to_body> calcn_r </applied_to_body>", "", "does not say which body it is applied to"),
        ("ground_force_v </force", "</force", ""),
        ("ExternalForce", "PointActuator", "<PointActuator> is not an ExternalForce"),
        ("ExternalLoads", "ForceSet", "expected an ExternalLoads description"),
    ],
)
def test_broken_descriptions_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    xml = study(tmp_path)
    text = xml.read_text().replace(old, new)
    if not message:
        text = text.replace("ground_torque_", "").replace("ground_force_v", "")
        message = "names neither a force nor a torque"
    xml.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        bo.load_loads(xml)


def test_time_that_goes_back_and_no_rows_are_refused(tmp_path: Path) -> None:
    xml = study(tmp_path)
    lines = (tmp_path / "grf.mot").read_text().splitlines()
    (tmp_path / "grf.mot").write_text("\n".join([*lines, lines[-2]]).replace("nRows=11", "nRows=12") + "\n")
    with pytest.raises(FileFormatError, match=r"Time goes back from 1 s to 0\.9 s"):
        bo.load_loads(xml)
    (tmp_path / "grf.mot").write_text("\n".join(lines[:-11]).replace("nRows=11", "nRows=0") + "\n")
    with pytest.raises(FileFormatError, match="The table has no rows"):
        bo.load_loads(xml)


def test_a_plate_that_recorded_a_part_of_the_trial_is_known_there_alone(tmp_path: Path) -> None:
    load = FORCE.copy()
    load[:2], load[-3:] = np.nan, np.nan
    with pytest.warns(BorelliWarning, match=r"'right' is known from 0\.2 to 0\.7 s alone"):
        (found,) = bo.load_loads(study(tmp_path, load=load))
    assert found.time is not None and found.time[[0, -1]].round(9).tolist() == [0.2, 0.7]
    assert np.array_equal(found.force, FORCE[2:-3])


def test_a_load_without_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        FileFormatError, match=r"Load 'right' has no number at any instant(.|\n)*leave the load out"
    ):
        bo.load_loads(study(tmp_path, load=np.full_like(FORCE, np.nan)))


def test_a_motion_is_cut_to_where_its_loads_hold_numbers(tmp_path: Path) -> None:
    load = FORCE.copy()
    load[:2] = np.nan
    path, time = study(tmp_path, load=load), np.arange(11) / 10
    motion = bo.Motion(time, ("q",), np.zeros((11, 1)))
    with pytest.warns(
        BorelliWarning, match=r"the loads run from 0\.2 to 1 s(.|\n)*2 of 11 instants have no loads"
    ):
        rest, _ = within_loads(motion, path)
    assert rest.n_times == 9
