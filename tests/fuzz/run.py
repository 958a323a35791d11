"""The long fuzzing run: damages files of every format and reads them.

    python -m tests.fuzz.run                      100,000 files over all formats
    python -m tests.fuzz.run --count 5000 sto c3d
    python -m tests.fuzz.run --again 4711 c3d     the one file of that number, with its traceback

Each format runs in a process of its own, so that a crash is seen as one. An answer or a BorelliError is
right; anything else, more than five seconds of computing or more than 1 GB is reported with the number of the file.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from borelli.errors import BorelliError
from tests.fuzz.mutate import mutated
from tests.fuzz.seeds import formats

SECONDS = 5
MEGABYTES = 1024


class TooSlow(BaseException):
    """Raised by the alarm; no reader may catch it."""


def _alarm(_signal: int, _frame: object) -> None:
    raise TooSlow


def damaged(name: str, number: int, seeds: list[bytes]) -> bytes:
    """Return the damaged file of this number; the same one in every run."""
    rng = random.Random(f"{name} {number}")
    return mutated(rng.choice(seeds), rng)


def peak_megabytes() -> float:
    """Return the most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_format(name: str, count: int, folder: Path) -> int:
    """Read damaged files of one format; return how many went wrong."""
    warnings.simplefilter("ignore")
    seeds, read = formats(folder)[name]
    for seed in seeds:
        read(seed)  # so that no damaged file pays for imports
    # Computing time: on a busy machine a file may wait for its turn.
    signal.signal(signal.SIGPROF, _alarm)
    wrong, answers, start = 0, 0, time.monotonic()
    peak = peak_megabytes()
    for number in range(count):
        data = damaged(name, number, seeds)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            read(data)
            answers += 1
        except BorelliError:
            pass
        except TooSlow:
            wrong += 1
            print(f"{name} {number}: took more than {SECONDS} s", flush=True)
        except Exception as error:
            wrong += 1
            print(f"{name} {number}: {type(error).__name__}: {str(error)[:120]}", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        now = peak_megabytes()
        if now > peak + MEGABYTES:
            wrong += 1
            print(f"{name} {number}: memory went from {peak:.0f} to {now:.0f} MB", flush=True)
        peak = now
    took = time.monotonic() - start
    print(f"{name:15s} {count:7d} files, {answers:6d} read, {count - answers - wrong:6d} refused, {wrong} wrong, "
          f"{took:.0f} s, peak {peak:.0f} MB", flush=True)  # fmt: skip
    return wrong


def show_again(name: str, number: int, folder: Path) -> None:
    """Read one damaged file and print what comes of it."""
    seeds, read = formats(folder)[name]
    data = damaged(name, number, seeds)
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
    parser.add_argument("--count", type=int, default=100_000, help="damaged files, over all formats")
    parser.add_argument("--again", type=int, help="show the file of this number")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = arguments.names or list(formats(folder))
        if arguments.again is not None:
            show_again(names[0], arguments.again, folder)
            return 0
        if arguments.here:
            return min(run_format(names[0], arguments.count, folder), 100)
    bad = 0
    for name in names:
        share = str(-(-arguments.count // len(names)))
        ended = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.run", "--here", "--count", share, name], check=False
        )
        if ended.returncode < 0:
            print(f"{name}: the process died of signal {-ended.returncode}")
        bad += ended.returncode != 0
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
