"""A computation is written once: its public function labels what it returns, and is told apart by that alone."""

import inspect

import numpy as np
import pytest

import borelli as bo
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import plain, returns_array, returns_dataset


def lengths(n: int, *, scale: float = 1.0) -> PlainResult:
    """Tell lengths."""
    return plain_result(
        {"length": ("time", np.arange(n) * scale, {"units": "m"})},
        {"time": np.arange(n), "phase": ("time", np.arange(n) / n)},
    )


def test_the_public_function_adds_labels_and_the_plain_one_does_not():
    public = returns_dataset(lengths)
    assert public(3, scale=2.0).identical(lengths(3, scale=2.0).to_dataset())
    assert plain(public) is lengths


def test_one_variable_keeps_all_coordinates():
    found = returns_array("length")(lengths)(3)
    assert found.name == "length" and set(found.coords) == {"time", "phase"}


@pytest.mark.parametrize(
    ("decorator", "says"), [(returns_dataset, "xr.Dataset"), (returns_array("length"), "xr.DataArray")]
)
def test_help_shows_the_signature_of_the_computation_with_what_comes_out(decorator, says):
    public = decorator(lengths)
    shown = inspect.signature(public)
    assert list(shown.parameters.values()) == list(inspect.signature(lengths).parameters.values())
    assert shown.return_annotation == public.__annotations__["return"] == says
    assert inspect.isfunction(public) and public.__doc__ == "Tell lengths." and public.__name__ == "lengths"
    assert lengths.__annotations__["return"] is PlainResult, "the computation itself stays as it is"


def test_a_function_that_was_not_made_from_a_computation_has_no_plain_one():
    with pytest.raises(AttributeError):
        plain(bo.load_model)
