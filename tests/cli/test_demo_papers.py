"""``borelli demo moment-arms`` and ``borelli demo lagrange``: results, pictures, a page and a headline."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from borelli.cli.main import main
from borelli.results.saving.save import load_result


class Ran(NamedTuple):
    """What a demo said, and the folder that it wrote."""

    told: str
    out: Path


def _ran(name: str, out: Path) -> Ran:
    told = io.StringIO()
    with contextlib.redirect_stdout(told), pytest.raises(SystemExit) as caught:
        main(["demo", name, "--out", str(out)])
    assert not caught.value.code
    return Ran(told.getvalue(), out)


@pytest.fixture(scope="module")
def lagrange(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The demo, with a copy of what it wrote: the next one writes to the same folder."""
    pytest.importorskip("sympy")
    ran = _ran("lagrange", tmp_path_factory.mktemp("demos") / "out")
    return Ran(ran.told, Path(shutil.copytree(ran.out, ran.out.with_name("copy"))))


@pytest.fixture(scope="module")
def moment_arms(lagrange: Ran) -> Ran:
    return _ran("moment-arms", lagrange.out.with_name("out"))


def test_moment_arms_has_a_neck_a_joint_and_four_methods(moment_arms):
    assert "Four methods give the same moment arms" in moment_arms.told
    neck = load_result(moment_arms.out / "neck")
    arms = neck["arm_by_method"].values
    # Perturbation is a five-point difference.
    np.testing.assert_allclose(arms, np.broadcast_to(arms[..., :1], arms.shape), atol=1e-8)
    assert float(neck["closure"]) < 1e-10
    names = {entry.name for entry in (moment_arms.out / "pictures").iterdir()}
    for method in ("generalized_force", "path_velocity", "partial_velocity", "perturbation"):
        assert {f"neck_arms_{method}.png", f"composite_joint_arms_{method}.html"} <= names
    page = (moment_arms.out / "report.html").read_text(encoding="utf-8")
    assert "sternocleidomastoid" in page and "What is a moment arm?" in page


def test_lagrange_splits_torques_by_the_terms_of_the_equation(lagrange):
    assert "Two-link arm reaching" in lagrange.told
    answer = load_result(lagrange.out / "two_link_arm")
    sources = list(map(str, answer["source"].values))
    assert "velocity:shoulder*elbow" in sources and "acceleration:elbow" in sources
    # The recursion, which found the totals, shares no equation with the terms.
    assert float(answer["closure"]) < 1e-12
    np.testing.assert_allclose(answer["torque_share"].sum("source"), answer["torque"], atol=1e-11)
    # h_211 alone acts at the elbow: products of both speeds have no part there (Schaffner's h_212 + h_221 = 0).
    pair = answer["torque_share"].sel(joint="elbow", source="velocity:shoulder*elbow")
    assert float(np.abs(pair).max()) < 1e-12
    assert (
        float(np.abs(answer["torque_share"].sel(joint="elbow", source="velocity:shoulder*shoulder")).max())
        > 0.1
    )
    text = (lagrange.out / "pictures" / "equations.txt").read_text(encoding="utf-8")
    assert "h_211 = " in text and "J_L(forearm) =" in text
    assert (lagrange.out / "report.html").stat().st_size > 10_000


def test_demos_may_follow_each_other_in_one_folder(lagrange, moment_arms):
    assert (lagrange.out / "two_link_arm").is_dir()
    assert not (moment_arms.out / "two_link_arm").exists()
