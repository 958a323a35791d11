"""How a study goes on: a bar with rate and time left, a line for each worker, and errors as they come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

import borelli as bo
from borelli.cli.terminal.console import plain_console

# Nobody reads faster.
_REFRESH_HZ = 2.0
# Lines that leave the bar in sight.
_MOST_WORKERS = 16


class StudyBar(bo.Watcher):
    """Shows the progress of a study on the error stream; on what is no terminal, errors alone."""

    def __init__(self) -> None:
        self._console = plain_console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
        )
        self._bar = Progress(*columns, console=self._console)
        self._task: Any = None
        self._now: Callable[[], list[Any]] = list
        self._computed: list[float] = []
        self.trials_ended = 0
        self._live = Live(
            get_renderable=self._drawn,
            console=self._console,
            refresh_per_second=_REFRESH_HZ,
            transient=True,
        )

    def __enter__(self) -> StudyBar:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *about: object) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def planned(self, plan: Any, engine: str, now: Callable[[], list[Any]]) -> None:
        """Begin the bar."""
        self._now = now
        self._task = self._bar.add_task(f"{plan.name} ({engine})", total=len(plan.trials), rate="")

    def ended(self, receipt: Any) -> None:
        """Go on by one trial; tell its error."""
        self.trials_ended += 1
        if receipt.error:
            message = f"failed: {receipt.name}: {receipt.error.splitlines()[0]}"
            if self._console.is_terminal:
                self._console.print(Text(message))
            else:
                typer.echo(message, err=True)
        if receipt.state == "computed":
            self._computed.append(time.monotonic())
        self._bar.update(self._task, advance=1, rate=self._rate())

    def summarising(self) -> None:
        """Say that the trials are done."""
        self._bar.update(self._task, description="the study's own result", rate="")

    def _rate(self) -> str:
        """Trials a second and time left, by those that were computed: what was there takes no time."""
        if len(self._computed) < 2:
            return ""
        recent = self._computed[-50:]
        # Two trials may end within one tick of the clock.
        rate = (len(recent) - 1) / max(recent[-1] - recent[0], 1e-9)
        task = self._bar.tasks[0]
        left = ((task.total or 0) - task.completed - 1) / rate
        return f"{rate:.2g}/s, {_clock(left)} left"

    def _drawn(self) -> RenderableType:
        if self._task is None:
            return Text("reading the study …")
        lines = [
            Text(f"  {each.host}:{each.process}  {each.name}  {time.time() - each.since_s:.0f} s")
            for each in self._now()[:_MOST_WORKERS]
        ]
        return Group(self._bar, *lines)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(max(round(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
