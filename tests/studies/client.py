"""A run of a study in a process of its own, which may be killed: a copy of one that is loaded once for all."""

from __future__ import annotations

import multiprocessing
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

import borelli as bo
from borelli.studies.dask_engine import PRELOADED


def start(study: Path, out: Path, workers: int = 2) -> BaseProcess:
    """Begin a run; it ends with 0 where no trial failed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["distributed", PRELOADED])
    # Its workers are started by the same server, which outlives it.
    client = context.Process(target=_run, args=(study, out, workers), daemon=False)
    client.start()
    return client


def _run(study: Path, out: Path, workers: int) -> None:
    sys.exit(1 if bo.study(study, out=out, workers=workers).failed else 0)
