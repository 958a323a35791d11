"""Schaffner's equations: the two-link arm and a prismatic–revolute one, in letters.

Run it with ``python examples/lagrange.py``. Needs SymPy.
"""

from __future__ import annotations

import sympy

import borelli as bo
from borelli.mechanics.motion.lagrangian_formulas import LagrangianFormulas
from borelli.model import Body, Model, PinJoint, Placement, SliderJoint


def main() -> None:
    print(two_link_arm().text())
    print(telescopic_arm().text())


def two_link_arm() -> LagrangianFormulas:
    """The example of the lecture: two revolute joints, and a force on the hand besides."""
    m1, m2, l1, l2, lc1, lc2, i1, i2, g = sympy.symbols("m1 m2 l1 l2 lc1 lc2 I1 I2 g", positive=True)
    arm = Model(
        name="two-link arm",
        bodies=[Body("upper", m1, (lc1, 0, 0), (0, 0, i1)), Body("fore", m2, (lc2, 0, 0), (0, 0, i2))],
        joints=[
            PinJoint(name="theta1", parent="ground", child="upper"),
            PinJoint(name="theta2", parent="upper", child="fore", parent_placement=Placement((l1, 0, 0))),
        ],
        gravity=(0, -g, 0),
    )
    hand = bo.SymbolicLoad("hand", "fore", (l2, 0, 0), force=(*sympy.symbols("Fx Fy"), 0))
    found = bo.lagrangian(arm, loads=[hand])
    theta2 = found.q[1]
    # (2-11): the coefficients that the lecture prints.
    assert found.h[0][1][1] == -m2 * l1 * lc2 * sympy.sin(theta2)
    assert found.h[1][0][0] == m2 * l1 * lc2 * sympy.sin(theta2)
    return found


def telescopic_arm() -> LagrangianFormulas:
    """An arm that turns and is pulled out: of (2-4) both kinds of columns."""
    m1, m2, lc1, i1, i2, g = sympy.symbols("m1 m2 lc1 I1 I2 g", positive=True)
    arm = Model(
        name="telescopic arm",
        bodies=[Body("sleeve", m1, (lc1, 0, 0), (0, 0, i1)), Body("rod", m2, inertia=(0, 0, i2))],
        joints=[
            PinJoint(name="theta", parent="ground", child="sleeve"),
            SliderJoint(name="d", parent="sleeve", child="rod"),
        ],
        gravity=(0, -g, 0),
    )
    found = bo.lagrangian(arm)
    d = found.q[1]
    assert found.h[1][0][0] == -m2 * d  # centrifugal
    assert found.h[0][0][1] + found.h[0][1][0] == 2 * m2 * d  # Coriolis
    return found


if __name__ == "__main__":
    main()
