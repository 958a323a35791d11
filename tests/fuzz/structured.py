"""Files that keep their form and lie about their content: trees of XML, TOML and JSON with parts changed.

Damaged bytes mostly stop at the parser. Here the parser is content, so that what reads the meaning is reached: numbers
that no body has, names that nothing answers to, parts that are missing, doubled, moved or of another kind.
"""

from __future__ import annotations

import copy
import json
import random
import tomllib
from typing import Any
from xml.etree import ElementTree

from borelli.io.text.toml_text import document

NUMBERS = (
    "0",
    "-1",
    "1",
    "1e-300",
    "1e300",
    "-1e300",
    "nan",
    "inf",
    "-inf",
    "1e-12",
    "3.14159",
    "1e9",
    "-0.0",
    "1000000",
)
_COLONS = b".colons."
WORDS = ("", "ground", "x", "/", "..", "/ground", "true", "false", "Unassigned", "a b", "0 0 0", "1 2", "\u202e",
         "=1+1", "\x7f", "../../../x", "knee_angle_r", "bodyset/shank", "9" * 400)  # fmt: skip


def xml_mutated(seed: bytes, rng: random.Random) -> bytes:
    """Return a document whose elements were changed, moved, doubled or left out."""
    # OpenSim has tags with colons, which are no namespaces.
    root = ElementTree.fromstring(seed.replace(b"::", _COLONS))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        _change_element(root, rng)
    return ElementTree.tostring(root, encoding="utf-8").replace(_COLONS, b"::")


def _change_element(root: ElementTree.Element, rng: random.Random) -> None:
    holders = [element for element in root.iter() if len(element)]
    leaves = [element for element in root.iter() if (element.text or "").strip() and not len(element)]
    kind = rng.randrange(12)
    if kind < 5 and leaves:
        leaf = rng.choice(leaves)
        leaf.text = _other_text(leaf.text or "", rng)
        return
    if not holders:
        return
    holder = rng.choice(holders)
    child = rng.choice(list(holder))
    if kind == 5:
        holder.remove(child)
    elif kind == 6:
        holder.append(copy.deepcopy(child))
    elif kind == 7:
        target = rng.choice(holders)
        target.append(copy.deepcopy(child))
    elif kind == 8:
        child.set("name", rng.choice((*WORDS, *(each.get("name", "") for each in rng.sample(holders, 1)))))
    elif kind == 9:
        child.tag = rng.choice([element.tag for element in root.iter()])
    elif kind == 10 and leaves:
        one, other = rng.choice(leaves), rng.choice(leaves)
        one.text, other.text = other.text, one.text
    else:
        rng.shuffle(children := list(holder))
        holder[:] = children


def _other_text(text: str, rng: random.Random) -> str:
    words = text.split()
    if words and rng.random() < 0.8:
        at = rng.randrange(len(words))
        words[at] = rng.choice(NUMBERS) if rng.random() < 0.7 else rng.choice(WORDS)
        if rng.random() < 0.15:
            words = words[: rng.randrange(len(words) + 1)] or words * 2
        return " ".join(words)
    return rng.choice((*NUMBERS, *WORDS))


def toml_mutated(seed: bytes, rng: random.Random) -> bytes:
    """Return a TOML file whose values and tables were changed."""
    content = tomllib.loads(seed.decode())
    for _ in range(rng.choice((1, 1, 2, 4))):
        _change_value(content, rng)
    try:
        return document(content).encode()
    except (TypeError, ValueError, AttributeError):
        return seed  # what TOML cannot say


def json_mutated(seed: bytes, rng: random.Random) -> bytes:
    """Return a JSON file whose values were changed."""
    content = json.loads(seed)
    for _ in range(rng.choice((1, 1, 2, 4))):
        _change_value(content, rng)
    return json.dumps(content).encode()


def _change_value(content: Any, rng: random.Random) -> None:
    """Change one thing somewhere in nested lists and tables."""
    places: list[tuple[Any, Any]] = []
    stack = [content]
    while stack:
        holder = stack.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        places += [(holder, key) for key in keys]
        stack += [holder[key] for key in keys if isinstance(holder[key], dict | list) and holder[key]]
    if not places:
        return
    holder, key = rng.choice(places)
    kind = rng.randrange(7)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    elif kind == 2 and isinstance(holder, dict):
        holder[rng.choice(WORDS)] = copy.deepcopy(holder[key])
    elif kind == 3:
        other, place = rng.choice(places)
        holder[key] = copy.deepcopy(other[place])
    else:
        holder[key] = _other_value(holder[key], rng)


def _other_value(value: Any, rng: random.Random) -> Any:
    odd: list[Any] = [
        0,
        -1,
        1e300,
        float("nan"),
        float("inf"),
        "",
        "x",
        [],
        {},
        True,
        [value],
        {"a": value},
        10**400,
    ]
    if isinstance(value, int | float) and not isinstance(value, bool):
        odd += [float(number) for number in NUMBERS] * 2
    if isinstance(value, str):
        odd += list(WORDS) * 2
    return rng.choice(odd)
