"""Laws of mechanics that every planar chain obeys, on random chains of 1 to 8 links.

Nothing here knows a formula of the library: each test states a law and asks whether it holds.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli import planar

from .random_chains import N_TIMES, Case, cases

# float64 sums of up to a few hundred products: relative to the largest number of the comparison.
ROUND_OFF = 1e-11
# Central differences with step h err by h² times third derivatives, which reach 1e4 at these speeds, and are
# improved to h⁴ by Richardson's extrapolation.
DIFFERENCES = 1e-6
STEP = 1e-4

law = settings(max_examples=20, deadline=None, derandomize=True)


def assert_same(found, expected, tolerance=ROUND_OFF, scale=None):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    size = (
        scale if scale is not None else max(np.abs(expected).max(initial=0.0), np.abs(found).max(initial=0.0))
    )
    assert np.abs(found - expected).max(initial=0.0) <= tolerance * (size + 1e-3)


def rate(function, case):
    """Time derivative along the motion of something that depends on the state."""

    def central(step):
        return (function(case.after(step)) - function(case.after(-step))) / (2 * step)

    return (4 * central(STEP) - central(2 * STEP)) / 3


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def turned(vectors, angle):
    vectors = np.asarray(vectors, dtype=float)
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)


def world_forces(case):
    """Each contact as link number, point and force in the world, (time, 2) each."""
    places = planar.kinematics(case.chain, case.motion).joint_position.values
    for contact in case.contacts:
        angle = case.motion.angle[:, contact.link - 1]
        point = places[:, contact.link - 1] + turned(np.broadcast_to(contact.point, (N_TIMES, 2)), angle)
        force = turned(contact.force, angle) if contact.axes == "link" else np.asarray(contact.force)
        yield contact.link, point, force


def support(case):
    """Force and moment about the first joint of the ground on the base, from the motion of the whole."""
    places = planar.kinematics(case.chain, case.motion)
    gravity, base = np.array(case.chain.gravity), case.chain.base
    force = np.tile(-base.mass * gravity, (N_TIMES, 1))
    moment = np.tile(-cross(np.subtract(base.com, base.position), base.mass * gravity), N_TIMES)
    for i, link in enumerate(case.chain.links):
        inertial = link.mass * (places.com_acceleration.values[:, i] - gravity)
        lever = places.com_position.values[:, i] - base.position
        force += inertial
        moment += link.inertia * case.motion.acceleration[:, i] + cross(lever, inertial)
    for _, point, outside in world_forces(case):
        force -= outside
        moment -= cross(point - base.position, outside)
    for couple in case.couples:
        moment -= couple.moment
    return force, moment


@law
@given(cases())
def test_what_lies_beyond_a_joint_and_what_lies_before_it_give_the_same_loads(case):
    force, moment = support(case)
    far = case.analyzed()
    near = case.analyzed(data_set="proximal", base_force=force, base_moment=moment)
    # The two sides differ by whole-body sums, so round-off is relative to the base's support.
    assert_same(near.torque, far.torque, scale=np.abs(moment).max() + np.abs(force).max())
    assert_same(near.reaction, far.reaction, scale=np.abs(force).max() + np.abs(far.reaction.values).max())


@law
@given(cases())
def test_shares_add_up_to_the_whole(case):
    answer = case.analyzed()
    assert_same(
        answer.torque_share.sum("source"), answer.torque, scale=np.abs(answer.torque_share.values).max()
    )
    assert_same(
        answer.reaction_share.sum("source"), answer.reaction, scale=np.abs(answer.reaction_share.values).max()
    )
    assert float(answer.closure) < ROUND_OFF


@law
@given(cases())
def test_closed_form_and_link_by_link_recursion_agree(case):
    recursion = planar.newton_euler(case.chain, case.motion, case.contacts, case.couples, case.tensions)
    shares = case.analyzed()[["torque_share", "reaction_share"]].sum("source")
    assert_same(shares.torque_share, recursion.torque, scale=np.abs(recursion.torque.values).max())
    assert_same(shares.reaction_share, recursion.reaction, scale=np.abs(recursion.reaction.values).max())


@law
@given(cases())
def test_a_chain_of_particles_needs_the_same_torques(case):
    """Each link becomes two particles with its mass, mass centre and inertia; only positions are used."""
    chain = case.chain
    bare = case.but(contacts=(), couples=(), tensions={})

    def particles(at):
        joints = planar.kinematics(chain, at.motion).joint_position.values
        places = []
        for i, link in enumerate(chain.links):
            half = np.array([np.sqrt(link.inertia / link.mass), 0.0])
            for side in (-half, half):
                places.append(joints[:, i] + turned(np.array(link.com) + side, at.motion.angle[:, i]))
        return np.stack(places)

    def second_difference(step):
        return (particles(bare.after(step)) - 2 * particles(bare) + particles(bare.after(-step))) / step**2

    h = 2e-3
    acceleration = (4 * second_difference(h) - second_difference(2 * h)) / 3
    here, joints = particles(bare), planar.kinematics(chain, case.motion).joint_position.values
    torque = np.zeros((N_TIMES, case.n_links))
    for k in range(case.n_links):
        for i in range(k, case.n_links):
            for index in (2 * i, 2 * i + 1):
                inertial = chain.links[i].mass / 2 * (acceleration[index] - np.array(chain.gravity))
                torque[:, k] += cross(here[index] - joints[:, k], inertial)
    # Second differences of positions: round-off 1e-16/h² and truncation h⁴ times sixth derivatives.
    assert_same(bare.analyzed().torque, torque, tolerance=1e-5)


@law
@given(cases())
def test_differences_of_torques_are_the_equations_of_segment_space(case):
    matrices = planar.segment_space(case.chain, case.motion, case.contacts, case.couples)
    motion = case.motion
    left = (
        np.einsum("tkj,tj->tk", matrices.M, motion.acceleration)
        + np.einsum("tkj,tj->tk", matrices.N, motion.velocity**2)
        + matrices.G.values
        - matrices.Q.values
    )
    torque = case.analyzed().torque.values
    assert_same(
        left, torque - np.append(torque[:, 1:], np.zeros((N_TIMES, 1)), axis=1), scale=abs(torque).max()
    )


@law
@given(cases())
def test_inertia_is_symmetric_and_positive_and_velocity_terms_do_no_work(case):
    matrices = planar.segment_space(case.chain, case.motion)
    mass, turning = matrices.M.values, matrices.N.values
    assert_same(mass, mass.transpose(0, 2, 1))
    assert np.linalg.eigvalsh(mass).min() > 0
    assert_same(turning, -turning.transpose(0, 2, 1))
    coriolis = turning * case.motion.velocity[:, None, :]
    change = rate(lambda at: planar.segment_space(at.chain, at.motion).M.values, case)
    skew = change - 2 * coriolis
    assert_same(skew, -skew.transpose(0, 2, 1), tolerance=DIFFERENCES)


@law
@given(cases())
def test_joint_space_is_segment_space_summed_over_what_lies_beyond(case):
    segment = planar.segment_space(case.chain, case.motion, case.contacts, case.couples)
    joint = planar.joint_space(case.chain, case.motion, case.contacts, case.couples)
    sums = np.tril(np.ones((case.n_links, case.n_links)))
    assert_same(joint.M, sums.T @ segment.M.values @ sums)
    alpha_rate = planar.joint_from_segment(case.motion.acceleration)
    torque = np.einsum("tkj,tj->tk", joint.M, alpha_rate) + (joint.v + joint.G + joint.T_ext).values
    assert_same(torque, case.analyzed().torque)


@law
@given(cases())
def test_power_of_torques_and_loads_is_the_change_of_energy(case):
    joint_speed = planar.joint_from_segment(case.motion.velocity)
    power = (case.analyzed().torque.values * joint_speed).sum(axis=1)
    later, earlier = case.after(STEP), case.after(-STEP)
    paths = zip(world_forces(later), world_forces(earlier), strict=True)
    for (_, ahead, _), (_, behind, _), (_, _, force) in (
        (a, b, c) for (a, b), c in zip(paths, world_forces(case), strict=True)
    ):
        power = power + (force * (ahead - behind) / (2 * STEP)).sum(axis=1)
    for couple in case.couples:
        power = power + couple.moment * case.motion.velocity[:, couple.link - 1]

    def energy(at):
        parts = planar.energy(at.chain, at.motion)
        return (parts.kinetic_energy + parts.potential_energy).values

    assert_same(power, rate(energy, case), tolerance=1e-5)  # point speeds are plain central differences


@law
@given(cases())
def test_power_of_the_muscles_is_tension_times_shortening(case):
    answer = case.analyzed()
    shortening = -rate(lambda at: at.analyzed().muscle_length.values, case)
    assert_same(-answer.muscle_speed.values, shortening, tolerance=DIFFERENCES)
    tension = np.stack([case.tensions[name] for name in answer.muscle.values], axis=-1)
    joint_speed = planar.joint_from_segment(case.motion.velocity)
    power = np.einsum("tkm,tk->t", answer.muscle_torque, joint_speed)
    assert_same(power, (tension * shortening).sum(axis=1), tolerance=DIFFERENCES)


@law
@given(cases(), st.data())
def test_torque_of_a_muscle_is_tension_times_lost_length_per_angle(case, data):
    joint = data.draw(st.integers(0, case.n_links - 1))

    def length(angle):
        bent = case.motion.angle.copy()
        bent[:, joint:] += angle
        return case.moving(angle=bent).analyzed().muscle_length.values

    def slope(h):
        return (length(h) - length(-h)) / (2 * h)

    tension = np.stack([case.tensions[name] for name in case.chain.muscle_names], axis=-1)
    lost = -(4 * slope(1e-4) - slope(2e-4)) / 3
    # Where no muscle spans the joint both are zero, so the error is measured by the tension itself.
    torque = case.analyzed().muscle_torque[:, joint]
    assert_same(torque, tension * lost, tolerance=DIFFERENCES, scale=0.1 * tension.max())


@law
@given(cases())
def test_a_muscle_contributes_nothing_directly_to_a_joint_it_does_not_span(case):
    answer = case.analyzed()
    for muscle in case.chain.muscles:
        spared = [k for k in range(1, case.n_links + 1) if k not in muscle.spans]
        for k in spared:
            assert not answer.muscle_torque.sel(muscle=muscle.name)[:, k - 1].any()
            assert not answer.reaction_share.sel(source=f"muscle:{muscle.name}")[:, k - 1].any()


def rotated(case, angle):
    chain = case.chain
    base = planar.Base(
        tuple(turned(chain.base.position, angle)), chain.base.mass, tuple(turned(chain.base.com, angle))
    )
    muscles = tuple(
        planar.Muscle(m.name, tuple((i, tuple(turned(p, angle)) if i == 0 else p) for i, p in m.path))
        for m in chain.muscles
    )
    contacts = tuple(
        dataclasses.replace(c, force=turned(c.force, angle)) if c.axes == "world" else c
        for c in case.contacts
    )
    whole = dataclasses.replace(
        chain, base=base, gravity=tuple(turned(chain.gravity, angle)), muscles=muscles
    )
    return case.but(chain=whole, contacts=contacts).moving(angle=case.motion.angle + angle)


@law
@given(cases(), st.floats(-3, 3))
def test_turning_the_world_turns_reactions_and_leaves_torques(case, angle):
    before, after = case.analyzed(), rotated(case, angle).analyzed()
    assert_same(after.torque, before.torque)
    assert_same(after.reaction, turned(before.reaction.values, angle))
    assert_same(after.torque_share, before.torque_share)


def mirrored(case):
    def flip(vector):
        return np.asarray(vector, dtype=float) * [1.0, -1.0]

    chain, old = case.chain, case.motion
    whole = planar.Chain(
        links=tuple(dataclasses.replace(link, com=tuple(flip(link.com))) for link in chain.links),
        base=planar.Base(tuple(flip(chain.base.position)), chain.base.mass, tuple(flip(chain.base.com))),
        gravity=tuple(flip(chain.gravity)),
        muscles=tuple(
            planar.Muscle(m.name, tuple((i, tuple(flip(p))) for i, p in m.path)) for m in chain.muscles
        ),
    )
    contacts = tuple(dataclasses.replace(c, point=flip(c.point), force=flip(c.force)) for c in case.contacts)
    couples = tuple(dataclasses.replace(c, moment=-np.asarray(c.moment)) for c in case.couples)
    motion = planar.Motion(old.time, -old.angle, -old.velocity, -old.acceleration)
    return Case(whole, motion, contacts, couples, case.tensions)


@law
@given(cases())
def test_the_mirror_image_has_opposite_torques_and_mirrored_reactions(case):
    before, after = case.analyzed(), mirrored(case).analyzed()
    assert_same(after.torque, -before.torque)
    assert_same(after.reaction, before.reaction.values * [1.0, -1.0])


@law
@given(cases())
def test_running_the_motion_backwards_changes_no_load(case):
    before, after = case.analyzed(), case.moving(velocity=-case.motion.velocity).analyzed()
    assert_same(after.torque, before.torque)
    assert_same(after.reaction, before.reaction)


@law
@given(cases(), st.floats(0.3, 3.0))
def test_moving_slower_under_smaller_loads_scales_all_loads(case, slowness):
    smaller = 1 / slowness**2
    scaled = case.but(
        chain=dataclasses.replace(case.chain, gravity=tuple(np.array(case.chain.gravity) * smaller)),
        contacts=tuple(dataclasses.replace(c, force=np.asarray(c.force) * smaller) for c in case.contacts),
        couples=tuple(dataclasses.replace(c, moment=np.asarray(c.moment) * smaller) for c in case.couples),
        tensions={name: tension * smaller for name, tension in case.tensions.items()},
    ).moving(velocity=case.motion.velocity / slowness, acceleration=case.motion.acceleration * smaller)
    before, after = case.analyzed(), scaled.analyzed()
    assert_same(after.torque, before.torque.values * smaller)
    assert_same(after.reaction, before.reaction.values * smaller)


@law
@given(cases(), st.floats(-2, 2))
def test_a_contact_may_slide_along_its_line_of_action(case, distance):
    first = case.contacts[1]  # its force is given in the link's axes, so its line is fixed in the link
    slid = np.asarray(first.point) + distance * np.asarray(first.force) / 80
    contacts = (case.contacts[0], dataclasses.replace(first, point=slid), case.contacts[2])
    before, after = case.analyzed(), case.but(contacts=contacts).analyzed()
    assert_same(after.torque, before.torque)
    assert_same(after.reaction, before.reaction)


@law
@given(cases())
def test_a_contact_may_be_replaced_by_its_force_at_the_joint_and_a_couple(case):
    first = case.contacts[1]
    moved = dataclasses.replace(first, point=(0.0, 0.0))
    moment = cross(np.broadcast_to(first.point, (N_TIMES, 2)), np.asarray(first.force))
    couples = (*case.couples, planar.Couple("of the shift", first.link, moment))
    contacts = (case.contacts[0], moved, case.contacts[2])
    before, after = case.analyzed(), case.but(contacts=contacts, couples=couples).analyzed()
    assert_same(after.torque, before.torque)
    assert_same(after.reaction, before.reaction)


def welded(a, b):
    """One link made of two in line, the second beginning where the first ends."""
    mass = a.mass + b.mass
    com_b = np.add(b.com, (a.length, 0.0))
    com = (a.mass * np.array(a.com) + b.mass * com_b) / mass
    steiner = a.mass * np.sum((a.com - com) ** 2) + b.mass * np.sum((com_b - com) ** 2)
    return planar.Link("welded", a.length + b.length, mass, a.inertia + b.inertia + steiner, tuple(com))


@law
@given(cases(least_links=2), st.data())
def test_cutting_a_link_in_two_welded_pieces_changes_no_other_joint(case, data):
    cut = data.draw(st.integers(0, case.n_links - 2))
    keep = [i for i in range(case.n_links) if i != cut + 1]
    rows = [rows.copy() for rows in (case.motion.angle, case.motion.velocity, case.motion.acceleration)]
    for row in rows:
        row[:, cut + 1] = row[:, cut]
    pieces = case.but(contacts=(), couples=(), tensions={}).moving(*rows)
    pieces = pieces.but(chain=dataclasses.replace(case.chain, muscles=()))
    links = list(pieces.chain.links)
    links[cut : cut + 2] = [welded(links[cut], links[cut + 1])]
    whole = planar.Motion(case.motion.time, *(row[:, keep] for row in rows))
    joined = pieces.but(chain=dataclasses.replace(pieces.chain, links=tuple(links)), motion=whole)
    before, after = pieces.analyzed(), joined.analyzed()
    assert_same(after.torque, before.torque.values[:, keep])
    assert_same(after.reaction, before.reaction.values[:, keep])


@law
@given(cases(), st.data())
def test_doubling_one_acceleration_doubles_its_own_share_alone(case, data):
    link = data.draw(st.integers(0, case.n_links - 1))
    doubled = case.motion.acceleration.copy()
    doubled[:, link] *= 2
    before, after = case.analyzed(), case.moving(acceleration=doubled).analyzed()
    factor = np.where(before.source.values == f"acceleration:{case.chain.link_names[link]}", 2.0, 1.0)
    assert factor.sum() == len(factor) + 1
    assert_same(after.torque_share, before.torque_share.values * factor)
    assert_same(after.reaction_share, before.reaction_share.values * factor)


@law
@given(cases(), st.tuples(st.floats(-20, 20), st.floats(-20, 20)))
def test_an_accelerated_base_is_felt_as_gravity(case, acceleration):
    moving = case.moving(base_acceleration=np.tile(acceleration, (N_TIMES, 1)))
    felt = tuple(np.subtract(case.chain.gravity, acceleration))
    heavy = case.but(chain=dataclasses.replace(case.chain, gravity=felt))
    assert_same(moving.analyzed().torque, heavy.analyzed().torque)
    assert_same(moving.analyzed().reaction, heavy.analyzed().reaction)


@law
@given(cases())
def test_a_chain_in_free_fall_loads_no_joint(case):
    still = np.zeros_like(case.motion.angle)
    falling = case.but(contacts=(), couples=(), tensions={}).moving(
        velocity=still, acceleration=still, base_acceleration=np.tile(case.chain.gravity, (N_TIMES, 1))
    )
    answer = falling.analyzed()
    weight = sum(link.mass for link in case.chain.links) * 10
    assert_same(answer.torque, still, scale=weight)
    assert_same(answer.reaction, np.zeros((N_TIMES, case.n_links, 2)), scale=weight)


def driven(case):
    """Torques that actuators must add to the muscles for the motion to be what it is."""
    residual = case.analyzed().residual_torque
    return {name: residual.sel(joint=name).values for name in case.chain.joint_names}


# Solving M x = b loses as many digits as M's condition number has, up to five for eight links.
SOLVED = 1e-8


@law
@given(cases())
def test_the_forces_of_a_motion_cause_that_motion(case):
    found = planar.forward_dynamics(
        case.chain, case.motion, case.contacts, case.couples, case.tensions, driven(case)
    )
    assert_same(found, case.motion.acceleration, tolerance=SOLVED)


@law
@given(cases())
def test_induced_accelerations_add_up_to_the_motion_and_their_shares_to_the_reactions(case):
    found = planar.induced(case.chain, case.motion, case.contacts, case.couples, case.tensions, driven(case))
    parts = found.induced_acceleration
    assert_same(
        parts.sum("source"), case.motion.acceleration, tolerance=SOLVED, scale=np.abs(parts.values).max()
    )
    shares = found.reaction_share
    assert_same(
        shares.sum("source"), case.analyzed().reaction, tolerance=SOLVED, scale=np.abs(shares.values).max()
    )


@law
@given(cases())
def test_a_moment_arm_does_not_depend_on_the_tension(case):
    stronger = {name: 3 * tension for name, tension in case.tensions.items()}
    before, after = case.analyzed(), case.but(tensions=stronger).analyzed()
    assert_same(after.moment_arm, before.moment_arm)
    assert_same(after.muscle_torque, 3 * before.muscle_torque)


@law
@given(cases())
def test_an_unknown_contact_follows_from_the_balance_of_the_whole(case):
    force, moment = support(case)
    hidden = case.contacts[0]
    known = planar.Known(
        contacts=case.contacts[1:], couples=case.couples, base_force=force, base_moment=moment
    )
    unknown = planar.UnknownForce(hidden.name, hidden.link, hidden.point)
    found = planar.solve_contacts(case.chain, case.motion, (unknown,), known)
    scale = np.abs(force).max() + np.abs(moment).max()
    assert_same(found.table.value, np.asarray(hidden.force), scale=scale)
    assert_same(found.table.residual, np.zeros((N_TIMES, 3)), scale=scale)
