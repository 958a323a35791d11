"""The command ``borelli``: finds the command that was asked for and hands over; nothing else.

To add a command, write one file in this folder whose module docstring is its help and whose function
``run`` has Typer's annotations, and enter it in :data:`COMMANDS`. It is imported only when it is called:
the list of ``borelli --help`` is read from the sources of the command files, not from the modules.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import borelli as bo
from borelli.cli.terminal.escapes import safe_streams
from borelli.cli.terminal.option_values import PlainCommand, plainly_read
from borelli.errors import BorelliError

# Command -> the module that defines it, in the order of the help.
COMMANDS: dict[str, str] = {
    "demo": "borelli.cli.demo",
    "equations": "borelli.cli.equations",
    "planar": "borelli.cli.planar",
    "playground": "borelli.cli.playground",
    "moment-arms": "borelli.cli.moment_arms",
    "explain": "borelli.cli.explain",
    "report": "borelli.cli.report",
    "verify": "borelli.cli.verify",
    "run": "borelli.cli.run",
    "analyze": "borelli.cli.analyze",
    "study": "borelli.cli.study",
    "capture": "borelli.cli.capture",
    "scale": "borelli.cli.scale",
    "ik": "borelli.cli.ik",
    "info": "borelli.cli.info",
    "convert": "borelli.cli.convert",
    "warm-up": "borelli.cli.warm_up",
}
STATUS_BAD_INPUT = 2
STATUS_OWN_FAULT = 70
"""As in sysexits.h: a fault of the program, not of its input."""
_DEBUG = "--debug"
_WITH_DASK = "study"
"""The command that may share its work out by Dask."""
_GARBAGE = 100_000
"""Objects after which Python looks for what is no longer needed; some hundred modules are loaded before that."""


def _docstring(module: str) -> str:
    """Read a module's docstring without importing the module."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"command module {module} is missing")
    # A file up to its first import is enough, and much quicker to read than all of it.
    head = Path(spec.origin).read_text("utf-8").partition("\nfrom __future__")[0]
    return ast.get_docstring(ast.parse(head)) or ""


def _as_help(docstring: str) -> str:
    """Keep the line breaks of indented paragraphs, which Typer would otherwise refill."""
    paragraphs = docstring.split("\n\n")
    return "\n\n".join("\b\n" + text if text.startswith("    ") else text for text in paragraphs)


@functools.cache
def _loaded_command(name: str) -> Any:
    module = importlib.import_module(COMMANDS[name])
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=PlainCommand, help=_as_help(_docstring(COMMANDS[name])))(module.run)
    return typer.main.get_command(app)


class LazyGroup(TyperGroup):
    """A group that lists its commands by their docstrings and imports only the one that runs."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, module in COMMANDS.items():
            self.commands[name] = TyperCommand(name, help=_as_help(_docstring(module)), rich_markup_mode=None)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options."""
        return [plainly_read(option) for option in super().get_params(ctx)]

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Replace the listed command by the real one, now that it is wanted."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, _loaded_command(name) if name in COMMANDS else listed, rest


app = typer.Typer(cls=LazyGroup, add_completion=True, no_args_is_help=True, rich_markup_mode=None)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"borelli {bo.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
    debug: Annotated[  # taken out of the arguments by `main`, wherever it stands; here for the help
        bool, typer.Option(_DEBUG, help="Show the Python traceback of an error.")
    ] = False,
) -> None:
    """Musculoskeletal dynamics: every newton in the body, accounted for."""


@functools.cache
def _commands() -> Any:
    """All commands, listed once in a process that runs several."""
    return typer.main.get_command(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line.

    Bad input, and what the system refuses (full disk, no permission), end with a message on stderr and exit status 2;
    a fault of Borelli itself with status 70 and how to report it. ``--debug`` anywhere adds the traceback.

    Parameters
    ----------
    arguments : sequence of str, optional
        Instead of those of the process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    own = given[: given.index("--")] if "--" in given else given
    debug = _DEBUG in own
    kept = [word for word in own if word != _DEBUG] + given[len(own) :]
    if arguments is None:
        _have_the_process(may_use_dask=kept[:1] == [_WITH_DASK])
    with safe_streams():
        try:
            _commands()(args=kept, prog_name="borelli")
        except Exception as error:
            if debug:
                traceback.print_exc()
            message, status = _told(error)
            # Where nothing can be written, the exit status still tells.
            with contextlib.suppress(OSError):
                print(message, file=sys.stderr, flush=True)
            raise SystemExit(status) from None


def _have_the_process(*, may_use_dask: bool) -> None:
    """Set up a process that runs one command and ends.

    Python looks for garbage less often. xarray is told that Dask is not installed: it would load it, in as much time as
    NumPy and pandas take together, to ask of arrays whether they are Dask's.
    """
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    if not may_use_dask:
        sys.modules.setdefault("dask", None)  # type: ignore[arg-type]


def _told(error: Exception) -> tuple[str, int]:
    """Return what a user should read about an error, and the exit status."""
    if isinstance(error, OSError) and not isinstance(error, BorelliError):
        place = error.filename if isinstance(error.filename, str) else "a file or the terminal"
        error = bo.write_error(error, place, "read or written")
    if isinstance(error, BorelliError):
        return f"{type(error).__name__}: {error}", STATUS_BAD_INPUT
    if isinstance(error, MemoryError):
        return (
            "MemoryError: There is not enough memory for this.\n"
            "  Remedy:  analyse a shorter time range, or fewer outputs (borelli COMMAND --help)",
            STATUS_BAD_INPUT,
        )
    return (
        f"Internal error in Borelli: {type(error).__name__}: {str(error)[:500]}\n"
        "  Remedy:  please report it, with the output of the same command and --debug",
        STATUS_OWN_FAULT,
    )


if __name__ == "__main__":
    main()
