"""No mechanism ends the process: not even one whose coordinates move nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from borelli import model as bm
from borelli.compiled.compile import compile_model
from borelli.kernels.lanes.driver import LanesBackend
from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.numpy_backend import NumpyBackend
from tests.shared_data import DATA

N_FRAMES = 5
BEFORE = dict(os.environ)
"""Without the empty cache of the tests beside this one: what a command needs is compiled elsewhere already"""


def still(n_coordinates: int, welded_too: bool = False) -> Mechanism:
    """Compile a body on a custom joint whose coordinates drive constant functions alone."""
    names = tuple(f"q{k}" for k in range(n_coordinates))
    driven = [
        bm.AxisFunction(np.eye(3)[k % 3], bm.Linear((0.0,), 0.3), (name,)) for k, name in enumerate(names)
    ]
    axes = [*driven, *(bm.AxisFunction(np.eye(3)[k % 3]) for k in range(n_coordinates, 6))]
    joint = bm.CustomJoint(
        name="j",
        parent="ground",
        child="a",
        coordinates=tuple(bm.Coordinate(name) for name in names),
        rotations=axes[:3],
        translations=axes[3:],
    )
    bodies, joints = [bm.Body("a", 1.0, inertia=(0.1,) * 3)], [joint]
    if welded_too:
        bodies.append(bm.Body("b", 2.0, (0.1, 0.0, 0.0), (0.1,) * 3))
        joints.append(bm.WeldJoint(name="weld", parent="a", child="b"))
    return compile_model(bm.Model(bodies=bodies, joints=joints), merge_welds=not welded_too).mechanism


def ask_everything(mechanism: Mechanism) -> None:
    """Compare every answer of the lanes with NumPy's; the arrays may be empty."""
    n = mechanism.n_speeds
    q = np.linspace(-1.0, 1.0, N_FRAMES * n).reshape(N_FRAMES, n)
    nodes = range(len(mechanism.nodes))
    answers = []
    for back_end in (LanesBackend(), NumpyBackend()):
        answers.append(
            [
                *back_end.poses(mechanism, q, nodes),
                *back_end.inverse_dynamics(mechanism, q, q, q, (), nodes),
                back_end.mass_matrix(mechanism, q),
                back_end.forward_dynamics(mechanism, q, q, q),
                *back_end.energy(mechanism, q, q),
            ]
        )
    for fast, plain in zip(*answers, strict=True):
        np.testing.assert_allclose(fast, plain, atol=1e-12)


def main() -> None:
    for count in (1, 2, 6):
        for welded_too in (False, True):
            ask_everything(still(count, welded_too))


def run_apart(*command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own: a division by zero in compiled code ends it."""
    top = Path(__file__).resolve().parents[3]
    environment = BEFORE | {"PYTHONPATH": os.pathsep.join([str(top / "src"), str(top)])}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def test_coordinates_that_move_nothing_do_not_end_the_process() -> None:
    done = run_apart("-m", "tests.kernels.lanes.test_nothing_moves")
    assert done.returncode == 0, done.stderr


def test_the_published_attack_is_survived(tmp_path: Path) -> None:
    attack = DATA / "attacks" / "sigfpe.osim"
    if not attack.exists():
        pytest.skip("the stored attack is not on this machine; the test above covers its kind")
    files = [str(attack), "--motion", str(attack.with_suffix(".mot")), "--out", str(tmp_path / "out")]
    done = run_apart("-c", "from borelli.cli.main import main; main()", "analyze", *files)
    assert done.returncode == 0, done.stderr
    assert "Written:" in done.stdout and (tmp_path / "out" / "result.json").is_file()


if __name__ == "__main__":
    main()
