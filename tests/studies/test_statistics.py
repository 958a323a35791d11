"""Means, differences with their parts, and tests: against SciPy, published examples and random field theory."""

from __future__ import annotations

import itertools
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.ndimage import gaussian_filter1d

from borelli.errors import MissingInputError, UnknownNameError
from borelli.studies.differences import holm, paired_test
from borelli.studies.outliers import modified_z
from borelli.studies.parts import numbers_of
from borelli.studies.schema import NUMBERS
from borelli.studies.spans import Span
from borelli.studies.spm import paired_map
from tests.studies.made_study import made_study

spm1d = pytest.importorskip("spm1d")
RANDOM = np.random.default_rng(5)


def test_paired_tests_are_those_of_scipy():
    for n in (2, 3, 20):
        first, second = RANDOM.normal(size=(2, n))
        found = paired_test(first, second)
        other = stats.ttest_rel(second, first)
        interval = other.confidence_interval(0.95)
        np.testing.assert_allclose(
            [found.t, found.p, found.low, found.high],
            [other.statistic, other.pvalue, interval.low, interval.high],
            rtol=1e-10,  # both solve for the quantile of t iteratively
        )
        assert found.n == n
    assert math.isnan(paired_test([1.0], [2.0]).p) and paired_test([1.0], [2.0]).mean == 1.0
    assert math.isnan(paired_test([1.0, 1.0], [2.0, 2.0]).p)


def test_published_paired_examples_come_out_as_printed():
    # Numbers printed by the sources that spm1d's data sets name.
    for example in (spm1d.data.uv0d.tpaired.RSWeightClinic(), spm1d.data.uv0d.tpaired.ColumbiaMileage()):
        found = paired_test(example.YB, example.YA)
        # The sources print three to five digits.
        assert found.t == pytest.approx(example.z, rel=example._rtol)
        assert found.n - 1 == example.df[1]
        wanted = float(str(example.p).replace("<", ""))
        # Some are one-sided.
        assert found.p / 2 == pytest.approx(wanted, rel=0.01) or found.p == pytest.approx(wanted, rel=0.01)


def test_holm_is_holm():
    # The example of Aickin & Gensler's kind, by hand: 3 x 0.01, 2 x 0.03, then no smaller than before.
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.5, np.nan, 0.6]), [1.0, np.nan, 1.0])
    assert holm([]).size == 0


def euler(height: float, freedoms: float, resels: float) -> float:
    """Probability that a Gaussian t-field of one dimension exceeds a height (Worsley 1996; Friston 2007)."""
    density = math.sqrt(4 * math.log(2)) / (2 * math.pi) * (1 + height**2 / freedoms) ** (-(freedoms - 1) / 2)
    return 1.0 - math.exp(-(stats.t.sf(height, freedoms) + resels * density))


def test_the_test_over_the_cycle_is_random_field_theory_on_spm1ds_own_example():
    example = spm1d.data.uv1d.tpaired.PlantarArchAngle()
    t, threshold, clusters = paired_map(example.YB, example.YA, 0.05)
    np.testing.assert_allclose(t, stats.ttest_rel(example.YA, example.YB).statistic, rtol=1e-8)
    # Smoothness from the slopes of residuals (Kiebel 1999; spm1d does not normalise them before, which is on the safe
    # side), threshold from the expected Euler number.
    residuals = example.YA - example.YB - (example.YA - example.YB).mean(axis=0)
    slopes = np.gradient(residuals, axis=1)
    resels_per_step = np.sqrt((slopes**2).sum(axis=0) / (residuals**2).sum(axis=0) / (4 * math.log(2)))
    resels = (t.size - 1) * resels_per_step.mean()
    own = optimize.brentq(lambda height: euler(height, 9, resels) - 0.025, 1.0, 50.0)
    # Both search for the root until it does not matter.
    assert threshold == pytest.approx(own, rel=1e-6)
    assert len(clusters) == 1
    assert clusters[0][0] == pytest.approx(95.566, abs=0.01) and clusters[0][1] == 100.0
    assert clusters[0][2] == pytest.approx(0.0373, abs=5e-4)


