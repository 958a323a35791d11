"""When feet touch the ground: contact in external loads."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.errors import InvalidValueError, MissingInputError
from borelli.results.gait.contact_events import contact_events, contact_spans

TIME = np.arange(201) / 100


def step(begin: float, end: float, height: float = 700.0, edge: float = 0.1) -> np.ndarray:
    """A force that rises from zero at `begin` within `edge` seconds, and falls to zero until `end`."""
    return height * np.clip(np.minimum((TIME - begin) / edge, (end - TIME) / edge), 0.0, 1.0)


def loads(forces: dict[str, np.ndarray], bodies: list[str]) -> xr.Dataset:
    """Vertical forces along y, as a result holds them."""
    values = np.zeros((len(TIME), len(forces), 3))
    values[:, :, 1] = np.column_stack(list(forces.values()))
    return xr.Dataset(
        {"load_force": (("time", "load", "axis"), values)},
        {"time": TIME, "load": list(forces), "load_body": ("load", bodies), "axis": ["x", "y", "z"]},
    )


def test_instants_on_straight_lines_are_exact():
    # 7000 N/s: 20 N are reached after 20/7000 s, and 10 N are left 10/7000 s before the end.
    (span,) = contact_spans(TIME, step(0.3, 1.2))
    assert span.begin == pytest.approx(0.3 + 20.0 / 7000.0, abs=1e-12)
    assert span.end == pytest.approx(1.2 - 10.0 / 7000.0, abs=1e-12)


def test_events_between_instants_are_right_to_an_instant():
    (span,) = contact_spans(TIME, step(0.303, 1.207))
    assert span == pytest.approx((0.303, 1.207), abs=0.01)


def test_noise_between_the_thresholds_makes_no_event():
    rng = np.random.default_rng(2)
    noisy = 14.0 + rng.uniform(-3.9, 3.9, len(TIME))
    assert contact_spans(TIME, noisy) == []
    noisy[0] = 25.0
    (span,) = contact_spans(TIME, noisy)
    assert np.isnan(span.begin) and np.isnan(span.end)  # once in contact it stays there


def test_one_threshold_instead_of_two_takes_noise_for_steps():
    rng = np.random.default_rng(2)
    noisy = 20.0 + rng.uniform(-5.0, 5.0, len(TIME))
    assert len(contact_spans(TIME, noisy, release_n=20.0, shortest_s=0.0)) > 10
    assert len(contact_spans(TIME, noisy, release_n=10.0, shortest_s=0.0)) == 1


def test_contacts_cut_off_by_the_recording_have_open_ends():
    force = step(-1.0, 0.5) + step(1.5, 9.0)
    first, second = contact_spans(TIME, force)
    assert np.isnan(first.begin) and first.end == pytest.approx(0.5, abs=0.01)
    assert np.isnan(second.end) and second.begin == pytest.approx(1.5, abs=0.01)


def spans_frame_by_frame(force: np.ndarray, threshold: float, release: float) -> list[tuple[int, int]]:
    """First frame inside and first frame outside again of every contact; -1 where the recording cuts it off."""
    inside, begin, found = bool(force[0] >= threshold), -1, []
    for frame, level in enumerate(force):
        if not inside and level >= threshold:
            inside, begin = True, frame
        elif inside and level < release:
            inside = False
            found.append((begin, frame))
    return [*found, (begin, -1)] if inside else found


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**6), length=st.integers(1, 40))
def test_contacts_are_those_of_a_walk_through_the_instants(seed, length):
    # Levels far outside, between and above the two limits, in any order.
    force = np.random.default_rng(seed).choice([0.0, 5.0, 12.0, 18.0, 25.0, 700.0, np.nan], size=length)
    time = np.arange(length, dtype=float)
    expected = spans_frame_by_frame(np.nan_to_num(force), 20.0, 10.0)
    found = contact_spans(time, force, shortest_s=0.0)
    assert len(found) == len(expected)
    for span, (begin, end) in zip(found, expected, strict=True):
        for instant, frame in ((span.begin, begin), (span.end, end)):
            assert np.isnan(instant) if frame < 0 else frame - 1 <= instant <= frame


def test_no_instants_hold_no_contact():
    assert contact_spans([], []) == []


def test_short_gaps_are_closed_and_short_contacts_left_out():
    force = step(0.2, 0.8, edge=0.01)
    force[(TIME > 0.4) & (TIME < 0.43)] = 0.0
    force += step(1.2, 1.23, edge=0.01)
    assert len(contact_spans(TIME, force)) == 1
    assert len(contact_spans(TIME, force, shortest_s=0.0)) == 3


def test_gaps_in_the_force_are_no_contact():
    force = step(0.2, 0.8)
    force[:10] = np.nan
    assert len(contact_spans(TIME, force)) == 1


def test_thresholds_in_the_wrong_order_are_refused():
    with pytest.raises(InvalidValueError, match="ends at 30 N and begins at 20 N"):
        contact_spans(TIME, TIME, release_n=30.0)


def test_events_are_in_order_and_named_by_body():
    found = contact_events(
        loads({"right": step(0.2, 0.8), "left": step(0.6, 1.3)}, ["foot_r", "foot_l"]), (0, -9.81, 0)
    )
    assert found["event_side"].values.tolist() == ["foot_r", "foot_l", "foot_r", "foot_l"]
    assert found["event_kind"].values.tolist() == ["contact", "contact", "release", "release"]
    assert (np.diff(found["event_time"]) > 0).all()
    assert found.attrs["events"] == "contact from 20 N on, until 10 N, of at least 0.05 s"


def test_one_foot_may_step_on_two_plates():
    plates = {"plate 1": step(0.2, 0.6), "plate 2": step(0.5, 1.0)}
    found = contact_events(loads(plates, ["foot", "foot"]), (0, -9.81, 0))
    assert found["event_kind"].values.tolist() == ["contact", "release"]
    assert found["event_time"].values == pytest.approx([0.2, 1.0], abs=0.01)


def test_a_load_that_is_always_there_or_pushes_down_has_no_events():
    held = loads({"bar": np.full(len(TIME), 300.0), "lid": -step(0.2, 0.8)}, ["trunk", "hand"])
    assert contact_events(held, (0, -9.81, 0)).sizes["event"] == 0


def test_up_is_against_gravity():
    steps = loads({"plate": -step(0.2, 0.8)}, ["foot"])
    assert contact_events(steps, (0, 9.81, 0)).sizes["event"] == 2
    assert contact_events(steps, (0, 0, -9.81)).sizes["event"] == 0
    assert contact_events(steps, (0, 0, 0)).sizes["event"] == 2  # afloat, any push is a contact


def test_result_without_loads_is_refused():
    with pytest.raises(MissingInputError, match="has no loads, in which contact could be found"):
        contact_events(xr.Dataset(coords={"time": TIME}), (0, -9.81, 0))
