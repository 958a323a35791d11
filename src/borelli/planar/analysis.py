"""The main question: which torque and reaction does each joint carry, and where does each part come from?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import xarray as xr
from numpy.typing import ArrayLike

from borelli.planar.chain import Chain
from borelli.planar.equipment import Equipment, equipment_variables
from borelli.planar.link_axes import LinkAxes
from borelli.planar.loads import Contact, Couple
from borelli.planar.motion import Motion
from borelli.planar.shares import Space
from borelli.planar.task import Task

DataSet = Literal["distal", "proximal"]


def analyze(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    data_set: DataSet = "distal",
    base_force: ArrayLike | None = None,
    base_moment: ArrayLike | None = None,
    *,
    equipment: tuple[Equipment, ...] = (),
    space: Space = "segment",
    link_axes: LinkAxes | None = "distal",
) -> xr.Dataset:
    """Joint torques and reactions, and the exact share of every single variable in them.

    Parameters
    ----------
    contacts, couples : sequences of Contact and Couple
        Every outside force on the side of the joints that the data set uses. The base's support is not
        a contact: the distal set finds it, the proximal one takes it as below.
    tensions : mapping of muscle name to (n_times,) or one number
        N; muscles left out carry none.
    data_set : "distal" or "proximal"
        Whether to work from what lies beyond each joint, or from the base's measured support.
    base_force : (n_times, 2) or (2,)
        Measured force of the ground on the base (N), in the world. The proximal set works from it; the
        distal one reports how far it is from what the motion demands.
    base_moment : (n_times,) or one number
        Measured moment of the ground on the base about the first joint (N m); likewise.
    equipment : sequence of Weight, Band, Spring and Cable
        What the chain works against; each becomes a contact of its name. Lengths and tensions are in
        ``equipment_length`` and ``equipment_tension`` (time, equipment).
    space : "segment" or "joint"
        Variables of the motion: absolute angles of the links (Biscarini 2021), or relative angles of the
        joints, whose velocities occur in products (Cesari et al. 2001).
    link_axes : "distal", "proximal" or None
        Link along whose axis compression and shear of a joint are measured: the one beyond it, or the one
        before it. None leaves both out, which saves long recordings about a third of the time.

    Returns
    -------
    xarray.Dataset
        - ``torque`` (time, joint): total torque on the distal link about the joint.
        - ``torque_share`` (time, joint, source): its parts. Muscles have no part in the torque that
          the motion demands — they deliver it — so their columns are zero here.
        - ``muscle_torque`` (time, joint, muscle), and ``residual_torque`` (time, joint): what the
          muscles deliver, and what is left for actuators or passive tissue.
        - ``reaction`` (time, joint, axis): force on the distal link by the proximal one through the
          joint itself. Biscarini's phi is its negative.
        - ``reaction_share`` (time, joint, axis, source): its parts, each muscle included.
        - ``compression``, ``shear`` (time, joint): the reaction along and across the link's axis, with
          ``compression_share`` and ``shear_share`` (time, joint, source).
        - ``support_force`` (time, axis), ``support_moment`` (time) about the first joint, with their
          shares, and ``centre_of_pressure`` (time, axis): of the ground on the base. The distal set finds
          them, the proximal one repeats what was measured.
        - ``support_force_residual``, ``support_moment_residual``: where the support was measured, what the
          motion and all loads demand of it less what was measured; the largest ones are
          ``whole_body_residual_force`` and ``whole_body_residual_moment``.
        - ``muscle_length``, ``muscle_speed`` (time, muscle), ``moment_arm`` (time, joint, muscle).
        - ``closure``: largest gap between the sum of the shares and the total found independently by
          the link-by-link recursion, over the largest share; ``torque_closure`` (N m) and
          ``reaction_closure`` (N) are the gaps themselves.

    Guarantees, each a test
    -----------------------
    - torques, reactions and every share equal references computed with 60 digits
    - shares add up to an independent recursion: ``closure`` is round-off, and notices a lost share
    - both data sets give the same numbers

    Examples
    --------
    >>> answer = planar.analyze(chain, motion)
    >>> answer["torque"].dims, answer["torque"].attrs["units"]
    (('time', 'joint'), 'N m')
    >>> float(answer["closure"]) < 1e-12
    True
    """
    pushes = (*contacts, *(item.contact(chain, motion) for item in equipment))
    support = (base_force, base_moment)
    task = Task.checked(
        chain, motion, pushes, couples, tensions, data_set, support, space=space, link_axes=link_axes
    )
    return _with_lines(task.answer(slice(0, motion.n_times)), chain, motion, equipment)


def analyze_in_blocks(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    data_set: DataSet = "distal",
    base_force: ArrayLike | None = None,
    base_moment: ArrayLike | None = None,
    *,
    equipment: tuple[Equipment, ...] = (),
    space: Space = "segment",
    link_axes: LinkAxes | None = "distal",
) -> Iterator[xr.Dataset]:
    """As :func:`analyze`, one Dataset for each block of instants, so that memory does not grow with the recording.

    Parameters
    ----------
    chain, motion, contacts, couples, tensions, data_set, equipment, space, link_axes
        As for :func:`analyze`.
    base_force : (n_times, 2) or (2,)
        Measured force of the ground on the base (N), in the world.
    base_moment : (n_times,) or one number
        Measured moment of the ground on the base (N m).

    Examples
    --------
    >>> blocks = planar.analyze_in_blocks(chain, motion)
    >>> sum(block.sizes["time"] for block in blocks) == motion.time.size
    True
    """
    pushes = (*contacts, *(item.contact(chain, motion) for item in equipment))
    support = (base_force, base_moment)
    task = Task.checked(
        chain, motion, pushes, couples, tensions, data_set, support, space=space, link_axes=link_axes
    )
    for part in task.parts():
        yield _with_lines(task.answer(part), chain, motion.instants(part), equipment)


def _with_lines(
    answer: xr.Dataset, chain: Chain, motion: Motion, equipment: tuple[Equipment, ...]
) -> xr.Dataset:
    if not equipment:
        return answer
    names, variables = equipment_variables(chain, motion, equipment)
    return answer.assign_coords(equipment=names).assign(variables)
