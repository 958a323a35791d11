"""Tensions of paths over the instants of a motion, in the order of the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from borelli.arrays import FARTHEST, plain_numbers
from borelli.errors import InvalidValueError, ShapeError, UnknownNameError
from borelli.mechanics.motion.prepare import Prepared
from borelli.model.model import Model
from borelli.records import dataclass


@dataclass(frozen=True)
class TensionTable:
    """Tensions in the known instants of a motion.

    Parameters
    ----------
    names : tuple of str
        Paths, in the order of the model.
    values : (n_known, n_paths) float
        N.
    """

    names: tuple[str, ...]
    values: np.ndarray

    def __getitem__(self, name: str) -> np.ndarray:
        """(n_known,): tension of one path."""
        tension: np.ndarray = self.values[:, self.names.index(name)]
        return tension

    def only(self, name: str) -> TensionTable:
        """Return the table of one path alone."""
        return TensionTable((name,), self[name][:, None])

    def completed(self, model: Model, more: Mapping[str, np.ndarray]) -> TensionTable:
        """Add paths that pull by themselves, name -> (n_known,); those in the table keep their tensions."""
        if all(name in self.names for name in more):
            return self
        known = {**dict(more), **dict(zip(self.names, self.values.T, strict=True))}
        names = tuple(name for name in model.path_names if name in known)
        values = np.empty((len(self.values), len(names)))
        for column, name in enumerate(names):
            values[:, column] = known[name]
        return TensionTable(names, values)


def tension_table(model: Model, prepared: Prepared, given: Mapping[str, Any]) -> TensionTable:
    """Put tensions in the order of the model's paths; paths that are not named pull with nothing.

    Parameters
    ----------
    given : mapping of path to (n_times,) newtons
        A single number stands for all instants.

    Raises
    ------
    UnknownNameError
        If a name is no path of the model.
    ShapeError, InvalidValueError
        If there is not one finite number for each instant.
    """
    for name in given:
        if name not in model.paths:
            raise UnknownNameError.among(
                str(name), "path", model.path_names, of=f"model {model.name!r}", where="tensions"
            )
    names = tuple(name for name in model.path_names if name in given)
    values = np.empty((int(prepared.known.sum()), len(names)))
    for column, name in enumerate(names):
        values[:, column] = known_curve(name, given[name], prepared)
    return TensionTable(names, values)


def known_curve(name: str, given: Any, prepared: Prepared) -> np.ndarray:
    """Return a tension in the known instants, (n_known,); a single number stands for all.

    Raises
    ------
    ShapeError, InvalidValueError
        If there is not one finite number for each instant.
    """
    curve = plain_numbers(given, f"the tension of {name!r}")
    if curve.ndim == 0:
        curve = np.full(prepared.time.size, float(curve))
    if curve.shape != prepared.time.shape:
        raise ShapeError(
            f"the tension of {name!r} needs one number for each of the {prepared.time.size} instants, "
            f"but has the shape {curve.shape}.",
            where="tensions",
        )
    known: np.ndarray = curve[prepared.known]
    if not np.isfinite(known).all():
        instant = int(np.flatnonzero(prepared.known)[int(np.argmin(np.isfinite(known)))])
        raise InvalidValueError(
            f"the tension of {name!r} is not finite in instant {instant} ({prepared.time[instant]:g} s).",
            where="tensions",
        )
    if (np.abs(known) > FARTHEST).any():
        raise InvalidValueError(
            f"the tension of {name!r} reaches {np.abs(known).max():.1e} N, which nothing pulls with.",
            where="tensions",
            remedy="look for a damaged number or a wrong unit",
        )
    return known
