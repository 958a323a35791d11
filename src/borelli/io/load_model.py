"""Any model by its name: picks the reader or writer of a format."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from borelli.errors import UnknownNameError
from borelli.io.model_toml import read_model_toml, write_model_toml
from borelli.io.osim import read_osim, write_osim
from borelli.model import Model

READERS: dict[str, Callable[[str | os.PathLike[str]], Model]] = {
    ".osim": read_osim,
    ".toml": read_model_toml,
}
WRITERS: dict[str, Callable[[Model, str | os.PathLike[str]], None]] = {
    ".osim": write_osim,
    ".toml": write_model_toml,
}


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
    if exact_joints and ending == ".osim":
        return read_osim(path, exact_joints=True)
    return READERS[ending](path)


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model in the format that the target's ending names; complete or not at all."""
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        raise UnknownNameError.among(
            ending, "model format that can be written", WRITERS, where=os.fspath(path)
        )
    WRITERS[ending](model, path)
