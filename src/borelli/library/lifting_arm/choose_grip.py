"""Which preset grip holds an object best? Du (2021, 4.2): test a small number of grips and judge each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from borelli import attitude
from borelli.errors import UnknownNameError, UnsolvableError
from borelli.library.lifting_arm.angles import joint_angles
from borelli.library.lifting_arm.grips import TOUCHING, grip, holding_contacts
from borelli.library.lifting_arm.hand import arm_with_digits, contact_point
from borelli.library.lifting_arm.segments import SegmentTree, TreePose
from borelli.library.lifting_arm.wrenches import GRAVITY, static_wrenches
from borelli.results.labelled.dataset import AXES, dataset, labelled

Criterion = str | Callable[[xr.Dataset], float]

CRITERIA: Mapping[str, str] = {
    "contact": "largest force on a segment of the hand (N)",
    "digits": "largest load moment at a joint of the digits (N m)",
    "wrist": "load moment at the wrist (N m)",
    "bend": "sum of the bends of all digits (rad)",
}
"""What can be asked for by name; less is better."""
_ARM = ("upper_arm", "forearm", "hand")


def choose_grip(
    attitudes: Mapping[str, ArrayLike],
    held_kg: float,
    criterion: Criterion = "contact",
    *,
    grips: Iterable[str] = tuple(TOUCHING),
    held: ArrayLike | None = None,
    tree: SegmentTree | None = None,
    gravity: float = GRAVITY,
) -> xr.Dataset:
    """Try preset grips on an object at rest, and judge them.

    Parameters
    ----------
    attitudes : mapping of segment to (4,) float
        Upper arm, forearm and hand, as :func:`sagittal_posture` gives them.
    held_kg : float
        Mass of the object (kg).
    criterion : str or function
        ``"contact"``, ``"digits"``, ``"wrist"``, ``"bend"``, or a function of the wrenches of one grip (that of
        :func:`static_wrenches`, with ``contact_force`` (touching, axis) and ``bend`` (instant, joint)); the least
        value wins.
    grips : iterable of str
        Presets to try.
    held : (3,) float, optional
        Mass centre of the object in the world (m); amid its points of contact by default.
    tree : SegmentTree, optional
        :func:`arm_with_digits` by default.
    gravity : float
        m/s², along -z.

    Returns
    -------
    Dataset
        ``score``, ``possible`` and each of the named criteria (grip), best first; the attribute ``chosen``. A grip
        whose contacts cannot balance the object is not possible and has NaN.

    Raises
    ------
    UnsolvableError
        If no grip can hold the object.

    Examples
    --------
    >>> told = la.choose_grip(la.sagittal_posture(0.0, 90.0), held_kg=8.0)
    >>> told.attrs["chosen"]
    'rod'
    """
    names = list(grips)
    for name in names:
        if name not in TOUCHING:
            raise UnknownNameError.among(name, "grip that holds something", tuple(TOUCHING), where="grips")
    if isinstance(criterion, str) and criterion not in CRITERIA:
        raise UnknownNameError.among(criterion, "criterion", tuple(CRITERIA), where="argument criterion")
    hand_and_arm = tree or arm_with_digits()
    rows = [_judged(hand_and_arm, attitudes, name, held_kg, criterion, held, gravity) for name in names]
    table = np.array(rows, dtype=float).reshape(len(names), -1)
    order = np.argsort(np.where(np.isnan(table[:, 0]), np.inf, table[:, 0]), kind="stable")
    if not len(order) or np.isnan(table[order[0], 0]):
        raise UnsolvableError(
            f"none of the grips {', '.join(map(repr, names))} can hold the object.",
            remedy="let it lie amid the points of contact, or try other grips",
        )
    table = table[order]
    units = {name: told.rsplit("(", 1)[1].rstrip(")") for name, told in CRITERIA.items()}
    found = {
        name: labelled(("grip",), table[:, k], units[name], meaning=CRITERIA[name])
        for k, name in enumerate(CRITERIA, start=1)
    }
    best = names[int(order[0])]
    return dataset(
        {
            "score": labelled(("grip",), table[:, 0], units.get(str(criterion), "1")),
            "possible": (("grip",), ~np.isnan(table[:, 0])),
            **found,
        },
        {"grip": [names[int(k)] for k in order]},
        {
            "analysis": "choose_grip",
            "criterion": criterion if isinstance(criterion, str) else "function",
            "chosen": best,
        },
    )


def _judged(
    tree: SegmentTree,
    attitudes: Mapping[str, ArrayLike],
    name: str,
    held_kg: float,
    criterion: Criterion,
    held: ArrayLike | None,
    gravity: float,
) -> list[float]:
    """Score of one grip, then all named criteria; NaN where it cannot hold the object."""
    pose = _gripping(tree, attitudes, name)
    points = {segment: contact_point(tree[segment]) for segment in TOUCHING[name]}
    places = [pose.point(segment, at)[0] for segment, at in points.items()]
    centre = np.mean(places, axis=0) if held is None else held
    try:
        contacts = holding_contacts(pose, centre, held_kg, points, gravity=gravity)
    except UnsolvableError:
        return [np.nan] * (1 + len(CRITERIA))
    forces = np.array([contact.force[0] for contact in contacts])
    answer = static_wrenches(pose, contacts=contacts, gravity=gravity).assign(
        contact_force=labelled(("touching", "axis"), forces, "N", "world"),
        bend=joint_angles(pose)["bend"],
    )
    answer = answer.assign_coords(touching=list(points), axis=list(AXES))
    named = {
        "contact": float(np.linalg.norm(forces, axis=1).max()),
        "digits": float(np.linalg.norm(_of_digits(tree, answer["load_moment"].values[0]), axis=1).max()),
        "wrist": float(np.linalg.norm(answer["load_moment"].sel(joint=tree["hand"].joint).values[0])),
        "bend": float(_of_digits(tree, answer["bend"].values[0]).sum()),
    }
    score = named[criterion] if isinstance(criterion, str) else float(criterion(answer))
    return [score, *(named[each] for each in CRITERIA)]


def _gripping(tree: SegmentTree, attitudes: Mapping[str, ArrayLike], name: str) -> TreePose:
    world = {segment: np.asarray(attitudes[segment], dtype=float) for segment in _ARM}
    for segment, bent in grip(name).items():
        world[segment] = attitude.multiply(world[tree[segment].parent], bent)
    return tree.placed(world)


def _of_digits(tree: SegmentTree, values: np.ndarray) -> np.ndarray:
    return values[[number for number, name in enumerate(tree.names) if name not in _ARM]]
