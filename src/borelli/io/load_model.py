"""Any model by its name: picks the reader or writer of a format."""

from __future__ import annotations

import hashlib
import os
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from borelli.errors import UnknownNameError
from borelli.io.osim import read_osim
from borelli.model import Model

# Nobody else waits for what reads and checks TOML.
Writer = Callable[[Model, str | os.PathLike[str]], None]


def _read_toml(path: str | os.PathLike[str]) -> Model:
    # Loaded here: reading .osim needs nothing of it.
    from borelli.io.toml.model_toml import read_model_toml

    return read_model_toml(path)


def _osim_writer() -> Writer:
    # Loaded here: reading, which most commands do, needs nothing of it.
    from borelli.io.osim.write import write_osim

    return write_osim


def _toml_writer() -> Writer:
    # Loaded here: reading .osim needs nothing of it.
    from borelli.io.toml.model_toml import write_model_toml

    return write_model_toml


READERS: dict[str, Callable[[str | os.PathLike[str]], Model]] = {
    ".osim": read_osim,
    ".toml": _read_toml,
}
WRITERS: dict[str, Callable[[], Writer]] = {
    ".osim": _osim_writer,
    ".toml": _toml_writer,
}

_Identity = tuple[str, str, str, bool]
_Told = list[warnings.WarningMessage]
# The few that are asked for again and again; memory stays flat.
MOST_SHARED = 8
_LARGEST_SHARED = 64_000_000
"""Bytes; a file beyond that is read whenever it is asked for."""
_shared: ContextVar[OrderedDict[_Identity, tuple[Model, _Told]] | None] = ContextVar(
    "borelli_shared_models", default=None
)
_own = threading.local()


@contextmanager
def shared_models(kept: OrderedDict[_Identity, tuple[Model, _Told]]) -> Iterator[None]:
    """Inside, a file that is read again, and has not changed, gives the same object.

    What is compiled of a model is kept by the object: who analyses many trials of one model compiles it once. What
    was warned about the file is told every time.

    Parameters
    ----------
    kept : OrderedDict
        Empty at first; holds the latest ``MOST_SHARED`` models.
    """
    token = _shared.set(kept)
    try:
        yield
    finally:
        _shared.reset(token)


@contextmanager
def remembered_models() -> Iterator[None]:
    """Inside, models are shared with whoever else in this thread remembered them, unless they are shared already."""
    if _shared.get() is not None:
        yield
        return
    if not hasattr(_own, "models"):
        _own.models = OrderedDict()
    with shared_models(_own.models):
        yield


def load_model(path: str | os.PathLike[str], *, exact_joints: bool = False) -> Model:
    """Read a model; the file's ending names its format.

    Parameters
    ----------
    path : path
        An OpenSim model (``.osim``, see ``docs/opensim.md``) or a ``.toml`` file (see ``docs/models.md``).
    exact_joints : bool
        For OpenSim models: compute the angular accelerations of custom joints exactly also where OpenSim itself
        does not. By default the forces are those of OpenSim.

    Returns
    -------
    Model
        What a file has and Borelli does not use is kept, listed in ``model.unsupported`` and named in a warning.

    Examples
    --------
    >>> model = load_model("arm.toml")                      # doctest: +SKIP
    >>> model.coordinate_names                              # doctest: +SKIP
    ('shoulder', 'elbow')
    """
    ending = Path(path).suffix.lower()
    if ending not in READERS:
        raise UnknownNameError.among(ending, "model format", READERS, where=os.fspath(path))
    kept = _shared.get()
    identity = None if kept is None else _identity(path, exact_joints)
    if kept is None or identity is None:
        return _read(path, ending, exact_joints)
    if identity not in kept:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            kept[identity] = (_read(path, ending, exact_joints), told)
        while len(kept) > MOST_SHARED:
            kept.popitem(last=False)
    kept.move_to_end(identity)
    found, told = kept[identity]
    for each in told:
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return found


def _identity(path: str | os.PathLike[str], exact_joints: bool) -> _Identity | None:
    """What a model was read from: its file by name, which messages tell, and content; None where it is not shared."""
    place = Path(path)
    try:
        if not place.is_file() or place.stat().st_size > _LARGEST_SHARED:
            return None
        content = hashlib.sha256(place.read_bytes()).hexdigest()
    except OSError:  # whoever reads it says so
        return None
    return os.fspath(path), os.path.realpath(path), content, exact_joints


def _read(path: str | os.PathLike[str], ending: str, exact_joints: bool) -> Model:
    if exact_joints and ending == ".osim":
        return read_osim(path, exact_joints=True)
    return READERS[ending](path)


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model in the format that the target's ending names; complete or not at all.

    Parameters
    ----------
    model : Model
    path : path
        ``.toml`` or ``.osim``; it appears complete or not at all.

    Examples
    --------
    >>> bo.save_model(model, "subject.toml")
    >>> bo.load_model("subject.toml") == model
    True
    """
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        raise UnknownNameError.among(
            ending, "model format that can be written", WRITERS, where=os.fspath(path)
        )
    WRITERS[ending]()(model, path)
