"""Models as TOML files: written by hand or by :func:`write_model_toml`; the schema is in ``docs/models.md``."""

from __future__ import annotations

import os
from typing import Any

from borelli.errors import BorelliError, FileFormatError, UnknownNameError
from borelli.io.text.toml_file import read_toml
from borelli.io.text.toml_text import document
from borelli.io.toml.model_codec import (
    CONSTRAINTS,
    CONTACT_SURFACES,
    FORCES,
    JOINTS,
    MUSCLES,
    WRAP_OBJECTS,
    decode,
    encode,
)
from borelli.model import Body, Frame, Marker, Model, OtherComponent
from borelli.results.on_disk.whole import atomic_writer

_EXPECTED = "a Borelli model (.toml)"
# Full-body models take a megabyte: the bound is for bombs.
_MAX_BYTES = 256 * 1024**2

# Lists of a model file, in the order in which they are written.
_LISTS: dict[str, dict[str, type] | type] = {
    "bodies": Body,
    "frames": Frame,
    "joints": JOINTS,
    "markers": Marker,
    "constraints": CONSTRAINTS,
    "wrap_objects": WRAP_OBJECTS,
    "contact_surfaces": CONTACT_SURFACES,
    "muscles": MUSCLES,
    "forces": FORCES,
    "others": OtherComponent,
}
_SCALARS = ("name", "gravity", "credits", "unsupported")


def read_model_toml(path: str | os.PathLike[str]) -> Model:
    """Read a model from a TOML file.

    Parameters
    ----------
    path : path

    Returns
    -------
    Model

    Raises
    ------
    FileFormatError
        If the file is not TOML, or a value is not of the kind that its key holds.
    UnknownNameError
        If a key is unknown (with the nearest one), or a part refers to one that does not exist.
    """
    return model_from_tables(read_toml(path, _EXPECTED, _MAX_BYTES), os.fspath(path))


def model_from_tables(content: dict[str, Any], source: str) -> Model:
    """Build a model from the tables of a file; ``source`` names the file in messages."""
    _refuse_dates(content, source)
    for key in content:
        if key not in (*_SCALARS, *_LISTS):
            raise UnknownNameError.among(key, "key", (*_SCALARS, *_LISTS), of="a model file", where=source)
    parts: dict[str, Any] = {"bodies": (), "joints": ()}
    for name, kinds in _LISTS.items():
        items = content.get(name, [])
        if not isinstance(items, list):
            raise FileFormatError(f"{name!r} must be a list of tables: [[{name}]].", where=source)
        parts[name] = [decode(kinds, item, f"{source}, {name}[{index}]") for index, item in enumerate(items)]
    for name in ("name", "credits"):
        if not isinstance(content.get(name, ""), str):
            raise FileFormatError(f"{name!r} must be text.", where=source)
    unsupported = content.get("unsupported", [])
    if not isinstance(unsupported, list) or not all(isinstance(line, str) for line in unsupported):
        raise FileFormatError("'unsupported' must be a list of text.", where=source)
    parts.update((key, content[key]) for key in _SCALARS if key in content)
    try:
        return Model(**parts)
    except BorelliError as error:
        place = source if error.where is None else f"{source}; {error.where}"
        raise type(error)(error.what, where=place, closest=error.closest, remedy=error.remedy) from None


def _refuse_dates(value: Any, where: str) -> None:
    """TOML knows dates and times; nothing in a model is one."""
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_dates(item, f"{where}, {key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_dates(item, f"{where}[{index}]")
    elif not isinstance(value, str | int | float):
        raise FileFormatError(f"a date or time was found: {value}.", where=where)


def model_to_toml(model: Model) -> str:
    """Return a model as the text of a TOML file; reading it gives an equal model."""
    content: dict[str, Any] = {"name": model.name, "gravity": list(model.gravity)}
    if model.credits:
        content["credits"] = model.credits
    if model.unsupported:
        content["unsupported"] = list(model.unsupported)
    for name in _LISTS:
        items = encode(tuple(getattr(model, name)))
        if items:
            content[name] = items
    return document(content)


def write_model_toml(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a TOML file; complete or not at all."""
    text = model_to_toml(model)
    with atomic_writer(path) as stream:
        stream.write(text.encode("utf-8"))
