"""The ground's support of the base: force, moment and centre of pressure, and how well a measured one fits.

With R_0 the ground's force on the base and M_0 its moment about the first joint (Biscarini 2021, equation (8)),

    R_0 = sum m a - sum m g - sum of the other loads,     M_0 the same of moments about J_1,

over the base and all links. Muscles are within the body and have no part in it, whatever their tension.
"""

from __future__ import annotations

import numpy as np
import xarray as xr

import borelli.results.accessor  # noqa: F401 (results plot themselves)
from borelli import units
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import muscle_action
from borelli.planar.pose import AXES, Pose, cross, put_vectors, vectors_of
from borelli.planar.recursion import Wrench, outside_wrenches, support_by_recursion
from borelli.planar.shares import Sources, distal_shares
from borelli.results.labelled.dataset import dataset

# Where the ground neither pushes nor pulls, to this part of the largest force, its force has no point of application.
_NO_PRESSURE = 1e-9


def demanded_support(pose: Pose, loads: LoadTable, force: Array, torque: Array) -> Wrench:
    """Support that the motion and all other loads demand, about the first joint.

    Parameters
    ----------
    force, torque : (n_joints, n_times)
        Net force (complex) and torque on each link, as of the recursion.
    """
    own = _base_demand(pose)
    total, moment = force[0] + own.force, torque[0] + own.moment
    on_base = outside_wrenches(pose, loads).get(0)
    if on_base is not None:
        total, moment = total - on_base.force, moment - on_base.moment
    return Wrench(total, moment)


def _base_demand(pose: Pose) -> Wrench:
    """What the base's own weight and acceleration take of the support."""
    base = pose.chain.base
    inertial = base.mass * (pose.base_acceleration - pose.gravity)
    return Wrench(inertial, cross(complex(*base.com) - pose.base, inertial))


def centre_of_pressure(pose: Pose, support: Wrench) -> Array:
    """Point of the floor where the support acts without a moment, (n_times,) complex; NaN where nothing presses.

    The floor runs across gravity (without gravity: along the world's x axis), at the base's height of the floor.
    """
    up = -pose.gravity / abs(pose.gravity) if pose.gravity != 0.0 else 1j
    along = -1j * up
    below = pose.chain.base.floor * up
    pressure = cross(np.asarray(along), support.force)
    nothing = np.abs(pressure) <= _NO_PRESSURE * np.max(np.abs(support.force), initial=0.0)
    moment = support.moment - cross(below - pose.base, support.force)
    place = np.full(pose.n_times, complex(np.nan, np.nan))
    np.divide(moment, pressure, out=(reach := np.zeros(pose.n_times)), where=~nothing)
    place[~nothing] = (below + reach * along)[~nothing]
    return place


