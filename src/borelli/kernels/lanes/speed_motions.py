"""The kernel of poses and of what each speed moves: input of everything that pulls, pushes or turns a body."""

from __future__ import annotations

from typing import Any

from borelli.kernels.lanes.control import count_up, only_if
from borelli.kernels.lanes.ground_passes import Links, twist_pass
from borelli.kernels.lanes.signatures import LINK_ARGUMENTS, TABLE_ARGUMENTS
from borelli.kernels.lanes.sincos import angles_were_too_large, start_recording_angles
from borelli.kernels.lanes.tables import Tables
from borelli.kernels.lanes.transpose import InstantRange
from borelli.kernels.lanes.tree_kernels import read_coordinates, variable_passes
from borelli.kernels.lanes.tree_passes import pose_pass, prepare_ground
from borelli.kernels.lanes.values import Doubles, Emitter, Integer, Integers
from borelli.kernels.lanes.workspace import Workspace


def emit_speed_motions(
    emitter: Emitter,
    start: Integer,
    stop: Integer,
    workspace: Doubles,
    stage: Integer,
    streamed: Integer,
    q: Doubles,
    wanted: Integers,
    n_listed: Integer,
    listed: Integers,
    n_instants: Integer,
    motions: Doubles,
    **others: Any,
) -> Any:
    """Write the listed rows, poses of nodes and twists about the ground's origin, with time last."""
    tables = Tables(**{name: others.pop(name) for name in TABLE_ARGUMENTS})
    links = Links(**{name: others.pop(name) for name in LINK_ARGUMENTS})
    start_recording_angles(emitter)
    work = Workspace(workspace)
    prepare_ground(tables, work)
    with count_up(emitter, start, stop, emitter.width) as first:
        instants, here = InstantRange(first, stop), work.fresh()
        read_coordinates(tables, here, instants, q)
        variable_passes(tables, here)
        pose_pass(tables, here, wanted=wanted)
        # Positions are measured from the ground, and so are the levers of the twists.
        twist_pass(tables, links, here, from_root=True)
        with only_if(emitter, instants.all_exist), count_up(emitter, 0, n_listed) as row:
            motions.store(row * n_instants + first, work.fresh().load(listed[row]))
        some = emitter.builder.not_(instants.all_exist)
        with only_if(emitter, some), count_up(emitter, 0, n_listed) as row:
            place = listed[row] * emitter.width
            for lane, instant in enumerate(instants.lines(emitter.integer(1))):
                motions.store_scalar(row * n_instants + instant, workspace.scalar(place + lane))
    return angles_were_too_large(emitter)
