"""Chain files in the symbols of Cesari et al. (2001): m, l, d, I, joint angles alpha, a spring on the hand.

Angles and the spring's force are one instant or, with ``time``, one row per instant. Where the spring is fastened has
two readings in the paper (its legend measures d_S from the wrist, its equations from the hand's mass centre), so that a
file says which one it means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from borelli.errors import DuplicateNameError, FileFormatError, ShapeError, UnknownNameError

_LINKS = ("m", "l", "d", "I")
_DISTANCES = ("d_S_from_hand_com", "d_S_from_wrist")
_RATES = {"alpha": "angle", "alpha_dot": "velocity", "alpha_ddot": "acceleration"}
_KEYS = (*_LINKS, "g", "F_S", *_DISTANCES, "time", *_RATES)


def from_cesari(data: Mapping[str, Any]) -> dict[str, Any]:
    """Rewrite Cesari's symbols in the full names of a chain file."""
    _check_keys(data)
    rows = zip(data["l"], data["m"], data["I"], data["d"], strict=True)
    links = [{"length": a, "mass": b, "inertia": c, "com": [d, 0.0]} for a, b, c, d in rows]
    motion = {full: data[key] for key, full in _RATES.items() if key in data} | {"angles": "joint"}
    if "time" in data:
        motion["time"] = data["time"]
    result: dict[str, Any] = {"links": links, "motion": motion}
    if "g" in data:
        result["gravity"] = [0.0, -_number(data["g"], "g")]
    if "F_S" in data:
        spring = {"name": "spring", "link": len(links), "point": [_distance(data), 0.0]}
        result["contacts"] = [spring | {"force": _pull(data)}]
    return result


def _check_keys(data: Mapping[str, Any]) -> None:
    if "d_S" in data:
        raise UnknownNameError(
            "'d_S' is ambiguous: the paper's legend measures it from the wrist, its equations from the hand's "
            "mass centre.",
            where="d_S",
            closest=_DISTANCES,
            remedy="write the one you mean: d_S_from_wrist or d_S_from_hand_com (m)",
        )
    for key in data:
        if key not in _KEYS:
            raise UnknownNameError.among(key, "key of a chain file in Cesari's symbols", _KEYS, where=key)
    if all(key in data for key in _DISTANCES):
        raise DuplicateNameError(
            "The spring's distance is given twice, from the hand's mass centre and from the wrist.",
            where=", ".join(_DISTANCES),
            remedy="keep one of them",
        )
    missing = [key for key in _LINKS if not isinstance(data.get(key), list)]
    lengths = {len(data[key]) for key in _LINKS if key not in missing}
    if missing or len(lengths) != 1:
        raise FileFormatError(
            "Cesari's symbols need the lists m, l, d and I, equally long.",
            where=", ".join(missing) or "m, l, d, I",
            remedy="give one number a link in each",
        )


def _number(value: Any, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FileFormatError(f"{key!r} must be a number in Cesari's symbols.", where=key)
    return value


def _distance(data: Mapping[str, Any]) -> float:
    """Distance of the spring from the wrist (m)."""
    if "d_S_from_wrist" in data:
        return _number(data["d_S_from_wrist"], "d_S_from_wrist")
    hand = _number(data["d"][-1], "d") if data["d"] else 0.0
    return hand + _number(data.get("d_S_from_hand_com", 0.0), "d_S_from_hand_com")


def _pull(data: Mapping[str, Any]) -> list[Any]:
    """Force of the spring on the hand, against x: one vector, or one per instant."""
    given = data["F_S"]
    if not isinstance(given, list):
        return [-_number(given, "F_S"), 0.0]
    pulls = [[-_number(value, "F_S"), 0.0] for value in given]
    alpha = data["alpha"]
    many = isinstance(alpha, list) and bool(alpha) and isinstance(alpha[0], list)
    n_times = len(alpha) if many else 1
    if len(pulls) != n_times:
        raise ShapeError(
            f"'F_S' has {len(pulls)} value(s), 'alpha' {n_times} instant(s).",
            where="F_S",
            remedy="give one force (N) for all instants, or one for each",
        )
    return pulls
