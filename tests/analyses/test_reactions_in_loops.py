"""Joints of a loop share its load with the constraint that closes it."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.compiled.compile import compile_model
from borelli.mechanics.constraints.loop_forces import hold
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.motion.frame_motion import FrameMotion
from tests.analyses.linkages import four_bar, slider_crank
from tests.analyses.test_forward_dynamics import assembled_four_bar

# Forces (N, x and y) on the children in instant 5: Joint.calcReactionOnChildExpressedInGround of OpenSim 4.6.
OPENSIM = {
    "point": {
        "crank": (-0.20798992010531714, 4.850482671641675),
        "coupler": (-1.3392487146433827, -0.24254680759232095),
        "rocker": (-0.3413780546313401, 12.799762026291418),
    },
    "distance": {
        "crank": (1.8042177863472189, 6.9294780061019425),
        "rocker": (0.41061927779254515, 9.80132955556973),
    },
    "weld": {
        "crank": (-6.014198829449239, 3.3575207910163334),
        "coupler": (-6.4611111637984315, -4.458487915397883),
        "rocker": (1.7930717331386856, 32.05708124598163),
        "stub": (2.6459428931282205, 22.185950458621786),
    },
}


@pytest.mark.parametrize("closing", OPENSIM)
def test_reactions_of_a_falling_linkage_are_those_of_opensim(closing: str) -> None:
    model, motion = assembled_four_bar(closing)
    found = bo.joint_reactions(model, bo.driven_motion(model, motion, [], {}), loops=True)
    for joint, force in OPENSIM[closing].items():
        # OpenSim's postures are assembled to the same round-off; the largest force is 32 N.
        own = found["force"].sel(joint=joint).values[5]
        np.testing.assert_allclose(own, (*force, 0.0), atol=1e-8)
    # Nothing turns the pins, so that they transmit no moment; with the loop left open it is 1 N m and more.
    assert np.abs(found["moment"].values).max() < 1e-10


def test_without_loops_the_generalized_forces_at_the_joints_provide_everything() -> None:
    model, motion = assembled_four_bar("point")
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].values
    with pytest.warns(bo.BorelliWarning, match=r"constraints between bodies bear nothing here \('loop'\)"):
        found = bo.joint_reactions(model, motion)["moment"].values
    np.testing.assert_allclose(found[..., 2], needed, atol=1e-12)


def moving(model: bm.Model, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    shape = (3, len(model.coordinate_names))
    return rng.uniform(-1.0, 1.0, shape), rng.uniform(-1.0, 1.0, shape)


def rolling_ball() -> bm.Model:
    """A ball that rolls over a plate that itself moves."""
    bodies = [bm.Body(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1)) for name in ("plate", "ball")]
    joints = [bm.FreeJoint(name=body.name, parent="ground", child=body.name) for body in bodies]
    touch = bm.RollingConstraint(
        name="touch",
        surface_frame="plate",
        roller="ball",
        radius=0.3,
        centre=(0.1, 0.2, 0.1),
        normal=(0.2, 2.0, -0.1),
    )
    return bm.Model(bodies=bodies, joints=joints, constraints=[touch])


@pytest.mark.parametrize(
    "model",
    [four_bar("point"), four_bar("distance"), four_bar("weld"), slider_crank(), rolling_ball()],
    ids=["point", "distance", "weld", "line", "rolling"],
)
def test_a_constraint_does_the_work_that_its_rows_say(model: bm.Model) -> None:
    q, multiplier = moving(model, 5)
    compiled, system = compile_model(model), constraint_system(model)
    loop = system.loops[0]
    multiplier = np.resize(multiplier, (3, len(loop.names)))
    motion = FrameMotion(compiled.mechanism, q)
    own = hold(compiled, loop.constraint, motion, multiplier)
    force = np.zeros((3, len(model.speed_names)))
    for end, point, sign in ((own.first, own.at_first, -1.0), (own.second, own.at_second, 1.0)):
        force += sign * np.einsum("nik,ni->nk", motion.point_jacobian(end, point), own.force)
        force += sign * np.einsum("nik,ni->nk", motion.angular_jacobian(end), own.moment)
    rows = system.rows(q, np.zeros_like(force), np.zeros(3)).jacobian
    # Also where the loop is open: Gᵀ λ holds in any posture.
    np.testing.assert_allclose(force, np.einsum("nru,nr->nu", rows, multiplier), atol=1e-12)


def test_a_model_whose_constraint_is_switched_off_is_a_tree() -> None:
    from dataclasses import replace

    model, motion = assembled_four_bar("point")
    open_model = replace(model, constraints=[replace(model.constraints[0], enforced=False)])
    tree = bo.joint_reactions(open_model, motion, loops=True)
    alone = bo.joint_reactions(replace(model, constraints=[]), motion)
    np.testing.assert_array_equal(tree["force"], alone["force"])
