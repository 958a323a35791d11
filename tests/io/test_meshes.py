"""Surfaces of bones: the same tetrahedron in each format, and every kind of damage with its message."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import borelli as bo
from borelli.io import meshes
from borelli.io.meshes import load_mesh

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]


def vtp(points=POINTS, faces=FACES, form="ascii", ends=None) -> str:
    numbers = " ".join(f"{x:g}" for x in np.ravel(points))
    corners = " ".join(str(k) for face in faces for k in face)
    ends = ends or " ".join(str(n) for n in np.cumsum([len(face) for face in faces]))
    return (
        f'<VTKFile type="PolyData"><PolyData><Piece><Points><DataArray NumberOfComponents="3" format="{form}">{numbers}'
        f'</DataArray></Points><Polys><DataArray Name="connectivity" format="ascii">{corners}</DataArray>'
        f'<DataArray Name="offsets" format="ascii">{ends}</DataArray></Polys></Piece></PolyData></VTKFile>'
    )


def obj() -> str:
    lines = [f"v {x:g} {y:g} {z:g}" for x, y, z in POINTS]
    return "\n".join(["# tetrahedron", *lines, "f 1//1 3 2", "f 1 2 4/5", "f -3 -2 -1", "f 3 1 4"])


def stl_text() -> str:
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "\n".join(f"vertex {x:g} {y:g} {z:g}" for x, y, z in POINTS[list(face)])
        for face in FACES
    ]
    return "solid t\n" + "\nendloop\nendfacet\n".join(facets)


def stl_binary() -> bytes:
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *POINTS[list(face)].ravel(), 0) for face in FACES)
    return b"\0" * 80 + struct.pack("<I", len(FACES)) + rows


def written(tmp_path, name: str, content: str | bytes):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize(
    ("name", "content"),
    [("t.vtp", vtp()), ("t.OBJ", obj()), ("t.stl", stl_text()), ("u.stl", stl_binary())],
)
def test_a_tetrahedron_is_the_same_in_every_format(tmp_path, name, content):
    points, triangles = load_mesh(written(tmp_path, name, content))
    assert points.shape == (4, 3) and triangles.shape == (4, 3)
    corners = points[triangles]
    # Its volume, by the divergence theorem: orientation and corners are right.
    volume = np.sum(np.linalg.det(corners)) / 6.0
    assert volume == pytest.approx(1.0 / 6.0)


def test_polygons_become_fans(tmp_path):
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    mesh = load_mesh(written(tmp_path, "s.vtp", vtp(square, [(0, 1, 2, 3)])))
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.vtp", vtp(faces=[(0, 1, 9)]), "points that it does not have"),
        ("a.vtp", vtp(form="hex"), "'hex' is not a way to store numbers"),
        ("a.vtp", vtp(faces=[(0, 1, 1e300)]), "points that it does not have"),
        ("a.vtp", vtp(points=[[np.nan, 0, 0]] * 4), "no numbers, or far away"),
        ("a.vtp", vtp(ends="3 1 9 12"), "end where they do not begin"),
        ("a.vtp", "<VTKFile/>", "no PolyData"),
        ("a.vtp", vtp().replace("0 1 3", "0 one 3"), "cannot be read"),
        ("a.vtp", vtp().replace("offsets", "others"), "no array 'offsets'"),
        ("a.obj", "v 1 2 3", "no triangles"),
        ("a.obj", "v 1 2\nf 1 1 1", "cannot be read"),
        ("a.obj", "v 1 2 3\nf 1 x 2", "cannot be read"),
        ("a.stl", "solid\nvertex 1 2 3\nvertex 1 2 4\n", "lacks points"),
        ("a.stl", b"\0" * 80 + struct.pack("<I", 2**31), "binary"),
        ("a.ply", "ply", "'.ply' is not a kind of surface"),
    ],
)
def test_damage_is_refused_by_name(tmp_path, name, content, message):
    with pytest.raises(bo.BorelliError, match=message) as error:
        load_mesh(written(tmp_path, name, content))
    assert name in str(error.value)


def test_strips_are_turned_as_their_first_triangle(tmp_path):
    strip = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0]], dtype=float)
    content = vtp(strip, [(0, 1, 2, 3, 4)]).replace("Polys", "Strips")
    points, triangles = load_mesh(written(tmp_path, "s.vtp", content))
    corners = points[triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2.0
    assert area == pytest.approx([0.5, 0.5, 0.5])  # all of them seen from the same side


def test_more_than_a_bone_needs_is_refused_before_it_is_kept(tmp_path, monkeypatch):
    file = written(tmp_path, "t.vtp", vtp())
    monkeypatch.setattr(meshes, "MOST_POINTS", 3)
    with pytest.raises(bo.BorelliError, match="has 4 points and 4 triangles; at most 3"):
        load_mesh(file)
    monkeypatch.setattr(meshes, "MOST_TRIANGLES", 2)
    with pytest.raises(bo.BorelliError, match="too many"):
        load_mesh(file)
    monkeypatch.setattr(meshes, "MOST_BYTES", 100)
    with pytest.raises(bo.BorelliError, match=r"larger|bytes"):
        load_mesh(file)
