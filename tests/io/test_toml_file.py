"""The TOML reader: what it refuses before the parser starts, and what it lets pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from borelli.errors import FileFormatError
from borelli.io.text.toml_file import MOST_KEY_PARTS, MOST_LEVELS, read_toml
from tests.bounded import memory_per_byte


def read(tmp_path: Path, text: str) -> dict[str, object]:
    path = tmp_path / "file.toml"
    path.write_text(text, encoding="utf-8", newline="")
    return read_toml(path, "a model", 10_000_000)


DOTTED = {
    "bare": ".".join(["a"] * 50_000) + " = 1",
    "header": "[" + ".".join(["a"] * 50_000) + "]\nb.c = 1",
    "quoted": " . ".join(['"a b"'] * 20_000) + " = 1",
    "literal": "\t.\t".join(["'#'"] * 20_000) + " = 1",
    "inline": "x = {" + ".".join(["a"] * 50_000) + " = 1}",
    "after text": 's = "# \\" no comment"\n' + ".".join(["a"] * 50_000) + " = 1",
    "after many lines of text": 's = """\n" \'\'\' \\""" """\n' + ".".join(["a"] * 50_000) + " = 1",
}


@pytest.mark.parametrize("text", DOTTED.values(), ids=DOTTED)
def test_a_key_of_very_many_parts_is_refused_before_it_costs_memory(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileFormatError, match=f"A key has more than {MOST_KEY_PARTS} parts"):
        read(tmp_path, text)
    # The parser of the standard library takes some 100,000 times the file for the first of these.
    assert memory_per_byte(lambda: read(tmp_path, text), len(text)) < 10


def test_the_place_of_a_long_key_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"file\.toml, line 3"):
        read(tmp_path, "a = 1\n# b\n" + ".".join("abcdefghijklmnopq") + " = 1")


def test_dots_in_texts_comments_and_numbers_are_no_parts_of_keys(tmp_path: Path) -> None:
    many = ".".join("x" * 100)
    text = (
        f'a = "{many}"\nb = \'{many}\'\nc = """\n{many}\n\\""" {many}"""\n'
        f"d = '''{many}'''\n# {many}\ne = [{', '.join(['1.5'] * 100)}]\n"
    )
    found = read(tmp_path, text)
    assert found["a"] == found["b"] == found["d"] == many
    assert found["e"] == [1.5] * 100
    parts = ".".join(["k"] * MOST_KEY_PARTS)
    assert "k" in read(tmp_path, f"{parts} = 1")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 50_000,
        "a = " + "{b = " * 50_000,
        "a = " + "[" * (MOST_LEVELS + 1) + "]" * (MOST_LEVELS + 1),
        ".".join("k" * 12) + " = {" + ".".join("k" * 12) + " = {" + ".".join("k" * 12) + " = 1}}",
    ],
    ids=["open lists", "open tables", "lists", "dotted tables"],
)
def test_nesting_without_end_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileFormatError, match="nested too deeply"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    ['a = "' + '\\"' * 500_000, "a = '''" + "''x" * 500_000, 'a = """' + '""x' * 500_000, '"' * 1_000_001],
    ids=["escapes", "literal", "basic", "quotes"],
)
def test_texts_that_never_end_are_refused(tmp_path: Path, text: str) -> None:
    """Half a million openings: a reader that looked from each of them to the end would not come back."""
    with pytest.raises(FileFormatError, match="The file is not TOML"):
        read(tmp_path, text)


def test_numbers_beyond_all_digits_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="The file is not TOML"):
        read(tmp_path, "a = 1" + "0" * 10_000)
