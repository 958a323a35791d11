"""A motion and its loads, recorded by two devices: which instants do both cover?"""

from __future__ import annotations

import os

import numpy as np

from borelli.errors import InvalidValueError, warn
from borelli.io.load import load_table
from borelli.io.loads import known_span
from borelli.io.setups.external_loads import read_external_loads
from borelli.model.load import half_step
from borelli.model.motion import Motion
from borelli.results.labelled.table import Table


def within_loads(motion: Motion, path: str | os.PathLike[str]) -> tuple[Motion, Table | None]:
    """Cut a motion to the span of its loads, told by a warning, and return the table of the loads with it.

    Parameters
    ----------
    motion : Motion
    path : path
        ExternalLoads xml.

    Returns
    -------
    motion : Motion
        As it was where the loads cover it to half a step.
    table : Table or None
        What the description names; None if it names no table.

    Raises
    ------
    InvalidValueError
        If they have no instant in common.
    """
    description = read_external_loads(path)
    data = description.data_file
    if data is None:
        return motion, None
    table = load_table(data)
    if not table.n_times:
        return motion, table
    margin = half_step(table.time, motion.time)
    first, last = known_span(description, table)
    inside = (motion.time >= first - margin) & (motion.time <= last + margin)
    if inside.all():
        return motion, table
    spans = f"the loads run from {first:g} to {last:g} s, the motion from {motion.time[0]:g} to {motion.time[-1]:g} s"
    # A single instant of many is what is left of times in another unit.
    if int(inside.sum()) < min(2, motion.n_times):
        none = not inside.any()
        raise InvalidValueError(
            f"{'No instant' if none else f'Only one of {motion.n_times} instants'} of the motion has loads: {spans}.",
            where=os.fspath(path),
            remedy="check that both are from the same trial, have the same time origin, and tell time in seconds",
        )
    rest = motion.instants(slice(int(np.argmax(inside)), len(inside) - int(np.argmax(inside[::-1]))))
    warn(
        f"{spans}: {int((~inside).sum())} of {motion.n_times} instants have no loads and are left out; "
        f"{rest.time[0]:g} to {rest.time[-1]:g} s remain"
    )
    return rest, table
