"""What a planar chain file may say under its full names: types and shapes.

Short spellings and the flat layout are dealt with before (see planar_spelling).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

_TABLE = "must be a number, or lists of equally many numbers"


def _numbers(value: Any) -> Any:
    """A number, or nested lists of numbers that form a table, as an array."""
    try:
        array = np.array(value, dtype=object) if isinstance(value, list) else np.asarray(value, dtype=object)
    except ValueError:
        raise PydanticCustomError("numbers", _TABLE) from None
    flat = array.ravel().tolist()
    if not flat:
        raise PydanticCustomError("empty", "is empty")
    if any(isinstance(item, bool) or not isinstance(item, int | float) for item in flat):
        raise PydanticCustomError("numbers", _TABLE)
    result = np.array(flat, dtype=float).reshape(array.shape)
    if not np.all(np.isfinite(result)):
        raise PydanticCustomError("numbers", "holds a number that is not finite")
    return result


def _readable(name: str) -> str:
    if not name.isprintable():
        raise PydanticCustomError("name", "holds a character that cannot be printed")
    return name


Numbers = Annotated[Any, BeforeValidator(_numbers)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Pair = Annotated[list[Number], Field(min_length=2, max_length=2)]
Name = Annotated[str, Field(strict=True, min_length=1), AfterValidator(_readable)]
LinkRef = Annotated[int, Field(strict=True)] | Name


class Section(BaseModel):
    """A part of the file; unknown keys never reach it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LinkSection(Section):
    """A link; its mass centre as a vector, or as distance and angle."""

    name: Name | None = None
    joint: str = ""
    length: Number
    mass: Number
    inertia: Number
    com: Pair | None = None
    com_distance: Number | None = None
    com_angle: Number = 0.0

    @model_validator(mode="after")
    def _one_mass_centre(self) -> LinkSection:
        if (self.com is None) == (self.com_distance is None):
            raise PydanticCustomError(
                "mass_centre", "needs its mass centre once: as 'com', or as 'com_distance' and 'com_angle'"
            )
        return self


class BaseSection(Section):
    """The base."""

    position: Pair = Field(default_factory=lambda: [0.0, 0.0])
    mass: Number = 0.0
    com: Pair = Field(default_factory=lambda: [0.0, 0.0])
    floor: Number = 0.0


def _path_points(value: Any) -> Any:
    if not isinstance(value, list) or len(value) < 2:
        raise PydanticCustomError("path", "must be a list of at least two points [link, [x, y]]")
    points = []
    for number, point in enumerate(value):
        if not isinstance(point, list) or len(point) != 2 or isinstance(point[0], bool):
            raise PydanticCustomError("path", f"has point {number} that is not [link, [x, y]]")
        link, place = point
        if not isinstance(link, int | str) or np.shape(_numbers(place)) != (2,):
            raise PydanticCustomError("path", f"has point {number} that is not [link, [x, y]]")
        points.append((link, (float(place[0]), float(place[1]))))
    return points


class MuscleSection(Section):
    """A muscle, and its tension if known."""

    name: Name | None = None
    path: Annotated[Any, BeforeValidator(_path_points)]
    tension: Numbers = None


class ContactSection(Section):
    """A contact: point and force as vectors, or both in Biscarini's polar parameters."""

    name: Name | None = None
    link: LinkRef
    point: Numbers = None
    force: Numbers = None
    axes: Literal["world", "link"] = "world"
    distance: Numbers = None
    angle: Numbers = 0.0
    magnitude: Numbers = None
    direction: Numbers = 0.0

    @model_validator(mode="after")
    def _vectors_or_polar(self) -> ContactSection:
        vectors = self.point is not None and self.force is not None
        polar = self.distance is not None and self.magnitude is not None
        mixed = (self.point is not None or self.force is not None) and (
            self.distance is not None or self.magnitude is not None
        )
        if mixed or not (vectors or polar):
            raise PydanticCustomError(
                "contact", "needs 'point' and 'force', or 'distance', 'angle', 'magnitude' and 'direction'"
            )
        return self


class CoupleSection(Section):
    """A couple."""

    name: Name | None = None
    link: LinkRef
    moment: Numbers


class EquipmentSection(Section):
    """What the chain works against: a weight, a band, a spring or a cable."""

    kind: Literal["weight", "band", "spring", "cable"]
    name: Name | None = None
    link: LinkRef
    point: Pair
    anchor: Pair | None = None
    mass: Number | None = None
    stiffness: Number | None = None
    rest_length: Number | None = None
    damping: Number | None = None
    stack_mass: Number | None = None
    ratio: Number | None = None
    inertia: bool | None = None

    @model_validator(mode="after")
    def _what_its_kind_has(self) -> EquipmentSection:
        needed, more = EQUIPMENT_KEYS[self.kind]
        given = {
            key
            for key in type(self).model_fields
            if key not in ("kind", "name", "link", "point") and getattr(self, key) is not None
        }
        if missing := [key for key in needed if key not in given]:
            raise PydanticCustomError("equipment", f"is a {self.kind} and needs {missing[0]!r}")
        if strange := sorted(given - {*needed, *more}):
            raise PydanticCustomError("equipment", f"is a {self.kind}, which has no {strange[0]!r}")
        return self


# Keys that each kind of equipment must have, and those it may have.
EQUIPMENT_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "weight": (("mass",), ()),
    "band": (("anchor", "stiffness", "rest_length"), ("damping",)),
    "spring": (("anchor", "stiffness", "rest_length"), ("damping",)),
    "cable": (("anchor", "stack_mass"), ("ratio", "inertia")),
}


class MotionSection(Section):
    """Angles and their rates: one instant, or one row per instant."""

    time: Numbers = None
    angle: Numbers
    velocity: Numbers = None
    acceleration: Numbers = None
    base_acceleration: Numbers = None
    angles: Literal["segment", "joint"] = "segment"


class SupportSection(Section):
    """The ground's force and moment on the base, such as a force plate measures."""

    force: Numbers = None
    moment: Numbers = None


class UnknownContactSection(Section):
    """A contact force to be found."""

    name: Name | None = None
    link: LinkRef
    point: Numbers
    direction: Numbers = None


class UnknownCoupleSection(Section):
    """A couple to be found."""

    name: Name | None = None
    link: LinkRef


class ChainSection(Section):
    """The whole file."""

    name: Name = "chain"
    description: str = ""
    gravity: Pair = Field(default_factory=lambda: [0.0, -9.81])
    base: BaseSection = Field(default_factory=BaseSection)
    links: Annotated[list[LinkSection], Field(min_length=1)]
    muscles: list[MuscleSection] = Field(default_factory=list)
    contacts: list[ContactSection] = Field(default_factory=list)
    couples: list[CoupleSection] = Field(default_factory=list)
    equipment: list[EquipmentSection] = Field(default_factory=list)
    motion: MotionSection | None = None
    support: SupportSection | None = None
    unknown_contacts: list[UnknownContactSection] = Field(default_factory=list)
    unknown_couples: list[UnknownCoupleSection] = Field(default_factory=list)
    known_torques: dict[str, Numbers] = Field(default_factory=dict)


SECTIONS: dict[str, type[Section]] = {
    "": ChainSection,
    "base": BaseSection,
    "links": LinkSection,
    "muscles": MuscleSection,
    "contacts": ContactSection,
    "couples": CoupleSection,
    "equipment": EquipmentSection,
    "motion": MotionSection,
    "support": SupportSection,
    "unknown_contacts": UnknownContactSection,
    "unknown_couples": UnknownCoupleSection,
}
