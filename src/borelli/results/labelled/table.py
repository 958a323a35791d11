"""A table over time: what every laboratory file holds, whatever its format.

Numbers stay as the file has them; ``in_degrees`` and ``units`` say what they mean. Turning a table into
a motion or into loads, in SI units, is the work of :func:`borelli.load_motion` and
:func:`borelli.load_loads`, because only the model knows which coordinate is an angle.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borelli.arrays import plain_numbers, seconds
from borelli.errors import DuplicateNameError, ShapeError, UnknownNameError
from borelli.records import dataclass

if TYPE_CHECKING:
    import xarray as xr

# Loaded where needed: xarray, which is slow to load.

Array = NDArray[np.float64]


class Cell(enum.Enum):
    """What one cell of a table holds; the value is OpenSim's ``DataType`` word.

    Examples
    --------
    >>> bo.Cell.VEC3.size
    3
    """

    SCALAR = "double"
    VEC2 = "Vec2"
    VEC3 = "Vec3"
    UNIT_VEC3 = "UnitVec3"
    QUATERNION = "Quaternion"
    VEC6 = "Vec6"
    SPATIAL_VEC = "SpatialVec"

    @property
    def size(self) -> int:
        """How many numbers a cell holds."""
        return len(self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        """The endings that tell the components apart once they are columns of their own."""
        return _PARTS[self]


_PARTS = {
    Cell.SCALAR: ("",),
    Cell.VEC2: ("_x", "_y"),
    Cell.VEC3: ("_x", "_y", "_z"),
    Cell.UNIT_VEC3: ("_x", "_y", "_z"),
    Cell.QUATERNION: ("_w", "_x", "_y", "_z"),
    Cell.VEC6: tuple(f"_{number}" for number in range(1, 7)),
    Cell.SPATIAL_VEC: ("_rx", "_ry", "_rz", "_tx", "_ty", "_tz"),
}


_TO_SI = {
    "mm": (1e-3, "m"),
    "cm": (1e-2, "m"),
    "dm": (1e-1, "m"),
    "meters": (1.0, "m"),
    "Nmm": (1e-3, "N m"),
    "N mm": (1e-3, "N m"),
    "Nm": (1.0, "N m"),
    "kN": (1e3, "N"),
    "deg": (np.pi / 180.0, "rad"),
    "deg/s": (np.pi / 180.0, "rad/s"),
    "°": (np.pi / 180.0, "rad"),
}


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns over time.

    Parameters
    ----------
    time : (n_times,) float
        Seconds.
    columns : tuple of str
        A name per column; time is not among them.
    values : (n_times, n_columns) float, or (n_times, n_columns, size) for vector cells
        Numbers as the file has them.
    units : tuple of str
        A unit per column, ``""`` where unknown; may be left out.
    in_degrees : bool or None
        What the header says about angles; None where it is silent.
    name : str
        The table's own name, such as ``Coordinates``.
    metadata : mapping of str
        Everything else that the header says, as text.
    cells : Cell
        What one cell holds; the same for all columns.
    source : str
        File it came from, for messages.
    notes : tuple of str
        What the reader had to forgive.

    Examples
    --------
    >>> table = bo.Table(time=np.array([0.0, 0.1]), columns=("angle",), values=np.zeros((2, 1)), units=("deg",))
    >>> table.n_columns
    1
    """

    time: Array
    columns: tuple[str, ...]
    values: Array
    units: tuple[str, ...] = ()
    in_degrees: bool | None = None
    name: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    cells: Cell = Cell.SCALAR
    source: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        time = np.ascontiguousarray(seconds(self.time, "time of a table"))
        values = plain_numbers(self.values, "the values of a table")
        columns = tuple(str(name) for name in self.columns)
        shape: tuple[int, ...] = (time.size, len(columns))
        if self.cells.size > 1:
            shape = (*shape, self.cells.size)
        if time.ndim != 1 or values.shape != shape:
            raise ShapeError(
                f"The values of a table have shape {values.shape}; {time.size} times and {len(columns)} "
                f"columns of {self.cells.value} need {shape}.",
                where=self.source or self.name or None,
            )
        units = tuple(self.units) or ("",) * len(columns)
        if len(units) != len(columns):
            raise ShapeError(
                f"{len(units)} units were given for {len(columns)} columns.", where=self.source or None
            )
        for name, value in (("time", time), ("values", values), ("columns", columns), ("units", units)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))

    @property
    def n_times(self) -> int:
        """Number of rows."""
        return int(self.time.size)

    @property
    def n_columns(self) -> int:
        """Number of columns, time not counted."""
        return len(self.columns)

    def index(self, name: str) -> int:
        """Return the position of a column."""
        count = self.columns.count(name)
        if count == 0:
            raise UnknownNameError.among(name, "column", self.columns, of=self._label)
        if count > 1:
            raise DuplicateNameError(
                f"{count} columns are named {name!r}, so it is not clear which one is meant.",
                where=self._label,
                remedy="rename or remove one of them",
            )
        return self.columns.index(name)

    def column(self, name: str) -> Array:
        """Return one column, shape (n_times,) or (n_times, size)."""
        return self.values[:, self.index(name)]

    def select(self, names: Iterable[str]) -> Table:
        """Return a table of these columns, in this order."""
        indices = [self.index(name) for name in names]
        return self.replace(
            columns=tuple(self.columns[i] for i in indices),
            values=self.values[:, indices],
            units=tuple(self.units[i] for i in indices),
        )

    def flat(self) -> Table:
        """Return a table of scalar columns; a vector ``a`` becomes ``a_x``, ``a_y``, ``a_z``."""
        if self.cells is Cell.SCALAR:
            return self
        return self.replace(
            columns=tuple(name + part for name in self.columns for part in self.cells.parts),
            values=self.values.reshape(self.n_times, self.n_columns * self.cells.size),
            units=tuple(unit for unit in self.units for _ in self.cells.parts),
            cells=Cell.SCALAR,
        )

    def replace(self, **changes: object) -> Table:
        """Return a copy with some fields changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def to_si(self) -> Table:
        """Return the table with every known unit turned into its SI unit (mm to m, deg to rad)."""
        found = [_TO_SI.get(unit, (1.0, unit)) for unit in self.units]
        factors = np.array([factor for factor, _ in found])
        if np.all(factors == 1.0):
            return self
        shaped = factors if self.cells is Cell.SCALAR else factors[:, None]
        return self.replace(values=self.values * shaped, units=tuple(unit for _, unit in found))

    def to_dataset(self) -> xr.Dataset:
        """Return the table as an xarray Dataset, one variable per column, units as attributes."""
        import xarray as xr

        dims = ("time",) if self.cells is Cell.SCALAR else ("time", "component")
        variables = {
            name: xr.Variable(dims, self.values[:, i], {"units": unit} if unit else {})
            for i, (name, unit) in enumerate(zip(self.columns, self.units, strict=True))
        }
        coords: dict[str, object] = {"time": ("time", self.time, {"units": "s"})}
        if self.cells is not Cell.SCALAR:
            coords["component"] = [part.lstrip("_") for part in self.cells.parts]
        return xr.Dataset(variables, coords=coords, attrs={"name": self.name, **self.metadata})

    @property
    def _label(self) -> str:
        return self.source or (f"table {self.name!r}" if self.name else "the table")
