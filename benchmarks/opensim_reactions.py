"""What a further instant of OpenSim's JointReaction analysis costs on this machine, in the same run as ours."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
from paths import opensim_module

PIPELINE = Path(__file__).resolve().parents[2] / "shared" / "oracle" / "gait2392" / "pipeline"
SETUP, OUTPUT = "setup_gait2392_JRA.xml", "gait2392_JRA_JointReaction_ReactionLoads.sto"
SHORT_S, LONG_S = 0.75, 1.2


def opensim_us(repeats: int = 10) -> float | None:
    """Microseconds of processor time per instant, from a short and a long run; None where OpenSim or its files lack.

    The difference of the two leaves out reading the model and setting up, which both do once.
    """
    opensim = opensim_module()
    if opensim is None or not PIPELINE.is_dir():
        return None
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PIPELINE, folder, dirs_exist_ok=True)
        text = Path(folder, SETUP).read_text()
        runs = {end: _with_end(text, end, folder) for end in (SHORT_S, LONG_S)}
        os.chdir(folder)
        try:
            least = {end: np.inf for end in runs}
            instants = {}
            for _ in range(repeats):
                for end, setup in runs.items():
                    tool = opensim.AnalyzeTool(setup)
                    start = time.process_time()
                    tool.run()
                    least[end] = min(least[end], time.process_time() - start)
                    instants[end] = _n_rows(Path(OUTPUT))
        finally:
            os.chdir(here)
    return float((least[LONG_S] - least[SHORT_S]) / (instants[LONG_S] - instants[SHORT_S]) * 1e6)


def _with_end(text: str, end: float, folder: str) -> str:
    """Write a setup that ends earlier; return its name."""
    for tag in ("final_time", "end_time"):
        text = re.sub(rf"<{tag}>[^<]*</{tag}>", f"<{tag}>{end}</{tag}>", text)
    name = f"until_{end}.xml"
    Path(folder, name).write_text(text)
    return name


def _n_rows(file: Path) -> int:
    found = re.search(r"nRows=(\d+)", file.read_text())
    assert found is not None
    return int(found[1])
