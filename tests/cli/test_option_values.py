"""Options are read as Typer reads them, word by word; pydantic is loaded for what is not plain alone."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer

from borelli.cli.terminal.option_values import PlainCommand

NUMBERS = [
    "0",
    "-3",
    "+7",
    "007",
    "1e3",
    "1e400",
    "1_000",
    " 5",
    "1.5",
    ".5",
    "5.",
    "nan",
    "-inf",
    "abc",
    "",
    "\u0663",
]


def values(command: type | None, words: list[str]) -> object:
    """What a command is given for its options, or what is said of a word that is refused."""
    given: dict[str, object] = {}

    def run(
        place: Annotated[Path, typer.Argument()],
        number: Annotated[float, typer.Option()] = 2.0,
        count: Annotated[int | None, typer.Option()] = None,
        name: Annotated[str, typer.Option()] = "body",
        several: Annotated[list[str] | None, typer.Option()] = None,
        span: Annotated[tuple[float, float] | None, typer.Option()] = None,
        few: Annotated[int, typer.Option(max=3)] = 1,
        there: Annotated[Path | None, typer.Option(exists=True)] = None,
        again: Annotated[bool, typer.Option("--again")] = False,
    ) -> None:
        given.update(locals())

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(cls=command)(run)
    try:
        typer.main.get_command(app)(args=words, standalone_mode=False)
    except Exception as error:
        return type(error), str(error)
    given.pop("given")
    return {name: (type(value), repr(value)) for name, value in given.items()}


@pytest.mark.parametrize("words", [
    *(["x", option, word] for option in ("--number", "--count", "--few") for word in NUMBERS),
    [],
    ["x"],
    [""],
    ["x", "--name", "", "--again"],
    ["x", "--several", "a=1", "--several", ""],
    ["x", "--span", "1", "2"],
    ["x", "--span", "1", "b"],
    ["x", "--there", "no-such-file"],
    ["x", "--unknown"],
], ids=repr)  # fmt: skip
def test_every_word_means_what_typer_takes_it_for(words):
    assert values(PlainCommand, words) == values(None, words)


def test_some_words_are_refused():
    """The comparison is not one of errors alone, nor of values alone."""
    found = [values(PlainCommand, ["x", "--number", word]) for word in NUMBERS]
    assert {type(each) for each in found} == {dict, tuple}


@pytest.mark.parametrize(("words", "loaded"), [("info .", False), ("explain . --time-s ten", True)])
def test_plain_words_need_no_pydantic(words, loaded):
    script = (
        "import sys\nfrom borelli.cli.main import main\n"
        f"try: main({words.split()!r})\nexcept SystemExit: pass\nprint('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == str(loaded)
