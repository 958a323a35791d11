"""Numbers on a page: packed into letters, in steps, each curve once; unpacked they are what they were."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.report import compression
from borelli.report.blob import Blob, unpacked
from borelli.report.page import write_page
from borelli.report.share_rows import ShareRows
from borelli.results.saving.save import save_result
from tests.report.browser import Visit
from tests.report.test_page import Page
from tests.results.problems import result

TIME = np.linspace(0.0, 2.0, 201)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 1000])
def test_bytes_come_back_from_letters_that_mean_nothing_to_html(size):
    content = np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8).tobytes()
    text = compression.packed(content)
    assert compression.unpacked(text) == content
    assert not set(text) & set("<>&\"'`$\\ \n")


def test_parts_come_back_in_their_order_however_they_are_compressed():
    rng = np.random.default_rng(7)
    parts = [
        (rng.integers(0, 256, size, dtype=np.uint8).tobytes() + bytes(size), repeats)
        for size, repeats in [(40_000, True), (9, False), (0, True), (70_000, False), (3, False), (5, True)]
    ]
    text = compression.packed_parts(parts)
    assert compression.unpacked(text) == b"".join(content for content, _ in parts)
    assert compression.unpacked(compression.packed_parts([])) == b""


def test_curves_are_kept_as_finely_as_single_precision_keeps_their_largest():
    rng = np.random.default_rng(3)
    curves = np.array(
        [
            900 * np.sin(3 * TIME),
            1e-9 * TIME**2,
            np.full(201, -4.2),
            np.zeros(201),
            rng.normal(size=201) * 1e12,
        ]
    )
    blob = Blob()
    reference = blob.add_curves(curves)
    found = unpacked(blob.text(), reference)
    assert (np.abs(found - curves) <= 2.0**-24 * np.abs(curves).max(axis=1, keepdims=True)).all()


def test_instants_without_a_number_stay_without_one():
    curves = np.array([np.sin(TIME), np.full(201, np.nan), np.cos(TIME)])
    curves[0, [0, 7, 8, 200]] = np.nan
    curves[2, 5] = np.inf
    blob = Blob()
    reference = blob.add_curves(curves)
    found = unpacked(blob.text(), reference)
    assert np.array_equal(np.isnan(found), ~np.isfinite(curves))
    known = np.isfinite(curves)
    np.testing.assert_allclose(found[known], curves[known], atol=2.0**-24)


def test_places_are_whole_steps_of_a_metre_however_far_away():
    places = np.stack([np.sin(TIME), 3e7 + TIME, np.full(201, np.nan)], axis=1).reshape(201, 3, 1)
    blob = Blob()
    reference = blob.add_moving(places, -14)
    found = unpacked(blob.text(), reference)
    assert found.shape == places.shape and np.isnan(found[:, 2]).all()
    np.testing.assert_array_equal(found[:, 0], np.round(places[:, 0] * 2**14) / 2**14)
    np.testing.assert_allclose(found[:, 1], places[:, 1], rtol=2.0**-24)


def test_one_curve_stands_for_the_same_share_in_several_outputs():
    push, pull = 700 * np.sin(TIME) ** 2, 50 * np.cos(TIME)
    rows, blob = ShareRows(), Blob()
    ankle = rows.add(np.array([push, pull]), [4, 7])
    knee = rows.add(np.array([-push * (1 + 1e-15), 2 * pull]), [4, 7])
    other = rows.add(np.array([push]), [5])
    rows.close(blob)
    assert knee["rows"][0] == -ankle["rows"][0] and knee["rows"][1] not in ankle["rows"]
    assert other["rows"][0] not in ankle["rows"], "a curve belongs to one source"
    text = blob.text()
    np.testing.assert_allclose(unpacked(text, knee), [-push, 2 * pull], atol=700 * 2.0**-24)
    np.testing.assert_allclose(unpacked(text, other), [push], atol=700 * 2.0**-24)


def test_a_curve_is_as_fine_as_the_finest_of_the_outputs_that_it_stands_for():
    small = 1e-3 * np.sin(TIME)
    rows, blob = ShareRows(), Blob()
    coarse = rows.add(np.array([1e4 * np.cos(TIME), small]), [0, 1])
    fine = rows.add(np.array([-small]), [1])
    rows.close(blob)
    assert fine["rows"] == [-coarse["rows"][1]]
    np.testing.assert_allclose(unpacked(blob.text(), fine), [-small], atol=1e-3 * 2.0**-24)


def test_arrays_that_are_there_already_are_not_stored_again():
    blob = Blob()
    first, again = blob.add(TIME), blob.add(TIME.copy())
    assert first == again and blob.add(TIME + 1.0)["at"] != first["at"]


def test_the_browser_reads_the_numbers_that_were_packed(browser, tmp_path):
    long = result(n_times=801)
    share = long["reaction_share"]
    share.loc[{"joint": "hip", "source": "load:bar"}] = -share.sel(joint="knee", source="load:bar").values
    path = write_page([save_result(long, tmp_path / "long", tables=())], tmp_path / "page.html")
    page, visit = Page(path.read_text(encoding="utf-8")), Visit(browser, path)
    (data,) = page.data
    plain = [k for k, output in enumerate(data["outputs"]) if "parts" not in output]
    assert {data["outputs"][k]["shares"]["kind"] for k in plain} == {"d4"}
    assert any(row < 0 for k in plain for row in data["outputs"][k]["shares"]["rows"])
    for k in plain:
        read = visit.ask(f"Array.from(borelli.results[0].data.outputs[{k}].shares.values)")
        np.testing.assert_array_equal(read, page.numbers(data["outputs"][k]["shares"]).ravel())
    drawn = visit.ask("Array.from(borelli.results[0].data.scene.points.at.values)")
    packed = page.numbers(data["scene"]["points"]["at"]).ravel()
    np.testing.assert_array_equal(np.array(drawn, dtype=np.float32), packed.astype(np.float32))
    assert visit.errors == []
