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
# Classes and functions; constants have no docstring of their own.
BESIDE = [
    (package, name)
    for package in PACKAGES
    if package != "borelli"
    for name, _ in public_names(package)
    if callable(getattr(importlib.import_module(package), name))
]
SHAPE = re.compile(r"\((?:\w+|…|\.\.\.)?[,)]|\([^()]*,[^()]*\)|\barrays?\b|\bnumbers?\b|\bone per\b|\beach\b")
UNIT = re.compile(
    r"\b(?:m|rad|deg|s|N|kg|J|W|Hz|newtons?|met(?:re|er)s?|radians?|seconds?|SI|units?|"
    r"[Dd]irections?|quaternion)\b|[Bb]etween 0 and 1"
)


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
    """The lines that the reference begins with; examples of one run share a folder."""
    walk = bo.library.sample_walk()
    model = bo.load_model(walk.model)
    motion = bo.load_motion(walk.motion, model)
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("reference"))
    bo.library.sample_walk("data/s01")
    yield {
        "bo": bo,
        "np": np,
        "walk": walk,
        "model": model,
        "motion": motion,
        "loads": bo.load_loads(walk.loads),
        "study_file": bo.init_study("data", "study.toml")[0],
    }
    os.chdir(before)


def check_example(text, name, names):
    """Run the example of a docstring in these names."""
    test = doctest.DocTestParser().get_doctest(text + "\n", dict(names), name, name, 0)
    assert test.examples
    said = []
    runner = doctest.DocTestRunner(verbose=False)
    with warnings.catch_warnings():
        runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("name", OWN)
def test_every_example_runs(name, start):
    check_example(sections(name)[0], name, start)


@pytest.fixture(scope="module")
def start_of_parts():
    """The lines that the reference of models, planar chains and the library begins with."""
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    (block,) = [each for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "model as bm" in each]
    names = {}
    exec(block, names)
    return names


@pytest.mark.parametrize(("package", "name"), BESIDE)
def test_every_example_of_models_planar_chains_and_the_library_runs(package, name, start_of_parts):
    text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    assert ">>>" in text, "an example"
    check_example(text, name, start_of_parts)


# Functions that draw, warm up or list, and so claim nothing that a law or another program could contradict.
WITHOUT_CLAIM = {"driven_motion", "mass_centre", "recording_steps", "scale_factors", "scene", "warm_up"}
WITHOUT_CLAIM |= {"drawing", "with_support_shares"}
QUESTIONS = [
    (package, name)
    for package in ("borelli", "borelli.planar")
    for name, place in public_names(package)
    if inspect.isfunction(thing := getattr(importlib.import_module(package), name))
    and (place.startswith("borelli.analyses") or "Dataset" in str(inspect.signature(thing).return_annotation))
    and place.split(".")[1] in ("analyses", "planar")
    and "Iterator" not in str(inspect.signature(thing).return_annotation)
    and name not in WITHOUT_CLAIM
]
GUARANTEES = re.compile(r"^Guarantees, each a test\n-+\n((?:- .+\n?(?:  .+\n?)*)+)", re.MULTILINE)


@pytest.mark.parametrize(("package", "name"), QUESTIONS)
def test_every_question_says_what_is_guaranteed(package, name):
    text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    found = GUARANTEES.search(text)
    assert found and len(found[1]) > 20


def test_the_questions_are_those_of_the_engines():
    assert {"inverse_dynamics", "inverse_kinematics", "moment_arms"} <= {name for _, name in QUESTIONS}
    assert ("borelli.planar", "analyze") in QUESTIONS and len(QUESTIONS) > 40
    assert not GUARANTEES.search("Guarantees, each a test\n-----------------------\nNothing.")


def described(text, parameter):
    """Return what a docstring says of a parameter: its line and the lines below it."""
    found = re.search(
        rf"^( *)(?:[\w*]+, )*\*?{parameter}(?:, [\w*]+)* ?:.*(?:\n(?:\1 +.*|\s*)$)*", text, re.MULTILINE
    )
    return found[0] if found else ""


ARRAYS = [
    (package, name, parameter)
    for package in PACKAGES
    for name, _ in public_names(package)
    if inspect.isfunction(thing := getattr(importlib.import_module(package), name))
    for parameter, each in inspect.signature(thing).parameters.items()
    if re.match(r"'?(ArrayLike|Array|np\.ndarray|FloatArray)\b", str(each.annotation))
]


@pytest.mark.parametrize(("package", "name", "parameter"), ARRAYS)
def test_every_array_says_its_shape_and_its_unit(package, name, parameter):
    words = described(inspect.getdoc(getattr(importlib.import_module(package), name)) or "", parameter)
    assert SHAPE.search(words), f"no shape: {words!r}"
    assert UNIT.search(words), f"no unit: {words!r}"


def test_an_array_without_a_unit_would_be_found():
    words = described(
        "Do.\n\nParameters\n----------\nq : (n_times, n) float\n    Numbers.\nu : float\n    m/s.", "q"
    )
    assert SHAPE.search(words) and not UNIT.search(words)


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
    for line in (
        "walk = bo.library.sample_walk()",
        "motion = bo.load_motion(walk.motion, model)",
        'study_file, _ = bo.init_study("data", "study.toml")',
    ):
        assert line in page
