"""Forward dynamics, induced accelerations and direct + induced shares."""

import numpy as np

from borelli import planar
from tests.planar.golden import CASES, TOLERANCE, chain_of, gap, loads_of, motion_of

CASE = CASES["planar_forward_n3"]
NAMES = {
    "muscle_0": "muscle:muscle0",
    "muscle_1": "muscle:muscle1",
    "contact_0": "load:contact0",
    "couple_0": "load:couple0",
    **{f"weight_{k}": f"weight:link{k}" for k in (1, 2, 3)},
    **{f"thd2_{k}": f"velocity:link{k}" for k in (1, 2, 3)},
}


def answer():
    return planar.induced(chain_of(CASE["inputs"]), motion_of(CASE["inputs"]), **loads_of(CASE["inputs"]))


def test_accelerations_and_reactions_equal_the_reference():
    have, outputs = answer(), CASE["outputs"]
    assert gap(have.acceleration[0], outputs["theta_ddot"]) < TOLERANCE
    assert gap(-have.reaction[0], outputs["phi"]) < TOLERANCE
    assert float(have.closure) < 1e-13


def test_every_induced_share_equals_the_reference():
    have, outputs = answer(), CASE["outputs"]
    assert set(NAMES.values()) == set(have.source.values)
    for key, source in NAMES.items():
        one = have.sel(source=source).isel(time=0)
        assert gap(one.induced_acceleration, outputs["induced_theta_ddot"][key]) < TOLERANCE
        # A difference of two nearly equal parts, direct and induced: one digit less.
        assert gap(-one.reaction_share, outputs["phi_direct_plus_induced"][key]) < 1e-10


def test_forward_after_inverse_returns_the_accelerations():
    inputs = CASES["planar_n4"]["inputs"]
    chain, motion, loads = chain_of(inputs), motion_of(inputs), loads_of(inputs)
    torque = planar.analyze(chain, motion, **loads).residual_torque
    torques = {name: torque.sel(joint=name).values for name in chain.joint_names}
    again = planar.forward_dynamics(chain, motion, **loads, torques=torques)
    np.testing.assert_allclose(again.values, motion.acceleration, rtol=1e-10)


def test_an_actuator_torque_loads_every_joint_through_the_motion_it_causes():
    inputs = CASES["planar_n3"]["inputs"]
    chain, motion = chain_of(inputs), motion_of(inputs)
    have = planar.induced(chain, motion, torques={chain.joint_names[2]: 5.0})
    share = have.reaction_share.sel(source=f"actuator:{chain.joint_names[2]}")
    assert np.all(np.abs(share[0, 0]) > 1e-6)
    direct = planar.analyze(chain, motion)
    assert not any(str(source).startswith("actuator") for source in direct.source.values)
    assert "not the direct shares" in have.attrs["question"]


def test_moving_base_moves_the_chain_as_less_gravity_does():
    inputs = CASES["planar_n3"]["inputs"]
    chain, still = chain_of(inputs), motion_of(inputs)
    moving = planar.Motion(still.time, still.angle, still.velocity, still.acceleration, [[1.5, -2.5]])
    lifted = planar.Chain(chain.links, chain.base, (chain.gravity[0] - 1.5, chain.gravity[1] + 2.5))
    one, other = planar.induced(chain, moving), planar.induced(lifted, still)
    np.testing.assert_allclose(one.acceleration, other.acceleration, rtol=1e-12)
    np.testing.assert_allclose(one.reaction, other.reaction, rtol=1e-11)
    assert float(one.closure) < 1e-13
