"""Outputs: the single curves that a result splits into shares, and how they are named.

A variable with a ``source`` dimension holds shares; without its ending ``_share`` its name is the
quantity's. One output is one curve over time of such a quantity: ``knee_torque``, ``hip_reaction_x``.
Nothing here knows which analysis made the result.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.records import dataclass
from borelli.results.labelled.plain_result import PlainResult, Result, labels

Array = NDArray[np.float64]

SOURCE = "source"
_ENDING = "_share"
_WORDS = re.compile(r"[\W_]+")
# As OpenSim names the columns of inverse dynamics: knee_angle_r_moment, pelvis_tx_force.
_WORD_BY_UNIT = {
    "generalized_force": {"N m": "moment", "N": "force"},
    "coordinate_value": {"rad": "angle", "m": "position", "1": "value"},
    "coordinate_speed": {"rad/s": "speed", "m/s": "speed", "1/s": "speed"},
}


@dataclass(frozen=True, slots=True)
class Output:
    """One curve over time that is the sum of its shares.

    Attributes
    ----------
    name : str
        Such as ``knee_torque`` or ``hip_reaction_x``.
    quantity : str
        The quantity it belongs to, such as ``torque``.
    variable : str
        Name of the variable that holds the shares.
    place : mapping
        Dimension → label, such as ``{"joint": "hip", "axis": "x"}``.
    unit : str
        Of the curve and of its shares.
    """

    name: str
    quantity: str
    variable: str
    place: Mapping[str, str]
    unit: str

    def shares(self, result: Result) -> Array:
        """Return the shares, (n_times, n_sources)."""
        return self._part(result, self.variable, ("time", SOURCE))

    def shares_at(self, result: Result, instant: int) -> Array:
        """Return the shares at one instant, (n_sources,)."""
        return self.shares(result)[instant]

    def heard(self, result: Result) -> NDArray[np.intp]:
        """Return the sources whose share is not zero throughout."""
        variable = result.variables[self.variable]
        known = result.found if isinstance(result, PlainResult) else {}
        key = ("heard", self.variable)
        if key not in known:
            # Of all outputs at once: NumPy goes through memory in its order.
            known[key] = (variable.values != 0.0).any(axis=variable.dims.index("time"))
        dims = [str(dim) for dim in variable.dims if dim != "time"]
        places = {dim: labels(result, dim).places[label] for dim, label in self.place.items()}
        own = known[key][tuple(places.get(dim, slice(None)) for dim in dims)]
        left = [dim for dim in dims if dim not in places]
        return np.flatnonzero(own.any(axis=tuple(k for k, dim in enumerate(left) if dim != SOURCE)))

    def total(self, result: Result) -> Array:
        """Return the curve itself, (n_times,): found on its own where the result holds it, else the sum."""
        name = next(
            (n for n in (f"total_{self.quantity}", self.quantity) if self._holds_total(result, n)), None
        )
        if name is None:
            return np.asarray(self.shares(result).sum(axis=1))
        return self._part(result, name, ("time",))

    def _holds_total(self, result: Result, name: str) -> bool:
        return name != self.variable and name in result.variables

    def _part(self, result: Result, name: str, dims: tuple[str, ...]) -> Array:
        """Return a variable's values at the place of this output, along the given dimensions."""
        # Arrays, without the labels of a DataArray: a page asks for some thousands of these.
        variable = result.variables[name]
        left = [dim for dim in variable.dims if dim not in self.place]
        places = {dim: labels(result, dim).places[label] for dim, label in self.place.items()}
        part = variable.values[tuple(places.get(str(dim), slice(None)) for dim in variable.dims)]
        return np.asarray(part.transpose([left.index(dim) for dim in dims]), dtype=float)

    def describe(self, result: Result) -> str:
        """Say in a sentence what the number is: on whom, where, in which axes."""
        quantity = self.quantity.replace("_", " ")
        axis = self.place.get("axis")
        what = f"the {axis} component of the {quantity}" if axis else f"the {quantity}"
        where = ", ".join(f"{dim} {label!r}" for dim, label in self.place.items() if dim != "axis")
        own = result.variables[self.variable]
        attributes = {**own.attrs, **result.variables.get(self.quantity, own).attrs}
        on_whom = result.attrs.get(f"{self.quantity}_on", attributes.get("on"))
        axes = attributes.get("expressed_in")
        parts = [f"{self.name} is {what} at {where}" if where else f"{self.name} is {what}"]
        if on_whom:
            parts.append(f"on {on_whom}")
        if axes and axes not in str(on_whom):
            parts.append(f"in {axes} axes")
        return ", ".join(parts) + "."


def outputs(result: Result) -> tuple[Output, ...]:
    """List the outputs of a result, in the order of its variables.

    Raises
    ------
    MissingInputError
        If no variable is split by source.

    Examples
    --------
    >>> names = [output.name for output in bo.outputs(bo.contributions(model, motion, loads))]
    >>> "knee_angle_r_moment" in names
    True
    """
    known = result.found.get("outputs") if isinstance(result, PlainResult) else None
    if known is not None:
        return tuple(known)
    found: list[Output] = []
    for variable in map(str, result.data_vars):
        if {SOURCE, "time"} <= set(result.variables[variable].dims):
            quantity = variable.removesuffix(_ENDING)
            found += [
                Output(curve.name, quantity, variable, curve.place, curve.unit)
                for curve in curves(result, variable, quantity)
            ]
    if not found:
        raise MissingInputError(
            "The result holds no shares: none of its variables has the dimensions 'time' and 'source'.",
            remedy="give the result of an analysis that splits its outputs, such as planar.analyze",
        )
    if isinstance(result, PlainResult):
        result.found["outputs"] = tuple(found)
    return tuple(found)


