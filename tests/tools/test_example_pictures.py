"""Every example is on the page of examples, with a small picture."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "examples.md").read_text(encoding="utf-8")
LARGEST = 100_000  # bytes; a page of ten pictures then loads at once


@pytest.mark.parametrize("example", sorted(path.stem for path in (ROOT / "examples").glob("*.py")))
def test_every_example_is_linked_with_its_picture(example):
    assert f"(../../examples/{example}.py)" in PAGE
    assert f"(../images/example_{example}.webp)" in PAGE
    picture = ROOT / "docs" / "images" / f"example_{example}.webp"
    assert picture.read_bytes()[8:12] == b"WEBP"
    assert picture.stat().st_size < LARGEST
