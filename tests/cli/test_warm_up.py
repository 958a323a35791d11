"""``borelli warm-up``: afterwards nothing is left to compile."""

from __future__ import annotations

import subprocess
import sys

import borelli as bo

SECOND = """
import sys
import borelli as bo
from borelli import notice
from borelli.kernels.lanes.code import compile
from borelli.kernels.lanes.code.cache import read_object
from borelli.kernels.native import kernel
from tests.path_models import random_paths
import numpy as np

taken = set()
def watched(key):
    taken.add(key)
    return read_object(key)
compile.read_object = kernel.read_object = watched
assert bo.warm_up() > 10
assert notice._heard == [0], "everything comes from the cache"
warmed = frozenset(taken)
assert len(warmed) > 20, "the kernels of this process were watched"
# A model that it knows nothing of has the kernels of its kinds, too.
model = random_paths(3)
q = np.sin(np.arange(10.0 * len(model.coordinate_names))).reshape(10, -1)
u, udot = 0.1 * np.cos(np.arange(20.0 * len(model.speed_names))).reshape(2, 10, -1)
motion = bo.Motion(np.arange(10) * 0.01, model.coordinate_names, q, u, udot, speeds=model.speed_names)
bo.muscle_forces(model, motion, reserves=1e4, infeasible="report")
assert notice._heard == [0], "nothing is compiled for another model"
assert taken == warmed, "nor does it take a kernel that others compiled"
assert "numba" not in sys.modules
"""


def test_after_it_nothing_is_compiled():
    # In the cache that all tests share: what is compiled here is compiled for all of them.
    command = [sys.executable, "-W", "ignore", "-c", "from borelli.cli.main import main; main(['warm-up'])"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "are compiled for this processor" in done.stdout
    assert done.stderr.count("preparing kernels") == 0, "the command says what it does by its bar"
    subprocess.run([sys.executable, "-W", "ignore", "-c", SECOND], check=True)


def test_steps_are_counted():
    told: list[tuple[str, int, int]] = []
    steps = bo.warm_up(lambda *step: told.append(step))
    assert [number for _, number, _ in told] == list(range(steps))
    assert {of for _, _, of in told} == {steps}
    assert len({name for name, _, _ in told}) == steps
