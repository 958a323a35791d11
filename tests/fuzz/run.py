"""The long fuzzing run: damages files of every format and reads them.

    python -m tests.fuzz.run                      100,000 files of every format
    python -m tests.fuzz.run --count 5000 sto c3d
    python -m tests.fuzz.run --again 4711 c3d     the one file of that number, with its traceback

Each format runs in a process of its own, so that a crash is seen as one; the run goes on behind the file that
caused it. An answer with real numbers or a BorelliError is right. Counted as wrong, with the number of the file, are
tracebacks, signals, more than five seconds of computing, more than 1 GB, NaN and absurd numbers in a result without a
word, and files that would be written where nobody asked.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from borelli.errors import BorelliError
from tests.fuzz.questions import Absurd, Strayed
from tests.fuzz.trees import Mutation, all_formats

SECONDS = 5
MEGABYTES = 1024


class TooSlow(BaseException):
    """Raised by the alarm; no reader may catch it."""


def _alarm(_signal: int, _frame: object) -> None:
    raise TooSlow


def damaged(name: str, number: int, seeds: list[bytes], change: Mutation) -> bytes:
    """Return the damaged file of this number; the same one in every run."""
    rng = random.Random(f"{name} {number}")
    return change(rng.choice(seeds), rng)


def peak_megabytes() -> float:
    """Return the most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_format(name: str, first: int, count: int, folder: Path, progress: Path) -> int:
    """Read damaged files of one format; return how many went wrong."""
    warnings.simplefilter("ignore")
    seeds, read, change = all_formats(folder)[name]
    for seed in seeds:
        read(seed)  # so that no damaged file pays for imports
    # Computing time: on a busy machine a file may wait for its turn.
    signal.signal(signal.SIGPROF, _alarm)
    outcomes: Counter[str] = Counter()
    start, peak = time.monotonic(), peak_megabytes()
    for number in range(first, count):
        progress.write_text(str(number))
        outcome = _outcome(read, damaged(name, number, seeds, change))
        now = peak_megabytes()
        if now > peak + MEGABYTES:
            outcome = f"memory: from {peak:.0f} to {now:.0f} MB"
        peak = now
        kind, _, detail = outcome.partition(": ")
        outcomes[kind] += 1
        if detail:
            print(f"{name} {number}: {outcome}", flush=True)
    progress.write_text(str(count))
    wrong = sum(outcomes.values()) - outcomes["read"] - outcomes["refused"]
    told = ", ".join(f"{many} {kind}" for kind, many in sorted(outcomes.items()))
    took = time.monotonic() - start
    print(f"{name:15s} {count - first:7d} files: {told}; {took:.0f} s, peak {peak:.0f} MB", flush=True)
    return wrong


def _outcome(read: Callable[[bytes], object], data: bytes) -> str:
    """What became of one file: read, refused, or a fault with its detail."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        read(data)
        return "read"
    except BorelliError:
        return "refused"
    except TooSlow:
        return f"hang: took more than {SECONDS} s"
    except Absurd as error:
        return f"absurd: {error}"
    except Strayed as error:
        return f"strayed: {error}"
    except Exception as error:
        return f"traceback: {type(error).__name__}: {str(error)[:120]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def show_again(name: str, number: int, folder: Path) -> None:
    """Read one damaged file and print what comes of it."""
    seeds, read, change = all_formats(folder)[name]
    data = damaged(name, number, seeds, change)
    print(data[:2000])
    try:
        print(read(data))
    except Exception:
        traceback.print_exc()


def main() -> int:
    """Run all formats, each in its own process; exit status 1 if anything went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="formats; all where left out")
    parser.add_argument("--count", type=int, default=100_000, help="damaged files of every format")
    parser.add_argument("--again", type=int, help="show the file of this number")
    parser.add_argument("--here", metavar="PROGRESS", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    # Nothing is compiled for a model that is looked at once.
    os.environ["BORELLI_BACKEND"] = "numpy"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = arguments.names or list(all_formats(folder))
        if arguments.again is not None:
            show_again(names[0], arguments.again, folder)
            return 0
        if arguments.here:
            wrong = run_format(names[0], arguments.first, arguments.count, folder, arguments.here)
            return min(wrong, 100)
        return 1 if sum([_in_processes(name, arguments.count, folder / "progress") for name in names]) else 0


def _in_processes(name: str, count: int, progress: Path) -> int:
    """Run a format in a process, and in another one behind each file that ended one."""
    first, bad = 0, 0
    while first < count:
        progress.write_text(str(count))
        options = ["--here", str(progress), "--first", str(first), "--count", str(count)]
        ended = subprocess.run([sys.executable, "-m", "tests.fuzz.run", *options, name], check=False)
        bad += ended.returncode != 0
        if ended.returncode >= 0:
            break
        first = int(progress.read_text()) + 1
        print(f"{name} {first - 1}: the process died of signal {-ended.returncode}", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main())
