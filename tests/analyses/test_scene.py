"""What is drawn of a model in space lies where the engine has it."""

from __future__ import annotations

import numpy as np

from borelli import model as bm
from borelli.analyses.movement.body_poses import body_poses
from borelli.analyses.movement.paths import paths
from borelli.analyses.movement.scene import scene
from borelli.mechanics.motion.ordered_motion import Load, Motion
from tests.analyses.muscle_arms import arm, curl


def test_bones_join_the_joints_and_end_in_the_last_mass_centre():
    model, motion = arm(), curl()
    drawn = scene(model, motion)
    assert list(drawn.point.values) == ["shoulder", "elbow", "fore mass centre"]
    assert drawn.joint_position.attrs["bones"] == [[0, 1], [1, 2]]
    places = drawn.joint_position.values
    np.testing.assert_allclose(np.linalg.norm(places[:, 1] - places[:, 0], axis=1), 0.3, atol=1e-14)
    np.testing.assert_allclose(places[:, 2], body_poses(model, motion).com.sel(body="fore"), atol=1e-14)


def test_ellipsoid_has_the_inertia_of_its_body():
    radii = np.array([0.1, 0.2, 0.3])
    mass, squared = 3.0, radii**2
    inertia = mass / 5.0 * (squared.sum() - squared)  # of a solid ellipsoid
    model = bm.Model(
        bodies=[bm.Body("egg", mass, (0.0, 0.0, 0.0), tuple(inertia)), bm.Body("ghost")],
        joints=[
            bm.PinJoint(name="a", parent="ground", child="egg"),
            bm.PinJoint(name="b", parent="egg", child="ghost"),
        ],
    )
    rest = np.zeros((1, 2))
    still = Motion([0.0], ("a", "b"), rest, rest, rest)
    axes = scene(model, still).body_ellipsoid.values[0]
    np.testing.assert_allclose(sorted(np.linalg.norm(axes[0], axis=0)), radii, rtol=1e-12)
    np.testing.assert_allclose(axes[0].T @ axes[0], np.diag(np.diag(axes[0].T @ axes[0])), atol=1e-14)
    assert np.isnan(axes[1]).all()


def test_paths_are_as_long_as_drawn_and_tensions_not_given_are_gaps():
    model, motion = arm(), curl()
    drawn = scene(model, motion, tensions={"biceps": np.full(motion.n_times, 50.0)})
    pieces = np.linalg.norm(np.diff(drawn.path_point.values.astype(float), axis=2), axis=-1)
    # vertices are kept in single precision
    np.testing.assert_allclose(np.nansum(pieces, axis=2), paths(model, motion).length, atol=1e-6)
    assert (drawn.tension.sel(path="biceps") == 50.0).all()
    assert np.isnan(drawn.tension.sel(path="brachialis")).all()


def test_loads_are_drawn_where_they_act():
    model, motion = arm(), curl()
    load = Load("dumbbell", "fore", force=(0.0, -50.0, 0.0), point=(0.1, -0.4, 0.0))
    drawn = scene(model, motion, [load])
    np.testing.assert_array_equal(drawn.load_force[:, 0], [(0.0, -50.0, 0.0)] * motion.n_times)
    np.testing.assert_array_equal(drawn.load_point[:, 0], [(0.1, -0.4, 0.0)] * motion.n_times)
