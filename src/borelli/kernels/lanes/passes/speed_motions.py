"""The kernel of poses and of what each speed moves: input of everything that pulls, pushes or turns a body."""

from __future__ import annotations

from typing import Any

from borelli.kernels.lanes.code.control import count_up, only_if
from borelli.kernels.lanes.code.sincos import angles_were_too_large, start_recording_angles
from borelli.kernels.lanes.code.values import Doubles, Emitter, Integer, Integers
from borelli.kernels.lanes.passes.ground_passes import placed_twist_pass
from borelli.kernels.lanes.passes.tree_kernels import (
    blocks,
    links_of,
    read_coordinates,
    tables_of,
    variable_passes,
)


def emit_speed_motions(
    emitter: Emitter,
    q: Doubles,
    wanted: Integers,
    n_listed: Integer,
    listed: Integers,
    n_instants: Integer,
    motions: Doubles,
    **given: Any,
) -> Any:
    """Write the listed rows, poses of nodes and twists about the ground's origin, with time last."""
    tables, links = tables_of(given), links_of(given)
    start_recording_angles(emitter)
    with blocks(tables, given) as (instants, work):
        read_coordinates(tables, work, instants, q)
        variable_passes(tables, work)
        placed_twist_pass(tables, links, work, wanted=wanted)
        with only_if(emitter, instants.all_exist), count_up(emitter, 0, n_listed) as row:
            motions.store(row * n_instants + instants.first, work.fresh().load(listed[row]))
        some = emitter.builder.not_(instants.all_exist)
        with only_if(emitter, some), count_up(emitter, 0, n_listed) as row:
            place = listed[row] * emitter.width
            for lane, instant in enumerate(instants.lines(emitter.integer(1))):
                motions.store_scalar(row * n_instants + instant, work.doubles.scalar(place + lane))
    return angles_were_too_large(emitter)
