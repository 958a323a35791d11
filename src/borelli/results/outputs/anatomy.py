"""Muscles by their own names: what models abbreviate, the muscle that is meant, and the group it belongs to.

``med_gas_r``, ``gasmed_r`` and ``gastroc_r`` are the right gastrocnemius, of the triceps surae. A name that no row
knows stays as it is; nothing is guessed.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple


class Named(NamedTuple):
    """A name in plain words: what it is, its group (else the same), and its side ("right", "left" or "")."""

    what: str
    group: str
    side: str

    @property
    def words(self) -> str:
        """Side and name: ``right gastrocnemius``."""
        return f"{self.side} {self.what}" if self.side else self.what


# Group: muscle: beginnings of what models call it, lower case, without side, number and underscores.
_TABLE: dict[str, dict[str, str]] = {
    "quadriceps": {
        "rectus femoris": "rectfem recfem rectusfemoris rf",
        "vasti": "vasmed vaslat vasint vasti vastus vas",
    },
    "hamstrings": {
        "semimembranosus": "semimem",
        "semitendinosus": "semiten",
        "biceps femoris": "bifemlh bifemsh bflh bfsh bicepsfem bicfem",
        "hamstrings": "hamstring hams",
    },
    "triceps surae": {
        "gastrocnemius": "medgas latgas gasmed gaslat gastroc gasm gasl gas",
        "soleus": "soleus sol",
    },
    "gluteals": {
        "gluteus maximus": "glutmax glmax gmax gluteusmax",
        "gluteus medius": "glutmed glmed gmed gluteusmed",
        "gluteus minimus": "glutmin glmin gmin gluteusmin",
    },
    "hip flexors": {
        "iliacus": "iliacus",
        "psoas": "psoas",
        "iliopsoas": "iliopsoas",
        "sartorius": "sart sar",
        "tensor fasciae latae": "tfl tensorfasc",
    },
    "adductors": {
        "adductor longus": "addlong",
        "adductor brevis": "addbrev",
        "adductor magnus": "addmag",
        "gracilis": "grac",
        "pectineus": "pect",
    },
    "hip rotators": {"quadratus femoris": "quadfem", "gemelli": "gem", "piriformis": "peri piri"},
    "dorsiflexors": {
        "tibialis anterior": "tibant ta tibialisant",
        "extensor digitorum longus": "extdig edl",
        "extensor hallucis longus": "exthal ehl",
        "peroneus tertius": "pertert",
    },
    "deep calf": {
        "tibialis posterior": "tibpost tp tibialispost",
        "flexor digitorum longus": "flexdig fdl",
        "flexor hallucis longus": "flexhal fhl",
    },
    "peroneals": {"peroneus longus": "perlong", "peroneus brevis": "perbrev"},
    "back extensors": {"erector spinae": "ercspn erectorspin", "multifidus": "multif"},
    "abdominals": {
        "internal oblique": "intobl",
        "external oblique": "extobl",
        "rectus abdominis": "rectabd rectusabd",
    },
    "deltoid": {"deltoid": "delt"},
    "rotator cuff": {
        "supraspinatus": "supsp supraspin",
        "infraspinatus": "infsp infraspin",
        "subscapularis": "subsc",
        "teres minor": "tmin teresmin",
    },
    "shoulder adductors": {
        "teres major": "tmaj teresmaj",
        "pectoralis major": "pecm pectoralismaj",
        "latissimus dorsi": "lat latissimus",
        "coracobrachialis": "corb coracobr",
    },
    "elbow flexors": {
        "biceps brachii": "biclong bicshort bic biceps bicepsbrach",
        "brachialis": "bra brachialis",
        "brachioradialis": "brd brachiorad",
    },
    "elbow extensors": {
        "triceps brachii": "trilong trilat trimed tri triceps tricepsbrach",
        "anconeus": "anc",
    },
}
_EXACT_BELOW = 5
"""Letters; an abbreviation this short must be the whole name, so that ``tapir`` is no tibialis anterior."""
_ROWS = [
    (key, muscle, group)
    for group, muscles in _TABLE.items()
    for muscle, keys in muscles.items()
    for key in keys.split()
]
_NAMES = 4096
"""Names that are remembered: a page asks for those of a model some hundred times."""
_SIDES = {"r": "right", "right": "right", "l": "left", "left": "left"}
_SIDE = re.compile(
    r"^(?:(?P<first>r|l|right|left)[_ ])?(?P<name>.+?)(?:[_ ](?P<last>r|l|right|left))?$", re.I
)


@functools.lru_cache(_NAMES)
def split_side(name: str) -> tuple[str, str]:
    """Return a name without its side, and ``"right"``, ``"left"`` or ``""``."""
    found = _SIDE.match(name)
    if found is None:
        return name, ""
    side = found["last"] or found["first"]
    return (found["name"], _SIDES[side.casefold()]) if side else (name, "")


@functools.lru_cache(_NAMES)
def muscle_named(name: str) -> Named:
    """Return what muscle a model means; a name that is not known stays, without its underscores."""
    stem, side = split_side(name)
    key = re.sub(r"[\W_\d]+", "", stem.casefold())
    for known, muscle, group in _ROWS:
        short = len(known) < _EXACT_BELOW
        if key == known or (not short and key.startswith(known)):
            return Named(muscle, group, side)
    plain = re.sub(r"_+", " ", re.sub(r"(?<=[A-Za-z_])\d+$", "", stem)).strip() or stem
    return Named(plain, plain, side)


@functools.lru_cache(_NAMES)
def synonyms(muscle: str) -> str:
    """Words by which a muscle may be looked for: its name, its group, and what models call it."""
    keys = [key for key, name, _ in _ROWS if name == muscle]
    groups = {group for _, name, group in _ROWS if name == muscle}
    return " ".join([muscle, *groups, *keys])
