"""Curves of the papers: their own values, their shape, and OpenSim's numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from borelli.errors import InvalidValueError
from borelli.kernels.muscle import bezier, degrootefregly2016, delp1990, millard2012, schutte1993, thelen2003


def evaluate(corners, x):
    return np.array([bezier.value(corners, 0, len(corners), float(value)) for value in np.atleast_1d(x)])


ACTIVE = millard2012.active_force_length(0.4441, 0.73, 1.8123, 0.8616, 0.1)
VELOCITY = millard2012.force_velocity(1.4, 0.0, 0.25, 5.0, 0.0, 0.15, 0.6, 0.9)
PASSIVE = millard2012.passive_force_length(0.0, 0.7)
TENDON = millard2012.tendon_force_length(0.049)


class TestSchutte1993:
    def test_passive_force_is_one_at_one_and_a_half_lengths_and_never_zero(self):
        assert schutte1993.passive_force_length(1.5) == 1.0
        assert schutte1993.passive_force_length(0.5) > 0.0

    def test_velocities_follow_hill_and_end_at_the_largest_force(self):
        assert schutte1993.force_velocity(0.0) == 1.0
        assert schutte1993.force_velocity(-1.0) == schutte1993.force_velocity(-2.0) == 0.0
        assert schutte1993.force_velocity(1e6) == pytest.approx(1.4, rel=1e-6)
        speeds = np.linspace(-1.0, 1.0, 201)
        assert (np.diff([schutte1993.force_velocity(v) for v in speeds]) > 0).all()


class TestDelp1990:
    def test_velocities_are_hills_hyperbola_while_shortening(self):
        # (1 + v) / (1 - v / 0.25), printed with six digits
        for velocity, force in delp1990.VELOCITY[1:22]:
            assert force == pytest.approx((1.0 + velocity) / (1.0 - velocity / 0.25), abs=1e-6)

    def test_lengths_rise(self):
        for curve in (delp1990.ACTIVE, delp1990.PASSIVE, delp1990.TENDON, delp1990.VELOCITY):
            assert (np.diff([x for x, _ in curve]) > 0).all()


class TestThelen2003:
    def test_active_force_is_one_at_optimal_length_and_falls_with_the_papers_width(self):
        assert thelen2003.active_force_length(1.0, 0.45) == 1.0
        # The paper: gamma = 0.45 approximates the curve of a sarcomere; one e-fold at sqrt(gamma).
        assert thelen2003.active_force_length(1.0 + math.sqrt(0.45), 0.45) == pytest.approx(math.exp(-1))

    def test_passive_force_is_one_at_the_papers_strains(self):
        for strain in (0.6, 0.5):  # young and old adults
            assert thelen2003.passive_force_length(1.0 + strain, strain, 5.0) == pytest.approx(1.0)
        assert thelen2003.passive_force_length(0.9, 0.6, 5.0) == 0.0

    def test_tendon_force_is_one_at_four_percent_and_a_third_at_the_end_of_the_toe(self):
        assert thelen2003.tendon_force_length(1.04, 0.04) == pytest.approx(1.0, abs=1e-12)
        # Table of the paper: toe strain 0.609 of the strain at maximum force, force 0.33 there, slope 1.712.
        assert thelen2003.tendon_force_length(1.0 + 0.609 * 0.04, 0.04) == pytest.approx(0.33, abs=1e-3)
        slope = thelen2003.tendon_force_length(1.05, 0.04) - thelen2003.tendon_force_length(1.04, 0.04)
        assert slope / 0.01 == pytest.approx(1.712 / 0.04, rel=1e-3)
        assert thelen2003.tendon_force_length(0.99, 0.04) == 0.0

    def test_tendon_has_no_kink_at_the_end_of_its_toe(self):
        end, step = 1.0 + thelen2003._TOE_END * 0.04, 1e-7
        force = [thelen2003.tendon_force_length(end + k * step, 0.04) for k in (-1, 0, 1)]
        assert force[1] - force[0] == pytest.approx(force[2] - force[1], rel=1e-4)

    @pytest.mark.parametrize("activation", [0.1, 0.5, 1.0])
    def test_velocity_curve_inverts_the_papers_equations(self, activation):
        af, longest, fastest = 0.25, 1.4, 0.25 + 0.75 * activation
        for force in np.linspace(0.01, 0.949 * 1.4, 40):
            if force <= 1.0:
                b = 1.0 + force / af
            else:
                b = (2 + 2 / af) * (longest - force) / (longest - 1)
            velocity = fastest * (force - 1.0) / b  # eq. 6 and 7, over activation times force-length
            found = thelen2003.force_velocity(velocity, activation, af, longest, 0.95)
            assert found == pytest.approx(force, rel=1e-12)

    def test_velocity_curve_goes_on_straight_without_a_kink(self):
        v = np.linspace(-2, 2, 4001)
        force = np.array([thelen2003.force_velocity(x, 1.0, 0.25, 1.4, 0.95) for x in v])
        assert (np.diff(force) > 0).all()
        # Slopes of neighbours differ by the curvature alone, but at v = 0, where the paper's own curve bends.
        bend = np.abs(np.diff(force, 2))
        bend[np.abs(v[1:-1]) < 2e-3] = 0.0
        assert bend.max() < 1e-3


class TestDeGrooteFregly2016:
    def test_curves_pass_through_the_points_that_define_them(self):
        assert degrootefregly2016.active_force_length(1.0, 1.0) == pytest.approx(1.0, abs=1e-14)
        assert degrootefregly2016.force_velocity(0.0) == pytest.approx(1.0, abs=1e-14)
        assert degrootefregly2016.force_velocity(-1.0) == pytest.approx(0.0, abs=1e-14)
        assert degrootefregly2016.passive_force_length(1.6, 0.6) == pytest.approx(1.0)
        assert degrootefregly2016.passive_force_length(0.2, 0.6) == pytest.approx(0.0, abs=1e-15)
        assert degrootefregly2016.tendon_force_length(1.0, 0.049) == pytest.approx(0.0, abs=1e-15)
        assert degrootefregly2016.tendon_force_length(1.049, 0.049) == pytest.approx(1.0)

    def test_curves_are_those_printed_in_the_paper_to_its_digits(self):
        printed = ((0.815, 1.055, 0.162, 0.063), (0.433, 0.717, -0.030, 0.200), (0.1, 1.0, 0.354, 0.0))
        for length in np.linspace(0.5, 1.5, 11):
            expected = sum(
                b1 * math.exp(-0.5 * ((length - b2) / (b3 + b4 * length)) ** 2) for b1, b2, b3, b4 in printed
            )
            # Three printed digits.
            assert degrootefregly2016.active_force_length(length, 1.0) == pytest.approx(expected, abs=5e-3)
        for velocity in np.linspace(-1, 1, 11):
            z = -8.149 * velocity - 0.374
            expected = -0.318 * math.log(z + math.sqrt(z * z + 1)) + 0.886
            assert degrootefregly2016.force_velocity(velocity) == pytest.approx(expected, abs=0.02)

    def test_width_stretches_the_active_curve(self):
        wide = degrootefregly2016.active_force_length(1.4, 2.0)
        assert wide == pytest.approx(degrootefregly2016.active_force_length(1.2, 1.0))


class TestMillard2012:
    def test_curves_pass_through_the_points_that_define_them(self):
        np.testing.assert_allclose(evaluate(ACTIVE, [0.3, 1.0, 1.9]), [0.1, 1.0, 0.1], atol=1e-14)
        np.testing.assert_allclose(evaluate(VELOCITY, [-1, 0, 1]), [0, 1, 1.4], atol=1e-14)
        np.testing.assert_allclose(evaluate(PASSIVE, [0.8, 1.0, 1.7]), [0, 0, 1], atol=1e-14)
        np.testing.assert_allclose(evaluate(TENDON, [0.99, 1.0, 1.049]), [0, 0, 1], atol=1e-13)

    def test_slopes_are_the_papers(self):
        step = 1e-6
        isometric = np.diff(evaluate(VELOCITY, [-step, step]))[0] / (2 * step)
        assert isometric == pytest.approx(5.0, rel=1e-4)
        tendon = np.diff(evaluate(TENDON, [1.05, 1.06]))[0] / 0.01
        assert tendon == pytest.approx(1.375 / 0.049, rel=1e-10)
        passive = np.diff(evaluate(PASSIVE, [1.8, 1.9]))[0] / 0.1
        assert passive == pytest.approx(2.0 / 0.7, rel=1e-10)

    @pytest.mark.parametrize(
        "corners", [ACTIVE, VELOCITY, PASSIVE, TENDON], ids=["active", "velocity", "passive", "tendon"]
    )
    def test_curves_are_twice_smooth(self, corners):
        x = np.linspace(corners[0, 0] - 0.01, corners[-1, 5] + 0.01, 20001)
        y = evaluate(corners, x)
        step = x[1] - x[0]
        second = np.diff(y, 2) / step**2
        # A jump of the slope by s would show as s / step here; the true curvature stays far below that.
        assert np.abs(np.diff(second)).max() < 0.2 * np.abs(second).max()

    def test_curves_equal_opensim(self):
        osim = pytest.importorskip("opensim")
        for corners, curve, x in (
            (ACTIVE, osim.ActiveForceLengthCurve(), np.linspace(0.2, 2.2, 201)),
            (VELOCITY, osim.ForceVelocityCurve(), np.linspace(-1.5, 1.5, 201)),
            (PASSIVE, osim.FiberForceLengthCurve(), np.linspace(0.5, 2.0, 201)),
            (TENDON, osim.TendonForceLengthCurve(), np.linspace(0.98, 1.1, 201)),
        ):
            expected = [curve.calcValue(float(value)) for value in x]
            np.testing.assert_allclose(evaluate(corners, x), expected, atol=1e-12)

    def test_a_corner_that_would_bend_twice_is_refused(self):
        with pytest.raises(
            InvalidValueError, match=r"from \(0, 0\) with slope 0 to \(1, 1\) with slope 0.5 in one"
        ):
            bezier.corner(0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.5)


def test_degroote_curves_equal_opensim():
    muscle = pytest.importorskip("opensim").DeGrooteFregly2016Muscle()
    for x in np.linspace(0.3, 1.7, 15):
        assert degrootefregly2016.active_force_length(x, 1.0) == pytest.approx(
            muscle.calcActiveForceLengthMultiplier(x), abs=1e-13
        )
        assert degrootefregly2016.passive_force_length(x, 0.6) == pytest.approx(
            muscle.calcPassiveForceMultiplier(x), abs=1e-13
        )
        assert degrootefregly2016.force_velocity(x - 1) == pytest.approx(
            muscle.calcForceVelocityMultiplier(x - 1), abs=1e-12
        )
        tendon = 1.0 + 0.04 * x
        assert degrootefregly2016.tendon_force_length(tendon, 0.049) == pytest.approx(
            muscle.calcTendonForceMultiplier(tendon), abs=1e-12
        )
