"""Kernels that answer questions about trees by running passes over blocks of instants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from borelli.kernels.lanes.code.control import count_up, only_if
from borelli.kernels.lanes.code.record_views import IntegerRecord
from borelli.kernels.lanes.code.sincos import angles_were_too_large, start_recording_angles
from borelli.kernels.lanes.code.transpose import InstantRange, Output, OutputStream, instants_to_rows
from borelli.kernels.lanes.code.values import Doubles, Emitter, Integer, Integers
from borelli.kernels.lanes.code.watch import Watch
from borelli.kernels.lanes.code.workspace import Workspace
from borelli.kernels.lanes.passes.articulated_passes import acceleration_pass, release_pass
from borelli.kernels.lanes.passes.ground_passes import (
    Links,
    composite_pass,
    energy_pass,
    inertia_pass,
    link_load_pass,
    mass_matrix_pass,
    placed_twist_pass,
    state_pass,
    twist_pass,
)
from borelli.kernels.lanes.passes.map_passes import (
    arc_pass,
    ball_pass,
    coupling_pass,
    function_pass,
    hinge_pass,
    polynomial_pass,
)
from borelli.kernels.lanes.passes.tables import Tables
from borelli.kernels.lanes.passes.tree_passes import (
    ground_wrench_pass,
    load_pose,
    load_wrench,
    motion_pass,
    pose_pass,
    prepare_ground,
    wrench_pass,
)
from borelli.kernels.lanes.signatures import (
    GIVEN_NOT_PLAUSIBLE,
    LINK_ARGUMENTS,
    NOT_PLAUSIBLE,
    TABLE_ARGUMENTS,
)
from borelli.kernels.lanes.tables.record_types import LOADED
from borelli.kernels.tree.algebra import subtract
from borelli.kernels.tree.passes import load_on_node


@contextmanager
def blocks(tables: Tables, given: dict[str, Any]) -> Iterator[tuple[InstantRange, Workspace]]:
    """Emit a loop over the blocks of the range of instants that a kernel is given."""
    work, stop = Workspace(given["workspace"]), given["stop"]
    prepare_ground(tables, work)
    with count_up(work.emitter, given["start"], stop, work.emitter.width) as first:
        yield InstantRange(first, stop), work.fresh()


def read_coordinates(
    tables: Tables, work: Workspace, instants: InstantRange, q: Doubles, watch: Watch | None = None
) -> None:
    """Bring the coordinates of a block into its rows, past a watch if there is one."""
    instants_to_rows(q, tables.header("n_coordinates"), instants, work.doubles, tables.header("q"), watch)


def variable_passes(tables: Tables, work: Workspace, rates: bool = False) -> None:
    """Compute all node variables of a block from its coordinates; their rates, too, from speeds and accelerations."""
    function_pass(tables, work, rates)
    polynomial_pass(tables, work)
    ball_pass(tables, work, rates)
    arc_pass(tables, work, rates)
    hinge_pass(tables, work)


def tables_of(given: dict[str, Any]) -> Tables:
    """Return the tables of the mechanism that a kernel is given."""
    return Tables(**{name: given[name] for name in TABLE_ARGUMENTS})


def links_of(given: dict[str, Any]) -> Links:
    """Return the tables of the links that a kernel is given."""
    return Links(**{name: given[name] for name in LINK_ARGUMENTS})


def _write_parts(stream: OutputStream, outputs: range, index: Integer) -> None:
    for k in outputs:
        stream.write_part(k, index)


@contextmanager
def _written_blocks(
    tables: Tables, given: dict[str, Any], *outputs: Output
) -> Iterator[tuple[InstantRange, Workspace, OutputStream]]:
    """Emit a loop over the blocks of a range of instants whose outputs are written at the end of each."""
    stream = OutputStream(
        given["workspace"], outputs, given["stage"], given["streamed"], tables.header("n_steps")
    )
    with blocks(tables, given) as (instants, work):
        yield instants, work, stream
        for k in range(len(outputs)):
            stream.put(k, instants)
        stream.close_block(instants)
    stream.flush()


def _links_from_root(
    tables: Tables, links: Links, work: Workspace, meanwhile: Callable[[Integer], None] | None = None
) -> None:
    """Compute poses, twists and inertias from the root's origin, so that a subject far away loses no digits."""
    placed_twist_pass(tables, links, work, meanwhile, from_root=True)
    inertia_pass(tables, links, work, from_root=True)


