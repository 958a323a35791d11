"""The playground in a real browser: its numbers, its handles, its lessons, its widths, without errors or a network."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from borelli import planar
from borelli.playground.page import write_playground
from borelli.playground.ready import ready_bodies
from tests.playground.postures import (
    KEYS,
    body_in,
    expected_answer,
    largest_gap,
    numbers,
    random_situation,
)
from tests.playground.test_page import ODD
from tests.report.browser import Visit, chromium

# Both sides are sums of at most a hundred products in float64.
ROUND_OFF = 1e-12
N_POSTURES = 50


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return write_playground(tmp_path_factory.mktemp("play") / "play.html")


@pytest.fixture(scope="module")
def visit(browser, page):
    visit = Visit(browser, page, width=1400)
    yield visit
    assert visit.errors == []
    assert visit.addresses == [page.as_uri()]


def fresh(visit, key="lift"):
    """Choose a body anew; the page has drawn it when this returns."""
    visit.page.locator(f".bodies button[data-value={key}]").click()
    drawn(visit)


def drawn(visit):
    visit.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def shown(visit, what):
    return visit.ask(f"window.borelliPlayground.shown().{what}")


@pytest.mark.parametrize("key", KEYS)
def test_page_gives_what_analyze_gives_in_random_postures(visit, key):
    body = next(each for each in ready_bodies() if each.key == key)
    draw = np.random.default_rng([19, KEYS.index(key)])
    cases = [random_situation(body, draw) for _ in range(N_POSTURES)]
    call = numbers("window.borelliPlayground.answer(key, each)")
    found = visit.ask(f"([key, all]) => all.map((each) => {call})", [key, cases])
    worst: dict[str, float] = {}
    for situation, mine in zip(cases, found, strict=True):
        names = body_in(key, situation).chain.muscle_names
        answer = expected_answer(key, situation, dict(zip(names, mine["tension"], strict=True)))
        for name, gap in largest_gap(mine, answer).items():
            worst[name] = max(worst.get(name, 0.0), gap)
    assert max(worst.values()) < ROUND_OFF, worst


def test_what_is_read_is_what_is_computed(visit):
    fresh(visit, "squat")
    joint = visit.page.locator(".joints button[aria-checked=true]").inner_text()
    assert joint == "Knee"
    for quantity in ("compression", "shear", "resultant", "torque"):
        button = visit.page.locator(f".quantities button[data-value={quantity}]")
        assert float(button.get_attribute("data-number")) == shown(visit, f"{quantity}[1]")
    shares = visit.page.locator(".shares li:not([hidden]) button").evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.source, Number(row.dataset.number)])"
    )
    sizes = [abs(value) for _, value in shares]
    assert sizes == sorted(sizes, reverse=True) and len(shares) > 3
    assert sum(value for _, value in shares) == pytest.approx(shown(visit, "compression[1]"), rel=1e-9)
    why = visit.page.locator(".right .why").inner_text()
    assert "vasti" in why and "times as long" in why


def test_a_joint_is_dragged_and_turned_by_keys_within_its_range(visit):
    fresh(visit)
    handle = visit.page.locator(".stage:not([hidden]) .handle").last  # the hands
    before = shown(visit, "pose.angle")
    box = handle.locator(".ring").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visit.page.mouse.move(x, y)
    visit.page.mouse.down()
    visit.page.mouse.move(x - 30, y - 60, steps=4)
    visit.page.mouse.up()
    drawn(visit)
    after = shown(visit, "pose.angle")
    assert after[:-1] == before[:-1] and after[-1] > before[-1] + 0.1
    handle.focus()
    visit.page.keyboard.press("ArrowLeft")
    visit.page.keyboard.press("Shift+ArrowLeft")
    drawn(visit)
    assert shown(visit, "pose.angle")[-1] == pytest.approx(after[-1] + math.radians(6.0), abs=1e-12)
    for _ in range(40):
        visit.page.keyboard.press("Shift+ArrowLeft")
    drawn(visit)
    angles = shown(visit, "pose.angle")
    assert angles[-1] - angles[-2] == pytest.approx(math.radians(145.0))  # the elbow bends no further


def test_a_heavier_box_raises_the_load_and_the_active_term_is_lit(visit):
    fresh(visit)
    before = shown(visit, "compression[3]")
    slider = visit.page.locator(".slider").first
    slider.locator("input").focus()
    for _ in range(10):
        visit.page.keyboard.press("ArrowRight")
    drawn(visit)
    assert slider.locator("output").inner_text() == "20.0 kg"
    assert shown(visit, "compression[3]") > before
    visit.page.locator(".quantities button[data-value=torque]").click()
    drawn(visit)  # shares of another quantity come in another order
    visit.page.locator(".shares button[data-source='load:box']").click()
    drawn(visit)
    lit = visit.page.locator(".equations .term.lit")
    assert lit.count() == 1 and lit.get_attribute("data-term") == "load:6"
    # At rest, nothing accelerates: those terms are faint.
    assert visit.page.locator(".equations .term.nothing[data-term='acceleration:4']").count() == 1


def test_moving_bodies_have_inertia_and_stop_at_rest(visit):
    fresh(visit, "curl")
    visit.page.locator(".play").click()
    visit.wait("window.borelliPlayground.shown().pose.velocity[1] > 0.2")
    assert abs(shown(visit, "torqueShare[1]['acceleration:forearm_hand']")) > 0.0
    # Taken by hand it rests, and keeps nothing of its speed.
    handle = visit.page.locator(".stage:not([hidden]) .handle").last
    handle.focus()
    visit.page.keyboard.press("ArrowLeft")
    drawn(visit)
    assert shown(visit, "pose.velocity") == [0, 0]
    assert shown(visit, "torqueShare[1]['acceleration:forearm_hand']") == 0
    visit.page.locator(".play").click()
    visit.wait("Math.abs(window.borelliPlayground.shown().pose.velocity[1]) > 0.2")
    visit.page.locator(".play").click()
    drawn(visit)
    assert shown(visit, "pose.velocity") == [0, 0]


def test_lessons_compare_two_situations_and_the_address_keeps_them(visit, browser):
    visit.page.locator(".lessons button").first.click()
    visit.page.locator(".lesson .next").click()
    drawn(visit)
    text = visit.page.locator(".lesson .text").inner_text()
    assert "{" not in text and "moment arm of" in text
    assert visit.page.locator(".stage:not([hidden])").count() == 2
    assert "less in B than in A" in visit.page.locator(".difference .why").inner_text()
    visit.wait("decodeURIComponent(location.hash).includes('\"compare\":true')")
    # Opened again, by anyone, the address shows the same; what it does not know it leaves alone.
    address = visit.page.url
    again = visit.page.context.new_page()
    again.goto(address)
    again.wait_for_selector("html[data-ready=yes]", state="attached")
    assert again.locator(".lesson .text").inner_text() == text
    again.goto("about:blank")
    again.goto(
        address.split("#")[0] + "#" + json.dumps({"key": "lift", "situations": [{"angle": ["x", 1e999]}]})
    )
    again.wait_for_selector("html[data-ready=yes]", state="attached")
    assert math.isfinite(again.evaluate("window.borelliPlayground.shown().torque[0]"))
    again.close()
    visit.page.locator(".lesson .leave").click()
    visit.page.locator(".compare").click()


def test_names_of_a_strangers_chain_stay_inert(browser, tmp_path):
    link = planar.Link(ODD, 0.4, 1.0, 0.01, (0.2, 0.0), joint=ODD)
    chain = planar.Chain(
        (link,), muscles=(planar.Muscle(ODD, ((0, (0.0, 0.1)), (1, (0.2, 0.05)))),), name=ODD
    )
    visit = Visit(browser, write_playground(tmp_path / "odd.html", chain, title=ODD))
    drawn(visit)
    assert visit.page.locator("h1").inner_text() == ODD
    assert ODD in visit.page.locator(".right .why").inner_text()
    assert visit.page.locator("img").count() == 0
    assert visit.errors == []
    visit.page.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1400, "light")])
def test_every_control_has_a_name_and_nothing_is_cut_off(browser, page, width, scheme):
    visit = Visit(browser, page, width=width, scheme=scheme)
    visit.page.locator(".compare").click()
    drawn(visit)
    assert visit.ask("document.documentElement.scrollWidth") <= width
    nameless = visit.ask(
        """[...document.querySelectorAll("button, input, [role=slider], [role=radiogroup], [tabindex='0']")]
        .filter((each) => each.offsetParent !== null || each.ownerSVGElement)
        .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length
                            || each.getAttribute("aria-labelledby")))
        .map((each) => each.outerHTML)"""
    )
    assert nameless == []
    assert visit.errors == []
    visit.page.context.close()
