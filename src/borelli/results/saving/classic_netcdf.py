"""Files of the classic NetCDF format: a header, then the numbers of one variable after the other.

Every program that reads NetCDF reads it, and no library has to be loaded, or trusted with a file from a stranger: what
the header states is compared with the size of the file before any memory is taken. The format is that of the NetCDF
Users Guide (appendix "File Format Specifications", Unidata): version 2 with offsets of 64 bits, or version 5 where a
variable is larger than 2 GiB or its numbers are of a type that version 2 does not have.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_DIMENSION, _VARIABLE, _ATTRIBUTE = 10, 11, 12
"""The format's own tags of the lists in its header."""
_CHAR = 2
"""The format's own code of single bytes of text."""
_TYPES = {1: "i1", 3: ">i2", 4: ">i4", 5: ">f4", 6: ">f8", 7: "u1", 8: ">u2", 9: ">u4", 10: ">i8", 11: ">u8"}
"""Numbers by the format's own code of their type; the first five are all that version 2 has."""
_CODES = {np.dtype(kind).newbyteorder("="): code for code, kind in _TYPES.items()}
_LAST_OF_VERSION_2 = 6
_LARGEST_OF_VERSION_2 = 2**31 - 4
"""Bytes of a variable; version 2 allows twice as much, which old readers take for a negative number."""
_AT_ONCE = 2**18
"""Bytes that are put into the order of the file at a time."""
_MOST_DIMENSIONS = 32
"""Of a variable; NumPy before 2.0 has no more."""
_HDF5 = b"\x89HDF"


class NetcdfVariable(NamedTuple):
    """Names of the dimensions, numbers or single bytes of text (kind ``S1``), and attributes: text or numbers."""

    dims: tuple[str, ...]
    values: np.ndarray
    attrs: Mapping[str, Any]


class NetcdfFile(NamedTuple):
    """What a file holds; no dimension is empty."""

    variables: Mapping[str, NetcdfVariable]
    attrs: Mapping[str, Any]


class NotClassicError(ValueError):
    """A file is HDF5, as NetCDF-4 files are."""


def write_classic(file: NetcdfFile, path: Path) -> None:
    """Write a file; every dimension of a name has one length, which is not zero."""
    sizes: dict[str, int] = {}
    for each in file.variables.values():
        sizes.update(zip(each.dims, each.values.shape, strict=True))
    header = _Header(_version(file))
    begins = [0] * len(file.variables)
    # The length of the header does not depend on the offsets in it: written once without them, then with them.
    place = len(header.text(file, sizes, begins))
    for k, each in enumerate(file.variables.values()):
        begins[k] = place
        place += _padded(each.values.nbytes)
    with path.open("wb") as stream:
        stream.write(header.text(file, sizes, begins))
        for each in file.variables.values():
            for part in _parts(each.values):
                stream.write(np.ascontiguousarray(part, dtype=_big_endian(part.dtype)).data)
            stream.write(bytes(_padded(each.values.nbytes) - each.values.nbytes))


