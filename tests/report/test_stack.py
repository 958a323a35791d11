"""Layers of a stacked chart keep the sum, the colours and the sides."""

import numpy as np
import pytest
import xarray as xr

from borelli.results.figures.palette import GREY, colours_of
from borelli.results.figures.stack import Stack
from borelli.results.outputs.output import outputs
from tests.results.problems import result

# Shares of up to 1000 N added in another order.
ROUND_OFF = 1e-11


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    return result()


@pytest.mark.parametrize("by", ["source", "kind", {"legs": ["weight:shank", "weight:thigh"]}])
@pytest.mark.parametrize("most", [3, 10])
def test_layers_add_up_to_the_total(answer, by, most):
    for output in outputs(answer):
        stack = Stack.of(answer, output, by, most)
        assert len(stack.names) == len(stack.colours) == stack.layers.shape[1] <= most
        np.testing.assert_allclose(stack.layers.sum(axis=1), stack.total, atol=ROUND_OFF)


def test_positive_parts_rise_and_negative_parts_fall(answer):
    stack = Stack.of(answer, outputs(answer)[1])
    assert (stack.rising >= 0).all() and (stack.falling <= 0).all()
    np.testing.assert_array_equal(stack.rising + stack.falling, stack.layers)
    assert stack.rising.any() and stack.falling.any()


def test_largest_layer_comes_first_and_the_rest_is_counted_last(answer):
    stack = Stack.of(answer, outputs(answer)[0], most=4)
    sizes = np.abs(stack.layers).max(axis=0)
    assert list(sizes[:3]) == sorted(sizes[:3], reverse=True)
    assert stack.names[-1].startswith("all others (") and stack.colours[-1] == GREY


def test_source_has_one_colour_in_all_charts(answer):
    seen: dict[str, set[str]] = {}
    for output in outputs(answer):
        stack = Stack.of(answer, output)
        for name, colour in zip(stack.names, stack.colours, strict=True):
            seen.setdefault(name.partition(" (")[0], set()).add(colour)
    assert all(len(colours) == 1 for colours in seen.values())


def test_sources_without_a_part_are_left_out(answer):
    knee = next(output for output in outputs(answer) if output.name == "knee_torque")
    assert not {"muscle:vasti", "weight:shank"} & set(Stack.of(answer, knee).names)


def test_every_source_has_its_own_colour(answer):
    sources = [str(name) for name in answer.source.values]
    colours = colours_of(sources)
    assert len({colours[name] for name in sources}) == len(sources)


def test_kinds_nobody_foresaw_get_colours_too():
    colours = colours_of(["ghost:a", "ghost:b", "other"])
    assert len({colours["ghost:a"], colours["ghost:b"], colours["other"]}) == 3


def test_constraints_and_actuators_have_hues_that_no_other_kind_has():
    kinds = ["weight", "load", "acceleration", "velocity", "muscle", "passive", "actuator", "constraint"]
    assert len(set(map(colours_of(kinds).get, kinds))) == len(kinds)
    # Neither is what all others are drawn in, where a chart has a hue to spare.
    few = colours_of([kind for kind in kinds if kind != "passive"])
    assert GREY not in (few["constraint"], few["actuator"])


def test_posture_of_one_frame_and_no_shares_at_all_can_be_stacked(answer):
    still = answer.isel(time=slice(0, 1)) * 0.0
    stack = Stack.of(still.assign_coords(time=[0.0]), outputs(still)[0])
    assert stack.names == () and stack.layers.shape == (1, 0)


def test_neighbours_among_many_muscles_differ_in_lightness():
    names = [f"muscle:m{k}" for k in range(92)]
    found = colours_of(names)
    light = np.array([sum(int(found[name][i : i + 2], 16) for i in (1, 3, 5)) / 3 for name in names])
    assert len(set(found[name] for name in names)) > 60  # hardly any two are the same
    assert np.abs(np.diff(light)).min() > 25  # of 255; on one ramp from dark to light it would be 2
