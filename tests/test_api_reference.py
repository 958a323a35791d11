"""Every public name has its place in the reference: what it is, its parameters, its answer, an example that runs."""

import doctest
import importlib
import inspect
import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from tools.site.names import MODULES, PACKAGES, public_names

ROOT = Path(__file__).resolve().parents[1]
OWN = [name for name, _ in public_names("borelli")]
BESIDE = [
    (package, name) for package in PACKAGES if package != "borelli" for name, _ in public_names(package)
]


def sections(name):
    text = inspect.getdoc(getattr(bo, name)) or ""
    return text, set(re.findall(r"^(\w[\w ]*)\n-{3,}$", text, re.MULTILINE))


@pytest.mark.parametrize("name", OWN)
def test_every_public_name_says_what_goes_in_and_what_comes_out(name):
    text, found = sections(name)
    assert len(text.split("\n\n")[0]) > 15, "a first sentence"
    assert "Examples" in found, "an example"
    thing = getattr(bo, name)
    if inspect.isfunction(thing):
        signature = inspect.signature(thing)
        if len(signature.parameters) > 3:
            assert "Parameters" in found
        lacking = [each for each in signature.parameters if not re.search(rf"\b{each}\b", text)]
        assert not lacking, f"parameters without a word: {lacking}"


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """The five lines that the reference begins with; examples of one run share a folder."""
    walk = bo.library.sample_walk()
    model = bo.load_model(walk.model)
    motion = bo.load_motion(walk.motion, model)
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("reference"))
    yield {
        "bo": bo,
        "np": np,
        "walk": walk,
        "model": model,
        "motion": motion,
        "loads": bo.load_loads(walk.loads),
    }
    os.chdir(before)


@pytest.mark.parametrize("name", OWN)
def test_every_example_runs(name, start):
    test = doctest.DocTestParser().get_doctest(sections(name)[0] + "\n", dict(start), name, name, 0)
    assert test.examples
    said = []
    runner = doctest.DocTestRunner(verbose=False)
    with warnings.catch_warnings():
        runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_an_example_that_lies_is_found(start):
    test = doctest.DocTestParser().get_doctest(">>> len(model.muscles)\n57\n", dict(start), "lie", "lie", 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=lambda _: None)
    assert runner.failures == 1


@pytest.mark.parametrize(("package", "name"), BESIDE)
def test_names_of_other_packages_have_a_sentence(package, name):
    thing = getattr(importlib.import_module(package), name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        assert len(inspect.getdoc(thing) or "") > 10


@pytest.mark.parametrize("module", MODULES)
def test_modules_of_the_reference_say_what_they_are(module):
    assert len(importlib.import_module(module).__doc__ or "") > 20


def test_the_first_lines_of_the_reference_are_those_of_the_examples():
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    for line in ("walk = bo.library.sample_walk()", "motion = bo.load_motion(walk.motion, model)"):
        assert line in page
