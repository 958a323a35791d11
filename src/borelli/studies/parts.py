"""What one trial adds to the study: curves over its cycles, their shares, and the numbers of each cycle.

Three tables, a row for each number:

- ``curves``: every output over 0 to 100 % of each cycle;
- ``shares``: the parts of every split output by group of sources, over 0 to 100 %, mean of the trial's cycles;
- ``numbers``: peak, max, min, range, mean and impulse of every output in each cycle, with the parts that add up to it.

All are linear in the curve once the instants are chosen (peaks by the total), so that parts add up to their totals.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from borelli.errors import UnknownNameError
from borelli.records import dataclass
from borelli.results.gait.cycles import rows_before
from borelli.results.on_disk.whole import make_folder, whole_folder
from borelli.results.outputs.grouping import group_names
from borelli.results.outputs.output import SOURCE, Output, curves, outputs
from borelli.results.outputs.totals import DRAWING, has_shares
from borelli.studies.names import ALL, TOTAL, wanted
from borelli.studies.plan import TrialPlan
from borelli.studies.schema import NUMBERS, StudyFile
from borelli.studies.spans import Span, spans_of

if TYPE_CHECKING:
    import xarray as xr

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

Array = NDArray[np.float64]
TABLES = ("curves", "shares", "numbers")
KEYS = {
    "curves": ("output", "unit", "percent"),
    "shares": ("output", "unit", "source", "percent"),
    "numbers": ("output", "unit", "number", "source"),
}
"""What tells the numbers of a trial apart in each table, whose means are taken."""


@dataclass(frozen=True)
class Curve:
    """One output of a trial: values (n_times,), and of a split one the parts (n_times, n_groups) with their names."""

    name: str
    unit: str
    values: Array
    parts: Array
    sources: tuple[str, ...]


def is_written(folder: Path) -> bool:
    """Whether the tables of a trial are there: a folder gets its name once all are."""
    return folder.is_dir()


def write_parts(data: xr.Dataset, folder: Path, file: StudyFile, trial: TrialPlan) -> None:
    """Write the three tables of a trial, whole or not at all, from its result."""
    # Loaded here, because tasks whose tables are there need no Parquet.
    import pyarrow as pa
    import pyarrow.parquet as pq

    spans = spans_of(data, file.cycles, trial.events)
    rows: dict[str, list[Any]] = {name: [] for name in TABLES}
    found = list(chosen_curves(data, file))
    if not found:
        names = [each.name for each in outputs(data)] if has_shares(data) else []
        raise UnknownNameError.among(", ".join(file.outputs), "known output", names, where=trial.name)
    for curve in found:
        _add_curve(rows, curve, data["time"].values, spans, file.cycles.points)
    make_folder(folder.parent)
    with whole_folder(folder, _nothing, "the part of a trial") as partial:
        for name in TABLES:
            table = pa.concat_tables(_table(name, each, trial.trial) for each in rows[name])
            pq.write_table(table, partial / f"{name}.parquet", compression="zstd")


def _nothing(folder: Path) -> frozenset[str]:
    return frozenset(path.name for path in folder.iterdir())


def chosen_curves(result: xr.Dataset, file: StudyFile) -> Iterator[Curve]:
    """Yield the outputs that a study wants of a trial: first those that are split, then all others over time.

    Variables that are mostly zeros, such as moment arms, are taken only where a pattern names them.
    """
    split = outputs(result) if has_shares(result) else ()
    taken = {output.variable for output in split} | {f"total_{output.quantity}" for output in split}
    for output in split:
        if wanted(output.name, file.outputs):
            sources, parts = _grouped(result, output, file.sources)
            yield Curve(output.name, output.unit, output.total(result), parts, sources)
    named = [pattern for pattern in file.outputs if pattern != ALL]
    for variable in map(str, result.data_vars):
        array = result[variable]
        if "time" not in array.dims or variable in taken or array.attrs.get("role") == DRAWING:
            continue
        patterns = named if array.attrs.get("sparse") else file.outputs
        values = array.transpose("time", ...).values
        flat = values.reshape(len(values), int(np.prod(values.shape[1:])))
        for k, curve in enumerate(curves(result, variable)):
            if wanted(curve.name, patterns):
                yield Curve(curve.name, curve.unit, np.asarray(flat[:, k], dtype=float), flat[:, :0], ())


def _grouped(result: xr.Dataset, output: Output, by: Any) -> tuple[tuple[str, ...], Array]:
    """Add up the shares of each group; where groups are given by hand, their sources may have stars."""
    sources = [str(name) for name in result[SOURCE].values]
    bodies = [str(name) for name in result["source_body"].values] if "source_body" in result.coords else None
    if isinstance(by, dict):
        found = {name: [s for s in sources if wanted(s, patterns)] for name, patterns in by.items()}
        owners = group_names(sources, found)
    else:
        owners = group_names(sources, by, bodies)
    names = tuple(dict.fromkeys(owners))
    shares = output.shares(result)
    # Added in the order of the sources, whatever the machine: sums of products may differ in the last digit.
    parts = np.zeros((len(shares), len(names)))
    for k, owner in enumerate(owners):
        parts[:, names.index(owner)] += shares[:, k]
    return names, parts


def _add_curve(rows: dict[str, list[Any]], curve: Curve, time: Array, spans: list[Span], points: int) -> None:
    percent = np.linspace(0.0, 100.0, points)
    stacked = np.column_stack([curve.values, curve.parts])
    sources = (TOTAL, *curve.sources)
    mean = np.zeros((points, len(sources)))
    for span in spans:
        over = _at(time, stacked, span.start + (span.end - span.start) * percent / 100.0)
        mean += over / len(spans)
        rows["curves"].append((curve, span, percent, over[:, 0]))
        rows["numbers"].append((curve, span, sources, *numbers_of(time, stacked, span)))
    rows["shares"].append((curve, sources, percent, mean))


def _at(time: Array, values: Array, instants: Array) -> Array:
    if len(time) == 1:
        return np.repeat(values, len(instants), axis=0)
    low, part = rows_before(time, instants)
    return values[low] * (1.0 - part)[:, None] + values[low + 1] * part[:, None]


def numbers_of(time: Array, values: Array, span: Span) -> tuple[Array, Array]:
    """Return the numbers of a cycle, (n_numbers, n_columns), and where each is (% of the cycle; NaN of means).

    The first column decides where the peak, the greatest and the least value are; all columns are taken there.
    """
    inside = time[(time > span.start) & (time < span.end)]
    instants = np.concatenate([[span.start], inside, [span.end]]) if span.end > span.start else time[:1]
    curve = _at(time, values, instants)
    total = curve[:, 0]
    weight = _integral(instants)
    length = float(instants[-1] - instants[0])
    defined = bool(np.isfinite(total).all())
    rows = {
        "peak": int(np.argmax(np.abs(total))) if defined else 0,
        "max": int(np.argmax(total)) if defined else 0,
        "min": int(np.argmin(total)) if defined else 0,
    }
    impulse = weight @ curve
    found = {
        **{name: curve[row] for name, row in rows.items()},
        "range": curve[rows["max"]] - curve[rows["min"]],
        "mean": impulse / length if length else curve[0],
        "impulse": impulse,
    }
    place = {name: 100.0 * (instants[row] - span.start) / (length or 1.0) for name, row in rows.items()}
    values_found = np.array([found[name] for name in NUMBERS])
    if not defined:
        values_found = np.full_like(values_found, np.nan)
    return values_found, np.array([place.get(name, np.nan) for name in NUMBERS])


def _integral(time: Array) -> Array:
    """Weights of the integral of straight lines between instants (s)."""
    weight = np.zeros(len(time))
    steps = np.diff(time)
    weight[:-1] += steps / 2.0
    weight[1:] += steps / 2.0
    return weight


def unit_of(number: str, unit: str) -> str:
    """Return the unit of a number of an output: impulses are over time."""
    if number != "impulse":
        return unit
    return f"{unit} s" if unit not in ("", "1") else "s"


def _table(name: str, row: Any, trial: str) -> Any:
    import pyarrow as pa

    if name == "curves":
        curve, span, percent, values = row
        n = len(percent)
        columns: dict[str, Any] = {"trial": trial, "side": span.side, "cycle": span.number}
        columns |= {"output": curve.name, "unit": curve.unit}
        numbers = {"percent": percent, "value": values}
    elif name == "shares":
        curve, sources, percent, mean = row
        n = mean.size
        columns = {"trial": trial, "output": curve.name, "unit": curve.unit}
        columns["source"] = [source for source in sources for _ in percent]
        numbers = {"percent": np.tile(percent, len(sources)), "value": mean.T.ravel()}
    else:
        curve, span, sources, values, place = row
        n = values.size
        columns = {"trial": trial, "side": span.side, "cycle": span.number, "output": curve.name}
        columns["number"] = [number for number in NUMBERS for _ in sources]
        columns["source"] = list(sources) * len(NUMBERS)
        columns["unit"] = [unit_of(number, curve.unit) for number in NUMBERS for _ in sources]
        at, length = np.repeat(place, len(sources)), np.full(n, span.end - span.start)
        numbers = {"value": values.ravel(), "at_percent": at, "cycle_s": length}
    return pa.table(
        {
            **{key: _labels(value, n) for key, value in columns.items()},
            **{key: pa.array(value, pa.float64()) for key, value in numbers.items()},
        }
    )


def _labels(value: Any, n: int) -> Any:
    """Return a column of whole numbers, or of texts that are stored once: all alike, or one a row."""
    import pyarrow as pa

    if isinstance(value, int):
        return pa.array(np.full(n, value, dtype=np.int32))
    if isinstance(value, str):
        return pa.DictionaryArray.from_arrays(np.zeros(n, dtype=np.int32), [value])
    return pa.array(value, pa.string()).dictionary_encode()
