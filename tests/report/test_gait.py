"""The grid of a gait laboratory: signs from the drawing, each side over its own cycles, norms, work that adds up."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli.report.blob import Blob
from borelli.report.gait_data import gait_data, given_and_taken
from borelli.report.page import write_page
from borelli.results.gait.gait_curves import gait_curves
from borelli.results.labelled.plain_result import PlainResult
from tests.report.browser import Visit

NORMS = "joint,plane,quantity,percent,mean,sd\nknee,sagittal,angle,0,5,4\nknee,sagittal,angle,100,15,6\n"


@pytest.fixture(scope="module")
def walk():
    files = bo.library.sample_walk()
    model = bo.load_model(files.model)
    motion = bo.load_motion(files.motion, model)
    return bo.analyze(model, motion, bo.load_loads(files.loads), muscles="none")


def curve(result, joint, plane, quantity, side):
    (found,) = [
        each
        for each in gait_curves(PlainResult.of(result))
        if (each.joint, each.plane, each.quantity, each.side) == (joint, plane, quantity, side)
    ]
    return found


def test_a_knee_that_bends_bends_upwards_whatever_the_sign_of_its_coordinate(walk):
    shown = curve(walk, "knee", "sagittal", "angle", "right")
    at = {name: walk["joint_position"].sel(point=f"{name}_r").values for name in ("hip", "knee", "ankle")}
    one, two = at["hip"] - at["knee"], at["ankle"] - at["knee"]
    inner = np.degrees(
        np.arccos(np.sum(one * two, axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(two, axis=1))
    )
    assert np.corrcoef(shown.values, 180.0 - inner)[0, 1] > 0.99 and shown.values.max() > 40.0
    assert (shown.label, shown.unit) == ("knee flexion", "°")
    # A model that counts the other way shows the same curves.
    turned = walk.copy(deep=True)
    for name in ("coordinate_value", "coordinate_speed", "total_generalized_force"):
        turned[name].loc[{"coordinate": "knee_angle_r"}] *= -1.0
    for quantity in ("angle", "moment", "power"):
        mine, theirs = (curve(each, "knee", "sagittal", quantity, "right").values for each in (walk, turned))
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
    # Where the drawing does not tell, neither does the label.
    still = walk.drop_vars("joint_position")
    assert curve(still, "knee", "sagittal", "angle", "right").label == "knee angle as in the model"


def test_moments_hold_against_the_load_and_power_is_per_kilogram(walk):
    mass = walk.attrs["body_mass_kg"]
    hip = curve(walk, "hip", "sagittal", "moment", "left")
    force = walk["total_generalized_force"].sel(coordinate="hip_flexion_l").values
    np.testing.assert_allclose(hip.values, -force / mass, rtol=1e-12)
    assert (hip.label, hip.unit) == ("hip extension moment", "N m/kg")
    ankle = curve(walk, "ankle", "sagittal", "moment", "right")
    assert ankle.label == "ankle plantarflexion moment" and ankle.values.max() > 1.0
    power = curve(walk, "ankle", "sagittal", "power", "right").values
    speed = walk["coordinate_speed"].sel(coordinate="ankle_angle_r").values
    moment = walk["total_generalized_force"].sel(coordinate="ankle_angle_r").values
    np.testing.assert_allclose(power, moment * speed / mass, rtol=1e-12)
    assert not [
        each
        for each in gait_curves(PlainResult.of(walk))
        if each.joint == "pelvis" and each.quantity != "angle"
    ]


def test_the_ground_carries_the_body_and_pressure_goes_forwards(walk):
    weight = walk.attrs["body_weight_n"]
    up = sum(curve(walk, "ground", "vertical", "force", side).values for side in ("right", "left"))
    np.testing.assert_allclose(up, walk["load_force"].sel(axis="y").sum("load") / weight, rtol=1e-12)
    for side in ("right", "left"):
        ahead = curve(walk, "ground", "forward", "pressure", side).values
        known = np.isfinite(ahead)
        assert np.nanmax(ahead) > 5.0 and known.any() and not known.all()  # cm; in the air there is none
        # Feet push outwards, so that the ground pushes inwards, in the middle of stance.
        inward = curve(walk, "ground", "sideways", "force", side).values
        assert inward[curve(walk, "ground", "vertical", "force", side).values > 0.8].mean() > 0.0


def test_work_given_and_taken_is_all_of_the_work():
    time = np.linspace(0.0, 2.0 * np.pi, 2001)
    given, taken = given_and_taken(time, np.sin(time), (0.0, 2.0 * np.pi))
    assert given == pytest.approx(2.0, abs=1e-5) and taken == pytest.approx(-2.0, abs=1e-5)
    # On lines between a few instants: two triangles on each side of zero, by hand.
    assert given_and_taken(
        np.array([0.0, 1.0, 2.0]), np.array([1.0, -1.0, 1.0]), (0.0, 2.0)
    ) == pytest.approx((0.5, -0.5))


def test_each_side_has_its_own_cycles_and_a_side_without_is_named(walk):
    data = gait_data(PlainResult.of(walk), Blob())
    assert data["over"] == "cycle" and not data["lacking"] and data["norms"] is None
    assert 50.0 < data["release"]["right"] < 70.0
    short = walk.sel(time=slice(0.1, 1.5)).drop_dims("event")
    short = short.merge(bo.contact_events(short, (0.0, -9.81, 0.0)), compat="override")
    lacking = gait_data(PlainResult.of(short), Blob())
    assert lacking["lacking"] == ["left"] and {each["side"] for each in lacking["curves"]} >= {"right"}
    assert gait_data(PlainResult.of(walk.drop_dims("event")), Blob())["over"] == "recording"
    assert gait_data(PlainResult.of(walk.drop_vars("coordinate_value")), Blob()) is None


@pytest.fixture(scope="module")
def visit(walk, browser, tmp_path_factory):
    place = tmp_path_factory.mktemp("gait")
    (place / "norms.csv").write_text(NORMS, encoding="utf-8")
    folder = bo.save_result(walk, place / "walk", tables=())
    page = write_page([folder], place / "page.html", norms=bo.load_norms(place / "norms.csv"))
    found = Visit(browser, page, width=1400)
    yield found
    assert found.errors == []


def strides(walk, count=3):
    """Put strides one after the other, in which the knees bend by a tenth more each time."""
    period = bo.normalize_cycles(walk, side="foot_r")
    step = float(walk["time"][1] - walk["time"][0])
    n = round(float(period["cycle_end"][0] - period["cycle_start"][0]) / step)
    one = walk.drop_dims("event").isel(time=slice(20, 20 + n))
    knees = one["coordinate"].str.startswith("knee_angle")
    parts = [
        one.assign(
            coordinate_value=one["coordinate_value"] * xr.where(knees, 1.0 + 0.1 * k, 1.0)
        ).assign_coords(time=one["time"] + k * n * step)
        for k in range(count)
    ]
    long = xr.concat(parts, "time", data_vars="minimal", coords="minimal", compat="override")
    return long.merge(bo.contact_events(long, (0.0, -9.81, 0.0)), compat="override")


def test_of_several_cycles_the_mean_is_drawn_with_its_band(browser, walk, tmp_path):
    long = strides(walk)
    folder = bo.save_result(long, tmp_path / "long", tables=())
    visit = Visit(browser, write_page([folder], tmp_path / "page.html"), width=1400)
    visit.page.locator(".gait").scroll_into_view_if_needed()
    drawn = visit.ask(
        """document.querySelector('.gait [data-curve="knee sagittal angle"]').data
        .map((t) => ({ name: t.name ?? '', y: Array.from(t.y), fill: t.fill ?? '' }))"""
    )
    base = curve(walk, "knee", "sagittal", "angle", "right")
    for side in ("right", "left"):
        cycles = bo.normalize_cycles(long, side=f"foot_{side[0]}")
        assert cycles.sizes["cycle"] == 2
        own = np.degrees(np.abs(cycles["coordinate_value"].sel(coordinate=f"knee_angle_{side[0]}").values))
        # Edges of the band, each cycle faintly, and on top of them the mean.
        *_, one, other, mean = [each["y"] for each in drawn if each["name"] == side]
        np.testing.assert_allclose(np.abs([one, other]), own, atol=1e-3)
        np.testing.assert_allclose(np.abs(mean), own.mean(axis=0), atol=1e-3)
    first = [k for k, each in enumerate(drawn) if each["fill"] == "tonexty"]
    assert len(first) == 2  # a band for each side
    low, high = (np.array(drawn[first[0] + k]["y"]) for k in (-1, 0))
    # Strides of 1.1 and 1.2 times the knee: half the band is their standard deviation, 0.1 / sqrt(2) of it.
    event = bo.normalize_cycles(walk, side="foot_r")
    at = np.interp(0.3, [0, 1], [float(event["cycle_start"][0]), float(event["cycle_end"][0])])
    knee = np.interp(at, walk["time"], base.values)
    assert abs(high[30] - low[30]) / 2 == pytest.approx(0.1 / np.sqrt(2) * knee, rel=1e-2)
    name, content = visit.saved(".gait .save button:text-is('CSV')")
    assert "cycle 2 [" in content.decode().splitlines()[0], name
    assert visit.errors == []


def test_the_page_draws_the_saved_numbers_with_the_norms_behind(visit, walk):
    visit.page.locator(".gait").scroll_into_view_if_needed()
    own = "document.querySelector('.gait [data-curve=\"knee sagittal angle\"]')"
    drawn = visit.ask(
        f"{own}.data.map((t) => ({{ name: t.name ?? '', y: Array.from(t.y), fill: t.fill ?? '' }}))"
    )
    assert [each["fill"] for each in drawn[:2]] == ["", "tonexty"]
    np.testing.assert_allclose(drawn[1]["y"], np.linspace(9.0, 21.0, 101), rtol=1e-6)
    shown = curve(walk, "knee", "sagittal", "angle", "right").values
    for side in "rl":
        cycles = bo.normalize_cycles(walk, side=f"foot_{side}")
        wanted = np.degrees(cycles["coordinate_value"].sel(coordinate=f"knee_angle_{side}").values[0])
        sign = np.sign(
            shown[10] / np.degrees(walk["coordinate_value"].sel(coordinate="knee_angle_r").values[10])
        )
        name = {"r": "right", "l": "left"}[side]
        (line,) = [each["y"] for each in drawn if each["name"] == name]
        np.testing.assert_allclose(line, sign * wanted, atol=1e-4)
    assert "one standard deviation of norms.csv" in visit.page.locator(".gait .key").inner_text()


def test_peaks_are_in_the_units_of_the_page(visit, walk):
    number = (
        visit.page.locator("#result-0 .peaks tbody tr", has_text="right hip force y").locator(".number").first
    )
    force = walk["total_reaction_force"].sel(joint="hip_r", axis="y").values
    largest, mass = force[np.abs(force).argmax()], walk.attrs["body_mass_kg"]
    weight = visit.ask("borelli.results[0].data.weight")
    for choice, factor, unit in (("si", 1.0, "N"), ("kg", mass, "N/kg"), ("body", weight, "× BW")):
        visit.page.locator("#result-0 .dock .units").select_option(choice)
        value, _, words = number.text_content().replace("−", "-").partition(" ")
        assert float(value) == pytest.approx(largest / factor, rel=1e-3) and words == unit


def test_quantities_are_chosen_and_the_work_is_told(visit, walk):
    box = visit.page.locator(".gait select.quantity")
    assert box.locator("option").all_inner_texts() == [
        "angles",
        "moments",
        "power",
        "ground reaction",
        "centre of pressure",
    ]
    for quantity, joint in (("moment", "hip"), ("power", "ankle"), ("force", "ground")):
        box.select_option(quantity)
        names = visit.ask(
            "Array.from(document.querySelectorAll('.gait .grid .plot'), (p) => p.dataset.curve)"
        )
        assert (
            names
            and all(name.endswith(quantity) for name in names)
            and any(n.startswith(joint) for n in names)
        )
    assert visit.page.locator(".gait .work tbody tr").count() == 6
    cell = (
        visit.page.locator(".gait .work tbody tr", has_text="right ankle").locator("td").nth(2).inner_text()
    )
    cycles = bo.normalize_cycles(walk, side="foot_r")
    begin, end = float(cycles["cycle_start"][0]), float(cycles["cycle_end"][0])
    work = np.interp([begin, end], walk["time"], walk["joint_work"].sel(joint="ankle_r"))
    wanted = (work[1] - work[0]) / walk.attrs["body_mass_kg"]
    assert float(cell.replace("−", "-").split()[0]) == pytest.approx(wanted, abs=2e-3)
    saved = visit.saved_all(".gait .save button:first-child", 1)
    assert next(iter(saved.values())).decode("utf-8-sig").startswith("percent,")
