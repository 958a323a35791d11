"""Dask as the engine of a study: processes of this machine, or a cluster that exists.

Three habits make it safe where workers are killed. A task looks for its result on disk first, so that running it twice
costs nothing. It returns a receipt of a few bytes, and its future is released at once: Dask never holds a
result that could die with its worker. And a task is never blamed for the death of its worker (``allowed-failures``):
after three deaths nearby Dask would give up innocent ones; those that are guilty are counted by their own markers.
"""

from __future__ import annotations

import itertools
import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

from borelli.errors import InvalidValueError, MissingInputError, UnsolvableError
from borelli.studies.engine import Task
from borelli.studies.task import Receipt

# Loaded where needed: dask distributed, which are optional.

INNOCENT = 1_000_000
"""Deaths of workers that a task may be near to."""
AHEAD = 4
"""Tasks given to the scheduler for each worker that is free to run one: the rest waits here, not in its memory."""


class DaskEngine(AbstractContextManager["DaskEngine"]):
    """A Dask cluster: ``workers`` processes of this machine, or the one whose scheduler has an address."""

    def __init__(self, workers: int | None = None, scheduler: str | None = None) -> None:
        dask, distributed = _libraries()
        settings = {
            "distributed.scheduler.allowed-failures": INNOCENT,
        }
        # What it says about workers that were killed is expected here, and told by the study itself.
        for name in ("distributed", "distributed.nanny", "distributed.worker", "distributed.scheduler"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._cluster: Any = None
        self._distributed = distributed
        with dask.config.set(settings):
            if scheduler is None:
                self._cluster = distributed.LocalCluster(
                    n_workers=workers or os.cpu_count() or 1,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
                self._client = distributed.Client(self._cluster)
            else:
                self._client = _connected(distributed, scheduler)
        if scheduler is not None:
            self._client.run_on_scheduler(_never_blame)
        self.description = f"Dask: {scheduler or f'{len(self._cluster.workers)} processes of this machine'}"

    def map(self, task: Task, items: Iterable[Any]) -> Iterator[Receipt]:
        """Run the task on every item; receipts come as tasks end."""
        waiting = iter(items)
        done = self._distributed.as_completed([])
        number, held = itertools.count(), 0
        while True:
            room = max(AHEAD * self._threads(), 8) - held
            for item in itertools.islice(waiting, max(room, 0)):
                done.add(self._client.submit(task, item, key=f"trial-{id(self)}-{next(number)}", pure=False))
                held += 1
            if not held:
                return
            future = next(done)
            held -= 1
            try:
                receipt = future.result()
            except (self._distributed.client.FutureCancelledError, OSError) as error:
                raise UnsolvableError(
                    "The scheduler is gone.",
                    where=self.description,
                    remedy="run the same command again: what was computed is kept",
                ) from error
            finally:
                future.release()
            yield receipt

    def _threads(self) -> int:
        with suppress(Exception):  # a scheduler that is gone is told by the futures
            return sum(self._client.nthreads().values())
        return 1

    def __exit__(self, *about: object) -> None:
        """Let the client go, and the processes that were started here."""
        with suppress(Exception):  # whatever a cluster that is gone says about it
            self._client.close(timeout=5)
        if self._cluster is not None:
            with suppress(Exception):
                self._cluster.close(timeout=10)


def _never_blame(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = INNOCENT


def _libraries() -> tuple[Any, Any]:
    try:
        import dask
        import distributed
    except ImportError:
        raise MissingInputError(
            "Several workers need dask.distributed, which is not installed.",
            remedy="pip install 'borelli[cluster]', or run with --workers 0, in this process",
        ) from None
    return dask, distributed


def _connected(distributed: Any, scheduler: str) -> Any:
    try:
        return distributed.Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise InvalidValueError(
            f"No Dask scheduler answers at {scheduler!r}: {error}.",
            where="--scheduler",
            remedy="give its address, such as tcp://10.0.0.1:8786",
        ) from None
