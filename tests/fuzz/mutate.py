"""Damage to files: what disks, networks, editors and enemies do."""

from __future__ import annotations

import random
import re

ODD_WORDS = [b"nan", b"inf", b"-1", b"0", b"1e300", b"1e-300", b"1e999", b"-0.0", b"99999999999999999999", b"true",
             b"ground", b"x", b"", b"a b", b"0.5", b"7", b"Vec3", b"time", b"unassigned", b"no"]  # fmt: skip
NASTY = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t\t",
    b"nan",
    b"-inf",
    b"1e999",
    b"1e-999",
    b"9" * 400,
    b"-" * 50,
    b"0x10",
    b"1_000",
    b"1,5",
    b"endheader\n",
    b"nRows=99999999999999999999\n",
    b"nColumns=-5\n",
    b"DataType=Quaternion\n",
    b"inDegrees=maybe\n",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
    b"&x;",
    b"<a>" * 300,
    b"</objects>",
    b"../../../../../../etc/passwd",
    b"\x80\x81\xfe",
    "é°Ω\u2028".encode(),
    b"%s%n{}",
]


def mutated(seed: bytes, rng: random.Random) -> bytes:
    """Return a damaged copy: a few random cuts, copies, swaps, flips and insertions."""
    data = bytearray(seed)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        _damage(data, rng)
    return bytes(data)


def _damage(data: bytearray, rng: random.Random) -> None:
    kind = rng.randrange(14)
    at = rng.randrange(len(data) + 1)
    length = rng.choice((1, 2, 4, 20, 200))
    if kind == 0:
        del data[at:]
    elif kind == 1:
        del data[at : at + length]
    elif kind == 2:
        data[at:at] = data[at : at + length] * rng.choice((1, 2, 50))
    elif kind == 3:
        data[at:at] = rng.choice(NASTY)
    elif kind == 4 and data:
        data[at % len(data)] = rng.randrange(256)
    elif kind == 5 and data:
        data[at % len(data)] ^= 1 << rng.randrange(8)
    elif kind == 6:
        other = rng.randrange(len(data) + 1)
        data[at : at + length], data[other : other + length] = (
            data[other : other + length],
            data[at : at + length],
        )
    elif kind == 7:
        data[at : at + length] = bytes(rng.randrange(256) for _ in range(length))
    elif kind == 8:
        _replace(data, rb"\S+", NASTY, rng)
    else:
        # Gentle: the file keeps its form, so that what reads its content is reached.
        _replace(data, rb"[\w.+-]+", ODD_WORDS, rng)


def _replace(data: bytearray, pattern: bytes, by: list[bytes], rng: random.Random) -> None:
    """Put something else in the place of a word or number."""
    found = list(re.finditer(pattern, bytes(data)))
    if found:
        start, end = rng.choice(found).span()
        data[start:end] = rng.choice(by)
