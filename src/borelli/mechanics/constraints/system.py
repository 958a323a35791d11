"""All equations of a model's constraints, and of its locked and prescribed coordinates."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel, compile_model
from borelli.errors import UnsupportedError
from borelli.mechanics.constraints.constraint_rows import CoordinateRow, LoopRows, Rows, loop_rows
from borelli.mechanics.motion.axis_rates import added_turns
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.model import Constant, CoordinateCoupler, Model
from borelli.records import dataclass

LOCK, PRESCRIBED = "lock", "prescribed"
"""Prefixes of the rows of locked and prescribed coordinates: ``lock:<coordinate>``."""


@dataclass(frozen=True)
class ConstraintSystem:
    """All rows of a model's constraints.

    Parameters
    ----------
    driven : tuple of CoordinateRow
        Rows that can be solved for one coordinate each: couplers, locks, prescribed motions.
    mixed : tuple of CoordinateRow
        The same for coordinates whose rate is a mixture of speeds (ball joints); they cannot.
    loops : tuple of LoopRows
        Constraints between bodies.
    """

    compiled: CompiledModel
    driven: tuple[CoordinateRow, ...]
    mixed: tuple[CoordinateRow, ...]
    loops: tuple[LoopRows, ...]

    @property
    def closes_loops(self) -> bool:
        """Whether there are rows that cannot be solved for one coordinate."""
        return bool(self.mixed or self.loops)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all rows: driven, mixed, loops."""
        single = tuple(row.name for row in (*self.driven, *self.mixed))
        return single + self.loop_names

    @property
    def loop_names(self) -> tuple[str, ...]:
        """Names of the rows of the loops, the last of ``names``."""
        return tuple(name for loop in self.loops for name in loop.names)

    def driven_rows(self, q: np.ndarray, u: np.ndarray, time: np.ndarray) -> Rows:
        """Rows of the driven coordinates."""
        return _stacked([row.rows(self.compiled, q, u, time) for row in self.driven], q, u)

    def driven_jacobian(self, q: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Jacobian of the driven coordinates' rows alone, (n, n_driven, n_u): it needs no speeds."""
        out = np.empty((len(q), len(self.driven), self.compiled.mechanism.n_speeds))
        for k, row in enumerate(self.driven):
            out[:, k] = row.jacobian(self.compiled, q, time)
        return out

    def other_rows(self, q: np.ndarray, u: np.ndarray, time: np.ndarray, moving: bool = True) -> Rows:
        """Rows of mixed coordinates and loops; ``moving`` asks for accelerations as well."""
        parts = [row.rows(self.compiled, q, u, time) for row in self.mixed]
        if self.loops:
            turns = added_turns(self.compiled, q, u) if moving else ()
            motion = FrameMotion(self.compiled.mechanism, q, u if moving else None, turns)
            parts += [loop.evaluate(motion, moving) for loop in self.loops]
        return _stacked(parts, q, u)

    def position_rows(self, q: np.ndarray, time: np.ndarray) -> Rows:
        """Rows of mixed coordinates and loops that speak of positions: without the nonholonomic ones."""
        kept = [True] * len(self.mixed)
        for loop in self.loops:
            free = len(loop.names) - loop.nonholonomic
            kept += [True] * free + [False] * loop.nonholonomic
        rows = self.other_rows(q, np.zeros((len(q), self.compiled.mechanism.n_speeds)), time, moving=False)
        return rows if all(kept) else Rows(*(part[:, np.flatnonzero(kept)] for part in rows))

    def errors(self, q: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Errors of positions in the order of ``names``, (n, n_rows), without what costs more: their derivatives.

        Rows that speak of speeds only have none.
        """
        single = [q[:, row.coordinate] - row.target(q, time) for row in (*self.driven, *self.mixed)]
        parts = [np.zeros((len(q), 0)), *(error[:, None] for error in single)]
        if self.loops:
            motion = FrameMotion(self.compiled.mechanism, q, None)
            parts += [loop.evaluate(motion, False).error for loop in self.loops]
        return np.concatenate(parts, axis=1)

    def rows(self, q: np.ndarray, u: np.ndarray, time: np.ndarray) -> Rows:
        """All rows in the order of ``names``."""
        return _stacked([self.driven_rows(q, u, time), self.other_rows(q, u, time)], q, u)


def _stacked(parts: list[Rows], q: np.ndarray, u: np.ndarray) -> Rows:
    empty = np.zeros((len(q), 0))
    nothing = Rows(empty, np.zeros((len(q), 0, u.shape[1])), empty, empty)
    return Rows(*(np.concatenate(items, axis=1) for items in zip(nothing, *parts, strict=True)))


def _refuse_kept(model: Model) -> None:
    for other in model.others:
        if other.role == "constraint" and other.active:
            raise UnsupportedError(
                f"constraint {other.name!r} is of type {other.kind}, which is not supported.",
                where=f"model {model.name!r}",
                remedy="switch it off in the file; in Python take it out: replace(model, others=…)",
            )


def constraint_system(model: Model, *, locks: bool = True) -> ConstraintSystem:
    """Collect the constraints in force, and the locked and prescribed coordinates unless ``locks`` is false.

    Raises
    ------
    UnsupportedError
        If the model keeps a constraint in force as data: leaving it out would change the answer.
    """
    _refuse_kept(model)
    compiled = compile_model(model)
    rows: list[CoordinateRow] = []
    loops: list[LoopRows] = []
    taken: set[str] = set()
    if locks:
        rows = _held(model)
        taken = {model.coordinate_names[row.coordinate] for row in rows}
    for constraint in model.constraints:
        if not constraint.enforced:
            continue
        if not isinstance(constraint, CoordinateCoupler):
            loops.append(loop_rows(compiled, constraint))
            continue
        row = CoordinateRow(
            constraint.name,
            compiled.coordinate_index(constraint.dependent),
            constraint.function,
            tuple(compiled.coordinate_index(name) for name in constraint.independent),
            float(constraint.scale),
        )
        rows.append(row)
    driven: list[CoordinateRow] = []
    mixed: list[CoordinateRow] = []
    for row in rows:
        # A coupler whose dependent coordinate is locked as well cannot be solved for it a second time.
        repeated = row.name.partition(":")[0] not in (LOCK, PRESCRIBED) and (
            model.coordinate_names[row.coordinate] in taken
        )
        single = compiled.speed_of(row.coordinate) is not None and not repeated
        (driven if single else mixed).append(row)
    return ConstraintSystem(compiled, tuple(driven), tuple(mixed), tuple(loops))


def _held(model: Model) -> list[CoordinateRow]:
    """Rows of locked coordinates and, where they are not locked, of prescribed ones."""
    rows = []
    for index, coordinate in enumerate(model.coordinates):
        if coordinate.locked:
            rows.append(CoordinateRow(f"{LOCK}:{coordinate.name}", index, Constant(coordinate.default_value)))
        elif coordinate.prescribed and coordinate.prescribed_function is not None:
            name = f"{PRESCRIBED}:{coordinate.name}"
            rows.append(CoordinateRow(name, index, coordinate.prescribed_function))
    return rows
