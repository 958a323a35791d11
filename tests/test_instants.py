"""Rows that are one instant: what OpenSim's tools write last may not throw a spline out of the window."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli import planar
from borelli.cli.main import main
from borelli.errors import BorelliWarning, InvalidValueError, UnsolvableError
from borelli.instants import distinct, usual_step
from borelli.io.load import load_table
from borelli.io.signals.filtering import natural_quintic, smooth
from borelli.model import Body, Coordinate, Model, MotionType, PinJoint
from borelli.model.plausibility.limits import refuse_absurd_results, refuse_impossible_forces
from borelli.results.labelled.table import Table

STEP = 0.01
TIME = STEP * np.arange(101)
ANGLE = 0.5 + 0.3 * np.sin(2 * np.pi * TIME)
ROUND_OFF = np.array([1.0 + 2e-14])
"""How far after the last row OpenSim's Forward writes it again."""


def repeated(values: np.ndarray, change: float = 1e-13) -> np.ndarray:
    """Write the last row again, as a tool does: with round-off in its numbers."""
    return np.concatenate([values, values[-1:] + change])


TWICE = np.concatenate([TIME, ROUND_OFF])


def pendulum() -> Model:
    swing = Coordinate("swing", MotionType.ROTATIONAL)
    return Model(
        name="pendulum",
        bodies=[Body("rod", 2.0, (0.0, -0.4, 0.0), (0.1, 0.1, 0.1))],
        joints=[PinJoint(name="pin", parent="ground", child="rod", coordinates=(swing,))],
    )


def write(path: Path, time: np.ndarray, angle: np.ndarray) -> Path:
    bo.save_table(Table(time, ("swing",), angle[:, None], in_degrees=False), path)
    return path


def setup(folder: Path, cutoff: float = -1.0) -> Path:
    bo.save_model(pendulum(), folder / "pendulum.osim")
    (folder / "id.xml").write_text(
        "<OpenSimDocument Version='40000'><InverseDynamicsTool name='t'><model_file>pendulum.osim</model_file>"
        "<results_directory>.</results_directory><coordinates_file>swing.sto</coordinates_file>"
        f"<lowpass_cutoff_frequency_for_coordinates>{cutoff}</lowpass_cutoff_frequency_for_coordinates>"
        "<time_range>0 10</time_range><output_gen_force_file>id.sto</output_gen_force_file>"
        "</InverseDynamicsTool></OpenSimDocument>"
    )
    return folder / "id.xml"


def main_ok(path: Path) -> None:
    with contextlib.suppress(SystemExit):
        main(["run", str(path)])
    assert (path.parent / "id.sto").is_file()


def test_a_round_off_is_no_step_and_a_short_step_is_one() -> None:
    assert distinct(TIME).all()
    assert np.flatnonzero(~distinct(TWICE)).tolist() == [101]
    # The first steps of an integrator: a hundred-thousandth of the usual one, with numbers of their own.
    short = np.concatenate([[0.0, 1e-7], TIME[1:]])
    assert distinct(short, np.arange(102.0)).all()
    assert np.flatnonzero(~distinct(short, np.zeros(102))).tolist() == [1]


def test_the_usual_step_is_that_of_the_recording_though_every_row_comes_twice() -> None:
    both = np.sort(np.concatenate([TIME, TIME + 1e-14]))
    assert usual_step(both) == pytest.approx(STEP)
    assert distinct(both).sum() == len(TIME)


def test_derivatives_do_not_change_when_the_last_row_comes_twice() -> None:
    once, twice = pendulum_motion(TIME, ANGLE), pendulum_motion(TWICE, repeated(ANGLE))
    expected = bo.inverse_dynamics(pendulum(), once)["generalized_force"].values
    found = bo.inverse_dynamics(pendulum(), twice)["generalized_force"].values
    assert np.allclose(found[:-1], expected, rtol=0, atol=1e-9)
    assert np.allclose(found[-1], found[-2], rtol=0, atol=1e-6)


def pendulum_motion(time: np.ndarray, angle: np.ndarray) -> bo.Motion:
    return bo.Motion(time, ("swing",), angle[:, None])


def test_planar_motions_too() -> None:
    once = planar.Motion(TIME, ANGLE[:, None])
    twice = planar.Motion(TWICE, repeated(ANGLE)[:, None])
    assert np.allclose(twice.acceleration[:-1], once.acceleration, rtol=0, atol=1e-9)


