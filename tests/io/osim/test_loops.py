"""A body that two joints carry: refused, with a remedy that has the right numbers where OpenSim's own cut has not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import InvalidValueError

NAMES = ("left", "right", "near", "far")
STATE = dict(left=0.3, right=0.3, near=-0.3, far=-0.3)
RATE = dict(left=0.5, right=0.5, near=-0.5, far=-0.5)
GROWTH = dict(left=1.0, right=1.5, near=-1.0, far=0.7)
COM, INERTIA = (0.2, 0.02, 0.03), np.array([0.01, 0.05, 0.055, 0.001, 0.002, -0.001])
# InverseDynamicsSolver of OpenSim 4.6 (N m): the loop as OpenSim cuts it, and cut by hand.
CUT_BY_OPENSIM = dict(
    left=2.927668575444721, right=-0.07591401014590138, near=1.5904820168894422, far=-1.3727202912228347
)
CUT_BY_HAND = dict(
    left=2.927668575444721, right=-0.1799190101459015, near=1.5904820168894422, far=-1.4767252912228348
)


def pin(name: str, parent: str, child: str) -> bm.PinJoint:
    return bm.PinJoint(name=name, parent=parent, child=child)


def four_bars() -> bm.Model:
    """Two cranks and a coupler between them, cut by hand: half of the coupler under each crank, and a weld."""
    coupler = bm.Body("coupler", 0.8, COM, tuple(0.5 * INERTIA))
    return bm.Model(
        name="bars",
        bodies=[
            bm.Body("left_crank", 1.2, (0, -0.15, 0.01), (0.02, 0.003, 0.021)),
            bm.Body("right_crank", 0.9, (0.01, -0.15, 0), (0.018, 0.002, 0.019)),
            coupler,
            replace(coupler, name="coupler_half"),
        ],
        frames=[
            bm.Frame("right_base", "ground", bm.Placement((0.4, 0, 0))),
            bm.Frame("left_end", "left_crank", bm.Placement((0, -0.3, 0))),
            bm.Frame("right_end", "right_crank", bm.Placement((0, -0.3, 0))),
            bm.Frame("far_end", "coupler_half", bm.Placement((0.4, 0, 0))),
        ],
        joints=[
            pin("left", "ground", "left_crank"),
            pin("right", "right_base", "right_crank"),
            pin("near", "left_end", "coupler"),
            pin("far", "right_end", "far_end"),
        ],
        constraints=[bm.WeldConstraint(name="whole", first="coupler", second="coupler_half")],
    )


def test_a_second_joint_of_a_body_is_refused_with_the_halves_as_the_remedy():
    model = four_bars()
    bodies = [body for body in model.bodies if body.name != "coupler_half"]
    frames = [replace(f, parent="coupler") if f.name == "far_end" else f for f in model.frames]
    with pytest.raises(InvalidValueError, match="child of two joints: 'near' and 'far'") as found:
        bm.Model(name="bars", bodies=bodies, frames=frames, joints=model.joints)
    assert "half of the mass and inertia" in str(found.value) and "WeldConstraint" in str(found.value)


def test_a_loop_cut_by_hand_has_opensims_forces():
    model = four_bars()
    assert model.coordinate_names == NAMES
    q, u, udot = (np.array([[values[name] for name in NAMES]]) for values in (STATE, RATE, GROWTH))
    motion = bo.Motion(np.zeros(1), NAMES, q, u, udot)
    found = bo.inverse_dynamics(model, motion)["generalized_force"]
    np.testing.assert_allclose(found.values[0], [CUT_BY_HAND[name] for name in NAMES], rtol=1e-10)


@pytest.mark.parametrize(("by_hand", "expected"), [(False, CUT_BY_OPENSIM), (True, CUT_BY_HAND)])
def test_opensims_own_cut_gives_a_half_the_wrong_inertia(by_hand, expected):
    """That of a kilogram about the body's origin, as if it were that of the half about its mass centre."""
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    model, state = opensim_bars(osim, by_hand)
    coordinates = [model.getCoordinateSet().get(name) for name in NAMES]
    for coordinate in coordinates:
        coordinate.setValue(state, STATE[coordinate.getName()], False)
        coordinate.setSpeedValue(state, RATE[coordinate.getName()])
    model.realizeVelocity(state)
    udot, at = osim.Vector(4, 0.0), {}
    for coordinate in coordinates:
        probe = osim.State(state)
        for each in coordinates:
            each.setSpeedValue(probe, float(each.getName() == coordinate.getName()))
        at[coordinate.getName()] = int(np.argmax(probe.getU().to_numpy()))
        udot[at[coordinate.getName()]] = GROWTH[coordinate.getName()]
    forces = osim.InverseDynamicsSolver(model).solve(state, udot).to_numpy()
    np.testing.assert_allclose(
        [forces[at[name]] for name in NAMES], [expected[name] for name in NAMES], rtol=1e-9
    )
    # About z: of a kilogram about the origin, less that of the half.
    per_kg = INERTIA[2] / 1.6 + COM[0] ** 2 + COM[1] ** 2
    wrong = (per_kg - 0.5 * INERTIA[2]) * (GROWTH["right"] + GROWTH["far"])
    assert CUT_BY_OPENSIM["far"] - CUT_BY_HAND["far"] == pytest.approx(wrong, rel=1e-9)


def opensim_bars(osim, by_hand):
    model, vector = osim.Model(), osim.Vec3
    share = 0.5 if by_hand else 1.0

    def body(name, mass, com, inertia):
        new = osim.Body(name, mass, vector(*com), osim.Inertia(*map(float, inertia)))
        model.addBody(new)
        return new

    def hinge(name, parent, place, child, own):
        joint = osim.PinJoint(name, parent, vector(*place), vector(0), child, vector(*own), vector(0))
        joint.updCoordinate().setName(name)
        model.addJoint(joint)

    ground, zero, end = model.getGround(), (0, 0, 0), (0, -0.3, 0)
    left = body("left_crank", 1.2, (0, -0.15, 0.01), (0.02, 0.003, 0.021))
    right = body("right_crank", 0.9, (0.01, -0.15, 0), (0.018, 0.002, 0.019))
    coupler = body("coupler", 1.6 * share, COM, share * INERTIA)
    second = body("coupler_half", 0.8, COM, 0.5 * INERTIA) if by_hand else coupler
    hinge("left", ground, zero, left, zero)
    hinge("right", ground, (0.4, 0, 0), right, zero)
    hinge("near", left, end, coupler, zero)
    hinge("far", right, end, second, (0.4, 0, 0))
    if by_hand:
        weld = osim.WeldConstraint("whole", coupler, osim.Transform(), second, osim.Transform())
        model.addConstraint(weld)
    model.finalizeConnections()
    return model, model.initSystem()
