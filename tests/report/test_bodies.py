"""A body one recognises, and the bodies of compared results one over the other."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.report.page import write_page
from tests.report.browser import Visit

DRAWN = "trunk and head (drawn, not in the model)"
BODIES = "document.querySelector('.compared').bodies"


@pytest.fixture(scope="module")
def walk():
    files = bo.library.sample_walk()
    model = bo.load_model(files.model)
    motion = bo.load_motion(files.motion, model)
    some = np.zeros(len(motion.time), dtype=bool)
    some[::8] = True
    return bo.analyze(model, motion.frames(some), bo.load_loads(files.loads), muscles="none")


@pytest.fixture(scope="module")
def visit(walk, browser, tmp_path_factory):
    place = tmp_path_factory.mktemp("bodies")
    moved = walk.copy(deep=True)
    # A metre ahead and to the side, and ten centimetres higher: the ground is the same, so height is told.
    moved["joint_position"] = moved["joint_position"] + np.array([1.0, 0.1, 1.0])
    folders = [
        bo.save_result(each, place / name, tables=()) for each, name in ((walk, "one"), (moved, "two"))
    ]
    found = Visit(browser, write_page(folders, place / "page.html"))
    yield found
    assert found.errors == []


def test_bodies_are_compared_at_the_same_place_on_the_same_spot(visit, walk):
    visit.page.locator(".overlay").scroll_into_view_if_needed()
    assert visit.page.locator(".overlay .legend li").all_inner_texts() == ["one", "two"]
    slider = visit.page.locator(".overlay .scrub")
    for percent in (0, 40, 100):
        slider.fill(str(percent))
        first, second = visit.ask(f"{BODIES}.instants")
        wanted = np.argmin(
            np.abs(walk["time"].values - np.interp(percent, [0, 100], walk["time"].values[[0, -1]]))
        )
        assert first == second == wanted
        count = visit.ask(f"{BODIES}.count")
        ends = np.array(visit.ask(f"Array.from({{length: {count}}}, (_, k) => {BODIES}.ends(k))"))
        owners = np.array(visit.ask(f"Array.from({{length: {count}}}, (_, k) => {BODIES}.owner(k).number)"))
        apart = ends[owners == 1] - ends[owners == 0]
        np.testing.assert_allclose(apart, np.broadcast_to([0.0, 0.1, 0.0], apart.shape), atol=1e-5)
        joints = walk["joint_position"].values[first]
        np.testing.assert_allclose(ends[owners == 0][-len(joints) :, 0], joints, atol=1e-5)
    visit.page.locator(".compared select.over").select_option("percent")
    assert visit.ask(f"{BODIES}.instants")[0] == walk.sizes["time"] - 1


def test_trunk_and_head_are_drawn_where_the_model_has_none_and_can_be_switched_off(visit, walk):
    shapes = """() => { const { scene } = borelli.results[0]; scene.draw();
        return Array.from({ length: scene.shapes }, (_, k) => [scene.owner(k).kind, ...scene.ends(k).flat()]); }"""
    visit.page.locator("#result-0 .stage").scroll_into_view_if_needed()
    visit.go_to(0)
    drawn = [each[1:] for each in visit.ask(shapes) if each[0] == "drawn"]
    at = walk["joint_position"].isel(time=0)
    shoulders = 0.5 * (at.sel(point="shoulder_r") + at.sel(point="shoulder_l")).values
    heights = np.array(drawn)[:, [1, 4]]
    # The head is above the shoulders by some 12 to 16 % of a stature of 1.7 m, the pelvis at the hips.
    assert 0.15 < heights.max() - shoulders[1] < 0.35
    assert heights.min() == pytest.approx(float(at.sel(axis="y", point=["hip_r", "hip_l"]).mean()), abs=0.3)
    box = visit.page.locator(f"#result-0 .layers label:has-text('{DRAWN}') input")
    box.uncheck()
    assert not [each for each in visit.ask(shapes) if each[0] == "drawn"]
    box.check()
