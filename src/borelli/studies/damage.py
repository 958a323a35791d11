"""What is said where files in the folder of a study are not what Borelli wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from borelli.errors import FileFormatError
from borelli.studies.names import DATASET, MEANS, PARTS

REMEDY = (
    f"remove the folders {DATASET!r}, {MEANS!r} and {PARTS!r} of the study and run it again: "
    "they are made from the results of the trials, which stay"
)


@contextmanager
def damage_told(place: Path) -> Iterator[None]:
    """Turn what Arrow says of damaged tables into an error that names them and says what to do."""
    # Loaded here, because a study need not be read to be run.
    import pyarrow as pa

    try:
        yield
    except (OSError, KeyError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:200]
        raise FileFormatError(
            f"A table of the study is damaged or missing: {reason}.", where=str(place), remedy=REMEDY
        ) from error


def require_columns(schema: Any, labels: tuple[str, ...], place: Path) -> None:
    """Refuse a table that lacks columns of labels, or the numbers in ``value``, as nobody's study does."""
    # Loaded here, as above.
    import pyarrow as pa

    def is_text(name: str) -> bool:
        kind = schema.field(name).type if name in schema.names else None
        kind = kind.value_type if kind is not None and pa.types.is_dictionary(kind) else kind
        return kind is not None and (pa.types.is_string(kind) or pa.types.is_large_string(kind))

    def is_number(name: str) -> bool:
        return name in schema.names and pa.types.is_floating(schema.field(name).type)

    numbers = ("value", *(("percent",) if "percent" in labels else ()))
    wrong = [name for name in labels if name not in numbers and not is_text(name)]
    wrong += [name for name in numbers if not is_number(name)]
    if wrong:
        raise FileFormatError(
            f"A table of the study has no column {wrong[0]!r} as Borelli writes it.",
            where=str(place),
            remedy=REMEDY,
        )
