"""Joint maps: rates are derivatives, and speeds come back from rates of quaternions and angles."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.tree.mechanism import coordinate_rates, speeds_from_rates, take
from tests.random_trees import ALL, random_model, random_motion

MOVING = [kind for kind in ALL if kind != "weld"]


@pytest.fixture(params=MOVING)
def joint(request):
    model = random_model(17, 1, (request.param,))
    motion = random_motion(model, 17)
    mechanism = compile_model(model).mechanism
    return mechanism, motion.q.T, motion.u.T, motion.udot.T


def along(mechanism, q, u, udot, h):
    """Coordinates a time h later, by many small steps of the rates."""
    steps = 8
    for step in range(steps):
        dt, t = h / steps, (step + 0.5) * h / steps
        half = q + 0.5 * dt * np.array(coordinate_rates(mechanism, q, u + (t - 0.5 * dt) * udot))
        q = q + dt * np.array(coordinate_rates(mechanism, half, u + t * udot))
    return q


def numbers(part):
    flat = [value for value in part if value is not None]
    return np.array([x for value in flat for x in (value if isinstance(value, tuple) else (value,))])


def test_rates_of_translations_are_their_derivatives(joint):
    mechanism, q, u, udot = joint
    for mobilizer in mechanism.mobilizers:

        def shift(h, mobilizer=mobilizer):
            moved = along(mechanism, q, u, udot, h)
            own = mobilizer.map.variables(take(moved, mobilizer.coordinates), None, None)
            return numbers(own[0].shift)

        own = mobilizer.map.variables(
            take(q, mobilizer.coordinates), take(u, mobilizer.speeds), take(udot, mobilizer.speeds)
        )[0]
        if not own.shift:
            continue
        h = 1e-3
        # Central differences of step 1e-3, with the error of the steps that make the motion.
        np.testing.assert_allclose(numbers(own.shift_rate), (shift(h) - shift(-h)) / (2 * h), atol=1e-5)
        second = (shift(h) - 2 * shift(0) + shift(-h)) / h**2
        np.testing.assert_allclose(numbers(own.shift_acceleration), second, atol=1e-4)


def test_speeds_come_back_from_rates_of_coordinates(joint):
    mechanism, q, u, udot = joint
    h = 1e-4
    rates = np.array(coordinate_rates(mechanism, q, u))
    after, before = along(mechanism, q, u, udot, h), along(mechanism, q, u, udot, -h)
    second = (
        np.array(coordinate_rates(mechanism, after, u + h * udot))
        - np.array(coordinate_rates(mechanism, before, u - h * udot))
    ) / (2 * h)
    found_u, found_udot = speeds_from_rates(mechanism, q, rates, second)
    np.testing.assert_allclose(np.array(found_u), u, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(np.array(found_udot), udot, atol=1e-5)


def test_the_length_of_a_quaternion_does_not_matter():
    mechanism = compile_model(random_model(3, 1, ("ball",))).mechanism
    q = np.array([[0.3], [0.5], [-0.4], [0.7]])
    own = mechanism.mobilizers[0].map
    np.testing.assert_allclose(own.matrix(tuple(q)), own.matrix(tuple(3 * q)), atol=1e-15)
    rate, second = np.full((4, 1), 0.2), np.full((4, 1), 0.1)
    once, thrice = (own.speeds(tuple(k * q), tuple(k * rate), tuple(k * second)) for k in (1.0, 3.0))
    np.testing.assert_allclose(np.array(once), np.array(thrice), rtol=1e-14)


def test_columns_of_the_map_are_its_rates_under_unit_speeds(joint):
    mechanism, q, _, _ = joint
    for mobilizer in mechanism.mobilizers:
        own, count = take(q, mobilizer.coordinates), len(mobilizer.speeds)
        for k, column in enumerate(mobilizer.map.unit_rates(own)):
            unit = tuple(float(i == k) for i in range(count))
            for rate, variables in zip(column, mobilizer.map.variables(own, unit, None), strict=True):
                for found, expected in ((rate.turn, variables.turn_rate), (rate.shift, variables.shift_rate)):
                    parts = zip(flat(found), flat(expected), strict=True)
                    for a, b in parts:
                        np.testing.assert_allclose(np.broadcast_to(a, 3), np.broadcast_to(b, 3), atol=1e-14)


def flat(part):
    return () if part is None else part if isinstance(part, tuple) else (part,)
