"""OpenSim's files of controls: how much each actuator is driven, over time.

Two formats: a table (``.sto``) with one column an actuator, and a ControlSet (``.xml``) of nodes. Between nodes a
control is linear, or a step: the value of a node then holds from the node before it, as OpenSim's computed muscle
control left it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.load import load_table
from borelli.io.text.xml import Element, read_xml
from borelli.records import dataclass

EXPECTED = "a ControlSet (.xml) or a table of controls (.sto)"
_EXCITATION = ".excitation"
"""Old files name the control of a muscle so."""


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
        if not self.extrapolate or len(self.time) < 2:
            return found
        for ends, outside in (((0, 1), time < self.time[0]), ((-2, -1), time > self.time[-1])):
            (t1, t2), (v1, v2) = self.time[list(ends)], self.value[list(ends)]
            if t2 > t1:
                found = np.where(outside, v1 + (v2 - v1) / (t2 - t1) * (time - t1), found)
        return found


def load_controls(path: str | os.PathLike[str]) -> dict[str, ControlCurve]:
    """Read the controls of a file by the names of their actuators.

    Raises
    ------
    FileFormatError
        If the file is neither a table nor a ControlSet, or a control has no node.
    UnsupportedError
        If a control is of an unknown kind.
    """
    # The tool, too, tells the two formats by the name alone.
    if ".sto" in Path(path).name.casefold() or Path(path).suffix.casefold() != ".xml":
        table = load_table(path)
        keep = np.concatenate([np.diff(table.time) > 0.0, [True]]) if table.n_times else np.zeros(0, bool)
        if not keep.any():
            raise FileFormatError("The table of controls has no rows.", where=table.source)
        return {
            _actuator(name): ControlCurve(table.time[keep], table.values[keep, index])
            for index, name in enumerate(table.columns)
        }
    root = read_xml(path, EXPECTED)
    holder = root if root.tag == "ControlSet" else root.child("ControlSet")
    if holder is None:
        raise FileFormatError(f"The document holds no <ControlSet>, expected {EXPECTED}.", where=root.where)
    objects = holder.child("objects")
    return {_actuator(each.name): _curve(each) for each in (objects.children if objects is not None else ())}


def _actuator(name: str) -> str:
    return name.removesuffix(_EXCITATION)


def _curve(element: Element) -> ControlCurve:
    def flag(tag: str, default: bool) -> bool:
        child = element.child(tag)
        return default if child is None or not child.text else child.flag()

    if element.tag == "ControlConstant":
        value = element.child("value")
        if value is None or not value.text:
            raise FileFormatError(f"The control {element.name!r} has no value.", where=element.where)
        return ControlCurve(np.zeros(1), np.array([value.number()]))
    if element.tag != "ControlLinear":
        raise UnsupportedError(
            f"<{element.tag}> is not a supported control.",
            where=element.where,
            remedy="supported: ControlLinear, ControlConstant",
        )
    nodes = element.child("x_nodes")
    points = [(node.require("t").number(), node.require("value").number()) for node in nodes or ()]
    if not points:
        raise FileFormatError(f"The control {element.name!r} has no <x_nodes>.", where=element.where)
    time, value = np.array(points, dtype=float).T
    if (np.diff(time) < 0.0).any():
        raise FileFormatError(
            f"The nodes of control {element.name!r} are not in ascending order of time.", where=element.where
        )
    return ControlCurve(time, value, flag("use_steps", False), flag("extrapolate", True))
