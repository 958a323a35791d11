"""The motion of an AnalyzeTool as OpenSim assembles it: constraints are obeyed before anything is analysed."""

from __future__ import annotations

import dataclasses

import numpy as np

from borelli.analyses.movement.assemble import assemble
from borelli.errors import few, warn
from borelli.io.signals.coupled_coordinates import coupled_value, couplers_of
from borelli.model.constraint import CoordinateCoupler
from borelli.model.joints.coordinate import Coordinate
from borelli.model.model import Model
from borelli.model.motion import Motion

_FAR = 1e-4
"""Beyond its range by less than digits and filters leave (rad or m)."""


def assembled_motion(model: Model, motion: Motion, from_states: bool) -> Motion:
    """Return a motion whose coordinates obey the constraints of the model, with the speeds that it had.

    OpenSim moves coordinates alone, and leaves the speeds that a coordinate's own column gave it: none where the
    file lacks the coordinate. A coordinate that a coordinates_file lacks and no constraint determines is at zero
    there, whatever its default. A locked coordinate is at its default, and a prescribed one on its function,
    whatever their columns say.

    Parameters
    ----------
    motion : Motion
        Of ``load_motion``, with all coordinates of the model.
    from_states : bool
        Whether it comes from a states file, where defaults count.
    """
    _tell_of_clamps(model, motion)
    names = motion.coordinates
    q, rates = motion.q.copy(), [None if x is None else x.copy() for x in (motion.u, motion.udot)]
    _hold(model, motion, q)
    for order, table in enumerate(rates, start=1):
        if table is not None and motion.speeds is not None:
            for name, rate in held_rates(model, motion.time, order).items():
                table[:, motion.speeds.index(name)] = rate
    if not from_states:
        absent = [name for name in motion.settings.get("at_default", ()) if not _held(model, name)]
        q[:, [names.index(name) for name in absent]] = 0.0
        moved = [name for name in absent if model.coordinates[name].default_value != 0.0]
        if moved:
            warn(
                f"not in the coordinates_file, so set to zero, as in OpenSim's AnalyzeTool: {', '.join(moved)}"
            )
        for name in motion.settings.get("from_couplers", ()):
            for table in rates:
                if table is not None and motion.speeds is not None and name in motion.speeds:
                    table[:, motion.speeds.index(name)] = 0.0
    for coupler in couplers_of(model):
        index = names.index(coupler.dependent)
        values = {name: q[:, names.index(name)] for name in coupler.independent}
        q[:, index] = coupled_value(coupler, values)
    found = dataclasses.replace(motion, q=q, u=rates[0], udot=rates[1])
    if not any(each.enforced and not isinstance(each, CoordinateCoupler) for each in model.constraints):
        return found
    return dataclasses.replace(found, q=np.asarray(assemble(model, found).q))


def held_rates(model: Model, time: np.ndarray, order: int = 1) -> dict[str, np.ndarray]:
    """Speeds (or accelerations) of coordinates that are locked or prescribed, (n_times,) each.

    None where a constraint acts: OpenSim then leaves them the speeds of their columns.
    """
    if any(each.enforced for each in model.constraints):
        return {}
    return {each.name: _held_at(each, time, order) for each in model.coordinates if _held(model, each.name)}


def _hold(model: Model, motion: Motion, q: np.ndarray) -> None:
    """Put locked coordinates at their defaults and prescribed ones on their functions; name those that move."""
    moved = {}
    for index, name in enumerate(motion.coordinates):
        if _held(model, name):
            held = _held_at(model.coordinates[name], motion.time)
            away = np.abs(q[:, index] - held)
            q[:, index] = np.where(np.isnan(away), np.nan, held)
            size = float(np.fmax.reduce(away, initial=0.0))
            if size > _FAR and name not in motion.settings.get("at_default", ()):
                moved[name] = size
    if moved:
        far = sorted(moved.items(), key=lambda item: -item[1])
        shown = few((f"{name} by {size:.2g}" for name, size in far), 6)
        warn(
            f"locked or prescribed coordinates that the file has elsewhere (rad or m): {shown}; they are put where the "
            "model holds them, as in OpenSim's AnalyzeTool; unlock them in the model to use what the file says"
        )


def _held_at(coordinate: Coordinate, time: np.ndarray, order: int = 0) -> np.ndarray:
    """Where a model holds a coordinate, or its rate of some order."""
    function = coordinate.prescribed_function
    if coordinate.locked or function is None:
        return np.full(len(time), 0.0 if order else float(coordinate.default_value))
    found = (function.value, function.derivative, function.second_derivative)[order](time)
    return np.broadcast_to(np.asarray(found, dtype=float), time.shape)


def _tell_of_clamps(model: Model, motion: Motion) -> None:
    """Name clamped coordinates beyond their range where OpenSim assembles: it moves them, unless that fails."""
    if not model.constraints:
        return
    beyond = {}
    for index, name in enumerate(motion.coordinates):
        own = model.coordinates[name]
        if own.clamped and not _held(model, name):
            low, high = map(float, own.range)
            excess = np.fmax(low - motion.q[:, index], motion.q[:, index] - high)
            beyond[name] = float(np.fmax.reduce(excess, initial=0.0))
    far = sorted((name for name, size in beyond.items() if size > _FAR), key=lambda name: -beyond[name])
    if far:
        shown = few((f"{name} by {beyond[name]:.2g}" for name in far), 6)
        warn(
            f"beyond the range of a clamped coordinate (rad or m): {shown}; the motion is kept, but OpenSim's "
            "AnalyzeTool moves such coordinates into their range in most instants, if a model has a constraint"
        )


def _held(model: Model, name: str) -> bool:
    coordinate = model.coordinates[name]
    return bool(coordinate.locked or coordinate.prescribed)
