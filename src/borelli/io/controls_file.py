"""OpenSim's files of controls: how much each actuator is driven, over time.

Two formats: a table (``.sto``) with one column an actuator, and a ControlSet (``.xml``) of nodes. Between nodes a
control is linear, or a step: the value of a node then holds from the node before it, as OpenSim's computed muscle
control left it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from borelli.errors import FileFormatError, UnsupportedError, warn
from borelli.instants import distinct
from borelli.io.load import load_table
from borelli.io.osim.document import NEWEST, Document
from borelli.io.text.xml import Element, read_xml
from borelli.records import dataclass

EXPECTED = "a ControlSet (.xml) or a table of controls (.sto)"
_EXCITATION = ".excitation"
"""Old files name the control of a muscle so."""
_KINDS = {"ControlLinear": True, "ControlConstant": False}
"""Supported controls, and whether each is one of the model where the file does not say (is_model_control)."""


@dataclass(frozen=True)
class ControlCurve:
    """The control of one actuator.

    Attributes
    ----------
    time, value : (n_nodes,) float
        s, and the control, which has no unit.
    steps : bool
        Whether the value of a node holds from the node before it; else the control is linear.
    extrapolate : bool
        Whether a linear control goes on with its last slope; else the nearest value is used.
    """

    time: np.ndarray
    value: np.ndarray
    steps: bool = False
    extrapolate: bool = True

    def at(self, time: np.ndarray) -> np.ndarray:
        """Return the control at some instants, (n_times,)."""
        if self.steps:
            return self.value[np.clip(np.searchsorted(self.time, time, "left"), 0, len(self.value) - 1)]
        found = np.interp(time, self.time, self.value)
        # Nodes that are a round-off apart have no slope between them.
        own = np.flatnonzero(distinct(self.time))
        if not self.extrapolate or len(own) < 2:
            return found
        t, v = self.time, self.value
        for end, near, outside in ((0, own[1], time < t[0]), (own[-1], own[-1] - 1, time > t[-1])):
            slope = (v[end] - v[near]) / (t[end] - t[near])
            found = np.where(outside, v[end] + slope * (time - t[end]), found)
        return found


def load_controls(path: str | os.PathLike[str], also: tuple[str, ...] = ()) -> dict[str, ControlCurve]:
    """Read the controls of a file by the names of the actuators that they drive.

    Parameters
    ----------
    also : tuple of str
        Actuators that the controller itself names: OpenSim drives them by any control of that name.

    Raises
    ------
    FileFormatError
        If the file is neither a table nor a ControlSet, or a control has no node.
    UnsupportedError
        If a control is of an unknown kind.
    """
    # The tool, too, tells the two formats by the name alone.
    if ".sto" in Path(path).name.casefold() or Path(path).suffix.casefold() != ".xml":
        return _of_table(path)
    root = read_xml(path, EXPECTED)
    holder = root if root.tag == "ControlSet" else root.child("ControlSet")
    if holder is None:
        raise FileFormatError(f"The document holds no <ControlSet>, expected {EXPECTED}.", where=root.where)
    document = Document.of_part(holder, NEWEST)
    inside = holder.child("objects")
    controls = inside.children if inside is not None else []
    by_name: dict[str, Element] = {}
    for control in controls:
        by_name.setdefault(control.name, control)
    driven = (
        *_driven(document, controls),
        *(name for name in also if _of_actuator(name, by_name) is not None),
    )
    # Two controls of one actuator: the first counts, and its own name before the one with an ending.
    return {name: _curve(document, _of_actuator(name, by_name) or holder) for name in dict.fromkeys(driven)}


def _of_table(path: str | os.PathLike[str]) -> dict[str, ControlCurve]:
    table = load_table(path)
    keep = np.concatenate([np.diff(table.time) > 0.0, [True]]) if table.n_times else np.zeros(0, bool)
    if not keep.any():
        raise FileFormatError("The table of controls has no rows.", where=table.source)
    return {
        _actuator(name): ControlCurve(table.time[keep], table.values[keep, index])
        for index, name in enumerate(table.columns)
    }


def _driven(document: Document, controls: list[Element]) -> list[str]:
    """Actuators that OpenSim drives: as many from the top of the file as there are controls of the model."""
    of_model = [_is_of_model(document, control) for control in controls]
    names = [_actuator(control.name) for control in controls]
    count = sum(of_model)
    if count < len(controls):
        idle = ", ".join(names[count:])
        told = f"{count} of {len(controls)} controls are the model's (is_model_control). OpenSim uses as many from the "
        told += f"top of the file, whichever they are, and so does Borelli; these drive nothing: {idle}"
        if not all(of_model[:count]):
            told += ". To use exactly those of the model, put them first"
        warn(f"{os.fspath(document.source)}: {told}")
    return names[:count]


def _is_of_model(document: Document, control: Element) -> bool:
    if control.tag not in _KINDS:
        raise UnsupportedError(
            f"<{control.tag}> is not a supported control.",
            where=control.where,
            remedy=f"supported: {', '.join(_KINDS)}",
        )
    return _flag(document, control, "is_model_control", _KINDS[control.tag])


def _flag(document: Document, control: Element, tag: str, default: bool) -> bool:
    """A flag as OpenSim reads it here: nothing is false, and so is everything but the word true."""
    found = document.child(control, tag)
    if found is None:
        return default
    if found.text and found.flag() and found.text.casefold() != "true":
        raise FileFormatError(
            f"{found.text!r} in a control is false to OpenSim.",
            where=found.where,
            remedy="write true or false",
        )
    return bool(found.text) and found.flag()


def _of_actuator(name: str, by_name: dict[str, Element]) -> Element | None:
    return by_name.get(name, by_name.get(name + _EXCITATION))


def _actuator(name: str) -> str:
    return name.removesuffix(_EXCITATION)


def _curve(document: Document, element: Element) -> ControlCurve:
    if element.tag == "ControlConstant":
        value = document.child(element, "value")
        if value is None or not value.text:
            raise FileFormatError(f"The control {element.name!r} has no value.", where=element.where)
        return ControlCurve(np.zeros(1), np.array([value.number()]))
    nodes = document.child(element, "x_nodes")
    points = [(node.require("t").number(), node.require("value").number()) for node in nodes or ()]
    if not points:
        raise FileFormatError(f"The control {element.name!r} has no <x_nodes>.", where=element.where)
    time, value = np.array(points, dtype=float).T
    if (np.diff(time) < 0.0).any():
        raise FileFormatError(
            f"The nodes of control {element.name!r} are not in ascending order of time.", where=element.where
        )
    steps, on = (_flag(document, element, *each) for each in (("use_steps", False), ("extrapolate", True)))
    return ControlCurve(time, value, steps, on)
