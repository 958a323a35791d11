"""Damaged files give an answer with real numbers or one of our errors; the long run is ``make fuzz``."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

from borelli.errors import BorelliError
from tests.fuzz.questions import LARGEST, Absurd, Strayed, require_real, setup_stays_home
from tests.fuzz.structured import json_mutated, toml_mutated, xml_mutated
from tests.fuzz.trees import ANALYZE, CHAIN, TRIAL, all_formats

NAMES = ("sto", "trc", "csv", "parquet", "c3d", "xml", "external loads", "setup", "motion", "loads", "model",
         "osim tree", "setup tree", "setup run", "model toml", "trial toml", "planar json", "result")  # fmt: skip
N_MUTATIONS = 400


@pytest.fixture(autouse=True)
def _nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BORELLI_BACKEND", "numpy")


def test_every_format_is_here(tmp_path: Path) -> None:
    assert set(all_formats(tmp_path)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_give_an_answer_or_our_error(name: str, tmp_path: Path) -> None:
    seeds, read, change = all_formats(tmp_path)[name]
    rng = random.Random(name)
    outcomes = {True: 0, False: 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            assert read(seed) is not None
        # A run takes a hundred times as long as reading does.
        count = N_MUTATIONS // 20 if name == "setup run" else N_MUTATIONS
        for _ in range(count):
            data = change(rng.choice(seeds), rng)
            try:
                read(data)
                outcomes[True] += 1
            except BorelliError as error:
                outcomes[False] += 1
                assert error.what
    # A mutation engine that breaks everything, or nothing, tests nothing.
    assert min(outcomes.values()) > count // 50


@pytest.mark.parametrize(
    ("change", "seed"), [(xml_mutated, ANALYZE), (toml_mutated, TRIAL), (json_mutated, CHAIN)]
)
def test_changed_trees_keep_their_form_and_differ(change, seed: bytes) -> None:
    from borelli.io.text.xml import parse_xml

    found = {change(seed, random.Random(number)) for number in range(100)}
    assert len(found) > 50
    if change is xml_mutated:
        for data in found:
            parse_xml(data)


def test_nonsense_is_told_from_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer would be blind if these passed."""
    import numpy as np
    import xarray as xr

    for value in (np.nan, np.inf, 2.0 * LARGEST):
        with pytest.raises(Absurd, match="force reaches"):
            require_real(xr.Dataset({"force": ("time", [0.0, value])}), "answer")
    require_real(xr.Dataset({"force": ("time", [0.0, 1e6])}), "answer")
    stray = SimpleNamespace(results=tmp_path / "outside" / "deep")
    monkeypatch.setattr("tests.fuzz.questions.read_setup", lambda _: stray)
    with pytest.raises(Strayed, match="results would be"):
        setup_stays_home(tmp_path / "a" / "b" / "c" / "setup.xml")
