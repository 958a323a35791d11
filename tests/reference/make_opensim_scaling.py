"""Write tests/fixtures/opensim/leg_scaled.osim and leg_scale_set.xml: what OpenSim's ScaleTool made of the subject of
tests/conformance/own_scaling.py.

    python -m tests.reference.make_opensim_scaling

Run by hand where the ``opensim`` package (4.6) is installed; the tests read the files alone.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

from tests.conformance.own_scaling import write_subject
from tests.reference.ask_opensim import opensim
from tests.reference.make_opensim_cases import FIXTURES


def scaled(osim: Any, folder: Path) -> dict[str, str]:
    """Run the tool in a folder; return its files without comments."""
    here = os.getcwd()
    setup = write_subject(folder)
    os.chdir(folder)
    try:
        assert osim.ScaleTool(setup.name).run()
    finally:
        os.chdir(here)
    return {
        name: re.sub(r"[ \t]*<!--.*?-->\n?", "", (folder / "out" / name).read_text("utf-8"), flags=re.DOTALL)
        for name in ("scaled.osim", "scale_set.xml")
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in scaled(opensim(), Path(scratch)).items():
            (FIXTURES / f"leg_{name}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
