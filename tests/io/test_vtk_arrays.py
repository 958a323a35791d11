"""Stored arrays of .vtp files: the same surface as text, base64 and raw bytes, packed and not; and what is damaged."""

from __future__ import annotations

import base64
import lzma
import zlib

import numpy as np
import pytest

import borelli as bo
from borelli.io.meshes import load_mesh
from borelli.io.text import vtk_arrays

POINTS = np.random.default_rng(7).normal(size=(40, 3))
CORNERS = np.random.default_rng(8).permutation(np.repeat(np.arange(40), 3)).astype(np.int64)
ENDS = np.arange(3, 121, 3)
PACKERS = {"": None, "vtkZLibDataCompressor": zlib.compress, "vtkLZMADataCompressor": lzma.compress}
BLOCK = 256


def stored(values: np.ndarray, header: str, packer: str, text: bool) -> bytes:
    """Bytes of an array as VTK's documentation lays them out."""
    content, letters = values.tobytes(), base64.b64encode if text else bytes
    if not packer:
        return letters(np.array([len(content)], header).tobytes() + content)
    blocks = [content[k : k + BLOCK] for k in range(0, len(content), BLOCK)]
    packed = [PACKERS[packer](block) for block in blocks]
    last = len(blocks[-1]) % BLOCK
    sizes = np.array([len(blocks), BLOCK, last, *map(len, packed)], header)
    return letters(sizes.tobytes()) + letters(b"".join(packed))


def surface(
    form: str, encoding: str = "raw", order: str = "<", header: str = "u4", packer: str = ""
) -> bytes:
    """Return a whole file."""
    pool, out = b"", {}
    arrays = {
        "points": (POINTS.astype(order + "f8"), "Float64"),
        "connectivity": (CORNERS.astype(order + "i4"), "Int32"),
        "offsets": (ENDS.astype(order + "u8"), "UInt64"),
    }
    for name, (values, kind) in arrays.items():
        content = stored(values, order + header, packer, form == "binary" or encoding == "base64")
        place = f'offset="{len(pool)}"/>' if form == "appended" else f">{content.decode()}</DataArray>"
        out[name] = f'<DataArray Name="{name}" type="{kind}" format="{form}" {place}'
        pool += content if form == "appended" else b""
    said = f'byte_order="{"LittleEndian" if order == "<" else "BigEndian"}" header_type="UInt{8 * int(header[1])}"'
    said += f' compressor="{packer}"' if packer else ""
    head = (
        f'<?xml version="1.0"?><VTKFile type="PolyData" {said}><PolyData><Piece><Points>{out["points"]}</Points>'
        f"<Polys>{out['connectivity']}{out['offsets']}</Polys></Piece></PolyData>"
    ).encode()
    tail = (
        f'<AppendedData encoding="{encoding}">\n  _'.encode() + pool + b"\n</AppendedData>" if pool else b""
    )
    return head + tail + b"</VTKFile>"


def read(tmp_path, content: bytes):
    file = tmp_path / "bone.vtp"
    file.write_bytes(content)
    return load_mesh(file)


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("header", ["u4", "u8"])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("form", "encoding"), [("binary", ""), ("appended", "raw"), ("appended", "base64")])
def test_stored_numbers_are_read_to_the_last_bit(tmp_path, form, encoding, order, header, packer):
    mesh = read(tmp_path, surface(form, encoding, order, header, packer))
    assert np.array_equal(mesh.points, POINTS)
    assert np.array_equal(mesh.triangles, CORNERS.reshape(-1, 3))


def changed(old: bytes, new: bytes, **how: str) -> bytes:
    content = surface(**how)
    assert old in content
    return content.replace(old, new, 1)


Z = "vtkZLibDataCompressor"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(b'"Float64"', b'"Float8"', form="binary"), "'Float8' is not a type of numbers"),
        (changed(b'"UInt32"', b'"UInt16"', form="binary"), "'UInt16' is not a type of header"),
        (
            changed(Z.encode(), b"vtkLZ4DataCompressor", form="binary", packer=Z),
            "vtkLZ4(.|\n)*with zlib or without",
        ),
        (changed(b'offset="0"', b'offset="99999"', form="appended"), "begins at '99999', beyond"),
        (changed(b'offset="0"', b'offset="-1"', form="appended"), "begins at '-1', beyond"),
        (changed(b"</AppendedData>", b"", form="appended"), "do not end"),
        (changed(b"\n  _", b"\n   ", form="appended", encoding="base64"), "do not begin with '_'"),
        (changed(b">wAMAA", b">wAMA*", form="binary"), "stored numbers are damaged"),
        (changed(b"_\xc0\x03\0\0", b"_\xff\x7f\0\0", form="appended"), "damaged: .* bytes are there"),
        (changed(b"_\xc0\x03\0\0", b"_\xff\xff\xff\xff", form="appended"), "too many numbers"),
        (changed(b"_\x04\0\0\0", b"_\xff\xff\xff\xff", form="appended", packer=Z), "too many numbers"),
        (changed(b"_\x04\0\0\0\0\x01", b"_\x04\0\0\0\0\x02", form="appended", packer=Z), "announced"),
        (changed(b"\x78\x9c", b"\x79\x9c", form="appended", packer=Z), "stored numbers are damaged"),
    ],
)
def test_damage_is_told(tmp_path, content, message):
    with pytest.raises(bo.BorelliError, match=message) as error:
        read(tmp_path, content)
    assert "bone.vtp" in str(error.value)


def test_a_small_file_does_not_unpack_to_a_large_one(tmp_path, monkeypatch):
    bomb = zlib.compress(bytes(4_000_000))
    monkeypatch.setitem(PACKERS, Z, lambda _: bomb)
    with pytest.raises(bo.BorelliError, match="were announced"):
        read(tmp_path, surface("appended", packer=Z))
    monkeypatch.setattr(vtk_arrays, "MOST_NUMBERS", 100)
    with pytest.raises(bo.BorelliError, match="too many numbers"):
        read(tmp_path, surface("binary"))


def test_an_array_without_numbers_has_no_blocks(tmp_path):
    content = surface("appended", packer=Z)
    empty = content.replace(b"</AppendedData>", b"\0\0\0\0</AppendedData>")
    offset = str(len(content.split(b"\n  _", 1)[1].split(b"\n</AppendedData>")[0]) + 1).encode()
    lines = b'<Strips><DataArray Name="connectivity" type="Int32" format="appended" offset="%b"/>' % offset
    lines += (
        b'<DataArray Name="offsets" type="Int32" format="appended" offset="%b"/></Strips></Piece>' % offset
    )
    assert len(read(tmp_path, empty.replace(b"</Piece>", lines)).triangles) == 40
