"""The number of lanes is the processor's, or what BORELLI_LANES says; what it cannot be is explained."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from borelli.errors import InvalidValueError
from borelli.kernels import backend
from borelli.kernels.lanes.code import width as module
from borelli.kernels.lanes.code.width import WIDTHS, lane_width, native_width


@pytest.fixture(autouse=True)
def any_environment(monkeypatch):
    monkeypatch.delenv("BORELLI_LANES", raising=False)
    monkeypatch.delenv("BORELLI_BACKEND", raising=False)


@pytest.mark.parametrize(("wide", "expected"), [(True, 8), (False, 4)])
def test_the_processor_says_how_many(monkeypatch, wide, expected):
    features = llvm.FeatureMap(avx512f=wide)
    monkeypatch.setattr(module.llvm, "get_host_cpu_features", lambda: features)
    assert native_width.__wrapped__() == expected


@pytest.mark.parametrize("text", ["", "  "])
def test_nothing_asked_for_means_the_native_width(monkeypatch, text):
    monkeypatch.setenv("BORELLI_LANES", text)
    assert lane_width() == native_width()


@pytest.mark.parametrize("width", [width for width in WIDTHS if width <= native_width()])
def test_the_environment_forces_a_width_that_the_processor_has(monkeypatch, width):
    monkeypatch.setenv("BORELLI_LANES", f" {width} ")
    assert lane_width() == width
    chosen, reason = backend.choose()
    assert (chosen.name, chosen.width, reason) == ("lanes", width, None)


@pytest.mark.parametrize("text", ["3", "0", "-4", "16", "four", "4.0", "４"])
def test_what_is_no_width_is_refused_rather_than_left_to_numpy(monkeypatch, text):
    monkeypatch.setattr(module, "native_width", lambda: 8)
    monkeypatch.setenv("BORELLI_LANES", text)
    with pytest.raises(InvalidValueError) as caught:
        backend.choose()
    assert str(caught.value) == (
        f"{text!r} is not a number of lanes (instants in one vector instruction).\n"
        "  Where:   environment variable BORELLI_LANES\n"
        "  Remedy:  set it to 1, 2, 4 or 8, or leave it unset, which means 8"
    )


def test_a_width_beyond_the_processor_is_explained(monkeypatch):
    monkeypatch.setattr(module, "native_width", lambda: 4)
    monkeypatch.setattr(module.llvm, "get_host_cpu_name", lambda: "znver2")
    monkeypatch.setenv("BORELLI_LANES", "8")
    with pytest.raises(InvalidValueError) as caught:
        backend.choose()
    assert str(caught.value) == (
        "This processor (znver2) handles 4 instants in one instruction, not 8: that takes AVX-512.\n"
        "  Where:   environment variable BORELLI_LANES\n"
        "  Remedy:  set it to 1, 2 or 4, or leave it unset, which means 4"
    )


def test_numpy_has_no_lanes_to_ask_for(monkeypatch):
    monkeypatch.setenv("BORELLI_LANES", "3")
    monkeypatch.setenv("BORELLI_BACKEND", "numpy")
    assert backend.choose().backend.name == "numpy"
