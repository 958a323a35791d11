"""Means of every subject in every condition: first over the cycles of a trial, then over the subject's trials.

They are computed in one pass over the dataset, a partition at a time, so that memory does not grow with the number of
trials; groups, differences and tests are computed from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from borelli.results.on_disk.whole import whole_folder
from borelli.studies.damage import damage_told, require_columns
from borelli.studies.dataset import INDEX
from borelli.studies.load import Study
from borelli.studies.names import DATASET, MEANS
from borelli.studies.parts import KEYS, TABLES

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.


def write_subject_means(study: Study) -> Path:
    """Write a table of means for each table of the dataset, whole or not at all, unless they are of this dataset."""
    # Loaded here, because a study need not be read to be run.
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = study.folder / MEANS
    held = (study.folder / DATASET / INDEX).read_text(encoding="utf-8")
    if (folder / INDEX).is_file() and (folder / INDEX).read_text(encoding="utf-8") == held:
        return folder
    with whole_folder(folder, _ours, "the means of a study") as partial:
        for table in TABLES:
            with damage_told(study.folder / DATASET / table):
                found = [_mean(part, KEYS[table], who) for who, part in partitions(study, table)]
            pq.write_table(pa.concat_tables(found), partial / f"{table}.parquet", compression="zstd")
        (partial / INDEX).write_text(held, encoding="utf-8")
    return folder


def partitions(study: Study, table: str, source: str | None = None) -> Iterator[tuple[dict[str, str], Any]]:
    """Yield subject and condition with the rows of their trials, one after another; of one source, if it is named."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    labels = pa.schema([("subject", pa.string()), ("condition", pa.string())])
    data = study.dataset(table)
    require_columns(data.schema, ("trial", *KEYS[table]), study.folder / DATASET / table)
    rows = None if source is None else pc.field("source") == source
    by_place: dict[str, list[Any]] = {}
    for fragment in data.get_fragments():
        by_place.setdefault(str(Path(fragment.path).parent), []).append(fragment)
    for _, fragments in sorted(by_place.items()):
        who = ds.get_partition_keys(fragments[0].partition_expression)
        kept = [name for name in data.schema.names if name not in labels.names]
        ordered = sorted(fragments, key=lambda each: str(each.path))
        read = [each.to_table(columns=kept, filter=rows, use_threads=False) for each in ordered]
        yield who, _plain(pa.concat_tables(read))


def _plain(table: Any) -> Any:
    """Return a table whose labels are texts: those of several files are numbered differently."""
    import pyarrow as pa

    fields = [
        pa.field(each.name, pa.string() if pa.types.is_dictionary(each.type) else each.type)
        for each in table.schema
    ]
    return table.cast(pa.schema(fields))


def _mean(table: Any, keys: tuple[str, ...], who: dict[str, str]) -> Any:
    import pyarrow as pa

    # In one thread: the order in which numbers are added decides their last digit.
    trials = table.group_by(["trial", *keys], use_threads=False).aggregate([("value", "mean")])
    found = trials.group_by(list(keys), use_threads=False).aggregate([("value_mean", "mean")])
    columns = {name: pa.array([value] * len(found), pa.string()) for name, value in who.items()}
    columns |= {name: found[name] for name in keys}
    return pa.table({**columns, "value": found["value_mean_mean"]})


def _ours(folder: Path) -> frozenset[str]:
    return frozenset((*(f"{table}.parquet" for table in TABLES), INDEX))
