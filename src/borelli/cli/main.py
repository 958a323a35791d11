"""The command ``borelli``: finds the command that was asked for and hands over; nothing else.

To add a command, write one file in this folder whose module docstring is its help and whose function
``run`` has Typer's annotations, and enter it in :data:`COMMANDS`. It is imported only when it is called:
the list of ``borelli --help`` is read from the sources of the command files, not from the modules.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from borelli import __version__
from borelli.errors import BorelliError

# Command -> the module that defines it, in the order of the help.
COMMANDS: dict[str, str] = {
    "demo": "borelli.cli.demo",
    "equations": "borelli.cli.equations",
    "planar": "borelli.cli.planar",
    "moment-arms": "borelli.cli.moment_arms",
    "explain": "borelli.cli.explain",
    "report": "borelli.cli.report",
    "run": "borelli.cli.run",
    "analyze": "borelli.cli.analyze",
    "info": "borelli.cli.info",
    "convert": "borelli.cli.convert",
}
STATUS_BAD_INPUT = 2


def _docstring(module: str) -> str:
    """Read a module's docstring without importing the module."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"command module {module} is missing")
    return ast.get_docstring(ast.parse(Path(spec.origin).read_text("utf-8"))) or ""


def _as_help(docstring: str) -> str:
    """Keep the line breaks of indented paragraphs, which Typer would otherwise refill."""
    paragraphs = docstring.split("\n\n")
    return "\n\n".join("\b\n" + text if text.startswith("    ") else text for text in paragraphs)


def _loaded_command(name: str) -> Any:
    module = importlib.import_module(COMMANDS[name])
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, help=_as_help(_docstring(COMMANDS[name])))(module.run)
    return typer.main.get_command(app)


class LazyGroup(TyperGroup):
    """A group that lists its commands by their docstrings and imports only the one that runs."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, module in COMMANDS.items():
            self.commands[name] = TyperCommand(name, help=_as_help(_docstring(module)), rich_markup_mode=None)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Replace the listed command by the real one, now that it is wanted."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, _loaded_command(name) if name in COMMANDS else listed, rest


app = typer.Typer(cls=LazyGroup, add_completion=False, no_args_is_help=True, rich_markup_mode=None)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"borelli {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Musculoskeletal dynamics: every newton in the body, accounted for."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; bad input ends with its message on stderr and exit status 2.

    Parameters
    ----------
    arguments : sequence of str, optional
        Instead of those of the process.
    """
    try:
        app(args=None if arguments is None else list(arguments), prog_name="borelli")
    except BorelliError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        raise SystemExit(STATUS_BAD_INPUT) from None
