"""Muscles whose fibres have no length: OpenSim's oldest classes have no default states."""

from __future__ import annotations

from collections.abc import Collection

from borelli.errors import few, warn
from borelli.model.model import Model


def warn_of_no_fibers(model: Model, given: Collection[str] = (), balanced: bool = False) -> None:
    """Name muscles whose fibres have no length, because their class has no default and no state gives one.

    Parameters
    ----------
    model : Model
    given : collection of str
        Muscles whose fibre lengths are given.
    balanced : bool
        Whether fibre lengths are found in equilibrium, so that nobody need give them.
    """
    bare = [
        muscle.name
        for muscle in model.muscles
        if getattr(muscle, "default_fiber_length", 1.0) == 0.0 and muscle.name not in given
    ]
    if bare and not balanced:
        shown = few(bare, 3)
        warn(
            f"fibres of no length: {shown}. Their class has no default and no state gives one, so that their tendons "
            "bear the whole path, as in OpenSim; forces are huge. An AnalyzeTool can name a states_file, or set "
            "solve_for_equilibrium_for_auxiliary_states; InverseDynamicsTool can exclude muscles"
        )