class Curve(NamedTuple):
    """Name, place (dimension → label) and unit of one curve of a variable."""

    name: str
    place: dict[str, str]
    unit: str


def curves(result: Result, variable: str, quantity: str = "") -> Iterator[Curve]:
    """Yield every single curve of a variable: one for each label of its dimensions but time and source."""
    quantity = quantity or variable
    dims = [str(dim) for dim in result.variables[variable].dims if dim not in ("time", SOURCE)]
    along, units = _units(result, variable, dims)
    at = dims.index(along) if along else 0
    words = _WORD_BY_UNIT.get(quantity, {})
    # Whose it is comes first, its component last: knee_reaction_x, and support_force_x of the one support.
    whose = 0 if dims[:1] == ["axis"] else 1
    for place in itertools.product(*(labels(result, dim).names for dim in dims)):
        unit = units[place[at]] if along else units[""]
        name = "_".join([*place[:whose], words.get(unit, quantity), *place[whose:]])
        yield Curve(name, dict(zip(dims, place, strict=True)), unit)


def _units(result: Result, variable: str, dims: list[str]) -> tuple[str, dict[str, str]]:
    """Dimension along which the unit differs, and the unit of each of its labels; without one, of all curves.

    It differs where the variable's own attribute lists several and a coordinate ``unit`` tells them apart.
    """
    said = str(result.variables[variable].attrs.get("units", ""))
    own = result.variables.get("unit") if "unit" not in result.data_vars else None
    if own is None or len(own.dims) != 1 or own.dims[0] not in dims or (said and "," not in said):
        return "", {"": said}
    along = str(own.dims[0])
    # A speed or an angle says what its unit is where that of the force is such.
    said_of = result.variables[variable].attrs.get("unit_of")
    units = [str(unit) if said_of is None else str(said_of.get(str(unit), "")) for unit in own.values]
    return along, dict(zip(labels(result, along).names, units, strict=True))


def find_output(result: Result, text: str) -> Output:
    """Return the output that a text names; blanks, dashes, case and the order of words are forgiven.

    Plain words will do (``right knee force``). A whole vector is its magnitude, with shares along its own direction;
    ``right knee compression`` and ``right knee shear`` are its parts along and across the segment.

    Raises
    ------
    UnknownNameError
        If nothing answers to the text; the nearest names are listed.
    InvalidValueError
        If the text names several outputs.
    """
    known = outputs(result)
    exact = [output for output in known if output.name == text]
    words = _words(text)
    alike = exact or [output for output in known if _words(output.name) == words]
    alike = alike or [output for output in known if sorted(_words(output.name)) == sorted(words)]
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise InvalidValueError(
            f"{text!r} fits {len(alike)} outputs.",
            closest=[output.name for output in alike],
            remedy="write the one you mean exactly as listed",
        )
    derived = _derived(result, known, words)
    if derived is not None:
        return derived
    parts = _components(known, words)
    if parts:
        raise InvalidValueError(
            f"{text!r} is a vector with a single component.",
            closest=[output.name for output in parts],
            remedy="name the component",
        )
    unsplit = _unsplit(result, words)
    if unsplit:
        raise InvalidValueError(
            f"{unsplit!r} is saved in the result, but it is not split into sources.",
            where=_title(result),
            remedy="read it in totals.csv or result.nc of the result folder, or see it on the page",
        )
    names = [output.name for output in known]
    raise UnknownNameError.among("_".join(words) or text, "known output", names, of=_title(result))


def _derived(result: Result, known: tuple[Output, ...], words: list[str]) -> Output | None:
    """Return the size of a vector, or an output by its plain words, that a text names; None where it names none."""
    # Loaded here: they are made of outputs.
    from borelli.results.outputs.plain_names import output_words
    from borelli.results.outputs.resultant import joint_forces, resultants

    wanted = sorted(word for word in words if word not in ("magnitude", "norm", "size"))
    made = {each.name: each for each in (*resultants(known), *joint_forces(result, known))}
    for output in (*made.values(), *known):
        if wanted in (sorted(_words(output.name)), sorted(_words(output_words(output)))):
            return output
    return None


def _unsplit(result: Result, words: list[str]) -> str:
    """Name of a saved curve without shares that a text names, in plain words too; empty where there is none."""
    # Loaded here: it is made of outputs.
    from borelli.results.outputs.plain_names import output_words

    for variable in result.data_vars:
        array = result.variables[str(variable)]
        if "time" not in array.dims or SOURCE in array.dims or array.attrs.get("role") == "drawing":
            continue
        for curve in curves(result, str(variable)):
            plain = output_words(Output(curve.name, str(variable), str(variable), curve.place, curve.unit))
            if sorted(words) in (sorted(_words(curve.name)), sorted(_words(plain))):
                return curve.name
    return ""


def _components(known: tuple[Output, ...], words: list[str]) -> list[Output]:
    wanted = sorted(word for word in words if word not in ("magnitude", "norm", "size"))
    return [
        output
        for output in known
        if "axis" in output.place
        and sorted(_words(output.name.removesuffix("_" + output.place["axis"]))) == wanted
    ]


def _words(text: str) -> list[str]:
    return [word for word in _WORDS.split(text.casefold()) if word]


def _title(result: Result) -> str:
    attributes: Mapping[Any, Any] = result.attrs
    named = attributes.get("chain") or attributes.get("model")
    return f"the result of {named!r}" if named else "the result"
