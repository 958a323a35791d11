"""Work done by several threads at a time, the caller's among them.

The threads stay for the next call: the scratch memory that each of them keeps is ready then, and none has to be
started. The caller works, too, so that nothing waits for a thread that is busy elsewhere, even where the work asks for
threads of its own.
"""

from __future__ import annotations

import contextvars
import functools
import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Answer = TypeVar("Answer")

_MOST_THREADS = 256
"""More than any machine that this was written for has processors; they are started only when they are needed."""


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_MOST_THREADS, "borelli")


# Threads do not survive a fork: the child starts its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)


def side_by_side(work: Callable[[Part], Answer], parts: Iterable[Part], threads: int) -> list[Answer]:
    """Do the work on every part and return the answers in their order.

    Parameters
    ----------
    work : function of a part
        Each call sees the context (:mod:`contextvars`) of the caller.
    threads : int
        How many parts to work on at a time, at most.

    Raises
    ------
    Exception
        Of one of the parts that failed; those not begun by then are left out.
    """
    waiting = deque(enumerate(parts))
    answers: dict[int, Answer] = {}

    def work_on() -> None:
        try:
            while True:
                try:
                    place, part = waiting.popleft()
                except IndexError:
                    return
                answers[place] = work(part)
        except BaseException:
            waiting.clear()
            raise

    others: list[Future[None]] = []
    for _ in range(min(threads, len(waiting)) - 1):
        # A context can be entered by one thread at a time.
        others.append(_pool().submit(contextvars.copy_context().run, work_on))
    try:
        work_on()
    finally:
        # What did not begin is not needed any more; what did may still write where the caller's memory is.
        began = [other for other in others if not other.cancel()]
        failed = [other.exception() for other in began]
    for error in failed:
        if error is not None:
            raise error
    return [answers[place] for place in range(len(answers))]
