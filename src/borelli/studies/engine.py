"""What runs the tasks of a study: an interchangeable ``map``. Durability is the tasks' own, never the engine's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from borelli.studies.task import Receipt

Task = Callable[[Any], Receipt]


class Engine(Protocol):
    """Runs a function on many items, in any order, as often as it likes, and gives what it returns as it comes."""

    @property
    def description(self) -> str:
        """What the tasks run on, in a few words."""

    def map(self, task: Task, items: Iterable[Any]) -> Iterator[Receipt]:
        """Run the task on every item."""


class InProcess(AbstractContextManager["InProcess"]):
    """One trial after another, in this process: for debugging, and where Dask is not installed."""

    description = "this process"

    def map(self, task: Task, items: Iterable[Any]) -> Iterator[Receipt]:
        """Run the task on every item, in order."""
        for item in items:
            yield task(item)

    def __exit__(self, *about: object) -> None:
        """Nothing is held."""
