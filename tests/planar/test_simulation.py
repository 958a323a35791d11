"""Simulated motion: energy, the pendulum's closed form, and the inverse analysis of what was simulated."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from borelli import planar
from borelli.errors import BorelliError, MissingInputError, ShapeError, UnknownNameError
from tests.planar.golden import CASES, chain_of


def test_pendulum_swings_as_jacobi_says():
    """A large swing of a pendulum in closed form by elliptic functions."""
    length, amplitude = 0.5, 2.0
    chain = planar.Chain((planar.Link("rod", 1.0, 1.0, 0.0, (length, 0.0)),), gravity=(0.0, -9.81))
    omega, modulus = np.sqrt(9.81 / length), np.sin(amplitude / 2) ** 2
    time = np.linspace(0.0, 2.0, 41)
    sn = ellipj(ellipk(modulus) - omega * time, modulus)[0]
    exact = 2 * np.arcsin(np.sqrt(modulus) * sn)
    run = planar.simulate(chain, time, [amplitude - np.pi / 2], [0.0])
    # The integrator's relative tolerance is 1e-9 per step.
    np.testing.assert_allclose(run.motion.angle[:, 0] + np.pi / 2, exact, atol=1e-7)


def test_energy_that_appears_is_the_work_that_was_done():
    inputs = CASES["planar_n3"]["inputs"]
    chain = chain_of(inputs)
    run = planar.simulate(
        chain,
        np.linspace(0.0, 0.4, 21),
        inputs["theta"],
        inputs["theta_dot"],
        torques={chain.joint_names[0]: lambda t, angle, velocity: 4.0 * np.sin(9 * t) - velocity[0]},
        tensions={"muscle0": 30.0},
        contacts=(
            planar.Contact("push", 3, (0.1, 0.02), (3.0, 5.0)),
            planar.Contact("jet", 2, (0.1, 0.0), (0.0, 4.0), axes="link"),
        ),
        couples=(planar.Couple("twist", 2, 0.7),),
    )
    work, drift = run.energies.work, run.energies.drift
    assert float(abs(work).max()) > 1.0
    assert float(abs(drift).max()) < 1e-6 * float(abs(work).max())


def test_analysis_of_a_simulated_motion_returns_its_torques():
    inputs = CASES["planar_n2"]["inputs"]
    chain = chain_of(inputs)
    run = planar.simulate(
        chain, np.linspace(0, 0.3, 7), inputs["theta"], [0.0, 0.0], torques={chain.joint_names[1]: 1.5}
    )
    torque = planar.analyze(chain, run.motion).torque
    np.testing.assert_allclose(torque[:, 0], 0.0, atol=1e-9)
    np.testing.assert_allclose(torque[:, 1], 1.5, rtol=1e-9)


def test_bad_starts_are_told():
    chain = chain_of(CASES["planar_n2"]["inputs"])
    with pytest.raises(MissingInputError, match="at least two increasing times"):
        planar.simulate(chain, [0.0], [0.0, 0.0], [0.0, 0.0])
    with pytest.raises(ShapeError, match=r"initial angle has shape \(3,\); it must be \(2,\)"):
        planar.simulate(chain, [0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0])
    with pytest.raises(UnknownNameError, match="'knee' is not a joint of chain 'chain'"):
        planar.simulate(chain, [0.0, 1.0], [0.0, 0.0], [0.0, 0.0], torques={"knee": 1.0})


@pytest.mark.parametrize(
    ("torque", "message"),
    [
        (
            lambda time, angle, velocity: 50.0 * velocity[0] ** 3,
            "A link would turn by more than 1e\\+05 rad/s from 0.00113",
        ),
        (
            lambda time, angle, velocity: np.nan if time > 0.5 else 0.0,
            "The torque of 'hip' holds NaN or infinity",
        ),
        ("strong", "The torque of 'hip' is not a number"),
        ([1.0, 2.0], r"The torque of 'hip' must be one number, not an array of shape \(2,\)"),
    ],
)
def test_torques_that_cannot_be_followed_are_told(torque, message):
    """The first feeds speed back into itself: it is infinite after a finite time."""
    chain = planar.Chain((planar.Link("thigh", 0.4, 2.0, 0.03, (0.2, 0.0), joint="hip"),))
    with pytest.raises(BorelliError, match=message):
        planar.simulate(chain, np.linspace(0.0, 2.0, 5), [0.1], [1.0], torques={"hip": torque})