def support(
    chain: Chain, motion: Motion, contacts: tuple[Contact, ...] = (), couples: tuple[Couple, ...] = ()
) -> xr.Dataset:
    """Support of the base that the motion and the loads demand, and the share of every variable in it.

    Parameters
    ----------
    contacts, couples : sequences of Contact and Couple
        All outside forces but the support itself. Muscles have no part in it.

    Returns
    -------
    xarray.Dataset
        ``support_force`` (time, axis), N; ``support_moment`` (time), N m about the first joint;
        ``centre_of_pressure`` (time, axis), m, NaN where nothing presses; ``support_force_share`` (time, axis,
        source) and ``support_moment_share`` (time, source); ``closure``, the largest gap between shares and
        totals, over the largest share.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits, whatever the tensions
    - shares add up to it

    Examples
    --------
    >>> found = planar.support(chain, motion)
    >>> found["support_force"].dims, found["support_force"].attrs["units"]
    (('time', 'axis'), 'N')
    """
    motion.check_fits(chain.n_links, chain.name)
    pose, loads = Pose(chain, motion), tabulate(chain, motion.n_times, tuple(contacts), tuple(couples))
    found = demanded_support(pose, loads, *support_by_recursion(pose, loads))
    labels, force, moment = _shares(pose, loads)
    total = np.stack([found.force.real, found.force.imag])
    gaps = (np.abs(force.sum(axis=1) - total).max(), np.abs(moment.sum(axis=0) - found.moment).max())
    sizes = (np.abs(force).max(), np.abs(moment).max())
    closure = max((gap / size if size else gap) for gap, size in zip(gaps, sizes, strict=True))
    world = {"expressed_in": "world"}
    place = vectors_of(centre_of_pressure(pose, found))
    vector, newton, newton_metre = ("time", "axis"), {"units": units.NEWTON}, {"units": units.NEWTON_METRE}
    return dataset(
        {
            "support_force": (vector, total.T, {**newton, **world}),
            "support_moment": ("time", found.moment, newton_metre),
            "centre_of_pressure": (vector, place, {"units": units.METRE, **world}),
            "support_force_share": ((*vector, "source"), force.transpose(2, 0, 1), {**newton, **world}),
            "support_moment_share": (("time", "source"), moment.T, newton_metre),
            "closure": ((), float(closure), {"units": units.ONE}),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "axis": list(AXES),
            "source": labels,
        },
        {
            "analysis": "planar chain, support of the base",
            "chain": chain.name,
            "support_force_on": "the base, by the ground, in world axes",
            "support_moment_on": f"the base, by the ground, about {chain.joint_names[0]}",
        },
    )


def with_support_shares(
    answer: xr.Dataset,
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
) -> xr.Dataset:
    """Return the answer of a distal analysis in segment space with the shares of the support as well.

    A base with mass becomes a source of its own, first of all, which has no part in the joints.

    Examples
    --------
    >>> answer = planar.with_support_shares(planar.analyze(chain, motion), chain, motion)
    >>> "support_force_share" in answer
    True
    """
    found = support(chain, motion, contacts, couples)
    own = ["weight:base"] if chain.base.mass > 0.0 else []
    labels = [*own, *map(str, answer["source"].values)]
    whole = answer.reindex(source=labels, fill_value=0.0)
    shares = found[["support_force_share", "support_moment_share"]].reindex(source=labels, fill_value=0.0)
    return whole.assign(shares.data_vars)


def _shares(pose: Pose, loads: LoadTable) -> tuple[list[str], Array, Array]:
    """Labels, and shares of force (2, n_sources, n_times) and moment: those of the first joint, and the base's own."""
    moving = pose.motion.base_acceleration is not None
    sources = Sources.of(pose.chain, loads, proximal=False, moving_base=moving)
    shape = (len(pose.mass), len(sources.labels), pose.n_times)
    torque, reaction = np.zeros(shape), np.zeros((2, *shape))
    distal_shares(pose, loads, muscle_action(pose), sources, torque, reaction)
    force, moment = reaction[:, 0], torque[0]
    base = pose.chain.base
    offset = np.asarray(complex(*base.com) - pose.base)

    def add(column: int, extra: Array, about: Array) -> None:
        force[0, column] += extra.real
        force[1, column] += extra.imag
        moment[column] += about

    for column in range(sources.base.start, sources.base.stop):
        inertial = base.mass * pose.base_acceleration
        add(column, inertial, cross(offset, inertial))
    for column, contact in enumerate(loads.contacts, start=sources.load.start):
        if contact.link == 0:
            add(column, -contact.force, -cross(pose.point(0, contact.point) - pose.base, contact.force))
    for column, couple in enumerate(loads.couples, start=sources.load.start + len(loads.contacts)):
        if couple.link == 0:
            moment[column] -= couple.moment
    weight = np.full(pose.n_times, -base.mass * pose.gravity)
    own = np.empty((2, 1, pose.n_times))
    put_vectors(own[:, 0], weight)
    kept = slice(0, sources.muscle.start)  # a muscle pulls the base as much as the joint presses it
    force = np.concatenate([own, force[:, kept]], axis=1)
    moment = np.concatenate([cross(offset, weight)[None], moment[kept]])
    return ["weight:base", *sources.labels[kept]], force, moment