def test_the_threshold_is_that_of_all_permutations_of_signs():
    example = spm1d.data.uv1d.tpaired.PlantarArchAngle()
    gaps = example.YA - example.YB
    signs = np.array(list(itertools.product([1, -1], repeat=len(gaps))))
    means = signs @ gaps / len(gaps)
    errors = np.sqrt(((gaps**2).sum(axis=0) - len(gaps) * means**2) / (len(gaps) - 1) / len(gaps))
    exact = np.quantile(np.abs(means / errors).max(axis=1), 0.95)
    _, threshold, _ = paired_map(example.YB, example.YA, 0.05)
    # Permutations assume no Gaussian field. Fields are on the safe side; with ten subjects, by a tenth.
    assert exact < threshold < 1.12 * exact


@pytest.mark.parametrize("name", ["RSWeightClinic", "ColumbiaMileage"])
def test_the_map_of_an_example_that_spm1d_ships_has_the_printed_t_everywhere(name):
    example = getattr(spm1d.data.uv0d.tpaired, name)()
    # A scale that changes over the cycle changes no t.
    scale = np.linspace(1.0, 1.5, 11)
    t, _, _ = paired_map(np.outer(example.YB, scale), np.outer(example.YA, scale), 0.05)
    np.testing.assert_allclose(t, example.z, rtol=example._rtol)


def test_chance_exceeds_the_threshold_as_often_as_it_should():
    false = 0
    for _ in range(150):
        first, second = gaussian_filter1d(RANDOM.normal(size=(2, 12, 101)), 9.0, axis=2, mode="wrap")
        t, threshold, _ = paired_map(first, second, 0.05)
        false += np.abs(t).max() > threshold
    # 7.5 of 150 expected; four standard deviations of the binomial above.
    assert 1 <= false <= 18


def test_a_difference_is_found_where_it_is(tmp_path):
    bump = np.where((np.arange(101) > 40) & (np.arange(101) < 60), 50.0, 0.0)
    noise = gaussian_filter1d(RANDOM.normal(size=(2, 10, 101)), 6.0, axis=2)
    curves = {
        (f"s{k}", c): 100 + noise[j, k] + j * bump
        for k in range(10)
        for j, c in enumerate(("before", "after"))
    }
    study = made_study(tmp_path, curves=curves)
    found = study.curve_test("force", "after", curves=4)
    assert found.n == 10 and found.alpha == 0.0125 and "divided by 4 curves (Bonferroni)" in found.correction
    assert len(found.clusters) == 1
    assert 38 < found.clusters[0].first_percent < 43 and 57 < found.clusters[0].last_percent < 62
    rows = study.mean_curves("force")
    at = rows[(rows["condition"] == "after") & (rows["percent"] == 50.0)].iloc[0]
    values = np.array([curves[f"s{k}", "after"][50] for k in range(10)])
    low, high = stats.t.interval(0.95, 9, values.mean(), stats.sem(values))
    np.testing.assert_allclose(
        [at["mean"], at["sd"], at["low"], at["high"]], [values.mean(), values.std(ddof=1), low, high]
    )
    with pytest.raises(UnknownNameError, match="'later' is not a condition to compare"):
        study.curve_test("force", "later")
    with pytest.raises(UnknownNameError, match="Closest: 'force'"):
        study.curve_test("forces", "after")


def test_curves_that_cannot_be_tested_say_why(tmp_path):
    alike = {(f"s{k}", c): np.ones(11) * j for k in range(4) for j, c in enumerate(("before", "after"))}
    with pytest.raises(MissingInputError, match="alike, or not defined"):
        made_study(tmp_path, curves=alike).curve_test("force", "after")
    (tmp_path / "few").mkdir()
    few = {key: values for key, values in alike.items() if key[0] < "s2"}
    with pytest.raises(MissingInputError, match="has 2 subjects in both conditions"):
        made_study(tmp_path / "few", curves=few).curve_test("force", "after")


SPLIT = {"muscle:gastrocnemius": 380.0, "load": 60.0, "weight": -20.0, "muscle:soleus": -10.0}


