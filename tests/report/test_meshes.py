"""Surfaces of bones on the page: found by name alone, made coarser, and put where their bodies are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.report.mesh_data import coarser
from borelli.results.saving.manifest import load_manifest, note_in_manifest
from borelli.trial.geometry import find_meshes
from tests.analyses.muscle_arms import arm, curl
from tests.io.test_meshes import obj, vtp
from tests.report.browser import Visit
from tests.report.test_page import Page


def sphere(n: int):
    """A sphere of radius 0.1 m with about 2 n² triangles."""
    u, v = np.meshgrid(np.linspace(0, np.pi, n), np.linspace(0, 2 * np.pi, n))
    points = 0.1 * np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    k = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    return points, np.concatenate([np.stack([k, k + 1, k + n], 1), np.stack([k + 1, k + n + 1, k + n], 1)])


def test_a_coarser_surface_is_near_the_fine_one_and_small_ones_stay():
    points, triangles = coarser(sphere(120), 3000)
    assert 300 < len(triangles) <= 3000
    radii = np.linalg.norm(points[np.unique(triangles)], axis=1)
    assert radii.max() <= 0.1 + 1e-12 and radii.min() > 0.09
    few = sphere(8)
    assert coarser(few, 3000) is not None and len(coarser(few, 3000)[1]) == len(few[1])


@pytest.fixture(scope="module")
def shown():
    model, motion = arm(), curl(11)
    bodies = [
        replace(body, geometry=(f"C:\\elsewhere\\{body.name}.vtp",), geometry_scale=((0.1, 0.2, 0.1),))
        for body in model.bodies
    ]
    return bo.analyze(replace(model, bodies=bodies), motion, muscles="none")


def test_files_are_found_by_their_names_and_what_is_wrong_is_told(tmp_path, shown):
    told = shown.attrs["geometry"]
    (tmp_path / "upper.vtp").write_text(vtp(), encoding="utf-8")
    (tmp_path / "fore.vtp").write_text("<VTKFile/>", encoding="utf-8")
    with pytest.warns(BorelliWarning, match=r"1 surfaces of bones are not drawn: .*fore\.vtp: .*no PolyData"):
        found = find_meshes(told, [tmp_path / "none", tmp_path], wanted=True)
    points, triangles = found["upper"][0]
    assert list(found) == ["upper"] and len(triangles) == 4
    np.testing.assert_allclose(points.max(axis=0), (0.1, 0.2, 0.1))
    with pytest.warns(BorelliWarning, match="2 surfaces of bones were not found"):
        assert find_meshes(told, [tmp_path / "none"], wanted=True) == {}
    assert find_meshes(told, [tmp_path / "none"], wanted=False) == {}
    # Nothing outside of the named folders is opened, whatever a model says.
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.obj").write_text(obj(), encoding="utf-8")
    assert find_meshes({"a": [["../secret.obj", [1, 1, 1]]]}, [tmp_path / "inside"], wanted=False) == {}
    assert find_meshes({"a": "nonsense", "b": [[1, 2]]}, [tmp_path], wanted=False) == {}


def test_a_folder_that_is_none_is_refused(tmp_path, shown):
    folder = bo.save_result(shown, tmp_path / "arm", tables=())
    with pytest.raises(bo.BorelliError, match="There is no folder"):
        bo.write_report(folder, geometry=tmp_path / "Geometry")


def has_bones(page) -> bool:
    return Page(page.read_text(encoding="utf-8")).data[0]["scene"]["meshes"] is not None


def test_the_next_page_finds_the_surfaces_where_they_were(tmp_path, shown):
    (tmp_path / "trial" / "bones").mkdir(parents=True)
    surface = tmp_path / "trial" / "bones" / "upper.vtp"
    surface.write_text(vtp(), encoding="utf-8")
    folder = bo.save_result(shown, tmp_path / "trial" / "arm", tables=())
    with pytest.warns(BorelliWarning, match="1 surfaces of bones were not found"):
        assert has_bones(bo.write_report(folder, tmp_path / "a.html", geometry=surface.parent))
    assert not has_bones(bo.write_report(folder, tmp_path / "b.html")), (
        "a page elsewhere leaves the result alone"
    )
    with pytest.warns(BorelliWarning, match="1 surfaces of bones were not found"):
        bo.write_report(folder, geometry=surface.parent)
    manifest = load_manifest(folder)
    assert manifest["surfaces"]["folders"] == ["../bones"] and list(manifest["surfaces"]["files"]) == [
        "upper.vtp"
    ]
    assert bo.verify_result(folder).whole
    assert has_bones(bo.write_report(folder, tmp_path / "c.html"))
    # Folder and surfaces may move together.
    moved = (tmp_path / "trial").rename(tmp_path / "moved")
    assert has_bones(bo.write_report(moved / "arm"))
    # Others than those that were there are not opened, and what to pass is told.
    (moved / "bones" / "upper.vtp").write_text(vtp() + "\n", encoding="utf-8")
    with pytest.warns(BorelliWarning, match=r"name their folder \(--geometry DIR\): .*upper\.vtp"):
        assert not has_bones(bo.write_report(moved / "arm", tmp_path / "d.html"))
    (moved / "bones" / "upper.vtp").unlink()
    with pytest.warns(BorelliWarning, match="1 surfaces of bones are not what and where they were"):
        assert not has_bones(bo.write_report(moved / "arm", tmp_path / "e.html"))


@pytest.mark.parametrize(
    "note", ["bones", {"folders": 3, "files": {}}, {"folders": [3, "\0"], "files": {"a": 1}}]
)
def test_a_manifest_that_says_nonsense_of_surfaces_draws_none(tmp_path, shown, note):
    folder = bo.save_result(shown, tmp_path / "arm", tables=())
    note_in_manifest(folder, "surfaces", note)
    assert not has_bones(bo.write_report(folder, tmp_path / "page.html"))


def test_surfaces_are_drawn_where_their_bodies_are(tmp_path, shown, browser):
    for name in ("upper", "fore"):
        (tmp_path / f"{name}.vtp").write_text(vtp(), encoding="utf-8")
    folder = bo.save_result(shown, tmp_path / "arm", tables=())
    page = bo.write_report(folder, tmp_path / "page.html", geometry=tmp_path)
    plain = bo.write_report(folder, tmp_path / "plain.html")
    assert page.stat().st_size - plain.stat().st_size < 6_000
    visit = Visit(browser, page)
    visit.page.locator(".stage").scroll_into_view_if_needed()
    visit.go_to(7)
    meshes = visit.ask(
        """() => { const { meshes } = borelli.results[0].data.scene;
        const place = (b) => (x, i) => b.low[i % 3] + b.size[i % 3] * x / 65535;
        return {
            names: meshes.names, origins: Array.from(meshes.origins.values),
            turns: Array.from(meshes.rotations.values),
            steps: meshes.bones.map((b) => Array.from(b.points.values, place(b))),
        }; }"""
    )
    origins = np.reshape(meshes["origins"], (11, 2, 3))
    np.testing.assert_allclose(origins, shown["body_origin"].sel(link=meshes["names"]), atol=1e-6)
    turns = np.reshape(meshes["turns"], (11, 2, 3, 3))
    np.testing.assert_allclose(turns, shown["body_rotation"].sel(link=meshes["names"]), atol=1e-6)
    np.testing.assert_allclose(
        np.max(np.reshape(meshes["steps"][0], (-1, 3)), axis=0), (0.1, 0.2, 0.1), atol=1e-5
    )
    # A body whose surface is shown has no stick, until the surface is switched off.
    bones = """() => { const s = borelli.results[0].scene; s.draw();
        return Array.from({ length: s.shapes }, (_, k) => s.owner(k)?.kind).filter((k) => k === 'bone').length; }"""
    assert visit.ask(bones) == 0
    visit.page.locator(".layers label:has-text('bone surfaces') input").uncheck()
    assert visit.ask(bones) == 2
    assert visit.errors == []
