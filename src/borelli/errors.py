"""The one family of errors: what is wrong, where, what is nearest, and the remedy.

Every message that Borelli shows for bad input is built here, so that all of them read alike::

    UnknownNameError: 'knee_angle_R' is not a coordinate of model 'gait2392'.
      Where:   walk.mot, column 7
      Closest: 'knee_angle_r', 'knee_angle_l'
      Remedy:  rename the column

The facts stay on the exception as attributes (``what``, ``where``, ``closest``, ``remedy``).
"""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable


def closest_names(name: object, candidates: Iterable[object], most: int = 3) -> tuple[str, ...]:
    """Return the candidates that look most like a name, best first, else those that contain it; case is forgiven.

    What is no text, such as a number where a name belongs, is like no name.
    """
    if not isinstance(name, str):
        return ()
    known = [each for each in dict.fromkeys(candidates) if isinstance(each, str)]
    folded = {candidate.casefold(): candidate for candidate in reversed(known)}
    matches = difflib.get_close_matches(name.casefold(), folded, n=most, cutoff=0.5)
    if not matches and name:
        return tuple(candidate for candidate in known if name.casefold() in candidate.casefold())[:most]
    return tuple(folded[match] for match in matches)


def few(names: Iterable[str], most: int, counted: bool = False) -> str:
    """Return the first names with commas between them, and a sign that there are more, or how many in all."""
    known = list(names)
    more = f", … ({len(known)} in all)" if counted else ", …"
    return ", ".join(known[:most]) + (more if len(known) > most else "")


class BorelliError(Exception):
    """Base of all errors that Borelli raises for its input.

    Parameters
    ----------
    what : str
        One sentence saying what is wrong.
    where : str, optional
        File, line, instant or argument.
    closest : iterable of str
        The nearest valid things.
    remedy : str, optional
        What to do about it.

    Examples
    --------
    >>> try:
    ...     model.coordinates["knee_angel_r"]
    ... except bo.BorelliError as error:
    ...     print(error.closest[0])
    knee_angle_r
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        closest: Iterable[str] = (),
        remedy: str | None = None,
    ) -> None:
        self.what = what
        self.where = where
        self.closest = tuple(closest)
        self.remedy = remedy
        super().__init__(what)

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(f"  Where:   {self.where}")
        if self.closest:
            lines.append("  Closest: " + ", ".join(repr(name) for name in self.closest))
        if self.remedy:
            lines.append(f"  Remedy:  {self.remedy}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders in parallel studies: keep the facts.
        return (_rebuild, (type(self), self.what, self.where, self.closest, self.remedy))


def _rebuild(
    kind: type[BorelliError], what: str, where: str | None, closest: tuple[str, ...], remedy: str | None
) -> BorelliError:
    return kind(what, where=where, closest=closest, remedy=remedy)


class InvalidValueError(BorelliError):
    """A value that no body, motion or force can have."""


class ShapeError(BorelliError):
    """An array whose shape does not fit its meaning."""


class DuplicateNameError(BorelliError):
    """Two things of one kind that share a name."""


class MissingInputError(BorelliError):
    """Something the question needs was not given."""


class UnsolvableError(BorelliError):
    """The equations do not determine what was asked for."""


class FileFormatError(BorelliError):
    """A file that cannot be read as what it should be."""


class UnsupportedError(BorelliError):
    """Something valid that Borelli does not do; it says so instead of ignoring it."""


def unhandled(thing: object, lack: str) -> UnsupportedError:
    """Return the error that ends a choice by kind: a kind that nobody handles is named, never taken for another."""
    return UnsupportedError(f"{type(thing).__name__} {getattr(thing, 'name', '')!r} {lack}.")


class WriteError(BorelliError, OSError):
    """A file or folder that the system does not let us write: full disk, no permission, a read-only place.

    It is an :class:`OSError` too, so that programs which look out for those see it.
    """


class UnknownNameError(BorelliError):
    """A name that nothing answers to.

    Use :meth:`among` where the valid names are known: it finds the nearest ones.
    """

    @classmethod
    def among(
        cls,
        name: str,
        kind: str,
        candidates: Iterable[str],
        *,
        of: str = "",
        where: str | None = None,
        remedy: str | None = None,
    ) -> UnknownNameError:
        """Build the error for a name that is missing among the candidates."""
        known = list(candidates)
        near = closest_names(name, known)
        if remedy is None and known:
            remedy = f"use one of: {few(map(repr, known), 12, counted=True)}"
        elif remedy is None:
            remedy = f"there is no {kind} to choose from"
        owner = f" of {of}" if of else ""
        article = "an" if kind[:1] in tuple("aeio") else "a"
        return cls(f"{name!r} is not {article} {kind}{owner}.", where=where, closest=near, remedy=remedy)


class BorelliWarning(UserWarning):
    """Something a careful user would want to know; the result is still right.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", bo.BorelliWarning)  # a doubt ends the script
    """


def warn(message: str) -> None:
    """Give a :class:`BorelliWarning` about the line of the user who called, however deep it arises."""
    frame, level = sys._getframe(0), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "borelli":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, BorelliWarning, stacklevel=level)
