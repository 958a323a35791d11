"""Immutable records behave as those of the standard library with the same arguments."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from borelli.records import dataclass as ours

KINDS: dict[str, Any] = {"standard": dataclasses.dataclass, "ours": ours}


def made(record: Any, **settings: Any) -> SimpleNamespace:
    """Classes of one kind: a plain one, one derived from it, and one that says some things itself."""

    @record(frozen=True, **settings)
    class Body:
        """A body."""

        name: str
        mass: float = 1.0
        parts: list[str] = field(default_factory=list)
        hidden: int = field(default=3, repr=False, compare=False)
        kind: ClassVar[str] = "body"

    @record(frozen=True, **settings)
    class Bone(Body):
        """A bone."""

        length: float = 0.4
        twice: float = field(init=False, default=0.0)

        def __post_init__(self) -> None:
            object.__setattr__(self, "twice", 2.0 * self.length)

    @record(frozen=True, **settings)
    class Own:
        """Compares by its first letter alone."""

        word: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.word[:1] == other.word[:1]

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    @record(frozen=True, **settings)
    class Nothing:
        """Has no fields."""

    return SimpleNamespace(Body=Body, Bone=Bone, Own=Own, Nothing=Nothing)


SETTINGS = [
    {},
    {"eq": False},
    {"slots": True},
    {"kw_only": True},
    {"slots": True, "eq": False, "repr": False},
]


def answers(kind: str, settings: dict[str, Any]) -> list[object]:
    """All that a record can be asked, without the names of its classes' makers."""
    own = made(KINDS[kind], **settings)
    body, same = own.Body(name="femur", mass=2.0), own.Body(name="femur", mass=2.0, hidden=4)
    bone = own.Bone(name="femur", mass=2.0)
    said: list[object] = [
        repr(body).split(" object at")[0],
        repr(bone).split(" object at")[0],
        repr(own.Own(word="a")),
        repr(own.Nothing()).split(" object at")[0],
        body == same,
        body == bone,
        bone != own.Bone(name="tibia"),
        body == "femur",
        own.Own(word="ab") == own.Own(word="ac"),
        own.Nothing() == own.Nothing(),
        hash(own.Own(word="ab")),
        bone.twice,
        dataclasses.asdict(bone),
        dataclasses.replace(body, mass=5.0).mass,
        str(inspect.signature(own.Bone)),
        own.Bone.__match_args__,
        own.Bone.__doc__,
        own.Bone.__qualname__,
        hasattr(body, "__dict__"),
        [each.name for each in dataclasses.fields(own.Bone)],
        [getattr(own.Bone.__dataclass_params__, key) for key in ("init", "repr", "eq", "frozen")],
        own.Body(name="x").parts is not own.Body(name="x").parts,
    ]
    for wrong in (
        lambda: setattr(body, "mass", 3.0),
        # A record with slots of Python 3.11 stumbles over its own message.
        lambda: settings.get("slots") or setattr(body, "other", 3.0),
        lambda: delattr(body, "mass"),
        lambda: own.Body(),
        lambda: own.Body(name="x", weight=3.0),
        lambda: own.Body("femur", 1.0, [], 3, 4),
        lambda: hash(own.Nothing()) == hash(own.Nothing()) or 1 / 0,
        lambda: hash(body),
    ):
        try:
            wrong()
            said.append("went well")
        except (dataclasses.FrozenInstanceError, TypeError, ZeroDivisionError) as error:
            said.append((type(error).__name__, str(error)))
    return said


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_records_answer_as_those_of_the_standard_library(settings: dict[str, Any]) -> None:
    theirs, mine = answers("standard", settings), answers("ours", settings)
    for expected, found in zip(theirs, mine, strict=True):
        assert found == expected


def test_the_questions_tell_records_apart() -> None:
    """The comparison above sees a difference where there is one."""
    assert answers("ours", {}) != answers("ours", {"eq": False})
    assert answers("ours", {}) != answers("ours", {"kw_only": True})


@ours(frozen=True, slots=True)
class Point:
    """With slots."""

    x: float
    y: float = 0.0


@ours(frozen=True)
class Line:
    """With a dictionary."""

    begin: Point
    end: Point


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_are_equal_and_as_immutable(copied: Any) -> None:
    line = Line(Point(1.0), Point(2.0, 3.0))
    found = copied(line)
    assert found == line and hash(found) == hash(line) and found.end.y == 3.0
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        found.end.x = 5.0
    assert copied(Point(4.0)) == Point(4.0)


def test_classes_of_the_standard_library_may_be_derived_from_records() -> None:
    @dataclasses.dataclass(frozen=True)
    class Arrow(Line):
        width: float = 1.0

    assert Arrow(Point(0.0), Point(1.0)).width == 1.0


def test_records_that_change_are_refused() -> None:
    with pytest.raises(TypeError, match="for records that change"):
        ours(frozen=False)

    @dataclasses.dataclass
    class Changing:
        x: float = 0.0

    with pytest.raises(TypeError, match="of one that changes"):

        @ours(frozen=True)
        class Fixed(Changing):
            y: float = 0.0


def test_a_record_that_holds_itself_can_be_shown() -> None:
    inner: list[object] = []
    line = Line(Point(1.0), inner)  # type: ignore[arg-type]
    inner.append(line)
    assert repr(line) == "Line(begin=Point(x=1.0, y=0.0), end=[...])"
