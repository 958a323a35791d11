"""ExternalLoads xml: which columns of which file push on which body.

The xml describes; the numbers are in a table beside it, and :func:`borelli.load_loads` puts the two
together.
"""

from __future__ import annotations

import os
from pathlib import Path

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.setups.setup_options import is_empty, version_of
from borelli.io.text.references import find_file
from borelli.io.text.xml import Element, read_xml
from borelli.records import dataclass

EXPECTED = "an ExternalLoads description (.xml)"
GROUND = "ground"
_LAST_PRESCRIBED = 20300
"""Up to this version a load was a PrescribedForce whose functions are called after the columns."""


@dataclass(frozen=True)
class ExternalForce:
    """One load of the description.

    Attributes
    ----------
    name : str
        Of the load.
    body : str
        Body it is applied to.
    force, torque, point : str
        Beginnings of the column labels; empty where the load has none.
    force_frame, point_frame : str
        Body in whose axes force and torque, or the point, are given.
    where : str
        File and line, for messages.
    """

    name: str
    body: str
    force: str
    torque: str
    point: str
    force_frame: str = GROUND
    point_frame: str = GROUND
    where: str = ""


@dataclass(frozen=True)
class ExternalLoads:
    """A description of loads.

    Attributes
    ----------
    name : str
    forces : tuple of ExternalForce
        Those in force.
    data_file : Path or None
        The table that holds the numbers.
    disabled : tuple of str
        Loads that the file has and switches off.
    source : str
        File of the description.

    Examples
    --------
    >>> bo.read_external_loads(walk.loads).name
    'ground_forces'
    """

    name: str
    forces: tuple[ExternalForce, ...]
    data_file: Path | None
    disabled: tuple[str, ...] = ()
    source: str = ""


def read_external_loads(path: str | os.PathLike[str]) -> ExternalLoads:
    """Read the description, not the data.

    Parameters
    ----------
    path : path
        ``.xml``.

    Examples
    --------
    >>> [force.body for force in bo.read_external_loads(walk.loads).forces]
    ['foot_r', 'foot_l']
    """
    root = read_xml(path, EXPECTED)
    document = root if root.tag == "ExternalLoads" else root.child("ExternalLoads")
    old = version_of(root) <= _LAST_PRESCRIBED
    if old and document is None:
        # Before version 2.2.1 they were a set of forces.
        document = root if root.tag == "ForceSet" else root.child("ForceSet")
    if document is None:
        raise FileFormatError(
            f"The document holds <{root.tag}> with {[c.tag for c in root][:3]}, expected {EXPECTED}.",
            where=root.where,
        )
    objects = document.child("objects")
    forces: list[ExternalForce] = []
    disabled: list[str] = []
    for element in objects if objects is not None else ():
        if element.tag != "ExternalForce" and not (old and element.tag == "PrescribedForce"):
            raise FileFormatError(f"<{element.tag}> is not an ExternalForce.", where=element.where)
        if _is_on(element):
            forces.append(
                _external_force(element) if element.tag == "ExternalForce" else _prescribed_force(element)
            )
        else:
            disabled.append(element.name)
    data = document.text_of("datafile")
    data_file = None if is_empty(data) else find_file(path, data)
    return ExternalLoads(document.name, tuple(forces), data_file, tuple(disabled), os.fspath(path))


def load_files(path: Path | None) -> dict[str, Path]:
    """Files that loads come from: their description, and the table that it names."""
    if path is None:
        return {}
    found = {"loads": path}
    data = read_external_loads(path).data_file
    return found if data is None else {**found, "load data": data}


def _is_on(element: Element) -> bool:
    applies, disabled = element.child("appliesForce"), element.child("isDisabled")
    if applies is not None and applies.text:
        return applies.flag()
    return not (disabled is not None and disabled.text and disabled.flag())


def _external_force(element: Element) -> ExternalForce:
    def text(tag: str) -> str:
        value = element.text_of(tag)
        return "" if is_empty(value) else value

    body = text("applied_to_body")
    if not body:
        raise FileFormatError(
            f"The load {element.name!r} does not say which body it is applied to.", where=element.where
        )
    force, torque = text("force_identifier"), text("torque_identifier")
    if not force and not torque:
        raise FileFormatError(
            f"The load {element.name!r} names neither a force nor a torque.", where=element.where
        )
    return ExternalForce(
        name=element.name or body,
        # Frames may be written as paths: /bodyset/calcn_r.
        body=_last(body),
        force=force,
        torque=torque,
        point=text("point_identifier"),
        force_frame=_last(text("force_expressed_in_body")) or GROUND,
        point_frame=_last(text("point_expressed_in_body")) or GROUND,
        where=element.where,
    )


def _prescribed_force(element: Element) -> ExternalForce:
    """Read a load of version 1 or 2: its functions are called after the columns, all in axes of the ground.

    This is what OpenSim 4 means to make of it; its version 4.6 then stumbles over the class of the load.
    """
    functions = {holder.name or holder.tag: holder for holder in element}

    def beginning(which: str) -> str:
        holder = functions.get(which)
        inner = None if holder is None else holder.child("objects")
        named = inner.children[0].name if inner is not None and inner.children else ""
        if named.startswith("#"):
            raise UnsupportedError(
                f"The load {element.name!r} refers to the columns of its {which} by number ({named}).",
                where=element.where,
                remedy="write an ExternalForce with the beginning of their labels",
            )
        return named[:-1]

    body, force, torque = element.text_of("body"), beginning("forceFunctions"), beginning("torqueFunctions")
    if not body or not (force or torque):
        lacking = "the body it is applied to" if not body else "the columns of a force or a torque"
        raise FileFormatError(f"The load {element.name!r} does not name {lacking}.", where=element.where)
    return ExternalForce(
        element.name or body, _last(body), force, torque, beginning("pointFunctions"), where=element.where
    )


def _last(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]
