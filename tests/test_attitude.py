"""Quaternions are scalar first and agree with closed forms, with SciPy and with 60-digit reference numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from borelli import attitude
from borelli.errors import InvalidValueError, MissingInputError, ShapeError

# Computed at 60 digits from the sandwich product x -> q x q* and rounded to 17 digits.
REFERENCE = json.loads((Path(__file__).parent / "reference" / "attitude.json").read_text(encoding="utf-8"))
RANDOM = np.random.default_rng(1680)


def random_quaternions(n: int) -> np.ndarray:
    q = RANDOM.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def test_attitudes_of_directions_equal_the_reference() -> None:
    q = attitude.from_direction(REFERENCE["inputs"]["directions"])
    for got, expected in zip(q, REFERENCE["outputs"]["directions"], strict=True):
        np.testing.assert_allclose(got, expected["quat"], atol=1e-14)
        np.testing.assert_allclose(attitude.rotation_matrix(got), expected["R"], atol=1e-14)


def test_rotation_inertia_and_rate_equal_the_reference() -> None:
    given, expected = REFERENCE["inputs"], REFERENCE["outputs"]
    matrix = attitude.rotation_matrix(given["quat"])
    np.testing.assert_allclose(matrix, expected["R"], atol=1e-15)
    np.testing.assert_allclose(
        attitude.rotate(given["quat"], given["vector"]), expected["rotated"], atol=1e-15
    )
    world = attitude.inertia_in_world(given["inertia_body"], matrix)
    np.testing.assert_allclose(world, expected["inertia_world"], atol=1e-16)
    rate = attitude.quaternion_rate(given["quat"], given["omega_body"])
    np.testing.assert_allclose(rate, expected["quat_rate"], atol=1e-15)


def test_x_points_along_the_direction_and_z_is_as_high_as_possible() -> None:
    directions = RANDOM.normal(size=(50, 3))
    matrix = attitude.rotation_matrix(attitude.from_direction(directions))
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    np.testing.assert_allclose(matrix[:, :, 0], unit, atol=1e-15)
    # Among the axes normal to x, the highest one reaches the height sqrt(1 - x_z²).
    np.testing.assert_allclose(matrix[:, 2, 2], np.sqrt(1 - unit[:, 2] ** 2), atol=1e-14)


def test_a_vertical_direction_has_heading_zero() -> None:
    np.testing.assert_allclose(attitude.rotation_matrix(attitude.from_direction([0, 0, 2]))[:, 1], [0, 1, 0])


def test_products_rotate_one_after_the_other() -> None:
    a, b = random_quaternions(20), random_quaternions(20)
    product = attitude.rotation_matrix(attitude.multiply(a, b))
    np.testing.assert_allclose(product, attitude.rotation_matrix(a) @ attitude.rotation_matrix(b), atol=1e-14)
    inverse = attitude.rotation_matrix(attitude.conjugate(a))
    np.testing.assert_allclose(inverse, np.swapaxes(attitude.rotation_matrix(a), 1, 2), atol=1e-15)


def test_matrices_and_quaternions_convert_both_ways() -> None:
    # Rotations by half a turn about each axis are where the plain formula divides by zero.
    halves = np.eye(4)
    q = np.vstack([random_quaternions(200), halves])
    q = np.where(q[:, :1] < 0, -q, q)
    np.testing.assert_allclose(attitude.from_matrix(attitude.rotation_matrix(q)), q, atol=1e-14)


def test_scipy_rotates_the_same_way() -> None:
    q = random_quaternions(20)
    np.testing.assert_allclose(attitude.to_scipy(q).as_matrix(), attitude.rotation_matrix(q), atol=1e-14)
    np.testing.assert_allclose(attitude.from_scipy(attitude.to_scipy(q)), q, atol=1e-15)


def test_angles_are_body_fixed_xyz() -> None:
    angles = RANDOM.uniform([-3, -1.5, -3], [3, 1.5, 3], size=(100, 3))
    matrix = attitude.matrix_from_angles(angles)
    np.testing.assert_allclose(matrix, Rotation.from_euler("XYZ", angles).as_matrix(), atol=1e-15)
    np.testing.assert_allclose(attitude.angles_from_matrix(matrix), angles, atol=1e-12)


@pytest.mark.parametrize("sign", [-1, 1])
def test_gimbal_lock_still_gives_angles_of_the_same_matrix(sign: int) -> None:
    matrix = attitude.matrix_from_angles([0.3, sign * np.pi / 2, 0.4])
    angles = attitude.angles_from_matrix(matrix)
    assert angles[2] == 0.0
    # The second angle of a lock is known to the square root of round-off only.
    np.testing.assert_allclose(attitude.matrix_from_angles(angles), matrix, atol=2e-8)


def tumbling(time: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Body-fixed XYZ angles that are smooth functions of time, and their derivatives."""
    angles = np.stack([np.sin(2 * time), 0.8 * np.cos(time), time + 0.3 * np.sin(3 * time)], axis=1)
    rates = np.stack([2 * np.cos(2 * time), -0.8 * np.sin(time), 1 + 0.9 * np.cos(3 * time)], axis=1)
    accelerations = np.stack([-4 * np.sin(2 * time), -0.8 * np.cos(time), -2.7 * np.sin(3 * time)], axis=1)
    return angles, rates, accelerations


