"""What a person waits for: the first result on a new machine, and every one from then on.

Each line is a new process as a user starts it, from the command to the saved result and its page, in processor time.
Beside it stands how many times as long it takes as importing the libraries that everybody has
(``import numpy, scipy, xarray, pandas, numba``) in the same run, so that the figure means something elsewhere.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import borelli
from borelli.kernels.lanes.code.width import lane_width

ORACLE = Path(os.environ.get("BORELLI_DATA") or Path(__file__).resolve().parents[2] / "shared") / "oracle"
WALK, ARM = ORACLE / "gait2354", ORACLE / "arm26" / "pipeline"
REPEATS = 5
LIBRARIES = "import numpy, scipy, xarray, pandas, numba"
COMMAND = (sys.executable, "-c", "from borelli.cli.main import main; main()")


def processor_time(command: Sequence[str | Path], cache: Path) -> float:
    """Return the seconds of processor time that a new process and its children take."""
    environment = {**os.environ, "BORELLI_CACHE_DIR": str(cache)}
    before = os.times()
    done = subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True)
    after = os.times()
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def least(measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(REPEATS))


def analyze(out: Path) -> list[str | Path]:
    files = (
        "subject01_simbody.osim",
        "--motion",
        "subject01_walk1_ik.mot",
        "--loads",
        "subject01_walk1_grf.xml",
    )
    return [
        "analyze",
        *(WALK / name if name[0] != "-" else name for name in files),
        *("--cutoff-hz", "6", "--again", "--out", out),
    ]


def again_in_one_process(scratch: Path) -> list[str | Path]:
    """A program that runs the same trial twice and prints the processor time of the second."""
    program = (
        "import sys, time\n"
        "from borelli.cli.main import main\n"
        "for turn in range(2):\n"
        "    start = time.process_time()\n"
        "    try:\n"
        "        main(sys.argv[1:])\n"
        "    except SystemExit as end:\n"
        "        assert not end.code, end.code\n"
        "print('SECOND', time.process_time() - start)\n"
    )
    return [sys.executable, "-c", program, *analyze(scratch / "twice")]


def printed_time(command: Sequence[str | Path], cache: Path) -> float:
    environment = {**os.environ, "BORELLI_CACHE_DIR": str(cache)}
    told = subprocess.run(
        [*map(str, command)], env=environment, capture_output=True, text=True, check=True
    ).stdout
    return float(told.rsplit("SECOND", 1)[1])


def main() -> None:
    if not WALK.is_dir():
        print("start: the reference cases are not on this machine")
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        caches = [scratch / kind for kind in ("walk", "arm")]
        for cache in caches:
            cache.mkdir(mode=0o700)
        # An installed wheel brings Python's own code with it: the sources' is made here, whatever the environment says.
        compileall.compile_dir(Path(borelli.__file__).parent, quiet=1)
        unit = least(lambda: processor_time((sys.executable, "-c", LIBRARIES), caches[0]))
        print(f"start, processor time of a new process; {lane_width()} lanes")
        print(f"  {LIBRARIES:<72} {unit:7.2f} s")

        def tell(what: str, seconds: float) -> None:
            print(f"  {what:<72} {seconds:7.2f} s {seconds / unit:7.2f} times", flush=True)

        result = scratch / "walk-result"
        tell(
            "first trial ever, 54 muscles, no wraps (gait2354)",
            processor_time((*COMMAND, *analyze(result)), caches[0]),
        )
        setup = (*COMMAND, "run", ARM / "setup_arm26_SO.xml", "--out", scratch / "arm-result")
        tell("first trial ever, 6 muscles over wraps (arm26)", processor_time(setup, caches[1]))
        tell(
            "second run of the walk, new process",
            least(lambda: processor_time((*COMMAND, *analyze(result)), caches[0])),
        )
        tell(
            "the same in a process that is already running",
            least(lambda: printed_time(again_in_one_process(scratch), caches[0])),
        )
        tell("borelli --help", least(lambda: processor_time((*COMMAND, "--help"), caches[0])))
        model = WALK / "subject01_simbody.osim"
        tell("borelli info MODEL", least(lambda: processor_time((*COMMAND, "info", model), caches[0])))
        told = (*COMMAND, "explain", result, "--output", "knee_angle_r_moment")
        tell("borelli explain RESULT", least(lambda: processor_time(told, caches[0])))