def emit_poses(
    emitter: Emitter,
    q: Doubles,
    n_wanted: Integer,
    wanted: Integers,
    n_turned: Integer,
    rotation_row: Integer,
    origin_row: Integer,
    rotation: Doubles,
    origin: Doubles,
    **given: Any,
) -> Any:
    """Origins of the wanted nodes, and rotations of those that are to be turned."""
    tables = tables_of(given)
    start_recording_angles(emitter)
    outputs = [Output(rotation, n_turned * 9, rotation_row), Output(origin, n_wanted * 3, origin_row)]
    with _written_blocks(tables, given, *outputs) as (instants, work, stream):
        read_coordinates(tables, work, instants, q)
        variable_passes(tables, work)
        pose_pass(tables, work, partial(_write_parts, stream, range(2)), wanted)
    return angles_were_too_large(emitter)


def read_loads(
    work: Workspace, instants: InstantRange, n_loads: Integer, loads: Doubles, load_row: Integer
) -> None:
    """Bring force, point and moment of every load in a block into rows; ``loads`` is where they lie in memory."""
    width = work.emitter.width
    with count_up(work.emitter, 0, n_loads * 3) as k:
        vectors, lines = loads.array(k * 2), instants.lines(loads.whole(k * 2 + 1))
        place = (load_row + k * 3) * width
        for lane, line in enumerate(lines):
            for axis in range(3):
                work.doubles.store_scalar(place + axis * width + lane, vectors.scalar(line + axis))


def load_pass(tables: Tables, work: Workspace, n_loads: Integer, loaded: Integers) -> None:
    """Take the external loads off the wrenches that the nodes' masses need."""
    with count_up(work.emitter, 0, n_loads) as i:
        record = IntegerRecord(LOADED, loaded, i)
        at = work.fresh()
        row = record("rows")
        pose = load_pose(at, record("pose"))
        load = load_on_node(pose, at.vector(row), at.vector(row, 3), at.vector(row, 6))
        wrench = load_wrench(at, record("wrench"))
        rest = (*subtract(wrench.moment, load.moment), *subtract(wrench.force, load.force))
        at.store_numbers(record("wrench"), rest)


def emit_inverse_dynamics(
    emitter: Emitter,
    q: Doubles,
    u: Doubles,
    udot: Doubles,
    force: Doubles,
    n_loads: Integer,
    loaded: Integers,
    load_row: Integer,
    loads: Doubles,
    limits: Doubles,
    n_wanted: Integer,
    wanted: Integers,
    force_rows: Integers,
    moment_rows: Integers,
    wrench_force: Doubles,
    wrench_moment: Doubles,
    **given: Any,
) -> Any:
    """Generalized forces, and the wrenches of the wanted nodes in ground axes."""
    tables = tables_of(given)
    start_recording_angles(emitter)
    n_speeds = tables.header("n_speeds")
    outputs = [
        Output(force, n_speeds, tables.header("force")),
        Output(wrench_force, n_wanted * 3, force_rows),
        Output(wrench_moment, n_wanted * 3, moment_rows),
    ]
    read, found = (Watch(emitter, limits.scalar(k)) for k in range(2))
    with _written_blocks(tables, given, *outputs) as (instants, work, stream):
        read_coordinates(tables, work, instants, q, read)
        instants_to_rows(u, n_speeds, instants, work.doubles, tables.header("u"), read)
        instants_to_rows(udot, n_speeds, instants, work.doubles, tables.header("udot"), read)
        variable_passes(tables, work, rates=True)
        motion_pass(tables, work, partial(stream.write_part, 1))
        with only_if(emitter, n_loads.compare(">", 0)):
            read_loads(work, instants, n_loads, loads, load_row)
            pose_pass(tables, work)
            read.look_at(work.doubles, load_row, n_loads * 9)
            load_pass(tables, work, n_loads, loaded)
        wrench_pass(tables, work, partial(stream.write_part, 0))
        coupling_pass(tables, work)
        found.look_at(work.doubles, tables.header("force"), n_speeds)
        with only_if(emitter, n_wanted.compare(">", 0)):
            ground_wrench_pass(tables, work, wanted, partial(stream.write_part, 2))
    status = emitter.builder.or_(read.status(GIVEN_NOT_PLAUSIBLE), found.status(NOT_PLAUSIBLE))
    return emitter.builder.or_(status, angles_were_too_large(emitter))