def test_angular_velocity_of_angles_is_the_rate_of_the_matrix() -> None:
    time, step = np.linspace(0, 2, 9), 1e-6
    angles, rates, accelerations = tumbling(time)
    plus, minus = (attitude.matrix_from_angles(tumbling(time + h)[0]) for h in (step, -step))
    matrix = attitude.matrix_from_angles(angles)
    spin = np.einsum("tij,tkj->tik", (plus - minus) / (2 * step), matrix)
    expected = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
    velocity = attitude.angular_velocity_from_angles(angles, rates)
    # Central differences with this step are good to about 1e-9.
    np.testing.assert_allclose(velocity, expected, atol=2e-9)
    before = attitude.angular_velocity_from_angles(*tumbling(time - step)[:2])
    after = attitude.angular_velocity_from_angles(*tumbling(time + step)[:2])
    got = attitude.angular_acceleration_from_angles(angles, rates, accelerations)
    np.testing.assert_allclose(got, (after - before) / (2 * step), atol=2e-8)
    np.testing.assert_allclose(attitude.angles_rates(angles, velocity), rates, atol=1e-14)


def test_velocity_in_body_and_world_axes_are_one_vector() -> None:
    q, w = random_quaternions(30), RANDOM.normal(size=(30, 3))
    rate = attitude.quaternion_rate(q, w)
    np.testing.assert_allclose(attitude.angular_velocity(q, rate), w, atol=1e-14)
    world = attitude.angular_velocity(q, rate, in_body=False)
    np.testing.assert_allclose(world, attitude.rotate(q, w), atol=1e-14)
    np.testing.assert_allclose(attitude.quaternion_rate(q, world, in_body=False), rate, atol=1e-14)


def test_spline_on_the_sphere_recovers_velocity_and_acceleration() -> None:
    time = np.linspace(0, 2, 401)
    angles, rates, accelerations = tumbling(time)
    q = attitude.from_matrix(attitude.matrix_from_angles(angles))
    velocity, acceleration = attitude.rates_from_quaternions(time, q, in_body=False)
    expected = attitude.angular_velocity_from_angles(angles, rates)
    expected_acceleration = attitude.angular_acceleration_from_angles(angles, rates, accelerations)
    # A quintic spline misses by h^5 and h^4 times high derivatives (about 1e3): 3e-9 and 6e-7 at h = 5 ms.
    np.testing.assert_allclose(velocity, expected, atol=1e-8)
    np.testing.assert_allclose(acceleration, expected_acceleration, atol=5e-6)
    from_angles = attitude.rates_from_angles(time, angles)
    np.testing.assert_allclose(from_angles[0], expected, atol=1e-8)
    np.testing.assert_allclose(from_angles[1], expected_acceleration, atol=5e-6)


def test_signs_lengths_and_whole_turns_do_not_matter_to_the_splines() -> None:
    time = np.linspace(0, 2, 81)
    angles = tumbling(time)[0]
    q = attitude.from_matrix(attitude.matrix_from_angles(angles))
    scrambled = q * RANDOM.choice([-2.0, 3.0], size=(81, 1))
    for got, expected in zip(
        attitude.rates_from_quaternions(time, scrambled),
        attitude.rates_from_quaternions(time, q),
        strict=True,
    ):
        np.testing.assert_allclose(got, expected, atol=1e-10)
    turned = angles + 2 * np.pi * (time[:, None] > 1)
    for got, expected in zip(
        attitude.rates_from_angles(time, turned), attitude.rates_from_angles(time, angles), strict=True
    ):
        np.testing.assert_allclose(got, expected, atol=1e-9)


def test_the_spline_on_the_sphere_does_not_depend_on_the_observer() -> None:
    time = np.linspace(0, 2, 31)
    q = attitude.from_matrix(attitude.matrix_from_angles(tumbling(time)[0]))
    seen = attitude.multiply(random_quaternions(1)[0], q)
    for got, expected in zip(
        attitude.rates_from_quaternions(time, seen), attitude.rates_from_quaternions(time, q), strict=True
    ):
        np.testing.assert_allclose(got, expected, atol=1e-9)


