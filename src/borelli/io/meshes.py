"""Surfaces of bones from files of VTK (.vtp), STL and Wavefront (.obj): points and triangles, with bounds on both."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from borelli.errors import FileFormatError, UnknownNameError
from borelli.io.text.files import decode_text, read_bytes
from borelli.io.text.vtk_arrays import VtkFile
from borelli.io.text.xml import Element

# A page draws 24,000 triangles of all bones together: these bounds are for bombs.
MOST_BYTES = 40_000_000
MOST_POINTS = 1_000_000
MOST_TRIANGLES = 2_000_000
ENDINGS = (".vtp", ".stl", ".obj")
_EXPECTED = "a surface (.vtp, .stl, .obj)"


class Mesh(NamedTuple):
    """Points (n, 3), in the units of the file (OpenSim: metres), and triangles (m, 3) of their numbers."""

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]


def load_mesh(path: str | os.PathLike[str]) -> Mesh:
    """Read a surface; polygons become triangles.

    Raises
    ------
    FileFormatError
        If the file is no such surface, has numbers of points that it lacks, or is larger than a bone needs.
    """
    name = os.fspath(path)
    ending = Path(name).suffix.casefold()
    if ending not in ENDINGS:
        raise UnknownNameError.among(ending or name, "kind of surface", ENDINGS, where=name)
    data = read_bytes(path, _EXPECTED, MOST_BYTES)
    try:
        mesh = {".vtp": _vtp, ".stl": _stl, ".obj": _obj}[ending](data, name)
    except (ValueError, OverflowError, IndexError, KeyError) as error:
        raise FileFormatError(f"The surface cannot be read: {error}.", where=name) from error
    return _checked(mesh, name)


def _checked(mesh: Mesh, name: str) -> Mesh:
    points, triangles = mesh
    if not len(points) or not len(triangles):
        raise FileFormatError("The surface has no triangles.", where=name)
    if len(points) > MOST_POINTS or len(triangles) > MOST_TRIANGLES:
        raise FileFormatError(
            f"The surface has {len(points)} points and {len(triangles)} triangles; at most {MOST_POINTS} and "
            f"{MOST_TRIANGLES} are read.",
            where=name,
            remedy="make it coarser",
        )
    # A million metres, and a kilometre in a file of millimetres: the numbers are damaged.
    if not np.isfinite(points).all() or np.abs(points).max() > 1e6:
        raise FileFormatError("The surface has points that are no numbers, or far away.", where=name)
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise FileFormatError("The surface has triangles of points that it does not have.", where=name)
    return mesh


def _fans(corners: NDArray[np.int64], ends: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    """Triangles of polygons: corners one after the other, and where each polygon ends."""
    starts = np.concatenate([[0], ends])[: len(ends)].astype(np.int64)
    sizes = ends - starts
    if len(ends) and ((sizes < 0).any() or ends[-1] > len(corners)):
        raise FileFormatError("Polygons of the surface end where they do not begin.", where=name)
    if sizes.clip(0).sum() > 3 * MOST_TRIANGLES:
        raise FileFormatError("The surface has too many polygons.", where=name, remedy="make it coarser")
    counts = (sizes - 2).clip(0)
    first = np.repeat(starts, counts)
    step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.stack([corners[first], corners[first + step + 1], corners[first + step + 2]], axis=1)


def _strips(corners: NDArray[np.int64], ends: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    """Triangles of strips: each corner with the two before it, every second one turned round."""
    fans = _fans(corners, ends, name)
    if not len(fans):
        return fans
    counts = (np.diff(ends, prepend=0) - 2).clip(0)
    step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    first = np.repeat(ends - np.diff(ends, prepend=0), counts) + step
    odd = step % 2
    return np.stack([corners[first], corners[first + 1 + odd], corners[first + 2 - odd]], axis=1)


def _vtp(data: bytes, name: str) -> Mesh:
    file = VtkFile.parse(data, name, _EXPECTED)
    points, triangles, known = [], [], 0
    for piece in _all(file.root, "Piece"):
        own = file.numbers(_array(_all(piece, "Points")[0], "", name)).astype(float).reshape(-1, 3)
        for kind, made_of in (("Polys", _fans), ("Strips", _strips)):
            for cells in _all(piece, kind):
                corners, ends = (
                    _whole(file.numbers(_array(cells, wanted, name)), name)
                    for wanted in ("connectivity", "offsets")
                )
                triangles.append(made_of(corners, ends, name) + known)
        points.append(own)
        known += len(own)
    if not points:
        raise FileFormatError("The file holds no PolyData.", where=name)
    return Mesh(np.concatenate(points), np.concatenate([*triangles, np.zeros((0, 3), np.int64)]))


def _all(element: Element, tag: str) -> list[Element]:
    found = [element] if element.tag == tag else []
    return found + [each for child in element.children for each in _all(child, tag)]


def _array(element: Element, wanted: str, name: str) -> Element:
    arrays = _all(element, "DataArray")
    chosen = [each for each in arrays if not wanted or each.attributes.get("Name") == wanted]
    if not chosen:
        raise FileFormatError(f"The file has no array {wanted or 'of points'!r}.", where=name)
    return chosen[0]


def _whole(numbers: NDArray[np.generic], name: str) -> NDArray[np.int64]:
    """Numbers of points, as integers."""
    if len(numbers) > 3 * MOST_TRIANGLES:
        raise FileFormatError("The surface has too many numbers.", where=name, remedy="make it coarser")
    values = numbers.astype(float)
    if not (np.abs(values) < 2.0**53).all():
        raise FileFormatError("The surface has triangles of points that it does not have.", where=name)
    return values.astype(np.int64)


def _stl(data: bytes, name: str) -> Mesh:
    """Triangles of three points each; equal points become one."""
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, np.dtype([("numbers", "<f4", 12), ("rest", "<u2")]), count, 84)
        corners = rows["numbers"][:, 3:].astype(float).reshape(-1, 3)
    else:
        words = [line.split() for line in decode_text(data, name, _EXPECTED).splitlines() if "vertex" in line]
        corners = np.array([row[1:4] for row in words], dtype=float).reshape(-1, 3)
    if len(corners) % 3:
        raise FileFormatError("The last triangle of the surface lacks points.", where=name)
    points, places = np.unique(corners, axis=0, return_inverse=True)
    return Mesh(points, places.reshape(-1, 3).astype(np.int64))


def _obj(data: bytes, name: str) -> Mesh:
    points: list[list[str]] = []
    corners: list[int] = []
    ends: list[int] = []
    for line in decode_text(data, name, _EXPECTED).splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append(words[1:4])
        elif words[:1] == ["f"]:
            own = [int(word.partition("/")[0]) for word in words[1:]]
            # Negative numbers count from the last point that was given.
            corners += [number - 1 if number > 0 else len(points) + number for number in own]
            ends.append(len(corners))
    triangles = _fans(np.array(corners, dtype=np.int64), np.array(ends, dtype=np.int64), name)
    return Mesh(np.array(points, dtype=float).reshape(-1, 3), triangles)
