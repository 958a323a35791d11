"""Planar chain files (JSON): a chain, and what moves and loads it.

See the guide to planar chains for the keys. Units are SI, angles radians; link numbers count from the base,
which is 0. A file is read whole or refused: unknown keys, wrong types and impossible values are named with their
place in the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from pydantic import ValidationError

from borelli.errors import BorelliError, FileFormatError, MissingInputError, UnknownNameError
from borelli.io.planar import schema
from borelli.io.planar import spelling as spellings
from borelli.io.planar.equipment import equipment_content, equipment_from
from borelli.io.text.files import read_bytes, refuse_binary
from borelli.io.text.toml_file import refuse_depth
from borelli.planar import checks
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.chain_data import chain_data
from borelli.planar.equipment import Equipment
from borelli.planar.loads import Contact, Couple
from borelli.planar.motion import Motion
from borelli.planar.unknown_contacts import UnknownCouple, UnknownForce
from borelli.records import dataclass
from borelli.results.on_disk.whole import atomic_writer

EXPECTED = "a planar chain file (.json)"
# A file may hold a long motion as text; the bound is for bombs.
MAX_BYTES = 512 * 1024**2


@dataclass(frozen=True, slots=True)
class PlanarCase:
    """A chain with everything that a file says about it.

    Attributes
    ----------
    motion : Motion or None
        None where the file has none, or a state without accelerations (see `state`).
    state : (angle, velocity) or None
        Angles and velocities of the links, each (n_times, n_links), also where accelerations are missing.
    base_force, base_moment : array or None
        The ground's support of the base (N, N m about the first joint).
    unknown : tuple of UnknownForce and UnknownCouple
        Contacts to be found.
    known_torques : mapping of joint to array
        Known joint torques (N m), for the unknown contacts.

    Examples
    --------
    >>> bo.save_chain("arm.json", bo.library.reaching_arm(), bo.library.reach())
    >>> bo.load_chain("arm.json").motion is not None
    True
    """

    chain: Chain
    motion: Motion | None = None
    contacts: tuple[Contact, ...] = ()
    couples: tuple[Couple, ...] = ()
    tensions: Mapping[str, ArrayLike] = field(default_factory=dict)
    state: tuple[ArrayLike, ArrayLike] | None = None
    base_force: ArrayLike | None = None
    base_moment: ArrayLike | None = None
    unknown: tuple[UnknownForce | UnknownCouple, ...] = ()
    known_torques: Mapping[int | str, ArrayLike] = field(default_factory=dict)
    equipment: tuple[Equipment, ...] = ()

    @property
    def loads(self) -> dict[str, Any]:
        """Contacts, couples, tensions and, if there is any, equipment, as the analyses take them."""
        loads: dict[str, Any] = {"contacts": self.contacts, "couples": self.couples}
        loads["tensions"] = dict(self.tensions)
        return loads | ({"equipment": self.equipment} if self.equipment else {})


def load_chain(path: str | os.PathLike[str]) -> PlanarCase:
    """Read a planar chain file.

    Parameters
    ----------
    path : path
        ``.json``.

    Examples
    --------
    >>> bo.save_chain("arm.json", bo.library.two_link_arm())
    >>> bo.load_chain("arm.json").chain == bo.library.two_link_arm()
    True
    """
    return parse_chain(read_bytes(path, EXPECTED, MAX_BYTES), os.fspath(path))


def parse_chain(data: bytes, source: str = "<bytes>") -> PlanarCase:
    """Parse the bytes of a planar chain file; see :func:`load_chain`."""
    raw = _json(data, source)
    refuse_depth(raw, source)
    with _located(source):
        return case_from(raw)


def case_from(raw: Any) -> PlanarCase:
    """Make a case from the content of a chain file: a mapping of plain lists, numbers and text."""
    spelling = spellings.Spelling()
    content = spellings.canonical(raw, spelling)
    try:
        file = schema.ChainSection.model_validate(content)
    except ValidationError as error:
        raise _translated(error, spelling) from None
    chain = _chain(file)
    motion, state = _motion(file.motion)
    if motion is not None:
        motion.check_fits(chain.n_links, chain.name)
    support = file.support or schema.SupportSection()
    tensions = {
        name: muscle.tension
        for name, muscle in zip(chain.muscle_names, file.muscles, strict=True)
        if muscle.tension is not None
    }
    return PlanarCase(
        chain=chain,
        motion=motion,
        contacts=tuple(_contact(item, number) for number, item in enumerate(file.contacts, start=1)),
        couples=tuple(
            Couple(item.name or f"couple{number}", item.link, item.moment)
            for number, item in enumerate(file.couples, start=1)
        ),
        tensions=tensions,
        state=state,
        base_force=support.force,
        base_moment=support.moment,
        unknown=(
            *(
                UnknownForce(item.name or f"unknown_contact{number}", item.link, item.point, item.direction)
                for number, item in enumerate(file.unknown_contacts, start=1)
            ),
            *(
                UnknownCouple(item.name or f"unknown_couple{number}", item.link)
                for number, item in enumerate(file.unknown_couples, start=1)
            ),
        ),
        known_torques={int(key) if key.isdecimal() else key: v for key, v in file.known_torques.items()},
        equipment=tuple(equipment_from(item, number) for number, item in enumerate(file.equipment, start=1)),
    )


def save_chain(
    path: str | os.PathLike[str],
    chain: Chain,
    motion: Motion | None = None,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    equipment: tuple[Equipment, ...] = (),
) -> None:
    """Write a planar chain file, whole or not at all; :func:`load_chain` reads the same back.

    Parameters
    ----------
    path : path
        ``.json``.
    chain : planar.Chain
    motion : planar.Motion, optional
    contacts, couples : tuples
        Forces (N) and moments (N m) from outside.
    tensions : mapping of muscle to (n_times,) newtons, optional
    equipment : tuple
        Weights, bands, springs and cables.

    Examples
    --------
    >>> bo.save_chain("arm.json", bo.library.reaching_arm(), bo.library.reach())
    >>> bo.load_chain("arm.json").motion.time.size > 1
    True
    """
    tension = dict(tensions or {})
    for name in tension:
        if name not in chain.muscle_names:
            raise UnknownNameError.among(name, "muscle", chain.muscle_names, of=f"chain {chain.name!r}")
    content = _chain_content(chain, tension)
    content |= {
        "contacts": [
            {
                "name": item.name,
                "link": chain.link_number(item.link, f"load {item.name!r}"),
                "point": _plain(item.point, f"The point of contact {item.name!r}"),
                "force": _plain(item.force, f"The force of contact {item.name!r}"),
                "axes": item.axes,
            }
            for item in contacts
        ],
        "couples": [
            {
                "name": item.name,
                "link": chain.link_number(item.link, f"load {item.name!r}"),
                "moment": _plain(item.moment, f"The moment of couple {item.name!r}"),
            }
            for item in couples
        ],
    }
    if equipment:
        content["equipment"] = [equipment_content(item, chain) for item in equipment]
    if motion is not None:
        names = ("time", "angle", "velocity", "acceleration", "base_acceleration")
        values = {name: getattr(motion, name) for name in names}
        content["motion"] = {
            name: _plain(value, f"The {name}") for name, value in values.items() if value is not None
        }
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    with atomic_writer(path) as stream:
        stream.write(text.encode("utf-8") + b"\n")


def _chain_content(chain: Chain, tension: Mapping[str, ArrayLike]) -> dict[str, Any]:
    data = chain_data(chain)
    for muscle in data["muscles"]:
        if (name := muscle["name"]) in tension:
            muscle["tension"] = _plain(tension[name], f"The tension of muscle {name!r}")
    return {"name": chain.name, **data}


def _plain(value: ArrayLike, what: str) -> Any:
    return checks.finite(value, what, "save_chain").tolist()


def _chain(file: schema.ChainSection) -> Chain:
    links = []
    for number, item in enumerate(file.links, start=1):
        name = item.name or f"link{number}"
        if item.com is not None:
            com = (item.com[0], item.com[1])
            links.append(Link(name, item.length, item.mass, item.inertia, com, item.joint))
        else:
            distance = item.com_distance or 0.0
            links.append(
                Link.from_polar(
                    name, item.length, item.mass, item.inertia, distance, item.com_angle, item.joint
                )
            )
    base = file.base
    place, com = (base.position[0], base.position[1]), (base.com[0], base.com[1])
    anchor = Base(place, base.mass, com, base.floor)
    bare = Chain(tuple(links), anchor, (file.gravity[0], file.gravity[1]), name=file.name)
    muscles = []
    for number, muscle in enumerate(file.muscles, start=1):
        name = muscle.name or f"muscle{number}"
        path = tuple(
            (bare.link_number(link, f"muscle {name!r}") if isinstance(link, str) else link, point)
            for link, point in muscle.path
        )
        muscles.append(Muscle(name, path))
    return Chain(bare.links, anchor, bare.gravity, tuple(muscles), file.name)


def _contact(item: schema.ContactSection, number: int) -> Contact:
    name = item.name or f"contact{number}"
    if item.distance is not None:
        return Contact.from_polar(name, item.link, item.distance, item.angle, item.magnitude, item.direction)
    return Contact(name, item.link, item.point, item.force, item.axes)


def _motion(item: schema.MotionSection | None) -> tuple[Motion | None, tuple[ArrayLike, ArrayLike] | None]:
    """Build the motion; a single instant without rates is a posture at rest, one with velocities only a state."""
    if item is None:
        return None, None
    one_instant = np.ndim(item.angle) == 1
    angle, velocity, acceleration = (
        value if value is None or not one_instant else np.atleast_2d(value)
        for value in (item.angle, item.velocity, item.acceleration)
    )
    time = item.time
    if time is None:
        if not one_instant and len(np.atleast_1d(angle)) != 1:
            raise MissingInputError(
                f"The motion has {len(angle)} instants and no times.",
                where="motion.time",
                remedy="give one time (s) for each instant",
            )
        time = np.zeros(1)
    time = np.atleast_1d(time)
    if len(time) == 1 and velocity is None and acceleration is None:
        velocity = acceleration = np.zeros_like(angle)
    make = Motion.from_joint_angles if item.angles == "joint" else Motion
    if len(time) == 1 and acceleration is None:
        still = make(time, angle, velocity, np.zeros_like(angle))
        return None, (still.angle, still.velocity)
    motion = make(time, angle, velocity, acceleration, item.base_acceleration)
    return motion, (motion.angle, motion.velocity)


def _json(data: bytes, source: str) -> Any:
    refuse_binary(data, source, EXPECTED)
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            # Python alone limits the digits of whole numbers; larger ones are floats to everybody else.
            parse_int=lambda digits: int(digits) if len(digits) < 18 else float(digits),
        )
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"The file is not text in UTF-8, expected {EXPECTED}.", where=f"{source}, byte {error.start}"
        ) from None
    except json.JSONDecodeError as error:
        raise FileFormatError(
            f"The file is not JSON: {error.msg}.",
            where=f"{source}, line {error.lineno}, column {error.colno}",
            remedy="check commas, quotes and brackets just before this place",
        ) from None
    except RecursionError:
        raise FileFormatError(f"The file is nested too deeply, expected {EXPECTED}.", where=source) from None
    except BorelliError as error:
        raise _with_source(error, source) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FileFormatError(
            f"The key {twice!r} appears twice in one object.",
            where=f"key {twice!r}",
            remedy="keep one of them",
        )
    return result


def _no_constant(name: str) -> Any:
    raise FileFormatError(f"{name} is not a valid number.", where="a value", remedy="give a finite number")


def _translated(error: ValidationError, spelling: spellings.Spelling) -> BorelliError:
    """Turn the first complaint of the schema into ours, with the file's own spelling of the place."""
    first, *others = error.errors(include_url=False, include_input=False)
    # Members of a union are tried one by one and end up in the path; the file does not have them.
    path = tuple(step for step in first["loc"] if not (isinstance(step, str) and _is_type_tag(step)))
    place = spellings.dotted(spelling.written(path))
    more = f" ({len(others)} more problem(s).)" if others else ""
    if first["type"] == "missing":
        key = str(path[-1])
        section = next((str(step) for step in reversed(path[:-1]) if isinstance(step, str)), "")
        short = [name for name, full in spellings.SHORT.get(section, {}).items() if full == key]
        also = f" (or {short[0]!r})" if short else ""
        owner = spellings.dotted(spelling.written(path[:-1])) if path[:-1] else "the file"
        return MissingInputError(f"{owner} has no {key!r}.{more}", where=place, remedy=f"give {key!r}{also}")
    if first["type"] == "empty":
        return _empty(path, place, more)
    message = first["msg"]
    sentence = (
        message
        if first["type"] in ("numbers", "path", "contact", "mass_centre", "name", "equipment")
        else _plain_words(first)
    )
    return FileFormatError(f"{place!r} {sentence}.{more}", where=place)


