"""A planar chain, built as a spatial tree, equals borelli.planar: two engines that share no code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import borelli as bo
from borelli import planar
from borelli.model.body import Body
from borelli.model.joints.joint import PinJoint
from borelli.model.model import Model
from borelli.model.placement import Placement

# Both sum a few dozen terms of order 100 in double precision, in other orders.
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


def random_chain(n, rng):
    links = tuple(
        planar.Link(
            name=f"link{k}",
            length=rng.uniform(0.2, 0.5),
            mass=rng.uniform(0.5, 8),
            inertia=rng.uniform(0.01, 0.2),
            com=tuple(rng.normal(0, 0.15, 2)),
        )
        for k in range(n)
    )
    return planar.Chain(links=links, gravity=tuple(rng.normal(0, 9, 2)))


def as_tree(chain):
    bodies, joints = [], []
    for k, link in enumerate(chain.links):
        # In the plane only the inertia about z matters; a sphere's keeps the body possible.
        bodies.append(Body(link.name, link.mass, (*link.com, 0), (link.inertia,) * 3))
        before = chain.links[k - 1].length if k else 0.0
        joints.append(
            PinJoint(
                name=f"j{k}",
                parent=chain.links[k - 1].name if k else "ground",
                child=link.name,
                parent_placement=Placement((before, 0, 0)),
            )
        )
    return Model(bodies=bodies, joints=joints, gravity=(*chain.gravity, 0))


def relative(absolute):
    return np.diff(absolute, axis=1, prepend=0)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
@settings(max_examples=20, deadline=None)
def test_torques_and_reactions_of_a_planar_chain_equal_the_closed_form(seed, n):
    rng = np.random.default_rng(seed)
    chain = random_chain(n, rng)
    time = np.arange(3.0)
    angle, velocity, acceleration = rng.normal(0, (1, 2, 5), (3, n, 3)).transpose(2, 0, 1)
    contact = planar.Contact("touch", chain.links[-1].name, (0.2, 0.05), rng.normal(0, 20, (3, 2)))
    couple = planar.Couple("twist", chain.links[0].name, rng.normal(0, 5, 3))
    closed = planar.analyze(
        chain, planar.Motion(time, angle, velocity, acceleration), contacts=(contact,), couples=(couple,)
    )

    model = as_tree(chain)
    motion = bo.Motion(
        time, model.coordinate_names, relative(angle), relative(velocity), relative(acceleration)
    )
    last = bo.body_poses(model, motion).sel(body=chain.links[-1].name)
    touch = last["origin"].values + last["rotation"].values @ (0.2, 0.05, 0)
    force = np.column_stack([contact.force, np.zeros(3)])
    moment = np.column_stack([np.zeros((3, 2)), couple.moment])
    loads = [
        bo.Load("touch", chain.links[-1].name, force, touch),
        bo.Load("twist", chain.links[0].name, moment=moment),
    ]
    torque = bo.inverse_dynamics(model, motion, loads)["generalized_force"].values
    np.testing.assert_allclose(torque, closed["torque"].values, **CLOSE)
    reactions = bo.joint_reactions(model, motion, loads)
    np.testing.assert_allclose(reactions["force"].values[:, :, :2], closed["reaction"].values, **CLOSE)
    np.testing.assert_allclose(reactions["moment"].values[:, :, 2], closed["torque"].values, **CLOSE)
    assert np.abs(reactions["force"].values[:, :, 2]).max() == pytest.approx(0, abs=1e-12)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 5))
@settings(max_examples=10, deadline=None)
def test_shares_of_a_planar_chain_equal_the_closed_form_source_by_source(seed, n):
    rng = np.random.default_rng(seed)
    chain = random_chain(n, rng)
    time = np.arange(3.0)
    angle, velocity, acceleration = rng.normal(0, (1, 2, 5), (3, n, 3)).transpose(2, 0, 1)
    contact = planar.Contact("touch", chain.links[-1].name, (0.2, 0.05), rng.normal(0, 20, (3, 2)))
    moving = planar.Motion(time, angle, velocity, acceleration)
    closed = planar.analyze(chain, moving, contacts=(contact,))

    model = as_tree(chain)
    motion = bo.Motion(
        time, model.coordinate_names, relative(angle), relative(velocity), relative(acceleration)
    )
    last = bo.body_poses(model, motion).sel(body=chain.links[-1].name)
    touch = last["origin"].values + last["rotation"].values @ (0.2, 0.05, 0)
    load = bo.Load("touch", chain.links[-1].name, np.column_stack([contact.force, np.zeros(3)]), touch)
    found = bo.contributions(model, motion, [load])
    shared = [name for name in closed["source"].values if name in found["source"].values]
    assert len(shared) == 3 * n + 1
    for source in shared:
        torque = found["generalized_force"].sel(source=source).values
        np.testing.assert_allclose(torque, closed["torque_share"].sel(source=source).values, **CLOSE)
        force = found["reaction_force"].sel(source=source).values[:, :, :2]
        np.testing.assert_allclose(force, closed["reaction_share"].sel(source=source).values, **CLOSE)
    left = [name for name in closed["source"].values if name not in shared]
    assert not closed["torque_share"].sel(source=left).values.any()
