"""Speed of the spatial engine: nanoseconds per instant, and ratios to Pinocchio, MuJoCo and OpenSim in one run.

What is compared: Borelli's inverse dynamics gives generalized forces *and* the wrenches of all joints in
ground axes, into fresh arrays with time first; the peers give generalized forces alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from human import (
    Segment,
    X,
    Y,
    Z,
    borelli_model,
    mujoco_model,
    opensim_model,
    pinocchio_model,
)

import borelli as bo
from borelli.compiled.compile import compile_model
from borelli.kernels import backend
from borelli.kernels.lanes.code.compile import lane_width
from borelli.kernels.lanes.driver import LanesBackend

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"
N_INSTANTS = 10_000
LANES = LanesBackend()


def best(
    function: Callable[[], object],
    n_instants: int = N_INSTANTS,
    seconds: float = 1.0,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Return the least time of one call, in nanoseconds per instant.

    By default processor time is counted, so that other programs on the machine matter less; all single-thread
    figures, the peers' included, are taken in this way.
    """
    function()
    least, until = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < until or least == np.inf:
        start = clock()
        function()
        least = min(least, clock() - start)
    return least / n_instants * 1e9


def random_states(
    n_q: int, n_u: int, n_instants: int = N_INSTANTS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    q = rng.normal(size=(n_instants, n_q))
    if n_q != n_u:
        q[:, :4] /= np.linalg.norm(q[:, :4], axis=1, keepdims=True)
    return q, rng.normal(size=(n_instants, n_u)), 3 * rng.normal(size=(n_instants, n_u))


class Ours:
    """A model compiled by Borelli, with random states and all joints asked for."""

    def __init__(self, model: bo.Model) -> None:
        self.model = model
        compiled = compile_model(model)
        self.mechanism = compiled.mechanism
        self.joints = sorted({joint.node for joint in compiled.joints.values()})
        self.q, self.u, self.udot = random_states(self.mechanism.n_coordinates, self.mechanism.n_speeds)

    def inverse_dynamics(self):
        """Generalized forces and all joint wrenches."""
        return LANES.inverse_dynamics(self.mechanism, self.q, self.u, self.udot, (), self.joints)

    def generalized_forces(self):
        """Generalized forces alone, as the peers give them."""
        return LANES.inverse_dynamics(self.mechanism, self.q, self.u, self.udot)

    def forward_dynamics(self):
        """Accelerations."""
        return LANES.forward_dynamics(self.mechanism, self.q, self.u, self.udot)

    def solve(self):
        """Mass matrices solved for one column, and never written out."""
        return LANES.mass_matrix_solve(self.mechanism, self.q, self.udot)

    def mass_matrix(self):
        """Mass matrices."""
        return LANES.mass_matrix(self.mechanism, self.q)

    def poses(self):
        """Rotations and origins of all bodies."""
        return LANES.poses(self.mechanism, self.q, self.joints)


def to_pinocchio(ours: Ours) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return q, v, a as Pinocchio has them (root velocities in body axes, linear first), and R of the root."""
    s, x, y, z = ours.q[:, :4].T
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)],
            [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
            [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
    q = np.concatenate([ours.q[:, 4:7], ours.q[:, [1, 2, 3, 0]], ours.q[:, 7:]], axis=1)

    def in_body(values: np.ndarray) -> np.ndarray:
        return np.einsum("tji,tj->ti", rotation, values)

    omega, linear = ours.u[:, :3], in_body(ours.u[:, 3:6])
    v = np.concatenate([linear, omega, ours.u[:, 6:]], axis=1)
    a_linear = in_body(ours.udot[:, 3:6]) - np.cross(omega, linear)
    a = np.concatenate([a_linear, ours.udot[:, :3], ours.udot[:, 6:]], axis=1)
    return q, v, a, rotation


def pinocchio_times(ours: Ours) -> dict[str, float]:
    """Time Pinocchio from Python and, where its wheel has batch calls, in C++ on one thread."""
    import pinocchio as pin

    model = pinocchio_model()
    data = model.createData()
    q, v, a, rotation = to_pinocchio(ours)
    instants = range(1000)

    def each(call: Callable[[int], object]) -> float:
        return best(lambda: [call(k) for k in instants], len(instants), 2.0)

    force = ours.inverse_dynamics().generalized_force
    expected = np.array([pin.rnea(model, data, q[k], v[k], a[k]) for k in range(50)])
    found = np.concatenate(
        [np.einsum("tji,tj->ti", rotation[:50], force[:50, 3:6]), force[:50, :3], force[:50, 6:]], axis=1
    )
    error = abs(found - expected).max() / abs(expected).max()
    print(f"  agreement with pin.rnea: {error:.1e} of the largest force")
    times = {
        "rnea": each(lambda k: pin.rnea(model, data, q[k], v[k], a[k])),
        "crba": each(lambda k: pin.crba(model, data, q[k])),
        "aba": each(lambda k: pin.aba(model, data, q[k], v[k], a[k])),
        "poses": each(lambda k: pin.forwardKinematics(model, data, q[k])),
    }
    # A model of one hinge costs little more than the call itself.
    small = pin.Model()
    small.addJoint(0, pin.JointModelRX(), pin.SE3.Identity(), "hinge")
    nothing, zero = small.createData(), np.zeros((len(instants), 1))
    times["crba C++"] = times["crba"] - each(lambda k: pin.crba(small, nothing, zero[k]))
    times["poses C++"] = times["poses"] - each(lambda k: pin.forwardKinematics(small, nothing, zero[k]))
    if hasattr(pin, "rneaInParallel"):
        pool = pin.ModelPool(model, 1)
        q_t, v_t, a_t = (np.asfortranarray(x.T) for x in (q, v, a))
        out = np.asfortranarray(np.zeros((model.nv, N_INSTANTS)))
        times["rnea C++"] = best(lambda: pin.rneaInParallel(1, pool, q_t, v_t, a_t, out), seconds=2.0)
        times["aba C++"] = best(lambda: pin.abaInParallel(1, pool, q_t, v_t, a_t, out), seconds=2.0)
        # The same tree of single hinges, which is what Borelli makes of it.
        pool = pin.ModelPool(pinocchio_model(hinges_only=True), 1)
        times["rnea C++ hinges"] = best(lambda: pin.rneaInParallel(1, pool, q_t, v_t, a_t, out), seconds=2.0)
    else:
        print("  this wheel of Pinocchio has no batch calls: C++ times are missing")
    return times


def mujoco_time(ours: Ours) -> float:
    import mujoco

    model = mujoco_model()
    data = mujoco.MjData(model)
    data.qpos[:] = np.concatenate([ours.q[0, 4:7], ours.q[0, :4], ours.q[0, 7:]])
    data.qvel[:] = 0.1
    data.qacc[:] = 0.2
    return best(lambda: [mujoco.mj_inverse(model, data) for _ in range(500)], 500)


def opensim_time(model, state, n_instants: int = 200) -> float:
    """Time OpenSim's InverseDynamicsSolver, the state set anew for every instant."""
    import opensim as osim

    solver = osim.InverseDynamicsSolver(model)
    rng = np.random.default_rng(0)
    n_q, n_u = state.getNQ(), state.getNU()
    instants = [
        tuple(osim.Vector.createFromMat(0.3 * rng.normal(size=n)) for n in (n_q, n_u, n_u))
        for _ in range(n_instants)
    ]

    def run() -> None:
        for q, u, udot in instants:
            state.setQ(q)
            state.setU(u)
            solver.solve(state, udot)

    return best(run, n_instants, 2.0)


def report(name: str, ours: float, peers: dict[str, float]) -> None:
    print(f"  {name:<34} {ours:>9,.0f} ns")
    for peer, value in peers.items():
        print(f"    {peer:<32} {value:>9,.0f} ns {value / ours:>8.1f} times as long")


def against_peers() -> None:
    ours = Ours(borelli_model())
    print(
        f"\nspatial, human-like tree, {ours.mechanism.n_speeds} freedoms, {N_INSTANTS:,} instants, one thread"
    )
    pin = pinocchio_times(ours)
    cpp = {}
    if "rnea C++" in pin:
        cpp = {"Pinocchio's C++ batch": pin["rnea C++"], "of hinges alone": pin["rnea C++ hinges"]}
    report(
        "inverse dynamics, joint wrenches",
        best(ours.inverse_dynamics, seconds=3.0),
        cpp
        | {
            "pin.rnea": pin["rnea"],
            "mj_inverse": mujoco_time(ours),
            "OpenSim": opensim_time(*opensim_model()),
        },
    )
    alone = best(ours.generalized_forces, seconds=3.0)
    report("inverse dynamics, forces alone", alone, cpp | {"pin.rnea": pin["rnea"]})
    cpp = {"Pinocchio's C++ batch": pin["aba C++"]} if "aba C++" in pin else {}
    report("forward dynamics", best(ours.forward_dynamics, seconds=3.0), cpp | {"pin.aba": pin["aba"]})
    less = "less the cost of a call"
    report(
        "mass matrix",
        best(ours.mass_matrix, seconds=3.0),
        {"pin.crba": pin["crba"], less: pin["crba C++"]},
    )
    report(
        "mass matrix, solved for a column",
        best(ours.solve, seconds=3.0),
        cpp | {"pin.aba": pin["aba"], "pin.crba alone": pin["crba"], less: pin["crba C++"]},
    )
    report(
        f"poses of {len(ours.joints)} bodies",
        best(ours.poses, seconds=3.0),
        {"pin.forwardKinematics": pin["poses"], less: pin["poses C++"]},
    )
    motion = bo.Motion(
        np.arange(N_INSTANTS) * 1e-3,
        ours.model.coordinate_names,
        ours.q,
        ours.u,
        ours.udot,
        speeds=ours.model.speed_names,
    )
    print(
        f"  bo.inverse_dynamics, labelled Dataset {best(lambda: bo.inverse_dynamics(ours.model, motion)):>6,.0f} ns"
    )
    print(
        f"  bo.joint_reactions, labelled Dataset  {best(lambda: bo.joint_reactions(ours.model, motion)):>6,.0f} ns"
    )
    fraction_of_peak(ours)


def fraction_of_peak(ours: Ours) -> None:
    from operations import inverse_dynamics_operations, peak_operations_per_second

    took = best(ours.inverse_dynamics)
    operations = inverse_dynamics_operations(LANES.tables_of(ours.mechanism), len(ours.joints))
    reached, peak = operations / took, peak_operations_per_second() / 1e9
    print(
        f"  {operations:,} operations per instant: {reached:.1f} Gflop/s, {reached / peak:.0%} of the {peak:.0f} "
        f"Gflop/s that this core does in fused multiply-adds of {lane_width()} lanes"
    )


def gait2392() -> None:
    path = SHARED / "oracle" / "gait2392" / "subject01_simbody.osim"
    if not path.exists():
        print("\ngait2392 is not here: left out")
        return
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = Ours(bo.load_model(path))
    import opensim as osim

    osim.Logger.setLevelString("off")
    model = osim.Model(str(path))
    forces = model.updForceSet()
    for k in range(forces.getSize()):
        # Inverse dynamics asks for the net forces: muscles would only cost OpenSim time.
        forces.get(k).set_appliesForce(False)
    ours_time = best(ours.inverse_dynamics)
    print(f"\nspatial, gait2392, {ours.mechanism.n_speeds} freedoms, {N_INSTANTS:,} instants, one thread")
    theirs = opensim_time(model, model.initSystem())
    report("inverse dynamics, joint wrenches", ours_time, {"OpenSim": theirs})
    report("forward dynamics", best(ours.forward_dynamics), {})
    report("mass matrix", best(ours.mass_matrix), {})
    report("poses", best(ours.poses), {})


def hinge_tree(n_freedoms: int) -> tuple[Segment, ...]:
    """Return a tree of hinges in which every body carries up to two."""
    return tuple(
        Segment(
            f"b{k}",
            "ground" if k == 0 else f"b{(k - 1) // 2}",
            (0.1, -0.3, 0.0),
            ((X, Y, Z)[k % 3],),
            1.0,
            (0.0, -0.1, 0.0),
            (0.01, 0.01, 0.01),
        )
        for k in range(n_freedoms)
    )


def scaling() -> None:
    print("\nspatial, trees of hinges: nanoseconds per instant by freedoms")
    sizes = (5, 10, 20, 30, 40)
    trees = [Ours(borelli_model(hinge_tree(n))) for n in sizes]
    print("  freedoms             " + "".join(f"{n:>8}" for n in sizes))
    for name in ("inverse_dynamics", "forward_dynamics", "poses", "mass_matrix"):
        times = [best(getattr(tree, name), seconds=0.5) for tree in trees]
        print(f"  {name:<21}" + "".join(f"{t:>8,.0f}" for t in times))
    ours = Ours(borelli_model())
    print("\nspatial, human-like tree: nanoseconds per instant by threads")
    for n in range(1, (os.cpu_count() or 1) + 1):
        with backend.using(threads=n):
            took = best(ours.inverse_dynamics, clock=time.perf_counter)
            print(f"  {n} thread{'s' if n > 1 else ' '}  {took:>8,.0f}")


def new_processes() -> None:
    """Time processes that import, build, compile and answer, with an empty and with a filled cache."""
    everything = ["joint_reactions", "body_poses", "mass_matrix", "forward_dynamics", "energy"]
    with tempfile.TemporaryDirectory() as directory:
        environment = os.environ | {"BORELLI_CACHE_DIR": directory}

        def run(questions: list[str]) -> tuple[float, float]:
            program = [sys.executable, str(HERE / "first_call.py"), *questions]
            start = time.time()
            done = subprocess.run(program, env=environment, capture_output=True, check=True, text=True)
            end, processor = map(float, done.stdout.split())
            return processor, end - start

        cold = run(everything)
        all_warm = min(run(everything) for _ in range(2))
        warm = min((run(["inverse_dynamics"]) for _ in range(8)), key=lambda times: times[1])
    print(
        "\nspatial, from the start of a new process to its answers: import, model, compile; processor time (wall)"
    )
    print(f"  first result, kernels in the cache         {warm[0]:.2f} s ({warm[1]:.2f} s)")
    print(f"  all questions, kernels in the cache        {all_warm[0]:.2f} s ({all_warm[1]:.2f} s)")
    print(f"  all questions, empty cache                 {cold[0]:.2f} s ({cold[1]:.2f} s)")
    print(f"  compilation of all kernels                 {cold[0] - all_warm[0]:.2f} s")


def main() -> None:
    against_peers()
    gait2392()
    scaling()
    new_processes()


if __name__ == "__main__":
    main()
