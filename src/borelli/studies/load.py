"""A study that was run: its tables, read as far as they are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from borelli.errors import MissingInputError, UnknownNameError
from borelli.records import dataclass
from borelli.studies.damage import damage_told, require_columns
from borelli.studies.design import read_design
from borelli.studies.differences import Difference, differences
from borelli.studies.export import export_study, wide_table
from borelli.studies.group_means import mean_curves, mean_numbers
from borelli.studies.names import DATASET, EVERYBODY, MEANS, TOTAL
from borelli.studies.parts import KEYS, TABLES
from borelli.studies.schema import StudyFile, checked_study
from borelli.studies.spm import CurveTest, curve_test

if TYPE_CHECKING:
    import pandas as pd

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.


@dataclass(frozen=True)
class Study:
    """The result of a study.

    Attributes
    ----------
    folder : Path
    name : str
    conditions : tuple of str
        The first is what others are compared with.
    groups : mapping of subject to tuple of str
    masses : mapping of subject to float or None
        kg.
    file : StudyFile
        What was asked.

    Examples
    --------
    >>> bo.study(study_file).result.conditions
    ('walk',)
    """

    folder: Path
    name: str
    conditions: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    masses: dict[str, float | None]
    file: StudyFile

    @property
    def subjects(self) -> tuple[str, ...]:
        """Who."""
        return tuple(self.groups)

    def path(self, table: str) -> Path:
        """Folder of one table, for Dask, polars, DuckDB and others that read partitioned Parquet datasets.

        Parameters
        ----------
        table : "curves", "shares" or "numbers"
        """
        if table not in TABLES:
            raise UnknownNameError.among(table, "table of a study", TABLES)
        place = self.folder / DATASET / table
        if not place.is_dir():
            raise MissingInputError(
                "The study has no dataset yet.", where=str(place), remedy="run it: borelli study FILE"
            )
        return place

    def dataset(self, table: str) -> Any:
        """Return a table as a ``pyarrow.dataset.Dataset``: nothing is read before rows are asked for."""
        # Loaded here, because a study need not be read to be run.
        import pyarrow as pa
        import pyarrow.dataset as ds

        labels = pa.schema([("subject", pa.string()), ("condition", pa.string())])
        path = self.path(table)
        with damage_told(path):
            return ds.dataset(path, partitioning=ds.partitioning(labels, flavor="hive"))

    def frame(self, table: str, **only: str | Sequence[str]) -> pd.DataFrame:
        """Return rows of a table, those with the given values.

        Examples
        --------
        >>> study.frame("numbers", output="knee_moment", number="peak", source="total")    # doctest: +SKIP
        """
        import pyarrow.compute as pc

        data, chosen = self.dataset(table), None
        for column, values in only.items():
            if column not in data.schema.names:
                raise UnknownNameError.among(column, f"column of {table}", data.schema.names)
            fits = pc.field(column).isin([values] if isinstance(values, str) else list(values))
            chosen = fits if chosen is None else chosen & fits
        with damage_told(self.path(table)):
            found = data.to_table(filter=chosen).to_pandas()
        for column in found.select_dtypes("category"):
            found[column] = found[column].astype(str)
        return found.sort_values([c for c in _ORDER if c in found.columns], ignore_index=True, kind="stable")

    def means(self, table: str, **only: str | Sequence[str]) -> pd.DataFrame:
        """Return means of every subject in every condition, over cycles and trials; rows with the given values."""
        import pyarrow.parquet as pq

        if table not in TABLES:
            raise UnknownNameError.among(table, "table of a study", TABLES)
        path = self.folder / MEANS / f"{table}.parquet"
        if not path.is_file():
            raise MissingInputError(
                "The study has no means yet.", where=str(path), remedy="run it: borelli study FILE"
            )
        chosen = [
            (column, "in", [values] if isinstance(values, str) else list(values))
            for column, values in only.items()
        ]
        with damage_told(path):
            require_columns(pq.read_schema(path), ("subject", "condition", *KEYS[table]), path)
            return pq.read_table(path, filters=chosen or None).to_pandas()

    def outputs(self) -> dict[str, str]:
        """Every output and its unit."""
        rows = self.means("numbers", number="mean", source=TOTAL)
        return dict(rows[["output", "unit"]].drop_duplicates("output").itertuples(index=False))

    def split_outputs(self) -> dict[str, str]:
        """Outputs that are sums of shares, and their units."""
        rows = self.means("numbers", number="mean")
        rows = rows[rows["source"] != TOTAL]
        return dict(rows[["output", "unit"]].drop_duplicates("output").itertuples(index=False))

    def mean_curves(self, output: str, group: str = EVERYBODY) -> pd.DataFrame:
        """Mean, standard deviation and band of an output by condition; see :func:`group_means.mean_curves`."""
        return mean_curves(self, output, group)

    def mean_numbers(self, group: str = EVERYBODY, source: str = TOTAL) -> pd.DataFrame:
        """Mean, standard deviation and interval of every number by condition."""
        return mean_numbers(self, group, source)

    def differences(self, numbers: Sequence[str] | None = None, group: str = EVERYBODY) -> list[Difference]:
        """Compare every condition with the first, paired by subject; see :func:`differences.differences`."""
        return differences(self, numbers, group)

    def wide(self, *, sources: bool = False) -> pd.DataFrame:
        """One row a subject and condition, one column a number of an output; see :func:`export.wide_table`."""
        return wide_table(self, sources=sources)

    def export(self, path: str | os.PathLike[str], *, sources: bool = False) -> Path:
        """Write :meth:`wide` as ``.csv`` or ``.xlsx``."""
        return export_study(self, path, sources=sources)

    def curve_test(
        self, output: str, condition: str, *, group: str = EVERYBODY, curves: int = 1
    ) -> CurveTest:
        """Test where in the cycle a condition differs from the first; see :func:`spm.curve_test`."""
        return curve_test(self, output, condition, group=group, curves=curves)

    def require_output(self, name: str) -> str:
        """Return the name of an output; one that nothing answers to is refused with the nearest."""
        known = self.outputs()
        if name not in known:
            raise UnknownNameError.among(name, "output", known, of=f"the study {self.name!r}")
        return name


_ORDER = ("subject", "condition", "trial", "side", "cycle", "output", "number", "source", "percent")


def load_study(folder: str | os.PathLike[str]) -> Study:
    """Read the folder of a study; its tables are read when they are asked for.

    Raises
    ------
    MissingInputError
        If it is not the folder of a study.

    Examples
    --------
    >>> _ = bo.study(study_file)
    >>> bo.load_study("results").name
    'study'
    """
    place = Path(folder)
    design = read_design(place)
    return Study(
        place,
        str(design["name"]),
        tuple(design["conditions"]),
        {name: tuple(each["groups"]) for name, each in design["subjects"].items()},
        {name: each["mass"] for name, each in design["subjects"].items()},
        checked_study(design["file"], str(place)),
    )
