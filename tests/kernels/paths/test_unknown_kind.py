"""A kind of surface that no kernel handles is lost, never taken for another one."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.paths.contact import CERTAIN, LOST, SURFACES, TORUS
from borelli.kernels.paths.geodesic import SCRATCH
from borelli.kernels.paths.surface import bent, gaussian_curvature, gradient, level, smallest_radius
from borelli.kernels.paths.wrap import over_surface, wrap

SIZE = (0.01, 0.05, 0.0)
UNKNOWN = len(SURFACES)
SCRATCH = np.zeros(SCRATCH)
# A line that wraps over the inside of a ring of these sizes.
LINE = ((0.06, 0.0, -0.1), (0.06, 0.0, 0.1))


def test_a_line_over_a_surface_of_an_unknown_kind_is_lost() -> None:
    assert wrap(UNKNOWN, SIZE, 0, 0, *LINE, SCRATCH).outcome == LOST
    assert wrap(UNKNOWN, SIZE, 0, 0, *LINE, None).outcome == LOST


def test_the_same_line_wraps_over_a_ring() -> None:
    # Negative control: it is the kind that is refused above, not the line.
    assert wrap(TORUS, SIZE, 0, 0, *LINE, SCRATCH).outcome == CERTAIN


def test_a_way_over_a_surface_of_an_unknown_kind_leads_nowhere() -> None:
    for scratch in (SCRATCH, None):
        assert np.isnan(over_surface(UNKNOWN, SIZE, (0.04, 0.0, 0.0), (0.0, 0.0, 1.0), 0.01, scratch)).all()


@pytest.mark.parametrize("property_of", [level, gradient, gaussian_curvature])
def test_a_surface_of_an_unknown_kind_has_no_shape(property_of) -> None:
    assert np.isnan(property_of(UNKNOWN, SIZE, (0.04, 0.0, 0.0))).all()
    assert np.isfinite(property_of(TORUS, SIZE, (0.04, 0.0, 0.0))).all()


def test_a_surface_of_an_unknown_kind_is_not_curved() -> None:
    assert np.isnan(bent(UNKNOWN, SIZE, (0.04, 0.0, 0.0), (0.0, 0.0, 1.0))).all()
    assert np.isnan(smallest_radius(UNKNOWN, SIZE))
