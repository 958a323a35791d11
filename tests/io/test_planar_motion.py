"""Motions of planar chains from tables: units by column, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import library
from borelli.errors import (
    DuplicateNameError,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
)
from borelli.io.planar.motion import load_planar_motion

CHAIN = library.two_link_arm()
MOTION = library.curl(rate_hz=50.0)
LINKS = CHAIN.link_names


def write(tmp_path, labels, columns, name="motion.csv"):
    path = tmp_path / name
    rows = [",".join(labels)]
    rows += [",".join(f"{value:.17g}" for value in row) for row in np.column_stack(columns)]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_radians_are_the_rule_and_degrees_where_the_column_says_so(tmp_path):
    degrees = np.degrees(MOTION.angle)
    labels = ["time", "upper_arm_angle_deg", "forearm_hand_angle [deg]"]
    one = load_planar_motion(write(tmp_path, labels, [MOTION.time, degrees]), CHAIN)
    labels = ["time [s]", "upper_arm_angle", "forearm_hand_angle [rad]"]
    other = load_planar_motion(write(tmp_path, labels, [MOTION.time, MOTION.angle]), CHAIN)
    np.testing.assert_allclose(one.angle, MOTION.angle, rtol=1e-15)
    np.testing.assert_array_equal(other.angle, MOTION.angle)
    # Rates come from the quintic spline, exact for a quintic movement away from its corners.
    middle = slice(20, 40)
    np.testing.assert_allclose(other.velocity[middle], MOTION.velocity[middle], atol=2e-4)


def test_rates_are_taken_where_given_whatever_the_order_of_the_columns(tmp_path):
    labels = ["forearm_hand_velocity [deg/s]", "upper_arm_velocity", "time"]
    labels += ["forearm_hand_acceleration_deg", "upper_arm_acceleration [rad/s^2]"]
    labels += ["upper_arm_angle", "forearm_hand_angle"]
    columns = [
        np.degrees(MOTION.velocity[:, 1]),
        MOTION.velocity[:, 0],
        MOTION.time,
        np.degrees(MOTION.acceleration[:, 1]),
        MOTION.acceleration[:, 0],
        MOTION.angle,
    ]
    read = load_planar_motion(write(tmp_path, labels, columns), CHAIN)
    np.testing.assert_allclose(read.velocity, MOTION.velocity, rtol=1e-14)
    np.testing.assert_allclose(read.acceleration, MOTION.acceleration, rtol=1e-14)


def test_parquet_is_read_alike(tmp_path):
    import pandas as pd

    frame = {"time": MOTION.time} | {f"{link}_angle": MOTION.angle[:, k] for k, link in enumerate(LINKS)}
    pd.DataFrame(frame).to_parquet(tmp_path / "motion.parquet", index=False)
    read = load_planar_motion(tmp_path / "motion.parquet", CHAIN)
    np.testing.assert_array_equal(read.angle, MOTION.angle)


@pytest.mark.parametrize(
    ("labels", "error", "text"),
    [
        (["time", "upper_arm_angle"], MissingInputError, "no column 'forearm_hand_angle'"),
        (
            ["time", "upper_arm_angel", "forearm_hand_angle"],
            UnknownNameError,
            "'upper_arm_angel' is not a valid column",
        ),
        (
            ["time", "upper_arm_angle", "forearm_hand_angle", "x"],
            UnknownNameError,
            "'x' is not a valid column",
        ),
        (
            ["time", "upper_arm_angle", "forearm_hand_angle", "upper_arm_velocity"],
            MissingInputError,
            "There is 'upper_arm_velocity' but no 'forearm_hand_velocity'",
        ),
        (
            ["time", "upper_arm_angle [mm]", "forearm_hand_angle"],
            FileFormatError,
            "'mm' is not a unit of an angle",
        ),
        (
            ["time", "upper_arm_angle_deg [rad]", "forearm_hand_angle"],
            FileFormatError,
            "says degrees, its unit radians",
        ),
        (
            ["time", "upper_arm_angle", "upper_arm_angle_deg", "forearm_hand_angle"],
            FileFormatError,
            "angle of link 'upper_arm' is in two columns",
        ),
        (
            ["time", "upper_arm_angle", "upper_arm_angle", "forearm_hand_angle"],
            (FileFormatError, DuplicateNameError),
            "two columns|twice|same",
        ),
    ],
)
def test_columns_that_do_not_fit_are_named(tmp_path, labels, error, text):
    columns = [MOTION.time] + [MOTION.angle[:, 0]] * (len(labels) - 1)
    with pytest.raises(error, match=text) as caught:
        load_planar_motion(write(tmp_path, labels, columns), CHAIN)
    assert "motion.csv" in caught.value.where


def test_the_nearest_column_is_offered(tmp_path):
    path = write(tmp_path, ["time", "upper_arm_angel", "forearm_hand_angle"], [MOTION.time, MOTION.angle])
    with pytest.raises(UnknownNameError) as caught:
        load_planar_motion(path, CHAIN)
    assert caught.value.closest[0] == "upper_arm_angle"


def test_times_that_stand_still_and_gaps_name_the_file(tmp_path):
    labels = ["time", "upper_arm_angle", "forearm_hand_angle"]
    path = write(tmp_path, labels, [np.zeros(MOTION.n_times), MOTION.angle])
    with pytest.raises(InvalidValueError, match="Time does not increase") as caught:
        load_planar_motion(path, CHAIN)
    assert "motion.csv" in caught.value.where
    holes = MOTION.angle.copy()
    holes[3, 1] = np.nan
    with pytest.raises(InvalidValueError, match="The table of angles holds NaN or infinity"):
        load_planar_motion(write(tmp_path, labels, [MOTION.time, holes]), CHAIN)
