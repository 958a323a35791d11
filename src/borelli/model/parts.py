"""Parts: the named things of one kind that a model is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, Protocol, SupportsIndex, TypeVar, overload

from borelli.errors import UnknownNameError


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """The name."""
        ...


Part = TypeVar("Part", bound=Named)


class Parts(tuple[Part, ...], Generic[Part]):
    """A tuple whose items are also found by name: ``model.bodies["femur_r"]``, ``model.bodies[0]``.

    An unknown name raises :class:`~borelli.errors.UnknownNameError` with the nearest ones.

    Examples
    --------
    >>> bodies = bm.Parts([bm.Body("thigh", 7.2), bm.Body("shank", 3.2)], kind="body")
    >>> bodies["shank"].mass, bodies.names, bodies.index(bodies["thigh"])
    (3.2, ('thigh', 'shank'), 0)
    """

    _kind: str
    _owner: str
    _by_name: dict[str, Part]

    def __new__(cls, items: Iterable[Part] = (), kind: str = "part", owner: str = "") -> Parts[Part]:
        """Collect items of one kind; the owner is named in error messages."""
        self = super().__new__(cls, tuple(items))
        self._kind = kind
        self._owner = owner
        self._by_name = {item.name: item for item in reversed(self)}
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(item.name for item in self)

    def has(self, name: str) -> bool:
        """Tell whether there is an item of that name."""
        return name in self._by_name

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Part: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[Part, ...]: ...
    @overload
    def __getitem__(self, key: str, /) -> Part: ...

    def __getitem__(self, key: Any, /) -> Any:
        if isinstance(key, str):
            if key not in self._by_name:
                raise UnknownNameError.among(key, self._kind, self.names, of=self._owner)
            return self._by_name[key]
        return super().__getitem__(key)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (tuple(self), self._kind, self._owner))
