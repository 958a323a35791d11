"""A worker before its first trial: libraries loaded and kernels compiled, by one process of a machine at a time."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path

from borelli.errors import BorelliError
from borelli.kernels.lanes.cache import cache_directory
from borelli.results.temporary import lock

_done: list[Path] = []


def warm(model: Path | None) -> None:
    """Compute one instant of a model, once a process, so that kernels are compiled or loaded.

    Where nothing is compiled yet, processes of one machine wait for the first instead of compiling the same again. What
    another model of the study needs beyond that is compiled with its first trial. A model that cannot be analysed
    says so when its trial is run.
    """
    if model is None or _done:
        return
    _done.append(model)
    with contextlib.suppress(BorelliError, OSError), _one_at_a_time(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _analyse_default_posture(model)


def _analyse_default_posture(path: Path) -> None:
    # Loaded here: this is what takes a worker's first seconds.
    from borelli.analyses.default_posture import default_posture
    from borelli.io.load_model import load_model
    from borelli.trial.analyze import analyze

    model = load_model(path)
    analyze(model, default_posture(model))


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    place = cache_directory()
    place.mkdir(parents=True, exist_ok=True)
    with lock(place):
        yield
