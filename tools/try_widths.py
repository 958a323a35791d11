"""Run the tests of the lanes, and the comparison with OpenSim, at every width of vectors and with NumPy.

A machine has one native width; those of others are forced here (BORELLI_LANES), so that no width is right on one
machine alone. Larger reference data are compared where they are (tests/shared_data.py says where): lines that are not
within tolerance must be those of tools/known_far.txt, whose causes docs/validation.md tells.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOP), str(TOP / "src")]

from borelli.kernels.lanes.code.width import native_width  # noqa: E402
from tests.shared_data import complaint, data_folder  # noqa: E402

KNOWN = Path(__file__).with_name("known_far.txt")
LANE_TESTS = ["tests/kernels/lanes", "tests/kernels/test_back_ends.py"]
OWN_CASES = "tests/conformance/test_own_cases.py"
CASE_WIDTH, QUANTITY_WIDTH = 39, 35
"""Columns of the comparison's lines: case, quantity, and what came of it."""


def settings() -> dict[str, dict[str, str]]:
    """Return what is added to the environment, by name; the native width is the suite's own."""
    widths = [width for width in (2, 4) if width < native_width()]
    found = {f"{width} lanes": {"BORELLI_LANES": str(width)} for width in widths}
    return found | {"NumPy": {"BORELLI_BACKEND": "numpy"}}


def not_ok(output: str) -> set[tuple[str, str]]:
    """Return case and quantity of every line of the comparison that is not within tolerance, or that raised."""
    lines = [line for line in output.splitlines() if line.rstrip().endswith("FAR") or " RAISED " in line]
    border = CASE_WIDTH + QUANTITY_WIDTH
    return {(line[:CASE_WIDTH].strip(), line[CASE_WIDTH:border].strip()) for line in lines}


def known(text: str) -> set[tuple[str, str]]:
    """Return case and quantity of each line that is not a remark."""
    rows = [line.partition("|") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {(case.strip(), quantity.strip()) for case, _, quantity in rows}


def run(command: list[str], added: dict[str, str]) -> subprocess.CompletedProcess[str]:
    paths = {"PYTHONPATH": os.pathsep.join([str(TOP / "src"), str(TOP)])}
    return subprocess.run(
        [sys.executable, *command], env=os.environ | paths | added, cwd=TOP, capture_output=True, text=True
    )


def tested(name: str, added: dict[str, str]) -> str | None:
    """Run the tests of one setting; return what is wrong."""
    files = [OWN_CASES] if name == "NumPy" else [*LANE_TESTS, OWN_CASES]
    done = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", *files], added)
    print(f"{name}: {(done.stdout.strip().splitlines() or ['nothing was run'])[-1]}", flush=True)
    return None if done.returncode == 0 else f"{name}: tests fail\n{done.stdout[-3000:]}{done.stderr[-2000:]}"


def compared(name: str, added: dict[str, str]) -> str | None:
    """Run the comparison with OpenSim in one setting; return what is wrong."""
    done = run(["-W", "ignore", str(data_folder() / "conformance" / "run.py")], added)
    lines = done.stdout.strip().splitlines()
    if done.returncode not in (0, 1) or not lines or "cases conform" not in lines[-1]:
        return f"{name}: the comparison did not come to its end\n{done.stdout[-1000:]}{done.stderr[-2000:]}"
    found, expected = not_ok(done.stdout), known(KNOWN.read_text("utf-8"))
    print(f"{name}: {lines[-1]}", flush=True)
    for case, quantity in sorted(expected - found):
        print(f"{name}: {case}, {quantity} is within tolerance now: take it out of {KNOWN.name}", flush=True)
    new = [f"{case}: {quantity}" for case, quantity in sorted(found - expected)]
    return f"{name}: beyond tolerance, and not known to be\n" + "\n".join(new) if new else None


def failures(results: Iterable[str | None]) -> int:
    """Print what is wrong; return the exit status."""
    wrong = [result for result in results if result]
    print("\n".join(wrong), end="\n" if wrong else "")
    return int(bool(wrong))


def main() -> int:
    if problem := complaint():
        return failures([problem])
    jobs = [(tested, name, added) for name, added in settings().items()]
    if data_folder().is_dir():
        jobs = [(compared, "native width", {}), *((compared, *s) for s in settings().items()), *jobs]
    else:
        print("No larger reference data on this machine: models of our own are compared alone.")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return failures(pool.map(lambda job: job[0](*job[1:]), jobs))


if __name__ == "__main__":
    sys.exit(main())