def rows(subjects: int = 4, sign: float = 1.0) -> list[dict]:
    """Forces of 2000 N that rise by 410 N, 10 N more with every subject but the first."""
    found = []
    for k in range(subjects):
        about = {"subject": f"s{k}"}
        offset = 10.0 * (k - (subjects - 1) / 2)
        parts = {**SPLIT, "muscle:gastrocnemius": 380.0 + offset}
        for name, value in parts.items():
            found.append({**about, "condition": "before", "source": name, "value": sign * 500.0})
            found.append({**about, "condition": "after", "source": name, "value": sign * (500.0 + value)})
        found.append({**about, "condition": "before", "value": sign * 2000.0})
        found.append({**about, "condition": "after", "value": sign * (2000.0 + sum(parts.values()))})
    return found


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_sentence_says_what_changed_and_its_parts_add_up(sign, tmp_path):
    (found,) = made_study(tmp_path, rows(sign=sign)).differences(["peak"])
    assert found.closure < 1e-9 and found.test.mean == pytest.approx(sign * 410.0)
    assert found.sentence.startswith(
        "From before to after the peak of force rose by 410 N: +380 gastrocnemius, +60 load, −20 weight, "
        "−10 all others (4 subjects, 95 % interval 389 to 431 N, p < 0.001 corrected)"
    )
    assert sum(found.parts.values()) == pytest.approx(found.test.mean)


def test_large_numbers_are_written_out_and_what_has_no_unit_has_none(tmp_path):
    (found,) = made_study(tmp_path, rows(sign=10.0)).differences(["peak"])
    assert "rose by 4100 N:" in found.sentence and "interval 3895 to 4305 N," in found.sentence
    bare = replace(found, unit="1").sentence
    assert "rose by 4100:" in bare and "to 4305, p" in bare


def test_only_subjects_with_both_conditions_count_and_groups_are_their_own(tmp_path):
    given = [row for row in rows(5) if not (row["subject"] == "s4" and row["condition"] == "after")]
    study = made_study(tmp_path, given, groups={"s0": ("old",), "s1": ("old",)})
    assert study.differences(["peak"])[0].test.n == 4
    old = study.differences(["peak"], group="old")[0]
    assert old.test.n == 2 and old.group == "old"
    with pytest.raises(UnknownNameError, match="'young' is not a group"):
        study.differences(group="young")
    with pytest.raises(UnknownNameError, match="'top' is not a number of a cycle"):
        study.differences(["top"])


def test_numbers_of_a_cycle_are_those_of_straight_lines():
    time = np.linspace(0.0, 2.0, 9)
    # Up to 3 at 1 s and down to -1: a roof, and a part of it that is a third.
    roof = np.where(time <= 1.0, 3.0 * time, 3.0 - 4.0 * (time - 1.0))
    values, place = numbers_of(time, np.column_stack([roof, roof / 3.0]), Span("", 1, 0.0, 2.0))
    told = dict(zip(NUMBERS, values.tolist(), strict=True))
    assert told["peak"] == [3.0, 1.0] and told["max"] == [3.0, 1.0] and told["min"][0] == -1.0
    assert told["range"][0] == 4.0 and told["impulse"][0] == pytest.approx(1.5 + 1.0)
    assert told["mean"] == pytest.approx([1.25, 1.25 / 3.0])
    assert place[NUMBERS.index("peak")] == 50.0 and np.isnan(place[NUMBERS.index("mean")])
    # Cycles may begin between frames.
    part, _ = numbers_of(time, roof[:, None], Span("", 1, 0.1, 0.9))
    assert part[NUMBERS.index("mean"), 0] == pytest.approx(1.5) and part[0, 0] == pytest.approx(2.7)
    undefined, _ = numbers_of(time, np.where(time > 1.5, np.nan, roof)[:, None], Span("", 1, 0.0, 2.0))
    assert np.isnan(undefined).all()


def test_what_is_far_from_the_others_is_an_outlier():
    values = [*RANDOM.normal(10.0, 1.0, 40), 30.0]
    scores = modified_z(values)
    assert scores.argmax() == 40 and scores[40] > 3.5
    assert (modified_z([1.0, 1.0, 1.0]) == 0.0).all()


@pytest.mark.filterwarnings("error")
def test_a_missing_extra_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "spm1d", None)
    with warnings.catch_warnings(), pytest.raises(MissingInputError, match="not installed"):
        paired_map(np.ones((3, 5)), np.ones((3, 5)), 0.05)
