"""The neck and the composite joint against OpenSim, and facts of their sources."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli import library


def opensim_arms(path, driver, muscles, values):
    """Moment arms about the coupled coordinate, from OpenSim's own solver."""
    opensim = pytest.importorskip("opensim")
    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(path))
    state = model.initSystem()
    coordinate = model.getCoordinateSet().get(driver)
    found = np.empty((len(values), len(muscles)))
    for row, value in enumerate(values):
        coordinate.setValue(state, value)
        model.realizePosition(state)
        for column, name in enumerate(muscles):
            geometry = model.getMuscles().get(name).getGeometryPath()
            found[row, column] = geometry.computeMomentArm(state, coordinate)
    return found


@pytest.mark.parametrize(
    ("make", "driver"), [(library.neck, "c7_pitch"), (library.composite_joint, "theta_1")]
)
def test_arms_along_the_coupled_motion_are_those_of_opensim(make, driver, tmp_path):
    model = make()
    values = np.linspace(*model.coordinates[driver].range, 5)
    motion = bo.assemble(model, bo.Motion(np.arange(5.0), [driver], values[:, None]))
    ours = bo.moment_arms(model, motion, coordinates=driver).values[:, :, 0]
    bo.save_model(model, tmp_path / "model.osim")
    theirs = opensim_arms(tmp_path / "model.osim", driver, model.path_names, values)
    # OpenSim couples to 1e-9 or so; over its cylinder the path is tangent to within 0.1 degrees.
    np.testing.assert_allclose(ours, theirs, atol=2e-5 if make is library.composite_joint else 1e-7)


def test_the_skull_turns_by_the_sum_of_all_joints():
    model = library.neck()
    motion = bo.assemble(model, bo.Motion([0.0], ["c7_pitch"], [[0.05]]))
    rotation = bo.body_poses(model, motion)["rotation"].sel(body="skull").values[0]
    pitch = np.arctan2(rotation[1, 0], rotation[0, 0])
    assert pitch == pytest.approx(0.05 * library.neck_angle_per_driver(), abs=1e-12)
    # White & Panjabi (1990): 136 degrees from C7 to the skull, 9 of them at C7.
    assert library.neck_angle_per_driver() == pytest.approx(136 / 9)


def test_extensors_extend_and_flexors_flex():
    model = library.neck()
    arms = bo.moment_arms(
        model, bo.Motion.at_rest(model.coordinate_names, [[0.0] * 8]), angles=library.neck_angle()
    )
    sign = {name: float(arms.sel(path=name)[0, 0]) for name in model.path_names}
    assert all(
        sign[name] > 0.01 for name in sign if name.split("_")[0] in ("splenius", "semispinalis", "rectus")
    )
    assert all(sign[name] < -0.003 for name in ("sternocleidomastoid", "longus_colli", "scalenus_anterior"))


def test_the_neck_grows_with_the_person():
    small, tall = library.neck(height_m=1.5), library.neck(height_m=1.9)
    ratio = (
        tall.joints["c2_joint"].parent_placement.translation[1]
        / small.joints["c2_joint"].parent_placement.translation[1]
    )
    assert ratio == pytest.approx(1.9 / 1.5)