def _parts(values: np.ndarray) -> Iterator[np.ndarray]:
    """Yield an array in parts of some rows: shares of a long motion lie on the disk, and have no room in memory."""
    if not values.ndim:
        yield values
        return
    step = max(1, _AT_ONCE * len(values) // max(values.nbytes, 1))
    for start in range(0, len(values), step):
        yield values[start : start + step]


def _version(file: NetcdfFile) -> int:
    arrays = [each.values for each in file.variables.values()]
    fits = all(
        _code(each.dtype) <= _LAST_OF_VERSION_2 and each.nbytes < _LARGEST_OF_VERSION_2 for each in arrays
    )
    return 2 if fits else 5


def _code(dtype: np.dtype[Any]) -> int:
    return _CHAR if dtype == "S1" else _CODES[dtype.newbyteorder("=")]


def _big_endian(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder(">")


def _padded(n_bytes: int) -> int:
    """Return a number of bytes rounded up to whole words of four, as everything in a file is."""
    return -(-n_bytes // 4) * 4


class _Header:
    """Writes headers of one version: counts have four bytes in version 2, eight in version 5."""

    def __init__(self, version: int) -> None:
        self._magic = b"CDF" + bytes([version])
        self._count = ">i" if version == 2 else ">q"

    def text(self, file: NetcdfFile, sizes: Mapping[str, int], begins: list[int]) -> bytes:
        """Return the header of a file whose variables begin at these offsets."""
        order = {name: k for k, name in enumerate(sizes)}
        dims = [self._name(name) + self._number(size) for name, size in sizes.items()]
        variables = []
        for (name, each), begin in zip(file.variables.items(), begins, strict=True):
            # A length that version 2 cannot state does not occur: such a file is of version 5.
            variables.append(
                self._name(name)
                + self._number(len(each.dims))
                + b"".join(self._number(order[dim]) for dim in each.dims)
                + self._attributes(each.attrs)
                + struct.pack(">i", _code(each.values.dtype))
                + self._number(_padded(each.values.nbytes))
                + struct.pack(">q", begin)
            )
        # No dimension grows: there are no records.
        return (
            self._magic
            + self._number(0)
            + self._list(_DIMENSION, dims)
            + self._attributes(file.attrs)
            + self._list(_VARIABLE, variables)
        )

    def _number(self, value: int) -> bytes:
        return struct.pack(self._count, value)

    def _list(self, tag: int, items: list[bytes]) -> bytes:
        return struct.pack(">i", tag if items else 0) + self._number(len(items)) + b"".join(items)

    def _name(self, name: str) -> bytes:
        coded = name.encode()
        return self._number(len(coded)) + _filled(coded)

    def _attributes(self, attributes: Mapping[str, Any]) -> bytes:
        items = []
        for name, value in attributes.items():
            if isinstance(value, str):
                coded = value.encode()
                items.append(self._name(name) + self._valued(_CHAR, len(coded), coded))
            else:
                number = np.asarray(value, dtype=np.int32 if isinstance(value, int) else None)
                raw = number.astype(_big_endian(number.dtype)).tobytes()
                items.append(self._name(name) + self._valued(_code(number.dtype), number.size, raw))
        return self._list(_ATTRIBUTE, items)

    def _valued(self, code: int, count: int, raw: bytes) -> bytes:
        return struct.pack(">i", code) + self._number(count) + _filled(raw)


def _filled(raw: bytes) -> bytes:
    return raw + bytes(_padded(len(raw)) - len(raw))


def read_classic(path: Path) -> NetcdfFile:
    """Read a file whole, with numbers in the machine's own order of bytes.

    Raises
    ------
    NotClassicError
        If the file is HDF5, which nothing here reads.
    ValueError
        If it is not what the format says; before any memory is taken for more than the file holds.
    """
    if not path.stat().st_size:
        raise ValueError("the file is empty")
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    if bytes(raw[:4]) == _HDF5:
        raise NotClassicError("the file is HDF5")
    reader = _Reader(raw)
    reader.number()  # of records, which only a dimension of length zero has, and none has that
    names = [(reader.name(), reader.number()) for _ in range(reader.list_of(_DIMENSION))]
    if any(size <= 0 for _, size in names):
        raise ValueError("a dimension has no length")
    attributes = reader.attributes()
    stated = [reader.stated(names) for _ in range(reader.list_of(_VARIABLE))]
    end, variables = reader.place, {}
    # One after the other, as they are written: so that a small file cannot hold the same bytes a thousand times.
    for name, each in sorted(stated, key=lambda each: each[1].begin):
        if each.begin < end or each.end > len(raw):
            raise ValueError(f"variable {name!r} lies beyond the file, or where another one is")
        end = each.end
    for name, each in stated:
        values = raw[each.begin : each.end].view(each.kind).reshape(each.shape)
        variables[name] = NetcdfVariable(
            each.dims, np.array(values, dtype=each.kind.newbyteorder("=")), each.attrs
        )
    if len(variables) != len(stated):
        raise ValueError("two variables have the same name")
    return NetcdfFile(variables, attributes)


class _Stated(NamedTuple):
    """What a header says of a variable."""

    dims: tuple[str, ...]
    shape: tuple[int, ...]
    kind: np.dtype[Any]
    attrs: Mapping[str, Any]
    begin: int

    @property
    def end(self) -> int:
        return self.begin + math.prod(self.shape) * self.kind.itemsize


class _Reader:
    """Reads a header from its beginning; nothing beyond the end of the file is looked at."""

    def __init__(self, raw: np.ndarray) -> None:
        self._raw = raw
        self.place = 4
        versions = {b"CDF\x02": ">i", b"CDF\x05": ">q"}
        magic = bytes(raw[:4])
        if magic not in versions:
            raise ValueError("the file is not of the classic NetCDF format")
        self._count = versions[magic]

    def _taken(self, n_bytes: int) -> bytes:
        end = self.place + _padded(n_bytes)
        if n_bytes < 0 or end > len(self._raw):
            raise ValueError("the header ends too early")
        taken = self._raw[self.place : self.place + n_bytes].tobytes()
        self.place = end
        return taken

    def _unpacked(self, form: str) -> int:
        value: int = struct.unpack(form, self._taken(struct.calcsize(form)))[0]
        return value

    def number(self) -> int:
        """Return a count or a length."""
        return self._unpacked(self._count)

    def name(self) -> str:
        """Return a name, or a text."""
        return self._taken(self.number()).decode()

    def list_of(self, tag: int) -> int:
        """Return how many items a list has, of which each takes at least four bytes."""
        found, count = self._unpacked(">i"), self.number()
        if found != (tag if count else 0) or not 0 <= count <= len(self._raw) // 4:
            raise ValueError("the header holds something else than a list")
        return count

    def attributes(self) -> dict[str, Any]:
        """Return a list of attributes: text, or a number, or an array of several."""
        found: dict[str, Any] = {}
        for _ in range(self.list_of(_ATTRIBUTE)):
            name, code, count = self.name(), self._unpacked(">i"), self.number()
            if code == _CHAR:
                found[name] = self._taken(count).decode()
                continue
            kind = self._kind(code)
            values = np.frombuffer(self._taken(count * kind.itemsize), kind).astype(kind.newbyteorder("="))
            found[name] = values[0].item() if count == 1 else values
        return found

    def _kind(self, code: int) -> np.dtype[Any]:
        if code not in _TYPES:
            raise ValueError(f"the file has no type of numbers {code}")
        return np.dtype(_TYPES[code])

    def stated(self, dims: list[tuple[str, int]]) -> tuple[str, _Stated]:
        """Return name and description of a variable."""
        name, count = self.name(), self.number()
        if not 0 <= count <= _MOST_DIMENSIONS:
            raise ValueError(f"variable {name!r} has {count} dimensions")
        chosen = [self.number() for _ in range(count)]
        if not all(0 <= each < len(dims) for each in chosen) or len(set(chosen)) < count:
            raise ValueError(f"variable {name!r} has a dimension that there is not, or one twice")
        attributes, code = self.attributes(), self._unpacked(">i")
        kind = np.dtype("S1") if code == _CHAR else self._kind(code)
        self.number()  # its length, which follows from the dimensions
        begin = self._unpacked(">q")
        own = [dims[each] for each in chosen]
        names, shape = tuple(name for name, _ in own), tuple(size for _, size in own)
        return name, _Stated(names, shape, kind, attributes, begin)
