"""Placements compose, invert and agree with rotation matrices."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import attitude
from borelli import model as bm

RANDOM = np.random.default_rng(7)


def random_placement() -> bm.Placement:
    return bm.Placement.from_angles(RANDOM.normal(size=3), RANDOM.uniform(-1.5, 1.5, size=3))


def test_angles_are_body_fixed_xyz() -> None:
    angles = (0.3, -0.8, 1.9)
    rotation = np.array(bm.Placement.from_angles(angles=angles).rotation)
    np.testing.assert_allclose(rotation, attitude.matrix_from_angles(angles), atol=1e-16)


def test_a_point_goes_through_nested_frames_one_by_one() -> None:
    outer, inner, point = random_placement(), random_placement(), RANDOM.normal(size=3)
    np.testing.assert_allclose(outer.then(inner).of_point(point), outer.of_point(inner.of_point(point)))


def test_the_inverse_leads_back() -> None:
    placement, point = random_placement(), RANDOM.normal(size=3)
    np.testing.assert_allclose(placement.inverse().of_point(placement.of_point(point)), point, atol=1e-15)


def test_the_identity_changes_nothing() -> None:
    placement = random_placement()
    assert bm.Placement().then(placement) is placement
    assert placement.then(bm.Placement()) is placement
    assert bm.Placement().is_identity


@pytest.mark.parametrize("direction", [(0, 0, 2), (0, 0, -1), (1, 0, 0), (1, -2, 3), (1e-9, 0, -1)])
def test_z_lies_along_the_direction_given(direction: tuple[float, ...]) -> None:
    rotation = np.array(bm.Placement.with_z_along(direction).rotation)
    np.testing.assert_allclose(rotation[:, 2], np.array(direction) / np.linalg.norm(direction), atol=1e-8)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-8)