def test_a_file_loses_the_second_row_and_says_so(tmp_path: Path) -> None:
    path = write(tmp_path / "swing.sto", TWICE, repeated(ANGLE))
    with pytest.warns(
        BorelliWarning,
        match=r"1 rows are closer to the row before .* \(the first 2\.0e-14 s after 1 s\): left out",
    ):
        motion = bo.load_motion(path, pendulum())
    expected = bo.load_motion(write(tmp_path / "once.sto", TIME, ANGLE), pendulum())
    assert motion.n_times == 101
    assert np.array_equal(motion.udot, expected.udot)  # type: ignore[arg-type]


def test_opensims_row_count_is_kept_without_a_filter(tmp_path: Path) -> None:
    # OpenSim 4.6 answers for both rows (its own double pendulum in space: 302 rows in, 302 out).
    write(tmp_path / "swing.sto", TWICE, repeated(ANGLE))
    main_ok(setup(tmp_path))
    table = load_table(tmp_path / "id.sto")
    assert len(table.time) == 102
    assert np.allclose(table.values[-1], table.values[-2], rtol=0, atol=1e-6)


def test_a_filter_does_not_resample_to_the_round_off(tmp_path: Path) -> None:
    write(tmp_path / "swing.sto", TWICE, repeated(ANGLE))
    main_ok(setup(tmp_path, 6.0))
    # Padded by half the rows at either end, as OpenSim does, and no finer than the recording.
    assert len(load_table(tmp_path / "id.sto").time) <= 201


def test_uneven_times_are_resampled_to_a_bounded_number_of_rows() -> None:
    time = np.sort(np.concatenate([TIME, [0.5 + 2e-7]]))
    values = np.sin(time)[:, None]
    assert distinct(time, values).all()
    assert len(smooth(time, values, 6.0, "opensim").time) <= 100_001
    assert len(smooth(time, values, 6.0, "default").time) == len(time)


def test_a_spline_through_both_rows_would_be_absurd() -> None:
    """Negative control: what happens without it."""
    from scipy.interpolate import make_interp_spline

    ends = [(3, 0.0), (4, 0.0)]
    absurd = make_interp_spline(TWICE, repeated(ANGLE), k=5, bc_type=(ends, ends))(TWICE, 2)  # type: ignore[arg-type]
    assert np.abs(absurd).max() > 1e4
    assert np.abs(natural_quintic(TWICE, repeated(ANGLE)[:, None])(TWICE, 2)).max() < 100


def test_accelerations_that_no_body_has_are_refused(tmp_path: Path) -> None:
    jump = np.where(TIME < 0.5, ANGLE, ANGLE + 2000.0)
    path = write(tmp_path / "swing.sto", TIME, jump)
    with pytest.raises(
        InvalidValueError, match=r"'swing' would accelerate by .* at 0\.(49|5) s(.|\n)*wrong unit"
    ):
        bo.load_motion(path, pendulum())
    with pytest.raises(InvalidValueError, match="as no body does"):
        bo.inverse_dynamics(pendulum(), pendulum_motion(TIME, jump))


def test_forces_that_no_body_needs_are_refused_and_not_written(tmp_path: Path) -> None:
    write(tmp_path / "swing.sto", TIME, ANGLE)
    path = setup(tmp_path)
    main_ok(path)
    before = (tmp_path / "id.sto").read_bytes()
    text = (tmp_path / "pendulum.osim").read_text()
    impossible = text.replace("0.1 0.1 0.1", "1e9 1e9 1e9")
    assert impossible != text
    (tmp_path / "pendulum.osim").write_text(impossible)
    with pytest.raises(SystemExit):
        main(["run", str(path)])
    assert (tmp_path / "id.sto").read_bytes() == before


def test_what_is_refused_is_named() -> None:
    with pytest.raises(
        UnsolvableError, match=r"9\.0e\+42 N or N m at 'swing' at 1 s; the whole model weighs 19\.6"
    ):
        refuse_impossible_forces(pendulum(), np.array([0.0, 1.0]), ["swing"], np.array([[0.0], [9e42]]))
    with pytest.raises(UnsolvableError, match=r"JointReaction: 'pin_fx' would be -3\.0e\+42 at 0 s"):
        refuse_absurd_results("JointReaction", np.array([0.0]), ["pin_fx"], np.array([[-3e42]]))
    refuse_absurd_results("JointReaction", np.array([0.0]), ["pin_fx"], np.array([[np.nan]]))
