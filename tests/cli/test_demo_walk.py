"""``borelli demo walk``: from the files of the sample walk to a saved result, pictures and a page."""

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.demos import walk as demo_walk


def ran(*arguments):
    with pytest.raises(SystemExit) as end:
        main(list(map(str, arguments)))
    assert end.value.code in (0, None)


def test_the_walk_goes_from_markers_to_the_page(tmp_path, capsys):
    out = tmp_path / "out"
    ran("demo", "walk", "--out", out)
    said = capsys.readouterr().out
    assert "fits 47 markers" in said and "reaction_force_y" not in said
    # What borelli analyze would print of it, and the cards of the page.
    found = bo.answers(bo.load_result(out / "walk"))
    assert (
        said.index("Verdict:") < said.index(f"Page:    {out / 'report.html'}") < said.index("Worth asking:")
    )
    cards = (out / "report.html").read_text(encoding="utf-8")
    for answer in found[:3]:
        assert f"  {answer.sentence}\n" in said and "% of the gait cycle" in answer.sentence
        assert f'data-newtons="{answer.total!r}"' in cards
        assert f"borelli explain {out / 'walk'} --output '{answer.words} force' --by muscle\n" in said
    assert str(out / demo_walk.FILES) in said
    assert (out / "report.html").stat().st_size > 1e6
    assert {path.name for path in (out / "pictures").iterdir()} == {
        "walk_moments.png",
        "walk_reactions.png",
        "walk_peak.png",
    }
    assert (out / demo_walk.FILES / "walk.trc").is_file()
    result = bo.load_result(out / "walk")
    # Noise of half a millimetre, filtered: what remains at the pelvis is within the usual 5 % of the peak ground force.
    assert float(result["root_residual_force"]) < 0.05 * 1.15 * 73 * 9.81
    assert float(result["largest_reserve_moment"]) < 1.0
    assert float(result["closure"]) < 1e-12
    knee = np.linalg.norm(result["total_reaction_force"].sel(joint="knee_r").values, axis=1)
    assert 2.0 < knee.max() / (73 * 9.80665) < 4.0
