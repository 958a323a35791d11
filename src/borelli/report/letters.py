"""Bytes as letters of a page: compressed, and five letters for every four bytes."""

from __future__ import annotations

import zlib

import numpy as np

# Printed ASCII without blanks and what means something to HTML, to a template or in a text that is quoted.
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,-.:;=?@[]^_{|}~"
_LETTERS = np.frombuffer(_ALPHABET.encode("ascii"), dtype=np.uint8)
# As in Ascii85: 85⁵ is just more than 2³², so that five letters hold four bytes.
_BASE, _BYTES, _DIGITS = 85, 4, 5
_PAIRED = np.uint32(_BASE**2)
_PAIRS = np.column_stack([_LETTERS.repeat(_BASE), np.tile(_LETTERS, _BASE)])
# zlib's own balance of size and time.
_LEVEL = 6


def packed(content: bytes) -> str:
    """Return bytes in letters that mean nothing to HTML: how many there are once compressed, a stroke, and these."""
    small = zlib.compress(content, _LEVEL)
    words = np.frombuffer(small + bytes(-len(small) % _BYTES), dtype=">u4").astype(np.uint32)
    # By way of quotients, and two letters at a time: NumPy divides by a constant in a fraction of the time.
    upper = words // _PAIRED
    first = upper // _PAIRED
    letters = np.empty((len(words), _DIGITS), dtype=np.uint8)
    letters[:, 0] = _LETTERS[first]
    letters[:, 1:3] = _PAIRS[upper - first * _PAIRED]
    letters[:, 3:] = _PAIRS[words - upper * _PAIRED]
    return f"{len(small)}/{letters.tobytes().decode('ascii')}"


def unpacked(text: str) -> bytes:
    """Return the bytes, as the page's script reads them."""
    count, _, letters = text.partition("/")
    digit = np.zeros(128, dtype=np.uint64)
    digit[_LETTERS] = np.arange(_BASE)
    digits = digit[np.frombuffer(letters.encode("ascii"), dtype=np.uint8)].reshape(-1, _DIGITS)
    words = digits @ (np.uint64(_BASE) ** np.arange(_DIGITS - 1, -1, -1, dtype=np.uint64))
    return zlib.decompress(words.astype(">u4").tobytes()[: int(count)])