def _empty(path: tuple[str | int, ...], place: str, more: str) -> BorelliError:
    """Say what an empty list lacks."""
    if path[0] == "motion" and path[-1] in ("time", "angle"):
        return MissingInputError(
            f"The motion has no instants: {place!r} is empty.{more}",
            where=place,
            remedy="give at least one instant, an angle (rad) for each link, or leave 'motion' out",
        )
    return MissingInputError(
        f"{place!r} is empty.{more}", where=place, remedy="give numbers, or leave the key out"
    )


def _is_type_tag(step: str) -> bool:
    return step.startswith(("constrained-", "function-", "int", "str", "list["))


def _plain_words(complaint: Any) -> str:
    kind, context = complaint["type"], complaint.get("ctx", {})
    if kind in ("float_type", "finite_number", "int_type"):
        return "must be a finite number"
    if kind in ("string_type", "string_too_short"):
        return "must be a text that is not empty"
    if kind in ("too_short", "too_long"):
        limit = context.get("min_length", context.get("max_length"))
        return f"must have {'at least' if kind == 'too_short' else 'at most'} {limit} item(s)"
    if kind == "list_type":
        return "must be a list"
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        return "must be an object with keys"
    if kind == "literal_error":
        return f"must be one of {context.get('expected')}"
    return str(complaint["msg"])


@contextmanager
def _located(source: str) -> Iterator[None]:
    """Put the file's name in front of the place that an error names."""
    try:
        yield
    except BorelliError as error:
        raise _with_source(error, source) from None


def _with_source(error: BorelliError, source: str) -> BorelliError:
    where = f"{source}, {error.where}" if error.where else source
    return type(error)(error.what, where=where, closest=error.closest, remedy=error.remedy)
