"""Compression is told along a long bone, found from geometry: of the ankle along the shank, never along the foot."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.analyses.movement.scene import scene
from borelli.analyses.postures.default_posture import default_posture
from borelli.mechanics.motion.long_axes import long_axes
from borelli.results.outputs.resultant import Resultant, joint_forces, segment_axis
from tests.shared_data import reference

# The models say what is odd about them, which is tested elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
MODELS = {
    "gait2354": ("gait2354", "subject01_simbody.osim"),
    "gait2392": ("gait2392", "subject01_simbody.osim"),
    "rajagopal": ("rajagopal2016", "Rajagopal2016.osim"),
    "rajagopal scaled": ("rajagopal_walk", "subject_walk_scaled.osim"),
    "sample": None,
}


def opened(name: str) -> bo.Model:
    place = MODELS[name]
    return bo.load_model(bo.library.sample_walk().model if place is None else reference(*place))


@pytest.mark.parametrize("name", MODELS)
def test_every_joint_of_a_leg_is_told_along_its_long_bone(name):
    model = opened(name)
    drawn = scene(model, default_posture(model))
    told = {joint: axis[2] for joint, axis in drawn.joint_position.attrs["long_axes"].items()}
    knee = next(joint for joint in model.joint_names if joint.endswith("knee_r"))
    at = {p: drawn.joint_position.sel(point=p).values[0] for p in ("hip_r", knee, "ankle_r")}
    for joint, body, first, last in (
        ("hip_r", "femur_r", "hip_r", knee),
        (knee, "tibia_r", knee, "ankle_r"),
        ("ankle_r", "tibia_r", knee, "ankle_r"),
    ):
        assert told[joint] == body
        bone = (at[last] - at[first]) / np.linalg.norm(at[last] - at[first])
        np.testing.assert_allclose(segment_axis(drawn, joint, 3)[0], bone, atol=1e-12)
    # Beyond the ankle all is foot: the shank again. The trunk has its own axis, upwards.
    assert {told[joint] for joint in told if joint.startswith(("subtalar_r", "mtp_r"))} <= {"tibia_r"}
    back = "lumbar" if "lumbar" in told else "back"
    assert told[back] == "torso" and segment_axis(drawn, back, 3)[0] @ [0.0, 1.0, 0.0] > 0.9


def test_arms_are_told_along_upper_arm_and_forearm_and_the_wrist_along_the_forearm():
    model = opened("rajagopal")
    told = scene(model, default_posture(model)).joint_position.attrs["long_axes"]
    # The ulna of this model ends a centimetre below the elbow: the forearm goes on with the radius.
    assert [told[f"{joint}_r"][2] for joint in ("acromial", "elbow", "radius_hand")] == [
        "humerus_r",
        "radius_r",
        "radius_r",
    ]


def leg(foot: float, kneecap_mass: float = 0.1) -> list:
    """Pelvis with two legs: hip, knee, kneecap, ankle on one side; a foot of some length (to its mass centre)."""
    parents, children = [-1, 0, 1, 1, 2, 0], [0, 1, 2, 3, 4, 5]
    masses = [12.0, 9.0, 4.0, kneecap_mass, 1.2, 16.0]
    joints = [(0, 1), (0, 0.9), (0, 0.5), (0.05, 0.5), (0, 0.1), (0.2, 0.9)]
    centres = [(0, 1), (0, 0.7), (0, 0.3), (0.06, 0.5), (foot, 0.1), (0.2, 0.5)]
    places = np.array([[(x, y, 0.0) for x, y in [*joints, *centres]]])
    return long_axes(parents, children, masses, places)


def test_a_short_last_segment_takes_the_axis_above_and_a_long_one_its_own():
    short, long = leg(0.12), leg(0.25)  # a segment of 0.4 m is above it, and its mass centre is in its middle
    assert short[4].body == 2 and (short[4].begin, short[4].end) == ([2], [4])
    assert long[4].body == 4 and long[4].begin == [4]
    assert short[1].body == 1 and short[1].end == [2]  # the kneecap is not where a thigh ends


def test_a_joint_without_any_direction_has_no_axis():
    assert long_axes([-1], [0], [1.0], np.zeros((1, 2, 3))) == [None]


def test_compression_of_the_ankle_is_its_part_along_the_shank():
    model = opened("sample")
    motion = default_posture(model)
    load = bo.Load("ground", "foot_r", force=(0.0, 700.0, 0.0), point=(0.05, 0.0, 0.1))
    result = bo.contributions(model, motion, [load]).merge(scene(model, motion, [load]), compat="override")
    forces = {(f.place["joint"], f.direction): f for f in joint_forces(result, bo.outputs(result))}
    axial, shear = (forces["ankle_r", kind] for kind in ("axial", "shear"))
    at = result["joint_position"]
    shank = (at.sel(point="ankle_r") - at.sel(point="knee_r")).values[0]
    force = result["total_reaction_force"].sel(joint="ankle_r").values[0]
    along = float(force @ shank / np.linalg.norm(shank))
    assert axial.total(result)[0] == pytest.approx(along) and along > 600.0
    assert shear.total(result)[0] == pytest.approx(np.sqrt(force @ force - along**2), abs=1e-9)
    assert isinstance(axial, Resultant) and "along the segment 'tibia_r'" in axial.describe(result)


def test_a_chain_of_thousands_of_joints_is_no_deeper_than_python_goes():
    n = 3000
    places = np.zeros((1, 2 * n, 3))
    places[0, :n, 1] = -np.arange(n)
    places[0, n:, 1] = -np.arange(n) - 0.5
    found = long_axes(range(-1, n - 1), range(n), [1.0] * n, places)
    assert [axis.body for axis in found] == list(range(n))


def test_joints_may_be_listed_before_those_that_carry_them():
    places = np.array([[(0.0, 0.5, 0.0), (0.0, 1.0, 0.0), (0.0, 0.75, 0.0), (0.0, 0.25, 0.0)]])
    below, above = long_axes([0, -1], [1, 0], [1.0, 1.0], places)
    assert (above.body, above.end) == (0, [0])
    assert (below.body, below.end) == (1, [3])