def emit_mass_matrix(
    emitter: Emitter,
    q: Doubles,
    matrix: Doubles,
    **given: Any,
) -> Any:
    """Mass matrices."""
    tables, links = tables_of(given), links_of(given)
    start_recording_angles(emitter)
    n_speeds = tables.header("n_speeds")
    output = Output(matrix, n_speeds * n_speeds, links.entries)
    with _written_blocks(tables, given, output) as (instants, work, stream):
        read_coordinates(tables, work, instants, q)
        variable_passes(tables, work)
        _links_from_root(tables, links, work, partial(stream.write_part, 0))
        composite_pass(links, work)
        mass_matrix_pass(links, work)
    return angles_were_too_large(emitter)


def emit_solve(
    emitter: Emitter,
    q: Doubles,
    force: Doubles,
    udot: Doubles,
    **given: Any,
) -> Any:
    """Accelerations that generalized forces alone cause, from rest; NaN where they do not determine them."""
    tables, links = tables_of(given), links_of(given)
    start_recording_angles(emitter)
    n_speeds = tables.header("n_speeds")
    output = Output(udot, n_speeds, tables.header("udot"))
    with _written_blocks(tables, given, output) as (instants, work, stream):
        read_coordinates(tables, work, instants, q)
        instants_to_rows(force, n_speeds, instants, work.doubles, tables.header("force"))
        variable_passes(tables, work)
        _links_from_root(tables, links, work, partial(stream.write_part, 0))
        release_pass(links, work)
        acceleration_pass(links, work)
    return angles_were_too_large(emitter)


def emit_forward_dynamics(
    emitter: Emitter,
    q: Doubles,
    u: Doubles,
    force: Doubles,
    n_loads: Integer,
    loaded: Integers,
    load_row: Integer,
    loads: Doubles,
    udot: Doubles,
    **given: Any,
) -> Any:
    """Accelerations that generalized forces and loads cause; NaN where they do not determine them.

    The wrenches that masses need while all speeds stay as they are go the way of those that joints pass on when they
    yield: a pass of its own for them, as of inverse dynamics, takes a fifth of the time.
    """
    tables, links = tables_of(given), links_of(given)
    start_recording_angles(emitter)
    n_speeds = tables.header("n_speeds")
    output = Output(udot, n_speeds, tables.header("udot"))
    with _written_blocks(tables, given, output) as (instants, work, stream):
        read_coordinates(tables, work, instants, q)
        instants_to_rows(u, n_speeds, instants, work.doubles, tables.header("u"))
        work.fill(tables.header("udot"), n_speeds, 0.0)
        variable_passes(tables, work, rates=True)
        _links_from_root(tables, links, work, partial(stream.write_part, 0))
        state_pass(tables, links, work)
        # Nobody needs the accelerations any more: the given forces are in their rows from here on.
        instants_to_rows(force, n_speeds, instants, work.doubles, tables.header("force"))
        with only_if(emitter, n_loads.compare(">", 0)):
            read_loads(work, instants, n_loads, loads, load_row)
            link_load_pass(links, work, n_loads, loaded)
        release_pass(links, work, moving=True)
        acceleration_pass(links, work)
    return angles_were_too_large(emitter)


def emit_energy(
    emitter: Emitter,
    q: Doubles,
    u: Doubles,
    totals: Doubles,
    **given: Any,
) -> Any:
    """Energy and momentum."""
    tables, links = tables_of(given), links_of(given)
    start_recording_angles(emitter)
    output = Output(totals, emitter.integer(8), links.header("totals"))
    with _written_blocks(tables, given, output) as (instants, work, stream):
        read_coordinates(tables, work, instants, q)
        instants_to_rows(u, tables.header("n_speeds"), instants, work.doubles, tables.header("u"))
        variable_passes(tables, work)
        pose_pass(tables, work, partial(stream.write_part, 0))
        twist_pass(tables, links, work)
        inertia_pass(tables, links, work, from_root=False)
        energy_pass(tables, links, work)
    return angles_were_too_large(emitter)
