"""A walk on the page: contacts under the scrubber, signs on the charts, cycles, muscles to be coloured at will."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from borelli.analyses.forces.contributions import contributions
from borelli.analyses.movement.scene import scene
from borelli.analyses.muscles.muscle_forces import muscle_forces
from borelli.mechanics.motion.ordered_motion import Load
from borelli.report.page import write_page
from borelli.results.answers import answers
from borelli.results.gait.cycles import normalize_cycles
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.output import outputs
from borelli.results.outputs.resultant import joint_forces
from borelli.results.saving.save import save_result
from borelli.trial.forces import Forces
from borelli.trial.result import split
from tests.analyses.muscle_arms import arm, curl
from tests.report.browser import Visit
from tests.report.test_page import ODD

FIRST = "#result-0"


def pushing(time: np.ndarray) -> list[Load]:
    """A hand that pushes off three times, twice in a whole cycle; another load that is always there."""
    phase = np.sin(2 * np.pi * 2.5 * (time - 0.1) / (time[-1] - time[0]))
    up = np.zeros((len(time), 3))
    up[:, 1] = 60.0 * np.maximum(phase, 0.0)
    hand = Load("table", "fore", force=up, point=np.tile((0.1, -0.4, 0.0), (len(time), 1)))
    return [hand, Load("bag", "upper", force=(0.0, -20.0, 0.0), point=(0.0, -0.2, 0.0))]


@pytest.fixture(scope="module")
def walk():
    model, motion = arm(), curl(61)
    loads = pushing(motion.time)
    shared = muscle_forces(model, motion, loads, reserves=1.0)
    return split(
        model,
        motion,
        Forces.from_optimization(model, loads, PlainResult.of(shared)),
        "body",
        {"title": "Push"},
    ).to_dataset()


@pytest.fixture(scope="module")
def folder(walk, tmp_path_factory):
    return save_result(walk, tmp_path_factory.mktemp("walk") / "walk")


@pytest.fixture(scope="module")
def visit(browser, folder):
    visit = Visit(browser, write_page([folder, folder], folder / "page.html"))
    yield visit
    assert visit.errors == []


def chart(visit, name: str) -> dict:
    return visit.ask(
        f"""() => {{ const plot = document.querySelector('{FIRST} {name}');
        return {{
            x: Array.from(plot.data[0].x), total: Array.from(plot.data.at(-1).y),
            title: plot.layout.xaxis.title.text, cursor: plot.layout.shapes[0],
            signs: (plot.layout.annotations ?? []).map((sign) => [sign.text, sign.x]),
            bands: plot.data.filter((trace) => trace.fill === 'tonexty' && trace.fillcolor.length === 9).length,
        }}; }}"""
    )


def over(visit, words: str) -> None:
    visit.page.locator(f"{FIRST} .dock .over").select_option(label=words)


def test_contacts_lie_under_the_scrubber_and_lead_to_their_instant(visit, walk):
    assert visit.page.locator(f"{FIRST} .timeline .name").all_text_contents() == ["fore"]
    bars = visit.page.locator(f"{FIRST} .timeline .track span")
    assert bars.count() == 3
    label = visit.page.locator(f"{FIRST} .timeline").get_attribute("aria-label")
    assert label.startswith("Contacts with the ground. fore: ")
    visit.page.locator(f"{FIRST} .timeline .track").scroll_into_view_if_needed()
    box = visit.page.locator(f"{FIRST} .timeline .track").bounding_box()
    visit.page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    visit.wait("borelli.results[0].player.frame === 30")
    needle = visit.ask("parseFloat(document.querySelector('#result-0 .needle').style.left)")
    assert needle == pytest.approx(50.0, abs=0.01)


def test_events_are_signs_on_every_chart(visit, walk):
    over(visit, "time")
    for name in (".stack", ".heat", ".curves", ".torques", ".arms"):
        signs = chart(visit, name)["signs"]
        assert [sign for sign, _ in signs] == [
            {"contact": "▼", "release": "△"}[kind] for kind in walk["event_kind"].values
        ]
        np.testing.assert_allclose([x for _, x in signs], walk["event_time"].values)


def test_charts_over_cycles_show_the_mean_and_its_band(visit, walk):
    visit.page.locator(f"{FIRST} .shares .output").select_option(label="elbow moment")
    over(visit, "cycle of fore, mean of 2")
    seen = chart(visit, ".stack")
    expected = normalize_cycles(walk)["total_generalized_force"].sel(coordinate="elbow").mean("cycle")
    np.testing.assert_allclose(seen["total"], expected, atol=1e-9)
    assert seen["x"] == list(range(101)) and seen["title"] == "percent of the cycle of fore, mean of 2"
    assert seen["bands"] == 1
    assert [sign for sign, _ in seen["signs"]] == ["△"]
    visit.go_to(0)
    assert chart(visit, ".stack")["cursor"]["visible"] is False  # before the first cycle
    time = float(walk["time"][30])
    visit.go_to(30)
    start, end = (normalize_cycles(walk)[f"cycle_{name}"].values for name in ("start", "end"))
    inside = [(time - a) / (b - a) for a, b in zip(start, end, strict=True) if a <= time <= b]
    assert chart(visit, ".stack")["cursor"]["x0"] == pytest.approx(100 * inside[0])
    over(visit, "time")
    assert chart(visit, ".stack")["x"][-1] == float(walk["time"][-1])


def test_cycles_from_the_page_are_those_that_were_saved(visit, folder):
    import csv
    import io

    _, content = visit.saved(f"{FIRST} .tables button:has-text('by cycle')")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    saved = pd.read_parquet(folder / "cycles.parquet")
    saved = saved[saved["cycle"].str.isdigit()]
    assert len(rows) == len(saved)
    assert [row["cycle"] for row in rows] == saved["cycle"].tolist()
    for mine, theirs in (
        ("elbow_moment [N m]", "elbow_total_generalized_force [N m]"),
        ("elbow_reaction_force_x [N]", "elbow_total_reaction_force_x [N]"),
    ):
        np.testing.assert_allclose([float(row[mine]) for row in rows], saved[theirs], rtol=1e-9, atol=1e-9)
    _, content = visit.saved(f"{FIRST} .tables button:has-text('Events')")
    assert content.decode("utf-8-sig").splitlines()[0] == "time [s],side,kind"


def test_muscles_are_coloured_by_what_one_chooses(visit, walk):
    visit.go_to(20)
    shades = "borelli.results[0].scene.fraction(0)"
    legend = visit.page.locator(f"{FIRST} .ramp")
    select = visit.page.locator(f"{FIRST} .layers .choice select")
    select.select_option(label="tension")
    by_tension = visit.ask(shades)
    assert "N" in legend.text_content()
    tension = walk["tension"].values
    assert by_tension == pytest.approx(tension[20, 0] / tension.max(), rel=1e-5)
    select.select_option(label="activation")
    activation = walk["activation"].values
    assert visit.ask(shades) == pytest.approx(activation[20, 0] / activation.max(), rel=1e-5)
    select.select_option(label="one colour")
    assert visit.ask(shades) is None and not legend.is_visible()
    select.select_option(label="tension")


def test_torque_is_shown_with_what_muscles_deliver(visit, walk):
    visit.page.locator(f"{FIRST} .balance .place").select_option(label="elbow")
    curves = visit.ask(
        "document.querySelector('#result-0 .torques').data.map((trace) => [trace.name, Array.from(trace.y)])"
    )
    named = dict(curves)
    assert list(named) == ["torque", "sum of the muscles", "missing"]
    for name, variable in zip(
        named, ("demanded_moment", "total_muscle_moment", "missing_moment"), strict=True
    ):
        np.testing.assert_array_equal(named[name], walk[variable].sel(coordinate="elbow"))
    arms = visit.ask("document.querySelector('#result-0 .arms').data.map((trace) => trace.name)")
    assert set(arms) == {"biceps", "brachialis", "triceps_long", "triceps_lat"}


def test_a_peak_leads_to_its_output_and_its_instant(visit, walk):
    button = visit.page.locator(f"{FIRST} .peaks th button:text-is('elbow force x')")
    button.click()
    assert visit.ask("borelli.results[0].shares.output().name") == "elbow_reaction_force_x"
    peak = int(np.abs(walk["total_reaction_force"].sel(joint="elbow", axis="x").values).argmax())
    assert visit.ask("borelli.results[0].player.frame") == peak
    cut = "[...document.querySelectorAll('#result-0 .waterfall text')].filter((t) => t.getBBox().x < 0)"
    assert visit.ask(f"{cut}.map((t) => t.textContent)") == []
    assert "brachialis gives" in visit.page.locator(f"{FIRST} .reading").text_content()
    search = visit.page.locator(f"{FIRST} .peaks .find")
    search.fill("shoulder moment")
    shown = visit.page.locator(f"{FIRST} .peaks tbody tr:visible th").all_text_contents()
    assert shown and all("shoulder" in text for text in shown)
    search.fill("")


def test_a_card_says_how_much_a_joint_bears_and_leads_there(visit, walk):
    answer = next(each for each in answers(walk) if each.joint == "elbow")
    card = visit.page.locator(f"{FIRST} .card", has_text="Elbow")
    told = " ".join(card.locator(".answer").text_content().replace("\xa0", " ").split())
    assert told == answer.sentence.replace(":", "")
    card.locator(".answer").click()
    assert visit.ask("borelli.results[0].shares.output().name") == "elbow_reaction_force"
    assert visit.ask("borelli.results[0].player.frame") == answer.instant
    card.locator(".more button").first.click()
    assert visit.ask("borelli.results[0].shares.output().name") == "elbow_axial_force"


def test_sizes_of_forces_and_their_shares_on_the_page_are_those_of_python(visit, walk):
    seen = visit.ask(
        """() => borelli.results[0].data.outputs.filter((each) => each.parts).map((each) => ({
        name: each.name, total: Array.from(each.total.values), heard: each.heard,
        shares: Array.from(each.shares.values) }))"""
    )
    known = {each.name: each for each in joint_forces(walk, outputs(walk))}
    assert {each["name"] for each in seen} == set(known)
    for each in seen:
        own = known[each["name"]]
        scale = np.abs(own.total(walk)).max()
        np.testing.assert_allclose(each["total"], own.total(walk), atol=1e-9 * scale)
        shares = np.reshape(each["shares"], (len(each["heard"]), -1))
        np.testing.assert_allclose(shares, own.shares(walk).T[each["heard"]], atol=1e-6 * scale)
        np.testing.assert_allclose(shares.sum(axis=0), each["total"], atol=1e-9 * scale)


def test_the_search_understands_words_of_the_field(visit):
    search, rows = (
        visit.page.locator(f"{FIRST} .peaks {where}") for where in (".find", "tbody tr:visible th")
    )
    for words, found in (("compression", "elbow compression"), ("triceps brachii contact", "shoulder force")):
        search.fill(words)
        assert found in rows.all_text_contents(), words
    search.fill("gastrocnemius")
    assert rows.all_text_contents() == []
    search.fill("")


def test_a_click_on_the_map_chooses_the_muscle(visit):
    plot = visit.page.locator(f"{FIRST} .heat .area").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    visit.page.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + 0.04 * box["height"])
    visit.wait("document.querySelector('#result-0 .chosen').value === '0'")
    names = visit.ask("document.querySelector('#result-0 .curves').data.map((trace) => trace.name)")
    assert names == ["delt_ant"]


def test_results_are_compared_over_a_cycle_that_both_have(visit):
    options = visit.page.locator(".compared .over option").all_text_contents()
    assert options == ["time", "percent of the recording", "cycle of fore", "contact of fore"]
    visit.page.locator(".compared .over").select_option(label="cycle of fore")
    lines = visit.ask(
        "document.querySelector('.compared .plot').data.filter((trace) => trace.showlegend !== false).length"
    )
    assert lines == 2 + 1  # and their difference


def test_without_loads_there_is_no_line_of_contacts(browser, tmp_path):
    model, motion = arm(), curl()
    plain = contributions(model, motion).merge(
        scene(model, motion), combine_attrs="override", compat="override"
    )
    page = write_page([save_result(plain, tmp_path / "plain")], tmp_path / "plain.html")
    visit = Visit(browser, page)
    assert not visit.page.locator(f"{FIRST} .timeline").is_visible()
    assert visit.page.locator(f"{FIRST} .dock .over option").count() == 2
    assert visit.errors == []


def test_names_of_feet_that_are_made_to_break_the_page_are_only_shown(browser, walk, tmp_path):
    odd = walk.assign_coords(event_side=("event", [ODD] * walk.sizes["event"]))
    visit = Visit(browser, write_page([save_result(odd, tmp_path / "odd")], tmp_path / "odd.html"))
    visit.page.locator(f"{FIRST} .dock .over").select_option(label=f"cycle of {ODD}, mean of 2")
    assert visit.page.locator(f"{FIRST} .timeline .name").text_content() == ODD
    assert visit.ask("document.querySelectorAll('img, script').length") == 3
    assert visit.errors == []


def test_a_difference_is_split_into_its_sources(browser, walk, tmp_path):
    more = walk.copy(deep=True)
    source = "muscle:biceps"
    more["reaction_force"].loc[{"source": source, "joint": "elbow"}] *= 1.5
    gain = more["reaction_force"].sel(joint="elbow").sum("source") - walk["reaction_force"].sel(
        joint="elbow"
    ).sum("source")
    more["total_reaction_force"].loc[{"joint": "elbow"}] += gain
    places = [save_result(each, tmp_path / name) for each, name in ((walk, "before"), (more, "after"))]
    visit = Visit(browser, write_page(places, tmp_path / "both.html"))
    panel = visit.page.locator(".compared")
    assert panel.locator(".output option:checked").text_content() == "elbow force"
    panel.locator(".output").select_option(label="elbow force x")
    told = panel.locator(".difference .reading").text_content()
    assert (
        told.startswith("after less before: the elbow force x differs most at") and "biceps brachii" in told
    )
    traces = visit.ask(
        """document.querySelector('.compared .split').data
        .map((trace) => [trace.name, Array.from(trace.customdata ?? trace.y)])"""
    )
    biceps = next(values for name, values in traces if name == "biceps brachii")
    np.testing.assert_allclose(biceps, gain.sel(axis="x").values, atol=1e-9)
    np.testing.assert_allclose(traces[-1][1], gain.sel(axis="x").values, atol=1e-9)
    assert visit.errors == []
