"""Arrays of VTK's XML files: as text, as base64 in their place, or appended at the end; compressed or not.

A stored array begins with its size: one number of bytes or, where it is compressed, the number of blocks, the size of a
block, that of the last one, and the compressed size of each (VTK user's guide, "VTK file formats", 2010).
"""

from __future__ import annotations

import base64
import binascii
import lzma
import re
import zlib
from collections.abc import Callable
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from borelli.errors import FileFormatError, UnknownNameError
from borelli.io.text.xml import Element, parse_xml
from borelli.records import dataclass

# Three corners of each of the two million triangles that a surface may have.
MOST_NUMBERS = 6_000_000
_TYPES = {"Float32": "f4", "Float64": "f8"}
_TYPES |= {f"{sign}Int{8 * n}": f"{kind}{n}" for sign, kind in (("", "i"), ("U", "u")) for n in (1, 2, 4, 8)}
_HEADERS = {"UInt32": "u4", "UInt64": "u8"}
_COMPRESSORS = ("vtkZLibDataCompressor", "vtkLZMADataCompressor")
_ORDERS = {"LittleEndian": "<", "BigEndian": ">"}
_FORMATS = ("ascii", "binary", "appended")
_Bytes = Callable[[bytes, int, int], tuple[bytes, int]]
_APPENDED = re.compile(rb"<AppendedData\b[^>]*>")


@dataclass(frozen=True)
class VtkFile:
    """The elements of a file, and how its arrays are stored."""

    root: Element
    name: str
    appended: bytes
    is_base64: bool

    @classmethod
    def parse(cls, data: bytes, name: str, expected: str) -> VtkFile:
        """Cut off what is appended, which is no XML where it is raw, and read the rest."""
        start = _APPENDED.search(data)
        if start is None:
            return cls(parse_xml(data, name, expected), name, b"", True)
        end = data.rfind(b"</AppendedData>")
        if end < start.end():
            raise FileFormatError("The appended numbers of the surface do not end.", where=name)
        # Blanks, then an underscore, stand before the first byte.
        inside = data[start.end() : end]
        first = inside.find(b"_")
        if first < 0:
            raise FileFormatError("The appended numbers of the surface do not begin with '_'.", where=name)
        root = parse_xml(data[: start.end()] + data[end:], name, expected)
        kind = next(each for each in root.walk() if each.tag == "AppendedData").attributes
        return cls(root, name, inside[first + 1 :], kind.get("encoding", "raw") == "base64")

    def numbers(self, array: Element) -> NDArray[np.generic]:
        """Return the numbers of an array, flat, with the type that the file gives them.

        Raises
        ------
        FileFormatError
            If they are stored in a way that is not read, end early, or are more than a surface needs.
        """
        where = f"{self.name}, line {array.line}"
        stored = array.attributes.get("format", "ascii")
        if stored not in _FORMATS:
            raise UnknownNameError.among(stored, "way to store numbers", _FORMATS, where=where)
        if stored == "ascii":
            words = array.text.split()
            _refuse_many(len(words), where)
            return np.array(words, dtype=float)
        kind = array.attributes.get("type", "")
        if kind not in _TYPES:
            raise UnknownNameError.among(kind, "type of numbers", _TYPES, where=where)
        if stored == "binary":
            source, is_base64 = array.text.encode(), True
        else:
            offset = array.attributes.get("offset", "")
            if not offset.isdecimal() or int(offset) > len(self.appended):
                raise FileFormatError(f"The array begins at {offset!r}, beyond the numbers.", where=where)
            source, is_base64 = self.appended[int(offset) :], self.is_base64
        bytes_of = _from_base64 if is_base64 else _from_raw
        try:
            content = self._content(source, bytes_of, where)
        except (binascii.Error, zlib.error, lzma.LZMAError, ValueError) as error:
            raise FileFormatError(f"The stored numbers are damaged: {error}.", where=where) from error
        return np.frombuffer(content, np.dtype(self._order + _TYPES[kind]))

    @property
    def _order(self) -> str:
        return _ORDERS.get(self.root.attributes.get("byte_order", ""), "<")

    def _content(self, source: bytes, bytes_of: _Bytes, where: str) -> bytes:
        """Return the bytes of one array, unpacked."""
        kind = self.root.attributes.get("header_type", "UInt32")
        if kind not in _HEADERS:
            raise UnknownNameError.among(kind, "type of header", _HEADERS, where=where)
        number = np.dtype(self._order + _HEADERS[kind])

        def header(count: int) -> list[int]:
            content, _ = bytes_of(source, 0, count * number.itemsize)
            return [int(each) for each in np.frombuffer(content, number)]

        compressor = self.root.attributes.get("compressor", "")
        if not compressor:
            (size,) = header(1)
            _refuse_many(size // 8, where)
            return bytes_of(source, 0, number.itemsize + size)[0][number.itemsize :]
        if compressor not in _COMPRESSORS:
            raise UnknownNameError.among(
                compressor,
                "compressor",
                _COMPRESSORS,
                where=where,
                remedy="save the surface with zlib or without compression",
            )
        (count,) = header(1)
        if not count:
            return b""
        _refuse_many(count, where)
        _, size, last, *packed = header(3 + count)
        whole = count * size if not last else (count - 1) * size + last
        _refuse_many(whole // 8, where)
        _, begin = bytes_of(source, 0, (3 + count) * number.itemsize)
        body, _ = bytes_of(source, begin, sum(packed))
        ends = [0, *accumulate(packed)]
        # No block unpacks to more than was announced, which is bounded above.
        blocks = [_unpacked(body[a:b], whole, compressor) for a, b in pairwise(ends)]
        content = b"".join(blocks)
        if len(content) != whole:
            raise ValueError(f"{len(content)} bytes are there, {whole} were announced")
        return content


def _from_raw(source: bytes, start: int, count: int) -> tuple[bytes, int]:
    """Return bytes from a place on, and the place behind them."""
    found = source[start : start + count]
    if len(found) < count:
        raise ValueError(f"{len(found)} bytes are there, {count} were announced")
    return found, start + count


def _from_base64(source: bytes, start: int, count: int) -> tuple[bytes, int]:
    """Return bytes from a place of the text on, and the place behind them: three bytes are four letters."""
    end = start + 4 * -(-count // 3)
    found = base64.b64decode(source[start:end], validate=True)[:count]
    return _from_raw(found, 0, count)[0], end


def _unpacked(block: bytes, most: int, compressor: str) -> bytes:
    if compressor == "vtkZLibDataCompressor":
        return zlib.decompressobj().decompress(block, most)
    return lzma.LZMADecompressor().decompress(block, most)


def _refuse_many(count: int, where: str) -> None:
    if count > MOST_NUMBERS:
        raise FileFormatError("The surface has too many numbers.", where=where, remedy="make it coarser")
