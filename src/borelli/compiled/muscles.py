"""Muscles of a model → tables of the muscle kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.muscle_curves import curve_key, tabulated_curves
from borelli.errors import UnsupportedError
from borelli.kernels.muscle.curves import ISOMETRIC, MODELS
from borelli.kernels.muscle.tables import Curves, MuscleTables
from borelli.model import Muscle
from borelli.model.plausibility.possible import refuse_muscle
from borelli.records import dataclass


@dataclass(frozen=True)
class CompiledMuscles:
    """Muscles ready for the kernels."""

    names: tuple[str, ...]
    tables: MuscleTables
    tendon_strain: np.ndarray
    """(n,): strain of each tendon at maximum isometric force"""
    damping: np.ndarray
    """(n,): damping of the fibres, in maximum isometric forces at maximum velocity"""
    rigid: np.ndarray
    """(n,) bool: whether the tendon keeps its slack length"""
    least_activation: np.ndarray
    """(n,): below which activation does not fall"""


def compile_muscles(muscles: Sequence[Muscle], *, curves: bool = True) -> CompiledMuscles:
    """Compile muscles; without ``curves`` each is as strong as its maximum isometric force.

    Raises
    ------
    UnsupportedError
        If curves are wanted of a class that has none here.
    InvalidValueError
        If a muscle has no real strength or, where curves are wanted, no real fibre or tendon.
    """
    corners: list[np.ndarray] = []
    known: dict[object, np.ndarray] = {}
    kinds, values = np.zeros(len(muscles), np.int64), np.zeros((len(muscles), 6))
    ranges, strain = np.zeros((len(muscles), 4, 2), np.int64), np.zeros(len(muscles))
    for index, muscle in enumerate(muscles):
        kinds[index] = _kind(muscle) if curves else ISOMETRIC
        refuse_muscle(muscle, curves=curves)
        if not curves:
            continue
        own = muscle.curve_parameters()
        values[index, : len(own)], strain[index] = own, muscle.tendon_strain
        key = curve_key(muscle)
        if key is not None:
            if key not in known:
                known[key] = _add_corners(corners, tabulated_curves(muscle))
            ranges[index] = known[key]
    geometry = np.array([_geometry(muscle) for muscle in muscles]).reshape(-1, 7)
    force, fiber, tendon, height, shortest, along, fastest = np.ascontiguousarray(geometry.T)
    table = np.concatenate(corners) if corners else np.zeros((0, 12))
    return CompiledMuscles(
        tuple(muscle.name for muscle in muscles),
        MuscleTables(
            Curves(kinds, values, ranges, table), force, fiber, tendon, height, shortest, along, fastest
        ),
        strain,
        np.array([muscle.damping_of_fibers for muscle in muscles]),
        np.array([muscle.tendon_is_rigid for muscle in muscles], dtype=bool),
        np.array([muscle.least_activation for muscle in muscles]),
    )


def _kind(muscle: Muscle) -> int:
    if muscle.kind not in MODELS:
        raise UnsupportedError(
            f"the curves of muscle class {getattr(muscle, 'class_name', muscle.kind)!r} are not known.",
            where=f"muscle {muscle.name!r}",
            remedy='use strength="isometric", or another class of muscle',
        )
    return MODELS.index(muscle.kind)


def _geometry(muscle: Muscle) -> tuple[float, ...]:
    """Force, fibre, tendon, height, shortest fibre, the same along the tendon, fastest."""
    force, fiber = float(muscle.max_isometric_force), float(muscle.optimal_fiber_length)
    tendon = float(muscle.tendon_slack_length)
    return force, fiber, tendon, muscle.height, *muscle.shortest_fiber, muscle.fastest_contraction


def _add_corners(corners: list[np.ndarray], curves: list[np.ndarray]) -> np.ndarray:
    """Append the corners of some curves; return where each begins and ends."""
    ranges = np.zeros((4, 2), np.int64)
    for index, curve in enumerate(curves):
        first = sum(map(len, corners))
        corners.append(curve)
        ranges[index] = first, first + len(curve)
    return ranges
