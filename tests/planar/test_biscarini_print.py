"""Biscarini's (2021) equations (9), (20) and (23): wrong as they came to us, right as corrected.

Each reading is evaluated as it stands on one random chain and compared with :func:`borelli.planar.analyze`.
The wrong readings are negative controls: they must miss by far more than round-off.
"""

from __future__ import annotations

import numpy as np
import pytest

from borelli import planar

N_LINKS = 4
G = 9.81
# Sums of about a hundred float64 products of size up to 1e3.
ROUND_OFF = 1e-10
FAR_OFF = 1.0


class State:
    """One frame of a random chain in Biscarini's parameters; arrays are indexed 1..n, entry 0 is unused."""

    def __init__(self):
        draw = np.random.default_rng(7)

        def row(low, high):
            return np.concatenate([[0.0], draw.uniform(low, high, N_LINKS)])

        self.m, self.inertia = row(1, 8), row(0.01, 0.2)
        self.length, self.lc, self.eps = row(0.2, 0.6), row(0.05, 0.4), row(0.3, 1.2)
        self.force, self.lr, self.er, self.gr = row(20, 90), row(0.1, 0.5), row(-1, 1), row(-3, 3)
        self.th, self.thd, self.thdd = row(-3, 3), row(2, 6), row(5, 30)
        self.ij = self.inertia + self.m * self.lc**2

    def beyond(self, k):
        """Mass of links k..n."""
        return self.m[k:].sum()

    def analyzed(self):
        links = tuple(
            planar.Link.from_polar(
                f"{i}", self.length[i], self.m[i], self.inertia[i], self.lc[i], self.eps[i]
            )
            for i in range(1, N_LINKS + 1)
        )
        contacts = tuple(
            planar.Contact.from_polar(f"R{i}", i, self.lr[i], self.er[i], self.force[i], self.gr[i])
            for i in range(1, N_LINKS + 1)
        )
        motion = planar.Motion([0.0], self.th[None, 1:], self.thd[None, 1:], self.thdd[None, 1:])
        return planar.analyze(planar.Chain(links=links), motion, contacts=contacts)


@pytest.fixture(scope="module")
def state():
    return State()


def from_proximal(s, i, angle):
    return s.thdd[i] * np.cos(angle) + s.thd[i] ** 2 * np.sin(angle)


def from_distal(s, i, angle):
    return s.thdd[i] * np.cos(angle) - s.thd[i] ** 2 * np.sin(angle)


def own_loads(s, k):
    weight = s.m[k] * G * s.lc[k] * np.cos(s.th[k] + s.eps[k])
    return weight - s.force[k] * s.lr[k] * np.sin(s.gr[k] - s.er[k])


def carried_load(s, k, i):
    weight = s.m[i] * G * s.length[k] * np.cos(s.th[k])
    return weight - s.force[i] * s.length[k] * np.sin(s.gr[i] + s.th[i] - s.th[k])


def proximal_inertia(s, k):
    """What the links before link k contribute to its moment equation, and its own rotation."""
    total = s.ij[k] * s.thdd[k] + s.beyond(k + 1) * s.length[k] ** 2 * s.thdd[k]
    for i in range(1, k):
        total += s.m[k] * s.lc[k] * s.length[i] * from_proximal(s, i, s.th[k] + s.eps[k] - s.th[i])
        total += s.length[k] * s.beyond(k + 1) * s.length[i] * from_proximal(s, i, s.th[k] - s.th[i])
    return total


def equation_23(s, q, all_pairs_carry=False, eps_between_joints=False):
    """Return tau_q; the flags turn on the misprints B10 and B11."""
    total = 0.0
    for k in range(q, N_LINKS + 1):
        total += own_loads(s, k) + proximal_inertia(s, k)
        for i in range(q if all_pairs_carry else k + 1, N_LINKS + 1):
            total += carried_load(s, k, i)
        for i in range(k + 1, N_LINKS + 1):
            shift = s.eps[i] if eps_between_joints else 0.0
            between = from_distal(s, i, s.th[i] + shift - s.th[k])
            total += s.length[k] * s.beyond(i + 1) * s.length[i] * between
            total += s.length[k] * s.m[i] * s.lc[i] * from_distal(s, i, s.th[i] + s.eps[i] - s.th[k])
    return total


def equation_20(s, k, last_sum=True):
    """Return tau_k - tau_(k+1); without its last sum it is the misprint B8."""
    total = own_loads(s, k) + proximal_inertia(s, k)
    for i in range(k + 1, N_LINKS + 1):
        total += carried_load(s, k, i)
        between = from_distal(s, i, s.th[i] - s.th[k])
        total += s.length[k] * s.beyond(i + 1) * s.length[i] * between
        if last_sum:
            total += s.length[k] * s.m[i] * s.lc[i] * from_distal(s, i, s.th[i] + s.eps[i] - s.th[k])
    return total


def equation_9(s, k, whole=True):
    """Return phi_(k,k+1) without muscles; not whole, it is the misprint B3."""
    total = np.zeros(2)
    for i in range(k + 1, N_LINKS + 1):
        contact = s.gr[i] + s.th[i]
        total += s.m[i] * np.array([0, -G]) + s.force[i] * np.array([np.cos(contact), np.sin(contact)])
        total -= s.beyond(i + 1) * s.length[i] * swing(s, i, s.th[i])
        if whole:
            total -= s.m[i] * s.lc[i] * swing(s, i, s.th[i] + s.eps[i])
    for i in range(1, k + 1) if whole else ():
        total -= s.beyond(k + 1) * s.length[i] * swing(s, i, s.th[i])
    return total


def swing(s, i, angle):
    """Acceleration of the tip of a unit vector of link i."""
    u = np.array([np.cos(angle), np.sin(angle)])
    return s.thdd[i] * np.array([-u[1], u[0]]) - s.thd[i] ** 2 * u


def worst_torque_error(s, **misprint):
    torque = s.analyzed().torque.values[0]
    return max(abs(equation_23(s, q, **misprint) - torque[q - 1]) for q in range(1, N_LINKS + 1))


def test_equation_23_corrected_is_analyze(state):
    assert worst_torque_error(state) < ROUND_OFF


def test_equation_23_with_loads_carried_by_all_pairs_is_wrong(state):
    assert worst_torque_error(state, all_pairs_carry=True) > FAR_OFF


def test_equation_23_with_the_mass_centres_angle_between_joints_is_wrong(state):
    assert worst_torque_error(state, eps_between_joints=True) > FAR_OFF


def worst_moment_error(s, **misprint):
    torque = np.append(s.analyzed().torque.values[0], 0.0)
    links = range(1, N_LINKS + 1)
    return max(abs(equation_20(s, k, **misprint) - (torque[k - 1] - torque[k])) for k in links)


def test_equation_20_corrected_is_analyze(state):
    assert worst_moment_error(state) < ROUND_OFF


def test_equation_20_without_its_last_sum_is_wrong(state):
    assert worst_moment_error(state, last_sum=False) > FAR_OFF


def worst_reaction_error(s, **misprint):
    # analyze reports the force on the distal link, the negative of phi.
    reaction = s.analyzed().reaction.values[0]
    return max(np.abs(equation_9(s, k, **misprint) + reaction[k]).max() for k in range(N_LINKS))


def test_equation_9_corrected_is_analyze(state):
    assert worst_reaction_error(state) < ROUND_OFF


def test_equation_9_with_an_empty_last_sum_is_wrong(state):
    assert worst_reaction_error(state, whole=False) > FAR_OFF
