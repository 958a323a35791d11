"""The page in a real browser: offline, without errors, linked, and with the numbers that were saved."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from borelli import planar
from borelli.analyses.forces.contributions import contributions
from borelli.analyses.movement.scene import scene
from borelli.mechanics.motion.ordered_motion import Load
from borelli.report import page as page_module
from borelli.report.page import write_page
from borelli.results.saving.save import save_result
from tests.analyses.muscle_arms import arm, curl
from tests.report.browser import Visit
from tests.report.test_page import ODD, odd_result
from tests.results.problems import leg, result, standing_up

SHAPES = """() => { const { scene } = borelli.results[0]; scene.draw();
    return Array.from({ length: scene.shapes }, (_, k) => k).filter((k) => scene.owner(k)?.kind !== "drawn")
        .map((k) => ({ kind: scene.owner(k).kind, words: scene.words(k), ends: scene.ends(k) })); }"""
NO_WEBGL = """HTMLCanvasElement.prototype.getContext = ((own) => function (kind, ...more) {
    return kind === "webgl2" ? null : own.call(this, kind, ...more); })(HTMLCanvasElement.prototype.getContext)"""
FIRST, SECOND = "#result-0", "#result-1"


@pytest.fixture(scope="module")
def answer():
    places = planar.drawing(leg(), standing_up(), (planar.Contact("bar", 3, (0.5, 0.0), (0.0, -200.0)),))
    found = (
        result()
        .drop_vars("joint_position")
        .merge(places, combine_attrs="override", compat="override")
        .assign_attrs(title="Standing up")
    )
    found["tension"] = (("time", "muscle"), np.full((41, 2), [800.0, 300.0]), {"units": "N"})
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def visit(browser, folder, answer):
    """One page of two results; the second one has names made to break it."""
    odd = odd_result(answer).assign_coords(muscle=[ODD, "b"], load=[ODD], link=[ODD, "b", "c"])
    places = [save_result(answer, folder / "leg"), save_result(odd, folder / "odd", warnings=[ODD])]
    visit = Visit(browser, write_page(places, folder / "page.html"))
    yield visit
    assert visit.errors == []
    assert visit.addresses == [(folder / "page.html").as_uri()]


def table(content: bytes) -> dict[str, np.ndarray]:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    return {name: np.array(column, dtype=float) for name, *column in zip(*rows, strict=True)}


def test_page_opens_from_disk_without_network_and_without_errors(visit, folder):
    assert visit.errors == []
    assert visit.addresses == [(folder / "page.html").as_uri()]
    assert visit.ask("window.borelli.results.length") == 2


def test_scrubbing_moves_scene_cursor_waterfall_and_sentence(visit, answer):
    seen = """() => ({
        bone: [...document.querySelectorAll('#result-0 .bone')]
            .map((bone) => bone.getAttribute('x2') + ',' + bone.getAttribute('y2')).join(' '),
        muscle: document.querySelector('#result-0 .path').getAttribute('points'),
        cursor: document.querySelector('#result-0 .stack').layout.shapes[0].x0,
        fall: document.querySelector('#result-0 .waterfall').data[0].x.at(-1),
        said: document.querySelector('#result-0 .reading').textContent,
        clock: document.querySelector('#result-0 .clock').textContent,
    })"""
    visit.page.locator(f"{FIRST} .shares .output").select_option(label="ankle torque")
    before = visit.ask(seen)
    visit.go_to(20)
    after = visit.ask(seen)
    assert all(before[key] != after[key] for key in before)
    time, torque = float(answer.time[20]), float(answer.torque[20, 0])
    assert after["cursor"] == time
    assert after["fall"] == torque
    assert after["clock"] == f"{time:.2f} s"
    assert f"At {time:.4g} s the ankle torque is {torque:.4g} N m".replace("-", "−") in after["said"]
    drawn = np.array([point.split(",") for point in after["bone"].split()], dtype=float)
    np.testing.assert_allclose(drawn * [1, -1], answer.joint_position[20, 1:], atol=1e-6)  # single precision


def test_chart_moves_the_playback(visit):
    visit.page.locator(f"{FIRST} .stack").scroll_into_view_if_needed()
    box = visit.page.locator(f"{FIRST} .stack .area").first.bounding_box()
    visit.page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 0.5 * box["height"])
    frame = "borelli.results[0].player.frame"
    visit.wait(f"{frame} > 0")
    # Three quarters of forty steps, as far as a pixel tells.
    assert 29 <= visit.ask(frame) <= 31


def test_keys_step_play_and_jump(visit):
    visit.page.locator(f"{FIRST} .stage").focus()
    frame = "borelli.results[0].player.frame"
    visit.page.keyboard.press("Home")
    visit.page.keyboard.press("ArrowRight")
    assert visit.ask(frame) == 1
    visit.page.keyboard.press("End")
    assert visit.ask(frame) == 40
    visit.page.keyboard.press("Space")
    assert visit.ask("borelli.results[0].player.running")
    visit.page.keyboard.press("Space")
    assert not visit.ask("borelli.results[0].player.running")


def test_grouping_changes_the_legend_and_keeps_the_total(visit):
    visit.page.locator(f"{FIRST} .shares .output").select_option(label="hip force x")
    added_up = """() => {
        const { shares } = borelli.results[0], total = shares.total();
        return [total, total.map((_, i) => shares.layers().reduce((sum, layer) => sum + layer.values[i], 0))];
    }"""
    legends, sums = [], []
    for key in ("source", "kind", "body", "muscle"):
        visit.page.locator(f"{FIRST} .grouping").select_option(key)
        legends.append(visit.page.locator(f"{FIRST} .legend li").all_text_contents())
        sums.append(visit.ask(added_up))
    visit.page.locator(f"{FIRST} .grouping").select_option("source")
    visit.page.locator(f"{FIRST} .shares .output").select_option(label="ankle torque")
    assert len({tuple(legend) for legend in legends}) == 4
    assert set(legends[1]) <= {"weight", "load", "acceleration", "velocity", "muscle", "total"}
    for total, summed in sums:
        assert total == sums[0][0]
        np.testing.assert_allclose(summed, total, atol=1e-11)  # hundreds of newtons in another order


def test_saved_tables_hold_every_digit_of_the_result(visit, answer):
    name, content = visit.saved(f"{FIRST} .shares .save button:text-is('CSV')")
    found = table(content)
    assert name == "Standing_up_ankle_torque_shares.csv"
    np.testing.assert_array_equal(found["time [s]"], answer.time)
    np.testing.assert_array_equal(found["ankle_torque [N m]"], answer.torque[:, 0])
    shares = answer.torque_share.sel(joint="ankle", source="weight:trunk")
    np.testing.assert_array_equal(found["weight:trunk [N m]"], shares)
    _, content = visit.saved(f"{FIRST} .tables button:has-text('All outputs')")
    np.testing.assert_array_equal(
        table(content)["hip_reaction_x [N]"], answer.reaction.sel(joint="hip", axis="x")
    )
    _, content = visit.saved(f"{FIRST} .tables button:has-text('Muscles')")
    np.testing.assert_array_equal(
        table(content)["vasti length [m]"], answer.muscle_length.sel(muscle="vasti")
    )


def test_pictures_are_saved_as_svg_and_png(visit):
    save = f"{FIRST} .balance .save button"
    torque, arms = visit.saved_all(f"{save}:text-is('SVG')", 2).items()
    assert (
        torque[0].endswith("balance.svg")
        and torque[1].startswith(b"<svg")
        and b"sum of the muscles" in torque[1]
    )
    assert arms[0].endswith("moment_arms.svg") and b"moment arm at" in arms[1]
    for name, content in visit.saved_all(f"{save}:text-is('PNG')", 2).items():
        assert name.endswith(".png") and content.startswith(b"\x89PNG")


def test_the_drawing_is_saved_as_svg_and_png(visit):
    save = f"{FIRST} .motion .save button"
    name, content = visit.saved(f"{save}:text-is('SVG')")
    assert name.startswith("Standing_up_at_") and content.startswith(b"<svg") and b"stroke" in content
    assert b"var(--" not in content  # stands without the page's style
    name, content = visit.saved(f"{save}:text-is('PNG')")
    assert name.endswith(".png") and content.startswith(b"\x89PNG") and len(content) > 5_000


def test_methods_are_copied_with_their_citations(visit):
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.page.locator(f"{FIRST} .copy").click()
    visit.wait("document.querySelector('#result-0 .copied').textContent === 'Copied.'")
    copied = visit.ask("navigator.clipboard.readText()")
    assert copied.startswith("The loads of 'leg' were computed with Borelli") and "1. Biscarini" in copied


def test_layers_of_the_scene_can_be_switched_off(visit):
    box = visit.page.locator(f"{FIRST} .layers label:has-text('muscles') input")
    muscles = visit.page.locator(f"{FIRST} .path").first
    assert muscles.is_visible()
    box.uncheck()
    assert not muscles.is_visible()
    box.check()
    assert visit.page.locator(f"{FIRST} .load").count() == 1
    assert "bar: 200 N" in visit.page.locator(f"{FIRST} .load title").text_content()


def test_results_are_compared_on_the_same_axes(visit, answer):
    panel = visit.page.locator(".compared")
    assert panel.is_visible()
    names = panel.locator(".output option").all_text_contents()
    assert "hip force x" in names and ODD not in " ".join(names)
    panel.locator(".output").select_option(label="hip force x")
    curves = visit.ask("document.querySelector('.compared .plot').data.map((trace) => Array.from(trace.y))")
    assert (
        len(curves) == 3 and curves[0] == curves[1] and not any(curves[2])
    )  # the last one is their difference
    np.testing.assert_array_equal(curves[0], answer.reaction.sel(joint="hip", axis="x"))


def test_names_made_to_break_the_page_are_only_shown(visit):
    visit.go_to(10, 1)
    assert visit.ask("document.querySelectorAll('img, script').length") == 3
    title = visit.page.locator("#title-1").text_content()
    assert title == ODD
    assert visit.page.locator(f"{SECOND} .legend li").first.text_content().endswith(ODD)
    assert visit.page.locator(f"{SECOND} .path title").first.text_content().startswith(ODD)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (400, "light")])
def test_page_fits_narrow_and_wide_screens(visit, folder, width, scheme):
    page = visit.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.wait_for_timeout(300)
    beyond = """(width) => [...document.querySelectorAll('body *')]
        .filter((each) => each.getBoundingClientRect().right > width + 1 && !each.closest('.scroll, .plot'))
        .map((each) => each.tagName + '.' + each.className)"""
    assert visit.ask(beyond, width) == []
    assert visit.ask("document.documentElement.scrollWidth") <= width
    ink = visit.ask("getComputedStyle(document.querySelector('#result-0 .stack .tick')).fill")
    assert ink == {"light": "rgb(85, 96, 107)", "dark": "rgb(167, 177, 187)"}[scheme]
    assert page.screenshot(path=folder / f"{width}.png", full_page=True).startswith(b"\x89PNG")
    for plot in page.locator(".plot:visible").all():
        assert plot.get_attribute("aria-label")


def test_a_table_that_would_lack_frames_is_not_offered(browser, folder, monkeypatch):
    monkeypatch.setattr(page_module, "PAGE_BYTES", 1.0)
    place = save_result(result(n_times=301), folder / "many", tables=())
    visit = Visit(browser, write_page([place], folder / "many.html"))
    words = visit.ask(
        "[...document.querySelectorAll('#result-0 button')].map((button) => button.ariaLabel ?? button.title)"
    )
    assert not [each for each in words if each.startswith("Save the numbers")]
    assert not visit.page.locator("#result-0 .tables button").count()
    assert "Save the pictures of this output as SVG" in words
    assert "shares.parquet" in visit.ask("document.querySelector('#result-0').textContent")
    # Everything is drawn all the same, and the peak is where it was.
    lengths = visit.ask("document.querySelector('#result-0 .stack').data.map((trace) => trace.x.length)")
    drawn = visit.ask("window.borelli.results[0].data.drawn.length")
    assert set(lengths) == {drawn} and drawn < 100
    assert visit.ask("window.borelli.results[0].player.frame") == visit.ask(
        "window.borelli.results[0].shares.output().peak"
    )
    assert visit.errors == []


def test_a_single_frame_has_bars_and_nothing_to_play(browser, folder):
    still = planar.Motion.static([1.0, 2.0, 1.5])
    alone = planar.analyze(leg(), still).merge(planar.drawing(leg(), still), combine_attrs="override")
    visit = Visit(browser, write_page([save_result(alone, folder / "still")], folder / "still.html"))
    assert not visit.page.locator(f"{FIRST} .dock").is_visible()
    assert visit.page.locator(f"{FIRST} .subtitle").text_content().startswith("One instant at 0 s, ")
    kinds = visit.ask("document.querySelector('#result-0 .stack').data.map((trace) => trace.type)")
    assert kinds[0] == "bar" and visit.errors == []


@pytest.fixture(scope="module")
def space(browser, folder):
    """A page of a spatial result."""
    model, motion = arm(), curl()
    load = Load("dumbbell", "fore", force=(0.0, -50.0, 0.0), point=(0.1, -0.4, 0.0))
    pulls = {name: np.linspace(10.0, 200.0, motion.n_times) for name in model.muscle_names}
    split = contributions(model, motion, [load], tensions=pulls)
    whole = split.merge(scene(model, motion, [load], pulls), combine_attrs="override", compat="override")
    visit = Visit(browser, write_page([save_result(whole, folder / "arm")], folder / "arm.html"))
    yield visit, whole
    assert visit.errors == []
    assert visit.addresses == [(folder / "arm.html").as_uri()]


def test_figure_in_space_follows_the_instant_and_shows_what_was_saved(space):
    visit, whole = space
    visit.go_to(12)
    seen = visit.ask(SHAPES)
    assert visit.ask("borelli.results[0].scene.renderer") == "webgl"
    joints = [each for each in seen if each["kind"] == "joint"]
    at = whole.joint_position[12].values
    np.testing.assert_allclose([each["ends"][0] for each in joints], at, atol=1e-6)  # single precision
    bone = next(each for each in seen if each["kind"] == "bone")
    np.testing.assert_allclose(bone["ends"], at[[0, 1]], atol=1e-6)
    told = {each["words"] for each in seen}
    assert f"biceps: tension {float(whole.tension[12].sel(path='biceps')):.4g} N" in told
    assert "dumbbell: 50 N" in told and not any(text.startswith("elbow:") for text in told)
    visit.page.locator(f"{FIRST} .layers label:has-text('joint reactions') input").check()
    force = float(np.linalg.norm(whole.total_reaction_force[12].sel(joint="elbow")))
    assert f"elbow: {force:.4g} N" in {each["words"] for each in visit.ask(SHAPES)}


def test_the_drawing_in_space_is_saved(space):
    visit, _ = space
    name, content = visit.saved(f"{FIRST} .motion .save button:text-is('PNG')")
    assert name.startswith("arm_at_") and content.startswith(b"\x89PNG") and len(content) > 5_000


def test_view_and_layers_in_space_are_chosen_and_survive_the_next_instant(space):
    visit, _ = space
    visit.page.locator(f"{FIRST} .views button:text-is('top')").click()
    visit.page.locator(f"{FIRST} .layers label:has-text('joint reactions') input").check()
    visit.go_to(3)
    view = visit.ask("borelli.results[0].scene.view")
    assert view[1] == 1.5 and any(each["kind"] == "joint reactions" for each in visit.ask(SHAPES))
    visit.page.locator(f"{FIRST} .views button[aria-label='Zoom in']").click()
    assert visit.ask("borelli.results[0].scene.view")[2] == pytest.approx(0.8 * view[2])


def test_dragging_turns_the_figure_and_the_wheel_scrolls_the_page(space):
    visit, _ = space
    visit.page.locator(f"{FIRST} .stage").scroll_into_view_if_needed()
    box = visit.page.locator(f"{FIRST} canvas.space").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before = visit.ask("borelli.results[0].scene.view")
    visit.page.mouse.move(*middle)
    visit.page.mouse.down()
    visit.page.mouse.move(middle[0] + 60, middle[1], steps=3)
    visit.page.mouse.up()
    after = visit.ask("borelli.results[0].scene.view")
    assert after[0] == pytest.approx(before[0] + 0.008 * 60) and after[2] == before[2]
    height = visit.ask("scrollY")
    visit.page.mouse.wheel(0, 200)
    visit.wait(f"scrollY !== {height}")
    assert visit.ask("borelli.results[0].scene.view") == after


def test_a_click_on_a_muscle_shows_its_curve_and_tells_its_share(space):
    visit, _ = space
    visit.page.locator(f"{FIRST} .views button:text-is('side')").click()
    visit.page.locator(f"{FIRST} .stage").scroll_into_view_if_needed()
    visit.page.wait_for_timeout(300)
    x, y = visit.ask(
        """() => { const { scene } = borelli.results[0]; scene.draw();
        for (let k = 0; k < scene.shapes; k += 1) if (scene.owner(k)?.kind === "muscle") {
            return scene.place(k); } }"""
    )
    visit.page.mouse.click(x, y)
    told = visit.page.locator(f"{FIRST} .picked").text_content()
    assert told.startswith("muscle ") and (" gives " in told or "has no part" in told)
    chosen = visit.ask("document.querySelector('#result-0 .curves').data.map((trace) => trace.name)")
    assert len(chosen) == 1 and chosen[0] in told


def test_a_click_on_a_joint_opens_its_force(space):
    visit, _ = space
    visit.page.locator(f"{FIRST} .stage").scroll_into_view_if_needed()
    visit.page.wait_for_timeout(300)
    x, y, name = visit.ask(
        """() => { const { scene, data } = borelli.results[0]; scene.draw();
        const forces = data.outputs.filter((each) => each.direction === "resultant").map((each) => each.joint);
        for (let k = scene.shapes - 1; k >= 0; k -= 1) {
            if (scene.owner(k)?.kind === "joint" && forces.includes(scene.words(k))) {
                return [...scene.place(k), scene.words(k)]; } } }"""
    )
    visit.page.mouse.click(x, y)
    visit.wait(f"borelli.results[0].shares.output().name === '{name}_reaction_force'")
    assert "is shown below" in visit.page.locator(f"{FIRST} .picked").text_content()


def test_the_address_keeps_output_and_instant(browser, space, folder):
    visit, _ = space
    visit.page.locator(f"{FIRST} .shares .output").select_option(label="elbow shear")
    visit.go_to(7)
    address = visit.ask("location.href")
    again = Visit(browser, folder / "arm.html", address=address)
    assert again.ask("borelli.results[0].shares.output().name") == "elbow_shear_force"
    assert again.ask("borelli.results[0].player.frame") == 7
    assert again.errors == []


def test_the_space_bar_plays_wherever_nothing_else_wants_it(space):
    visit, _ = space
    visit.ask("document.activeElement.blur()")
    visit.go_to(0)
    visit.ask("document.activeElement.blur()")
    visit.page.keyboard.press("Space")
    assert visit.ask("borelli.results[0].player.running")
    visit.page.keyboard.press("Space")
    assert not visit.ask("borelli.results[0].player.running")


def test_without_webgl_and_on_paper_the_figure_is_drawn_as_outlines(space, folder, browser):
    visit, _ = space
    visit.ask("dispatchEvent(new Event('beforeprint'))")
    assert visit.page.locator(f"{FIRST} svg.space path").count() == visit.ask(
        "borelli.results[0].scene.shapes"
    )
    assert not visit.page.locator(f"{FIRST} canvas.space").is_visible()
    assert (
        visit.ask(
            "[...document.querySelectorAll('.plot')].filter((p) => p.data && !p.querySelector('svg')).length"
        )
        == 0
    )
    visit.page.emulate_media(media="print")
    assert not visit.page.locator(f"{FIRST} .layers").is_visible()  # nobody can press them
    assert visit.page.locator(f"{FIRST} .peaks tbody tr:visible").count() <= 18
    visit.page.emulate_media(media="screen")
    visit.ask("dispatchEvent(new Event('afterprint'))")
    assert visit.page.locator(f"{FIRST} canvas.space").is_visible()
    plain = Visit(
        browser,
        folder / "arm.html",
        before=NO_WEBGL,
    )
    plain.page.locator(f"{FIRST} .stage").scroll_into_view_if_needed()
    plain.wait("document.querySelectorAll('#result-0 svg.space path').length > 10")
    assert plain.ask("borelli.results[0].scene.renderer") == "svg" and plain.errors == []
