"""The chapter of markers: what it holds, and how it behaves in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli.errors import InvalidValueError
from borelli.report.blob import Blob, unpacked
from borelli.report.markers import has_markers, marker_data, worst_instants
from borelli.report.page import write_page
from borelli.results.labelled.plain_result import PlainResult
from borelli.trial.marker_part import with_body
from tests.analyses.marked_body import marked_body
from tests.report.browser import Visit

BAD = 13


@pytest.fixture(scope="module")
def fit() -> xr.Dataset:
    """A recording in which one marker is lost for a while, and another is knocked for one instant."""
    model = marked_body()
    time = np.linspace(0.0, 0.5, 51)
    q = np.zeros((51, len(model.coordinate_names)))
    q[:, list(model.coordinate_names).index("knee_r")] = -0.5 - 0.3 * np.sin(6 * time)
    places = bo.marker_positions(model, bo.Motion(time, model.coordinate_names, q))
    places = places.assign_attrs(units="m").copy()
    places[5:10, 0] = np.nan
    places[BAD, 3] += np.array([0.03, 0.0, 0.0])
    return with_body(bo.inverse_kinematics(model, places), model)


def test_the_worst_instant_and_marker_are_found(fit: xr.Dataset) -> None:
    assert worst_instants(PlainResult.of(fit))[0] == BAD
    data, frames, blob = None, np.arange(0, 51, 5), Blob()
    data = marker_data(PlainResult.of(fit), frames, blob)
    assert data is not None
    worst = data["worst"][0]
    assert worst["marker"] == str(fit["marker"].values[3]) and worst["time"] == pytest.approx(0.13)
    assert worst["error"] == pytest.approx(1e3 * float(fit["marker_error"][BAD, 3]))
    assert data["markers"][0]["missing"] == pytest.approx(100.0 * 5 / 51)
    shown = unpacked(blob.text(), data["error"])
    assert shown.shape == (fit.sizes["marker"], len(frames)) and np.isnan(shown[0, 1])
    assert [each["name"] for each in data["segments"]] == ["thigh_r", "thigh_l"]
    assert all(abs(each["beside"]) < 1e-9 for each in data["segments"])


def test_postures_that_jump_as_no_body_does_are_drawn_all_the_same(fit: xr.Dataset) -> None:
    """Inverse kinematics has no accelerations: what no marker sees at first may jump to where it is seen."""
    model, knee = marked_body(), list(fit["coordinate"].values).index("knee_r")
    jumping = fit.drop_vars("joint_position").assign_coords(time=fit["time"] / 50).copy(deep=True)
    jumping["q"][0, knee] += 3.0
    with pytest.raises(InvalidValueError, match="'knee_r' would accelerate"):
        bo.inverse_dynamics(model, jumping.borelli.motion())
    drawn = with_body(jumping, model)["joint_position"].values
    np.testing.assert_allclose(drawn[1:], fit["joint_position"].values[1:], atol=1e-12)
    assert np.abs(drawn[0] - fit["joint_position"].values[0]).max() > 0.1


def test_a_result_without_markers_has_no_chapter(fit: xr.Dataset) -> None:
    bare = fit.drop_vars("marker_modelled")
    assert not has_markers(PlainResult.of(bare)) and worst_instants(PlainResult.of(bare)) == []
    assert marker_data(PlainResult.of(bare), np.arange(3), Blob()) is None


def test_the_chapter_moves_with_the_page(fit: xr.Dataset, browser: Any, tmp_path: Path) -> None:
    folder = bo.save_result(fit, tmp_path / "fit")
    visit = Visit(browser, write_page([folder], folder / "page.html"))
    knocked = str(fit["marker"].values[3])
    first = visit.page.locator(".markers .worst tbody tr").first
    assert knocked in first.inner_text()
    first.locator("button").click()
    reading = visit.page.locator(".markers .reading").inner_text()
    assert reading.startswith("At 0.13 s") and knocked in reading
    assert visit.page.locator(".markers .sizes tbody tr").count() == 2
    assert visit.errors == []
