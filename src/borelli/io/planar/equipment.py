"""Exercise equipment in planar chain files."""

from __future__ import annotations

from typing import Any

from borelli.io.planar import schema
from borelli.planar.chain import Chain
from borelli.planar.equipment import Band, Cable, Equipment, Spring, Weight

_EQUIPMENT: dict[str, type[Equipment]] = {"weight": Weight, "band": Band, "spring": Spring, "cable": Cable}


def equipment_from(item: schema.EquipmentSection, number: int) -> Equipment:
    """Make a piece of equipment from its section of a file."""
    needed, more = schema.EQUIPMENT_KEYS[item.kind]
    given = {key: getattr(item, key) for key in (*needed, *more) if getattr(item, key) is not None}
    place = (item.point[0], item.point[1])
    if "anchor" in given:
        given["anchor"] = tuple(given["anchor"])
    return _EQUIPMENT[item.kind](item.name or f"{item.kind}{number}", item.link, place, **given)


def equipment_content(item: Equipment, chain: Chain) -> dict[str, Any]:
    """Return the section of a file that says a piece of equipment."""
    kind = next(kind for kind, cls in _EQUIPMENT.items() if type(item) is cls)
    needed, more = schema.EQUIPMENT_KEYS[kind]
    values = {key: getattr(item, key) for key in (*needed, *more)}
    return {
        "kind": kind,
        "name": item.name,
        "link": chain.link_number(item.link, f"equipment {item.name!r}"),
        "point": list(item.point),
        **{key: list(value) if isinstance(value, tuple) else value for key, value in values.items()},
    }
