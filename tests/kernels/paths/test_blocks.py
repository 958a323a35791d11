"""Many frames side by side: the quick test never overlooks a contact, and polynomials are those of the model."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.paths import wrap as kernels
from borelli.kernels.paths.contact import CERTAIN, CYLINDER, ELLIPSOID, LOST, OPTIONAL, SPHERE, TORUS
from borelli.kernels.paths.lanes import WIDTH
from borelli.kernels.paths.near_surfaces import mark_touching
from borelli.kernels.paths.tables import PathTables, geodesic_scratch
from tests.kernels.paths.surfaces import wrap

SIZES = {
    CYLINDER: (0.03, 10.0, 0.0),
    SPHERE: (0.04, 0.0, 0.0),
    ELLIPSOID: (0.03, 0.05, 0.04),
    TORUS: (0.01, 0.05, 0.0),
}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [-1, 0, 1])
@pytest.mark.parametrize("kind", [CYLINDER, SPHERE, ELLIPSOID])
def test_an_instant_that_is_passed_over_touches_nothing(kind, sign, axis):
    rng = np.random.default_rng(100 * kind + 10 * axis + sign + 1)
    passed = touching = 0
    for _ in range(8):
        a, b = rng.uniform(-0.1, 0.1, (2, 3, WIDTH))
        # Some lines graze the surface, or begin on it.
        a[:, :8] *= SIZES[kind][0] / np.linalg.norm(a[:2, :8], axis=0)
        scratch, touch = np.zeros(WIDTH), np.zeros(WIDTH)
        mark_touching(kind, np.array(SIZES[kind]), axis, sign, a.ravel(), b.ravel(), scratch, touch)
        for lane in range(WIDTH):
            ends = tuple(map(float, a[:, lane])), tuple(map(float, b[:, lane]))
            outcome = wrap(kind, SIZES[kind], axis, sign, *ends).outcome
            if outcome in (OPTIONAL, CERTAIN, LOST):
                assert touch[lane] == 1.0
                touching += 1
            passed += touch[lane] == 0.0
    # Negative control of the test itself: both kinds of frames occur.
    assert passed > 50
    assert touching > 20


def test_a_ring_is_never_passed_over():
    scratch, touch = np.zeros(WIDTH), np.zeros(WIDTH)
    ends = np.full(3 * WIDTH, 9.0)
    mark_touching(TORUS, np.array(SIZES[TORUS]), 0, 0, ends, ends + 1.0, scratch, touch)
    assert (touch == 1.0).all()


@pytest.mark.parametrize("kind", [CYLINDER, SPHERE])
def test_without_room_for_geodesics_closed_forms_are_the_same(kind):
    a, b = (-0.2, 0.01, 0.02), (0.15, 0.02, -0.01)
    assert kernels.wrap(kind, SIZES[kind], 0, 0, a, b, None) == wrap(kind, SIZES[kind], 0, 0, a, b)
    assert kernels.wrap(ELLIPSOID, SIZES[ELLIPSOID], 0, 0, a, b, None).outcome == LOST


def test_only_surfaces_without_closed_forms_ask_for_room():
    rows = {
        kind: PathTables(*[np.zeros((1, 9))] * 4, np.array([[kind, 0, 0, 0]]), *[np.zeros(1)] * 4)
        for kind in SIZES
    }
    assert [geodesic_scratch(rows[kind]) is None for kind in (CYLINDER, SPHERE, ELLIPSOID, TORUS)] == [
        True,
        True,
        False,
        False,
    ]
