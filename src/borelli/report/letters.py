"""Bytes as letters of a page: five letters for every four bytes."""

from __future__ import annotations

import numpy as np

# Printed ASCII without blanks and what means something to HTML, to a template or in a text that is quoted.
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,-.:;=?@[]^_{|}~"
_LETTERS = np.frombuffer(_ALPHABET.encode("ascii"), dtype=np.uint8)
# As in Ascii85: 85⁵ is just more than 2³², so that five letters hold four bytes.
_BASE, _BYTES, _DIGITS = 85, 4, 5
_PAIRED = np.uint32(_BASE**2)
_PAIRS = np.column_stack([_LETTERS.repeat(_BASE), np.tile(_LETTERS, _BASE)]).view(np.uint16).ravel()


def in_letters(small: bytes) -> str:
    """Return bytes in letters that mean nothing to HTML: how many bytes, a stroke, and the letters.

    First the first letters of all words of four bytes, then their second and third ones, then their last two: NumPy
    writes so in a third of the time that words beside words take.
    """
    words = np.frombuffer(small + bytes(-len(small) % _BYTES), dtype="<u4")
    # By way of quotients: NumPy divides by a constant in a fraction of the time of a remainder.
    upper = words // _PAIRED
    first = upper // _PAIRED
    planes = (_LETTERS[first], _PAIRS[upper - first * _PAIRED], _PAIRS[words - upper * _PAIRED])
    return f"{len(small)}/{b''.join(plane.tobytes() for plane in planes).decode('ascii')}"


def from_letters(text: str) -> bytes:
    """Return the bytes, as the page's script reads them."""
    count, _, letters = text.partition("/")
    digit = np.zeros(128, dtype=np.uint64)
    digit[_LETTERS] = np.arange(_BASE)
    digits = digit[np.frombuffer(letters.encode("ascii"), dtype=np.uint8)]
    n = len(digits) // _DIGITS
    pairs = digits[n:].reshape(2, n, 2) @ np.array([_BASE, 1], dtype=np.uint64)
    words = (digits[:n] * np.uint64(_PAIRED) + pairs[0]) * np.uint64(_PAIRED) + pairs[1]
    return words.astype("<u4").tobytes()[: int(count)]
