"""``borelli demo moment-arms`` and ``borelli demo lagrange``: results, pictures, a page and a headline."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.cli.main import main
from borelli.results.save import load_result


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["demo", *map(str, arguments)])
    return int(caught.value.code or 0)


def test_moment_arms_has_a_neck_a_joint_and_four_methods(tmp_path, capsys):
    assert run("moment-arms", "--out", tmp_path / "out") == 0
    told = capsys.readouterr().out
    assert "Four methods give the same moment arms" in told
    neck = load_result(tmp_path / "out" / "neck")
    arms = neck["arm_by_method"].values
    # Perturbation is a five-point difference.
    np.testing.assert_allclose(arms, np.broadcast_to(arms[..., :1], arms.shape), atol=1e-8)
    assert float(neck["closure"]) < 1e-10
    names = {entry.name for entry in (tmp_path / "out" / "pictures").iterdir()}
    for method in ("generalized_force", "path_velocity", "partial_velocity", "perturbation"):
        assert {f"neck_arms_{method}.png", f"composite_joint_arms_{method}.html"} <= names
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "sternocleidomastoid" in page and "What is a moment arm?" in page


def test_lagrange_splits_torques_by_the_terms_of_the_equation(tmp_path, capsys):
    pytest.importorskip("sympy")
    assert run("lagrange", "--out", tmp_path / "out") == 0
    assert "Two-link arm reaching" in capsys.readouterr().out
    answer = load_result(tmp_path / "out" / "two_link_arm")
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
    text = (tmp_path / "out" / "pictures" / "equations.txt").read_text(encoding="utf-8")
    assert "h_211 = " in text and "J_L(forearm) =" in text
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000


def test_demos_may_follow_each_other_in_one_folder(tmp_path):
    assert run("lagrange", "--out", tmp_path / "out") == 0
    assert run("moment-arms", "--out", tmp_path / "out") == 0
    assert not (tmp_path / "out" / "two_link_arm").exists()
