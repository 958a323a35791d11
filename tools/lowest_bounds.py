"""Try the oldest versions that pyproject.toml admits: install them, run the demo and a smoke test.

python tools/lowest_bounds.py            in the environment .venv-lowest, which is kept while the bounds are the same
python tools/lowest_bounds.py --pins     only print what would be installed
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
HOME = TOP / ".venv-lowest"
EXTRAS = ("symbolic",)
RUNNER = ("pytest>=8", "ezc3d>=1.6")
"""What the smoke test itself needs, at any version."""
SMOKE = [
    "tests/test_import.py",
    "tests/results/test_save.py",
    "tests/io/test_c3d.py",
    "tests/cli/test_main.py",
    "tests/conformance/test_own_cases.py::test_lengths_and_speeds_of_paths_are_opensims[leg]",
    "tests/conformance/test_own_cases.py::test_elements_of_the_model_bear_what_they_bear_in_opensim[leg]",
]
"""Command line, tables, files, compiled lanes and Numba's kernels: each once."""

_BOUND = re.compile(r"(?P<name>[A-Za-z0-9._-]+)>=(?P<version>[0-9][0-9A-Za-z.]*)$")


def pins(pyproject: str) -> list[str]:
    """Return ``name==version`` of the lower bound of each requirement.

    Raises
    ------
    ValueError
        If a requirement has another form than ``name>=version``: its lowest version is then unknown.
    """
    project = tomllib.loads(pyproject)["project"]
    wanted = [*project["dependencies"], *(r for e in EXTRAS for r in project["optional-dependencies"][e])]
    found = []
    for requirement in wanted:
        bound = _BOUND.match(requirement.replace(" ", ""))
        if bound is None:
            raise ValueError(f"{requirement!r} has no lower bound of the form name>=version")
        found.append(f"{bound['name']}=={bound['version']}")
    return found


def environment(wanted: list[str]) -> Path:
    """Return a Python that has exactly these versions; made anew when they change."""
    marker = HOME / f".ready-{hashlib.sha256(' '.join(wanted).encode()).hexdigest()[:16]}"
    python = HOME / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not marker.exists():
        if HOME.exists():
            shutil.rmtree(HOME)
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        install = [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-compile",
            "--disable-pip-version-check",
        ]
        # No source distribution: what has no wheel for this Python is no version that people can install.
        subprocess.run([*install, "--only-binary=:all:", *wanted, *RUNNER], check=True)
        subprocess.run([*install, "--no-deps", "--editable", str(TOP)], check=True)
        subprocess.run([str(python), "-m", "pip", "check"], check=True)
        marker.touch()
    return python


def main(arguments: list[str]) -> int:
    wanted = pins((TOP / "pyproject.toml").read_text("utf-8"))
    if arguments == ["--pins"]:
        print("\n".join(wanted))
        return 0
    python = environment(wanted)
    folder = HOME / "demo"
    # Old versions may warn of their own old age; they may not fail, nor say nothing and do nothing.
    demo = [str(python.with_name("borelli")), "demo", "--out", str(folder)]
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
    if not (folder / "report.html").stat().st_size:
        raise RuntimeError("the demo wrote an empty page")
    smoke = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *SMOKE]
    subprocess.run(smoke, check=True, cwd=TOP)
    print(f"The demo and the smoke test pass with {', '.join(wanted)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
