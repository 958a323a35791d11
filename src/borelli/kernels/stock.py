"""Memory that nobody looks at any more, kept for whoever needs as much again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Kind = TypeVar("Kind")
Memory = TypeVar("Memory")


class Stock(Generic[Kind, Memory]):
    """Pieces of memory of several kinds; the oldest go first.

    Memory is given back when the last view of it is gone, which may be while Python collects garbage, in the midst of
    any other call of the same thread: a lock would be waited for by the thread that holds it. Each step is one
    operation on a dictionary instead.

    Parameters
    ----------
    most_bytes, most : int
        What may be held back.
    """

    def __init__(self, most_bytes: int, most: int) -> None:
        self._most_bytes, self._most = most_bytes, most
        self._kept: dict[int, tuple[Kind, int, Memory]] = {}

    @property
    def n_bytes(self) -> int:
        """How many bytes are held back."""
        return sum(n_bytes for _, n_bytes, _ in tuple(self._kept.values()))

    def clear(self) -> None:
        """Hold nothing back."""
        self._kept.clear()

    def give_back(self, kind: Kind, n_bytes: int, memory: Memory) -> None:
        """Keep memory of a kind, which takes so many bytes."""
        self._kept[id(memory)] = kind, n_bytes, memory
        while len(self._kept) > self._most or self.n_bytes > self._most_bytes:
            for oldest in tuple(self._kept)[:1]:
                self._kept.pop(oldest, None)

    def take(self, waste: Callable[[Kind], float | None]) -> Memory | None:
        """Return the memory whose kind fits with the least waste; None where none does.

        Parameters
        ----------
        waste : function of a kind
            How much would be wasted; None if it does not fit.
        """
        fitting = [
            (wasted, place)
            for place, (kind, _, _) in tuple(self._kept.items())
            if (wasted := waste(kind)) is not None
        ]
        for _, place in sorted(fitting):
            found = self._kept.pop(place, None)
            # Another thread may have been quicker, and its memory given back in another kind.
            if found is not None and waste(found[0]) is not None:
                return found[2]
        return None
