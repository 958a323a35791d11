"""What looks wrong about a motion: times elsewhere or in milliseconds, radians that are called degrees."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning, InvalidValueError
from borelli.io.load_span import within_loads
from borelli.io.motion import within
from borelli.model import Body, Coordinate, Model, MotionType, PinJoint
from tests.io.test_loads import study
from tests.io.test_motion import BOTH, KNEE, SLIDE, TIME, model, save


@pytest.mark.parametrize("mode", ["opensim", "default"])
@pytest.mark.parametrize("cutoff", [6.0, None])
@pytest.mark.parametrize("span", [(5.0, 10.0), (-3.0, -1.5)])
def test_times_without_an_instant_of_the_recording_are_refused(tmp_path, mode, cutoff, span):
    """OpenSim's tool answers for the row that is nearest, which its filter may have made up."""
    path = save(tmp_path / "m.mot", BOTH, in_degrees=True)
    with pytest.raises(
        InvalidValueError, match=r"No row lies between .* recording runs from 0 s to 1 s"
    ) as refused:
        bo.load_motion(path, model(), cutoff, mode=mode, time_range=span)
    assert f"{span[0]:g} s and {span[1]:g} s" in str(refused.value)
    assert "correct the times of the setup or trial (in seconds)" in str(refused.value)
    whole = bo.load_motion(path, model(), cutoff, mode=mode)
    with pytest.raises(InvalidValueError, match="No row lies between"):
        within(whole, span, mode)


def test_times_with_fewer_digits_than_the_file_meet_its_ends(tmp_path):
    path = save(tmp_path / "m.mot", BOTH, TIME + 0.0049, in_degrees=True)
    got = bo.load_motion(path, model(), mode="opensim", time_range=(1.0051, 2.0))
    assert got.time.tolist() == pytest.approx([1.0049])


def test_times_in_milliseconds_are_told(tmp_path):
    path = save(tmp_path / "m.mot", BOTH, 1000.0 * TIME, in_degrees=True)
    with pytest.warns(BorelliWarning, match=r"101 rows are 10 s apart: if time is in milliseconds or frames"):
        bo.load_motion(path, model())


def test_a_few_postures_a_second_apart_are_no_milliseconds(tmp_path):
    few = {name: values[:8] for name, values in BOTH.items()}
    path = save(tmp_path / "m.mot", few, np.arange(8.0), in_degrees=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bo.load_motion(path, model())


def test_loads_that_cover_a_single_instant_of_many_are_refused(tmp_path):
    time = 1000.0 * np.arange(-5, 20) / 10.0
    motion = bo.Motion(time, ("a",), np.zeros((time.size, 1)))
    with pytest.raises(InvalidValueError, match="Only one of 25 instants of the motion has loads") as refused:
        within_loads(motion, study(tmp_path))
    assert "tell time in seconds" in str(refused.value)


def test_a_cut_off_that_opensim_lowers_is_told(tmp_path):
    path = save(tmp_path / "m.mot", BOTH, in_degrees=True)
    with pytest.warns(BorelliWarning, match=r"cut-off of 80 Hz is not below half .* lowered to 49 Hz"):
        bo.load_motion(path, model(), 80.0, mode="opensim")


def limb(**ranges: tuple[float, float]) -> Model:
    """A chain of pins, each with a range."""
    bodies, joints, parent = [], [], "ground"
    for name, span in ranges.items():
        bodies.append(Body(f"{name}_body", 1.0, (0, -0.1, 0), (0.1, 0.1, 0.1)))
        angle = Coordinate(name, MotionType.ROTATIONAL, range=span)
        joints.append(
            PinJoint(name=f"{name}_joint", parent=parent, child=f"{name}_body", coordinates=(angle,))
        )
        parent = f"{name}_body"
    return Model(bodies=bodies, joints=joints)


LEG = limb(hip=(-2.0, 2.0), knee=(-2.1, 0.2), ankle=(-1.0, 1.0))
GAIT = {
    "hip": 0.4 * np.sin(6 * TIME),
    "knee": -0.5 + 0.5 * np.sin(6 * TIME),
    "ankle": 0.2 * np.cos(6 * TIME),
}


def test_radians_under_a_header_that_says_degrees_are_told(tmp_path: Path) -> None:
    path = save(tmp_path / "m.mot", GAIT, in_degrees=True)
    with pytest.warns(
        BorelliWarning,
        match=r"read as degrees, and none of 3 goes beyond 1°; .* in_degrees=False, --angles radians",
    ):
        got = bo.load_motion(path, LEG)
    # Told, not changed: a spine that sways moves as little.
    assert np.allclose(got.q[:, 0], np.radians(GAIT["hip"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(bo.load_motion(path, LEG, in_degrees=False).q[:, 0], GAIT["hip"])


@pytest.mark.parametrize(
    "columns",
    [
        {name: np.degrees(values) for name, values in GAIT.items()},
        # Hardly any motion in either unit, and angles that no range allows in radians.
        {name: 0.2 * values for name, values in GAIT.items()},
        {**GAIT, "knee": np.full_like(TIME, 1.5)},
    ],
)
def test_angles_that_can_be_degrees_alone_are_not_doubted(
    tmp_path: Path, columns: dict[str, np.ndarray]
) -> None:
    path = save(tmp_path / "m.mot", columns, in_degrees=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bo.load_motion(path, LEG)


def test_units_of_other_columns_are_not_doubted(tmp_path: Path) -> None:
    path = save(tmp_path / "m.csv", {"knee": KNEE / 20, "slide": SLIDE}, units=("deg", "m"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bo.load_motion(path, model())
