"""OpenSim 4.6's stored answers, through the public names alone: models of our own, published ones where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import borelli as bo
from tests.conformance.cases import CASES, Case, assert_close

# Motors at every coordinate provide what the motion demands, in one case also what a weld could bear.
pytestmark = pytest.mark.filterwarnings(
    "ignore:constraints between bodies bear:borelli.errors.BorelliWarning"
)


@pytest.fixture(scope="module", params=CASES)
def case(request: Any) -> Case:
    return Case(request.param)


def test_coordinates_have_opensims_order_and_meaning(case: Case) -> None:
    assert list(case.model.coordinate_names) == case.names
    for coordinate, motion, limits in zip(
        case.model.coordinates, case.ref["coord_motion"], case.ref["coord_range"], strict=True
    ):
        assert coordinate.motion.value == str(motion)
        np.testing.assert_allclose(coordinate.range, limits, rtol=1e-12)
    assert [c.locked for c in case.model.coordinates] == case.ref["coord_locked"].tolist()
    assert list(case.model.joint_names) == [str(name) for name in case.ref["joint_names"]]
    assert sorted(case.model.path_names) == sorted(str(name) for name in case.ref["path_names"])


def test_bodies_and_markers_are_where_opensim_has_them(case: Case) -> None:
    bodies = [str(name) for name in case.ref["body_names"]]
    poses = bo.body_poses(case.model, case.motion()).sel(body=bodies)
    # Round-off along a dozen joints: 1e-12 m leaves two digits of room.
    assert_close(poses["com"].values, case.ref["body_com"], 1e-12, 1.0)
    assert_close(poses["origin"].values, case.ref["body_origin"], 1e-12, 1.0)
    assert_close(poses["rotation"].values, case.ref["body_R"], 1e-12, 1.0)
    if "marker_pos" in case.ref and case.ref["marker_pos"].size:
        markers = bo.marker_positions(case.model, case.motion())
        names = [str(name) for name in case.ref["marker_names"]]
        assert_close(markers.sel(marker=names).values, case.ref["marker_pos"], 1e-12, 1.0)


def test_the_mass_matrix_is_opensims(case: Case) -> None:
    matrix = bo.mass_matrix(case.model, case.motion(case.ref["M_frames"]))
    ours = matrix.sel(coordinate=case.names, coordinate_=case.names).values
    assert_close(ours, case.ref["M"], 1e-12)


def test_inverse_dynamics_is_opensims(case: Case) -> None:
    forces = bo.inverse_dynamics(case.model, case.motion(), case.loads())["generalized_force"]
    assert_close(forces.sel(coordinate=case.names).values, case.ref["tau"], 1e-11, 1.0)


def test_joint_reactions_without_muscles_are_opensims(case: Case) -> None:
    frames = case.ref["rx_frames"]
    joints = [str(name) for name in case.ref["joint_names"]]
    got = bo.joint_reactions(case.model, case.motion(frames), case.loads(frames)).sel(joint=joints)
    assert_close(got["force"].values, case.ref["rx_id_force"], 1e-11, 1.0)
    assert_close(got["moment"].values, case.ref["rx_id_moment"], 1e-11, 1.0)


def test_without_the_loads_inverse_dynamics_is_far_off(case: Case) -> None:
    if not case.loads():
        pytest.skip("this case has no external loads")
    forces = bo.inverse_dynamics(case.model, case.motion())["generalized_force"]
    ours = forces.sel(coordinate=case.names).values
    with pytest.raises(AssertionError):
        assert_close(ours, case.ref["tau"], 1e-3, 1.0)
