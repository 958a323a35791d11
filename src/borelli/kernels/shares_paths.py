"""Shares of tensions: what the pull of every path takes from every joint it spans.

A joint bears, for the pull of a path, the opposite of the pull on all that the joint carries. A joint that
carries all of a path's nodes, or none, has no part in it: the pulls on both sides cancel there.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit


@jit
def path_shares(
    wrench: np.ndarray,
    spans: np.ndarray,
    carried: np.ndarray,
    joint: np.ndarray,
    out: np.ndarray,
) -> None:
    """Wrench that each joint bears for each path that spans it.

    Parameters
    ----------
    wrench : (n, n_paths, n_nodes, 6)
        Pull on the nodes: moment about the ground's origin (N m), force (N); ground axes.
    spans : (n_entries, 4) int
        Path, joint, and the first and last + 1 entry of ``carried``.
    carried : (…,) int
        Nodes that a joint carries and a path pulls on.
    joint : (n_joints, 3, n)
        Joint points in ground (m).
    out : (n_entries, 6, n)
        Filled: moment about the joint point, force; on the child by the parent.
    """
    for instant in range(len(wrench)):
        for entry in range(len(spans)):
            path, place = spans[entry, 0], spans[entry, 1]
            mx = my = mz = fx = fy = fz = 0.0
            for k in range(spans[entry, 2], spans[entry, 3]):
                pull = wrench[instant, path, carried[k]]
                mx -= pull[0]
                my -= pull[1]
                mz -= pull[2]
                fx -= pull[3]
                fy -= pull[4]
                fz -= pull[5]
            x, y, z = joint[place, 0, instant], joint[place, 1, instant], joint[place, 2, instant]
            out[entry, 0, instant] = mx - (y * fz - z * fy)
            out[entry, 1, instant] = my - (z * fx - x * fz)
            out[entry, 2, instant] = mz - (x * fy - y * fx)
            out[entry, 3, instant] = fx
            out[entry, 4, instant] = fy
            out[entry, 5, instant] = fz
