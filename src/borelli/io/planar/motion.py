"""Motions of planar chains from tables (.csv, .tsv, .parquet).

A column of times (s), and for each link ``<link>_angle``, absolute and in radians; optionally ``<link>_velocity``
and ``<link>_acceleration``. Degrees only where the column says so: ``shank_angle_deg``, or ``shank_angle [deg]``.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from borelli.errors import BorelliError, FileFormatError, MissingInputError, UnknownNameError, closest_names
from borelli.io.tables.csv import read_csv, read_parquet
from borelli.planar.chain import Chain
from borelli.planar.motion import Motion
from borelli.results.labelled.table import Table
from borelli.units import RAD_PER_DEG

QUANTITIES = ("angle", "velocity", "acceleration")
_RAD = {"angle": ("rad",), "velocity": ("rad/s",), "acceleration": ("rad/s^2", "rad/s2", "rad/s²")}
_DEG = {
    "angle": ("deg", "°"),
    "velocity": ("deg/s", "°/s"),
    "acceleration": ("deg/s^2", "deg/s2", "deg/s²", "°/s²"),
}


def load_planar_motion(path: str | os.PathLike[str], chain: Chain) -> Motion:
    """Read the motion of a chain from a table.

    Rates that the table leaves out are derivatives of the interpolating quintic spline.

    Parameters
    ----------
    path : path
        A table with a column for each link or joint.
    chain : planar.Chain

    Raises
    ------
    UnknownNameError
        For a column that belongs to no link, with the nearest ones.
    MissingInputError
        For a link without a column of angles, or rates of some links only.

    Examples
    --------
    >>> try:
    ...     bo.load_planar_motion("missing.csv", bo.library.two_link_arm())
    ... except bo.BorelliError as error:
    ...     print(type(error).__name__)
    MissingInputError
    """
    name = os.fspath(path)
    table = read_parquet(path) if name.lower().endswith((".parquet", ".pq")) else read_csv(path)
    return motion_from(table, chain, name)


def motion_from(table: Table, chain: Chain, source: str) -> Motion:
    """Make a motion from a table with columns as in :func:`load_planar_motion`."""
    columns = {quantity: _columns_of(table, chain, quantity, source) for quantity in QUANTITIES}
    _refuse_strangers(table, chain, source)
    angle = columns["angle"]
    lacking = [link for link in chain.link_names if link not in angle]
    if lacking:
        raise MissingInputError(
            f"There is no column {lacking[0] + '_angle'!r} for link {lacking[0]!r}.",
            where=f"{source}, labels",
            closest=closest_names(f"{lacking[0]}_angle", table.columns),
            remedy="give <link>_angle (rad), <link>_angle_deg or <link>_angle [deg] for every link",
        )
    rates = []
    for quantity in QUANTITIES[1:]:
        found = columns[quantity]
        absent = [link for link in chain.link_names if link not in found]
        if found and absent:
            raise MissingInputError(
                f"There is {next(iter(found)) + '_' + quantity!r} but no {absent[0] + '_' + quantity!r}.",
                where=f"{source}, labels",
                remedy=f"give the {quantity} of every link, or of none",
            )
        rates.append(_matrix(found, chain) if found else None)
    try:
        return Motion(table.time, _matrix(angle, chain), rates[0], rates[1])
    except BorelliError as error:
        raise type(error)(
            error.what, where=f"{source}, {error.where}", closest=error.closest, remedy=error.remedy
        ) from None


def _matrix(found: dict[str, NDArray[np.float64]], chain: Chain) -> NDArray[np.float64]:
    return np.stack([found[link] for link in chain.link_names], axis=1)


def _columns_of(table: Table, chain: Chain, quantity: str, source: str) -> dict[str, NDArray[np.float64]]:
    """Columns of one quantity in SI units, by link."""
    found: dict[str, NDArray[np.float64]] = {}
    for index, (label, unit) in enumerate(zip(table.columns, table.units, strict=True)):
        for link in chain.link_names:
            named_degrees = label == f"{link}_{quantity}_deg"
            if not named_degrees and label != f"{link}_{quantity}":
                continue
            if link in found:
                raise FileFormatError(
                    f"The {quantity} of link {link!r} is in two columns.",
                    where=f"{source}, column {label!r}",
                    remedy="keep one of them",
                )
            factor = _factor(quantity, unit, named_degrees, f"{source}, column {label!r}")
            found[link] = table.values[:, index] * factor
    return found


def _factor(quantity: str, unit: str, named_degrees: bool, where: str) -> float:
    in_degrees, in_radians = unit in _DEG[quantity], unit in _RAD[quantity]
    if unit and not (in_degrees or in_radians):
        raise FileFormatError(
            f"{unit!r} is not a unit of an {quantity}."
            if quantity != "velocity"
            else f"{unit!r} is not a unit of a velocity.",
            where=where,
            closest=(_RAD[quantity][0], _DEG[quantity][0]),
            remedy="use one of these",
        )
    if named_degrees and in_radians:
        raise FileFormatError(
            "The name of the column says degrees, its unit radians.", where=where, remedy="drop one of them"
        )
    return RAD_PER_DEG if named_degrees or in_degrees else 1.0


def _refuse_strangers(table: Table, chain: Chain, source: str) -> None:
    valid = [
        f"{link}_{quantity}{end}"
        for link in chain.link_names
        for quantity in QUANTITIES
        for end in ("", "_deg")
    ]
    for label in table.columns:
        if label not in valid:
            raise UnknownNameError(
                f"{label!r} is not a valid column of a motion of chain {chain.name!r} can have.",
                where=f"{source}, labels",
                closest=closest_names(label, valid),
                remedy="name columns <link>_angle, <link>_velocity or <link>_acceleration, or remove it",
            )
