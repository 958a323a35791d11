"""Dask as the engine of a study: processes of this machine, or a cluster that exists.

Three habits make it safe where workers are killed. A task looks for its result on disk first, so that running it twice
costs nothing. It returns a receipt of a few bytes, and its future is released at once: Dask never holds a
result that could die with its worker. And a task is never blamed for the death of its worker (``allowed-failures``):
after three deaths nearby Dask would give up innocent ones; those that are guilty are counted by their own markers.

Two more make it cheap where scheduler and workers share their cores: short trials travel together, about a second of
them, and Dask looks at itself less often.
"""

from __future__ import annotations

import itertools
import logging
import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

from borelli.errors import (
    InvalidValueError,
    MissingInputError,
    UnsolvableError,
    warn,
)
from borelli.studies.engine import Task
from borelli.studies.task import Receipt

# Loaded where needed: dask distributed, which are optional.

INNOCENT = 1_000_000
"""Deaths of workers that a task may be near to."""
AHEAD = 4
"""Tasks given to the scheduler for each worker that is free to run one: the rest waits here, not in its memory."""
PRELOADED = "borelli.studies.preload"
_METHOD = "distributed.worker.multiprocessing-method"
# Workers come and go in seconds; to ask costs a call to the scheduler.
_ASKED_EVERY_S = 1.0
TOGETHER_S = 1.0
"""Trials travel together that take about this long: a task costs some 12 ms of processor time on its way, 6 % of a
short trial, and a second is soon enough for the bar."""
# With a worker that is lost, so many trials at most go back to those that wait.
MOST_TOGETHER = 32
_CALM = {
    # By default every process samples its own stack every 10 ms, ticks every 20 ms, and looks at its memory every
    # 100 ms: 4 % of a core for each worker, and as much for the scheduler.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.worker.memory.monitor-interval": "1s",
}


class DaskEngine(AbstractContextManager["DaskEngine"]):
    """A Dask cluster: ``workers`` processes of this machine, or the one whose scheduler has an address."""

    def __init__(self, workers: int | None = None, scheduler: str | None = None) -> None:
        dask, distributed = _libraries()
        # In force until the end: whoever is killed is started anew by them.
        self._settings = dask.config.set(
            {"distributed.scheduler.allowed-failures": INNOCENT, _METHOD: _copied(dask, distributed), **_CALM}
        )
        # What it says about workers and schedulers that were killed is expected here, and told by the study itself.
        for part in ("", ".client", ".nanny", ".worker", ".scheduler"):
            logging.getLogger("distributed" + part).setLevel(logging.CRITICAL)
        self._cluster: Any = None
        self._client: Any = None
        self.description = f"Dask: {scheduler}"
        self._distributed = distributed
        self._known_slots, self._asked_s = 1, -math.inf
        try:
            self._begin(workers, scheduler)
        except BaseException:
            self.__exit__()
            raise

    def _begin(self, workers: int | None, scheduler: str | None) -> None:
        if scheduler is not None:
            self._client = _connected(self._distributed, scheduler)
            self._client.run_on_scheduler(_never_blame)
            self._warn_of_threads()
            return
        try:
            self._cluster = self._distributed.LocalCluster(
                n_workers=workers or os.cpu_count() or 1,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        except RuntimeError as error:
            raise UnsolvableError(
                f"no process could be started for the trials: {error}",
                remedy='in a script, put the call under if __name__ == "__main__":, because new processes read the '
                "script again; or leave workers out",
            ) from error
        self.description = f"Dask: {len(self._cluster.workers)} processes of this machine"
        self._client = self._distributed.Client(self._cluster)
        self._client.register_plugin(_deaf(self._distributed))

    def _warn_of_threads(self) -> None:
        most = max(self._client.nthreads().values(), default=1)
        if most > 1:
            warn(
                f"workers of the cluster have up to {most} threads, and trials of one process take turns: start "
                "workers with --nthreads 1, one for each core"
            )

    def map(self, task: Task, items: Iterable[Any]) -> Iterator[Receipt]:
        """Run the task on every item; receipts come as tasks end."""
        waiting = deque(items)
        done = self._distributed.as_completed([])
        held: dict[str, list[Any]] = {}
        number, typical_s = itertools.count(), TOGETHER_S
        while True:
            # A cluster that has no workers yet has no slots either, and starts with something to do when they come.
            room = max(AHEAD * self._slots(), 8)
            while waiting and len(held) < room:
                size = together(typical_s, len(waiting), room)
                key = f"trials-{id(self)}-{next(number)}"
                held[key] = [waiting.popleft() for _ in range(size)]
                done.add(self._client.submit(run_some, task, held[key], key=key, pure=False))
            if not held:
                return
            future = next(done)
            for receipt in (receipts := self._receipts(future)):
                # A mean that forgets: the latest five trials count most.
                typical_s = 0.8 * typical_s + 0.2 * receipt.seconds
                yield receipt
            waiting.extendleft(reversed(held.pop(future.key)[len(receipts) :]))

    def _receipts(self, future: Any) -> list[Receipt]:
        try:
            found: list[Receipt] = future.result()
        except (self._distributed.client.FutureCancelledError, OSError) as error:
            raise UnsolvableError(
                "The scheduler is gone.",
                where=self.description,
                remedy="run the same command again: what was computed is kept",
            ) from error
        finally:
            future.release()
        return found

    def _slots(self) -> int:
        """Tasks that the cluster can run at once, asked for now and then: workers come and go."""
        if time.monotonic() - self._asked_s > _ASKED_EVERY_S:
            with suppress(Exception):  # a scheduler that is gone is told by the futures
                self._known_slots = sum(self._client.nthreads().values())
            self._asked_s = time.monotonic()
        return self._known_slots

    def __exit__(self, *about: object) -> None:
        """Let the client go, and the processes that were started here."""
        # The client only says good-bye; the cluster waits for the processes that it started.
        for each, patience_s in ((self._client, 5), (self._cluster, 10)):
            if each is not None:
                with suppress(Exception):  # whatever a cluster that is gone says about it
                    each.close(timeout=patience_s)
        self._settings.__exit__(None, None, None)


def together(typical_s: float, waiting: int, room: int) -> int:
    """Return how many trials go in one task: a second of them, fewer towards the end, so that workers end together."""
    return max(1, min(round(TOGETHER_S / max(typical_s, 1e-3)), waiting // room, MOST_TOGETHER))


def run_some(task: Task, items: list[Any]) -> list[Receipt]:
    """Run a task on items, the first at least, for about a second; whoever gets the receipts asks again for others."""
    begun, receipts = time.monotonic(), [task(items[0])]
    while len(receipts) < len(items) and time.monotonic() - begun < TOGETHER_S:
        receipts.append(task(items[len(receipts)]))
    return receipts


def _copied(dask: Any, distributed: Any) -> str:
    """Return how processes are started: as copies of one that has loaded what a trial needs, where that is safe."""
    if sys.platform != "linux":
        return "spawn"
    with dask.config.set({_METHOD: "forkserver"}):
        # Dask names what it needs itself, when it is first asked; the list holds for the life of this process.
        distributed.utils.get_mp_context().set_forkserver_preload(["distributed", PRELOADED])
    return "forkserver"


def _deaf(distributed: Any) -> Any:
    """Make a plugin for workers of this machine: Ctrl-C reaches them, too, and is the client's to act upon."""

    class Deaf(distributed.WorkerPlugin):  # type: ignore[misc]
        name = "borelli-deaf"

        def setup(self, worker: Any) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Deaf()


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
