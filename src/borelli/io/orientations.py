"""Recorded orientations of sensors as one labelled array of rotation matrices."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from borelli import attitude
from borelli.errors import FileFormatError, MissingInputError
from borelli.io.load import load_table
from borelli.results.labelled.dataset import AXES, data_array, labelled, time_axis
from borelli.results.labelled.table import Cell

if TYPE_CHECKING:
    import xarray as xr


def load_orientations(
    path: str | os.PathLike[str], *, rotations: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> xr.DataArray:
    """Read orientations of inertial sensors.

    Parameters
    ----------
    path : path
        A table of quaternions (``.sto`` with ``DataType=Quaternion``, scalar first), one column a sensor.
    rotations : 3 floats
        Turns of the laboratory about its fixed x, y and z axes, in this order, that make y point up (rad): OpenSim's
        ``sensor_to_opensim_rotations``.

    Returns
    -------
    DataArray (time, sensor, axis, sensor_axis)
        Columns are the sensor's axes in ground; NaN where a sensor was silent.

    Examples
    --------
    >>> try:
    ...     bo.load_orientations("missing.sto")
    ... except bo.BorelliError as error:
    ...     print(type(error).__name__)
    MissingInputError
    """
    table = load_table(path)
    if table.cells is not Cell.QUATERNION:
        raise FileFormatError(
            f"Orientations are cells of four numbers (Quaternion), not {table.cells.value}.",
            where=os.fspath(path),
            remedy="write quaternions, scalar first, with DataType=Quaternion in the header",
        )
    if not table.n_times or not table.columns:
        raise MissingInputError(
            f"The recording has {len(table.columns)} sensors at {table.n_times} instants.",
            where=os.fspath(path),
        )
    length = np.linalg.norm(table.values, axis=2)
    silent = ~(length > 0.5)
    values = np.where(silent[..., None], (1.0, 0.0, 0.0, 0.0), table.values)
    turned = turn_of(rotations) @ attitude.rotation_matrix(attitude.normalized(values))
    turned[silent] = np.nan
    dims = ("time", "sensor", "axis", "sensor_axis")
    return data_array(
        labelled(dims, turned, "1", "ground", source=os.path.basename(os.fspath(path))),
        {
            "time": time_axis(table.time),
            "sensor": [name.rsplit("/", 1)[-1] for name in table.columns],
            "axis": list(AXES),
            "sensor_axis": list(AXES),
        },
        name="orientations",
    )


def turn_of(rotations: tuple[float, float, float]) -> np.ndarray:
    """Return the rotation by angles about fixed axes x, y, z in turn, Rz(c) Ry(b) Rx(a), (3, 3)."""
    a, b, c = rotations
    # Fixed axes in turn are body-fixed axes in the opposite order.
    x, y, z = (attitude.matrix_from_angles(np.eye(3)[k] * angle) for k, angle in enumerate((a, b, c)))
    return np.asarray(z @ y @ x)
