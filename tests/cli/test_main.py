"""The command line as a whole: quick help, one way of failing, commands loaded when called."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

import borelli
from borelli.cli import main as cli
from borelli.errors import InvalidValueError

HEAVY = {"numba", "llvmlite", "sympy", "plotly", "pandas", "xarray", "scipy", "matplotlib"}


def modules_after(*arguments: str) -> set[str]:
    script = (
        "import sys\nfrom borelli.cli.main import main\n"
        f"try: main({list(arguments)!r})\nexcept SystemExit: pass\n"
        "print('\\n' + ' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def status_of(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    return int(caught.value.code or 0)


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_load_no_heavy_library_and_no_command(argument):
    loaded = modules_after(argument)
    assert not {name.split(".")[0] for name in loaded} & HEAVY
    assert not loaded & set(cli.COMMANDS.values())


def test_help_lists_every_command_with_the_first_line_of_its_docstring(capsys):
    assert status_of("--help") == 0
    shown = capsys.readouterr().out
    for name, module in cli.COMMANDS.items():
        first_words = " ".join(importlib.import_module(module).__doc__.split()[:3])
        assert f"{name}  " in shown and first_words in shown


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_of_a_command_is_its_module_docstring(name, capsys):
    assert status_of(name, "--help") == 0
    shown = " ".join(capsys.readouterr().out.split())
    documented = " ".join(importlib.import_module(cli.COMMANDS[name]).__doc__.split())
    assert documented in shown


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_module_has_one_documented_run_function(name):
    run = importlib.import_module(cli.COMMANDS[name]).run
    assert inspect.isfunction(run) and run.__doc__


def test_indented_examples_keep_their_lines(capsys):
    status_of("equations", "--help")
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "borelli equations --links 2 --space joint --as latex" in lines


def test_version_is_that_of_the_package(capsys):
    assert status_of("--version") == 0
    assert capsys.readouterr().out == f"borelli {borelli.__version__}\n"


def test_no_command_shows_the_help(capsys):
    status_of()
    captured = capsys.readouterr()
    assert "Usage: borelli" in captured.out + captured.err


def test_unknown_command_names_the_nearest(capsys):
    assert status_of("equation") == 2
    assert "No such command 'equation'. Did you mean 'equations'?" in capsys.readouterr().err


def test_error_of_the_library_is_its_message_on_stderr_with_status_2_and_no_traceback():
    done = subprocess.run(
        [sys.executable, "-c", "from borelli.cli.main import main; main()", "equations", "--links", "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "InvalidValueError: A chain cannot have 0 links.",
        "  Where:   number of links",
        "  Remedy:  give a whole number, 1 or more",
    ]


def test_a_bug_is_not_mistaken_for_bad_input(monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("borelli.planar.equations", broken)
    with pytest.raises(SystemExit) as ended:
        cli.main(["equations", "--links", "2"])
    assert ended.value.code == cli.STATUS_OWN_FAULT


def test_missing_command_module_is_named(monkeypatch, capsys):
    monkeypatch.setitem(cli.COMMANDS, "ghost", "borelli.cli.ghost")
    cli._commands.cache_clear()
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "ModuleNotFoundError: command module borelli.cli.ghost is missing" in capsys.readouterr().err


def test_errors_of_any_command_are_shown_alike(monkeypatch, capsys):
    def refusing(*_: object) -> None:
        raise InvalidValueError("It is wrong.", remedy="mend it")

    monkeypatch.setattr("borelli.planar.equations", refusing)
    assert status_of("equations", "--links", "2") == cli.STATUS_BAD_INPUT == 2
    assert capsys.readouterr().err == "InvalidValueError: It is wrong.\n  Remedy:  mend it\n"


@pytest.mark.parametrize("module", ["borelli", "borelli.cli.main"])
def test_both_modules_are_the_command_line(module: str) -> None:
    import subprocess
    import sys

    ran = subprocess.run(
        [sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0 and "orelli" in ran.stdout
