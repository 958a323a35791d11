"""Run a study: hundreds of trials, on cores or a cluster.

A study file (.toml) names subjects, conditions, trial files (as patterns), steps and outputs; see docs/studies.md.
Each trial has a result folder of its own, named by its inputs, options and version. To resume a run that was
stopped, repeat the command: only missing trials are computed. A failed trial does not stop the others; its error is
listed at the end, and the exit status is 1.

borelli study init FOLDER writes a first study file from the files in a folder, and lists what it could not match.

borelli study status FILE lists trials that are done, running, failed, stale (inputs changed since) or missing.

borelli study export FILE --to TABLE writes one row per subject and condition, for SPSS, R and spreadsheets.

For example

    borelli study init data/ --to study.toml
    borelli study study.toml
    borelli study study.toml --workers 8
    borelli study study.toml --scheduler tcp://10.0.0.1:8786
    borelli study status study.toml
    borelli study export study.toml --to table.xlsx
"""

from __future__ import annotations

import os
from collections import Counter
from importlib import util
from pathlib import Path
from typing import Annotated, Any

import typer

import borelli as bo
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.cli.terminal.study_progress import StudyBar
from borelli.errors import InvalidValueError, MissingInputError

STATUS_FAILED = 1
# 128 and the number of the signal, as shells have it for Ctrl-C.
STATUS_INTERRUPTED = 130
# A screen; the study keeps all of them.
_MOST_LISTED = 20
_ACTIONS = ("init", "status", "export")
# Lines that leave the summary in sight; the tables of the study have all of them.
_SENTENCES = 5


def run(
    what: Annotated[str, typer.Argument(metavar="FILE | ACTION FILE", help="A study file (.toml).")],
    where: Annotated[Path | None, typer.Argument(metavar="", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the study, instead of the file's.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Worker processes on this machine; 0 runs all trials in this process. Default: one per core.",
        ),
    ] = None,
    threads: Annotated[int, typer.Option(metavar="N", help="Threads for the kernels of one trial.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Address of a running Dask scheduler: tcp://…")
    ] = None,
    clean: Annotated[
        bool, typer.Option("--clean", help="Then remove results of other inputs, options and versions.")
    ] = False,
    to: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", help="File to write: .csv or .xlsx for export, .toml for init."),
    ] = None,
    sources: Annotated[
        bool, typer.Option("--sources", help="Export the parts of every number, too.")
    ] = False,
) -> None:
    """Run a study, or show how far it is."""
    if what in _ACTIONS:
        if where is None:
            raise MissingInputError(
                f"borelli study {what} needs a study file.", remedy=f"borelli study {what} FILE"
            )
        if what == "init":
            _init(where, to)
        elif what == "status":
            _show_status(where, out)
        else:
            _export(where, out, to, sources)
        return
    if where is not None:
        raise InvalidValueError(
            f"{str(where)!r} is one file too many.",
            remedy=f"name one study file, or one of: {', '.join(_ACTIONS)}",
        )
    bar = StudyBar()
    try:
        with notes_on_stderr("warning"), bar:
            found = bo.study(
                what,
                out=out,
                workers=_workers(workers, scheduler),
                threads=threads,
                scheduler=scheduler,
                watcher=bar,
            )
    except KeyboardInterrupt:
        typer.echo(
            f"Interrupted after {bar.trials_ended} trials. What was computed is kept: "
            "the same command computes the rest.",
            err=True,
        )
        raise typer.Exit(STATUS_INTERRUPTED) from None
    _show(found)
    if clean:
        typer.echo(f"Removed {bo.remove_superseded(what, out)} results of other inputs, options or versions.")
    if found.failed:
        raise typer.Exit(STATUS_FAILED)


def _workers(asked: int | None, scheduler: str | None) -> int:
    if asked is not None:
        if scheduler is not None:
            raise InvalidValueError("--workers and --scheduler cannot be combined.", remedy="leave one out")
        return asked
    # Without Dask one process does it all; whoever asks for more is told what to install.
    return (os.cpu_count() or 1) if util.find_spec("distributed") else 0


def _show(found: bo.StudyRun) -> None:
    done = [entry for entry in found.entries if entry.state == "done"]
    there = len(done) - found.computed
    typer.echo(
        f"{found.plan.name}: {len(found.entries)} trials of {len(found.plan.subjects)} subjects, "
        f"{len(done)} done ({max(there, 0)} were there), {len(found.failed)} failed"
    )
    for note in found.plan.notes:
        typer.echo(f"note: {note}", err=True)
    _list_errors(found.failed)
    if found.result is not None and len(found.plan.conditions) > 1:
        for each in [each for each in found.result.differences() if each.parts][:_SENTENCES]:
            typer.echo(each.sentence)
    typer.echo(f"Written: {found.folder} (open {found.folder / 'study.html'})")


def _init(folder: Path, to: Path | None) -> None:
    path, draft = bo.init_study(folder, to)
    typer.echo(draft.text)
    for note in draft.notes:
        typer.echo(f"note: {note}")
    typer.echo(f"Written: {path} (next: look at it, then borelli study status {path})")


def _export(path: Path, out: Path | None, to: Path | None, sources: bool) -> None:
    if to is None:
        raise MissingInputError(
            "An export needs the file to write.", remedy="add --to table.csv or --to table.xlsx"
        )
    folder = out if out is not None else bo.study_folder(path)
    typer.echo(f"Written: {bo.load_study(folder).export(to, sources=sources)}")


def _show_status(path: Path, out: Path | None) -> None:
    with notes_on_stderr("note"):
        entries = bo.study_status(path, out)
    counts: Counter[str] = Counter(entry.state for entry in entries)
    states = ("done", "running", "failed", "stale", "missing")
    typer.echo(f"{len(entries)} trials: " + ", ".join(f"{counts[state]} {state}" for state in states))
    for state in ("running", "stale"):
        named = [entry.trial.name for entry in entries if entry.state == state]
        if named:
            more = f", and {len(named) - _MOST_LISTED} more" if len(named) > _MOST_LISTED else ""
            typer.echo(f"{state}: {', '.join(named[:_MOST_LISTED])}{more}")
    _list_errors([entry for entry in entries if entry.state == "failed"])


def _list_errors(failed: list[Any]) -> None:
    for entry in failed[:_MOST_LISTED]:
        typer.echo(f"failed: {entry.trial.name}\n  {entry.error.strip()}", err=True)
    if len(failed) > _MOST_LISTED:
        typer.echo(f"… and {len(failed) - _MOST_LISTED} more; borelli study status lists them", err=True)
