"""Damaged files give an answer or one of our errors; the long run is ``make fuzz``."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest

from borelli.errors import BorelliError
from tests.fuzz.mutate import mutated
from tests.fuzz.seeds import formats

NAMES = ("sto", "trc", "csv", "parquet", "c3d", "xml", "external loads", "setup", "motion", "loads", "model")
N_MUTATIONS = 400


def test_every_format_is_here(tmp_path: Path) -> None:
    assert set(formats(tmp_path)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_sound_files_are_read(name: str, tmp_path: Path) -> None:
    seeds, read = formats(tmp_path)[name]
    for seed in seeds:
        assert read(seed) is not None


@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_give_an_answer_or_our_error(name: str, tmp_path: Path) -> None:
    seeds, read = formats(tmp_path)[name]
    rng = random.Random(name)
    outcomes = {True: 0, False: 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(N_MUTATIONS):
            data = mutated(rng.choice(seeds), rng)
            try:
                read(data)
                outcomes[True] += 1
            except BorelliError as error:
                outcomes[False] += 1
                assert error.what
    # A mutation engine that breaks everything, or nothing, tests nothing.
    assert min(outcomes.values()) > N_MUTATIONS // 50