def test_missing_instants_stay_missing_and_spoil_no_other() -> None:
    time = np.linspace(0, 2, 201)
    angles = tumbling(time)[0]
    q = attitude.from_matrix(attitude.matrix_from_angles(angles))
    whole = attitude.rates_from_quaternions(time, q)[0]
    q[50] = np.nan
    velocity = attitude.rates_from_quaternions(time, q)[0]
    assert np.isnan(velocity[50]).all()
    assert np.isnan(velocity).any(axis=1).sum() == 1
    # The neighbours are now found across a gap of twice the step.
    np.testing.assert_allclose(np.delete(velocity, 50, 0), np.delete(whole, 50, 0), atol=1e-6)


def test_parallel_axes_move_an_inertia_and_back() -> None:
    inertia, com = np.diag([0.02, 0.03, 0.04]), np.array([0.1, -0.2, 0.3])
    moved = attitude.inertia_about_point(inertia, 2.0, com)
    # Steiner about x: m (y² + z²); the product: -m x y.
    assert moved[0, 0] == pytest.approx(0.02 + 2.0 * (0.04 + 0.09))
    assert moved[0, 1] == pytest.approx(2.0 * 0.1 * 0.2)
    np.testing.assert_allclose(attitude.inertia_about_point(moved, -2.0, com), inertia, atol=1e-16)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"a quaternion needs the shape \(…, 4\), but has \(3,\)"):
        attitude.rotation_matrix([1, 0, 0])
    with pytest.raises(InvalidValueError, match="a quaternion of zero length is no rotation"):
        attitude.rotation_matrix([0, 0, 0, 0])
    with pytest.raises(InvalidValueError, match="a direction of zero length points nowhere"):
        attitude.from_direction([0, 0, 0])
    with pytest.raises(MissingInputError, match="speeds cannot be found from 3 instants"):
        attitude.rates_from_quaternions([0, 1, 2], random_quaternions(3))
    with pytest.raises(ShapeError, match=r"quaternions over time need the shape \(n_times, 4\)"):
        attitude.rates_from_quaternions([0, 1, 2], [1, 0, 0, 0])
    with pytest.raises(ShapeError, match="a table over"):
        attitude.rates_from_angles([0, 1], np.zeros((3, 3)))


def test_axis_and_angle_equal_scipy() -> None:
    axis, angle = RANDOM.normal(size=(50, 3)), RANDOM.uniform(-6.0, 6.0, size=50)
    expected = Rotation.from_rotvec(axis / np.linalg.norm(axis, axis=1, keepdims=True) * angle[:, None])
    got = attitude.rotation_matrix(attitude.from_axis_angle(axis, angle))
    np.testing.assert_allclose(got, expected.as_matrix(), atol=1e-14)
    # Du (2021), erratum D7: the 4-vector (angle, axis) itself is no rotation quaternion.
    quarter = attitude.from_axis_angle([0, 0, 2], np.pi / 2)
    np.testing.assert_allclose(quarter, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=1e-15)
    assert attitude.from_axis_angle([0, 0, 1], [0.1, 0.2, 0.3]).shape == (3, 4)


def test_the_turn_between_directions_is_the_smallest() -> None:
    a, b = RANDOM.normal(size=(2, 200, 3))
    q = attitude.between(a, b)
    units = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in (a, b)]
    np.testing.assert_allclose(attitude.rotate(q, units[0]), units[1], atol=1e-14)
    cosine = (units[0] * units[1]).sum(axis=1)
    np.testing.assert_allclose(attitude.turn_angle(q), np.arccos(cosine), atol=1e-7)
    # SciPy's own answer to the same question, one pair at a time.
    one, _ = Rotation.align_vectors(units[1][:1], units[0][:1])
    np.testing.assert_allclose(attitude.rotation_matrix(q[0]), one.as_matrix(), atol=1e-12)


def test_the_turn_between_nearly_equal_and_opposite_directions() -> None:
    tiny = attitude.between([1, 0, 0], [1, 1e-9, 0])
    assert abs(float(attitude.turn_angle(tiny)) - 1e-9) < 1e-16
    for start in ([1, 0, 0], [0, 0, 2], [0.3, -0.4, 0.5]):
        q = attitude.between(start, -np.array(start, dtype=float))
        np.testing.assert_allclose(attitude.rotate(q, start), -np.array(start), atol=1e-14)
        assert abs(float(attitude.turn_angle(q)) - np.pi) < 1e-12


def test_directions_and_axes_of_zero_length_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="axis of zero length"):
        attitude.from_axis_angle([0, 0, 0], 1.0)
    with pytest.raises(InvalidValueError, match="direction of zero length"):
        attitude.between([0, 0, 0], [1, 0, 0])
