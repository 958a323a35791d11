"""Opening files from strangers: does it exist, is it text, in which encoding.

Every reader starts here, so that an absent, empty, binary or wrongly encoded file gives the same kind
of message in every format. Writing is atomic (:mod:`borelli.results.on_disk.whole`): a reader never meets half a file.
"""

from __future__ import annotations

import os
from pathlib import Path

from borelli.errors import (
    FileFormatError,
    MissingInputError,
    closest_names,
    warn,
)

# A 60 s recording at 1000 Hz with 100 columns is about 0.1 GiB of text.
MAX_TABLE_BYTES = 2 * 1024**3

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


def read_bytes(path: str | os.PathLike[str], expected: str, max_bytes: int = MAX_TABLE_BYTES) -> bytes:
    """Return a file's content, or say why it cannot be had.

    Parameters
    ----------
    path : path
        The file.
    expected : str
        What the file should be, for messages: ``"an OpenSim table (.sto, .mot)"``.
    max_bytes : int
        Larger files are refused before they are read.
    """
    name = os.fspath(path)
    try:
        size = os.stat(name).st_size
        if not os.path.isfile(name):
            kind = "a folder" if os.path.isdir(name) else "a device or pipe"
            raise FileFormatError(
                f"{name!r} is {kind}, expected {expected}.", where=name, remedy="name a file"
            )
        if size > max_bytes:
            raise FileFormatError(
                f"The file has {size:,} bytes; {expected} may have at most {max_bytes:,}.", where=name
            )
        with open(name, "rb") as stream:
            data = stream.read(size)
    except FileNotFoundError:
        raise _absent(name, expected) from None
    except (OSError, ValueError) as error:
        # ValueError: a NUL character inside the path.
        raise MissingInputError(
            f"The file cannot be opened: {getattr(error, 'strerror', None) or error}.", where=repr(name)
        ) from None
    if not data or data.isspace():
        raise FileFormatError(
            f"The file is empty, expected {expected}.", where=f"{name}, byte 0", remedy="export it again"
        )
    return data


def _absent(name: str, expected: str) -> MissingInputError:
    folder = Path(name).parent
    try:
        present = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    except OSError:
        present = []
    remedy = None if folder.is_dir() else f"the folder {str(folder)!r} does not exist either"
    return MissingInputError(
        f"There is no file {Path(name).name!r}, expected {expected}.",
        where=name,
        closest=closest_names(Path(name).name, present),
        remedy=remedy,
    )


def refuse_binary(data: bytes, name: str, expected: str) -> None:
    """Raise where bytes are not 8-bit text: UTF-16, or with zero bytes inside."""
    if data[:2] in UTF16_MARKS:
        raise FileFormatError(
            f"The file is encoded as UTF-16, expected {expected} in UTF-8.",
            where=f"{name}, byte 0",
            remedy="save it as UTF-8 (in Notepad: Save as, Encoding)",
        )
    zero = data.find(b"\x00")
    if zero >= 0:
        raise FileFormatError(
            f"The file is binary, expected {expected}.",
            where=f"{name}, byte {zero} is zero",
            remedy="check that this is the file you meant",
        )


def decode_text(data: bytes, name: str, expected: str) -> str:
    """Return bytes as text: UTF-8 with or without mark, else Windows Latin with a warning."""
    refuse_binary(data, name, expected)
    data = data.removeprefix(_UTF8_MARK)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        warn(f"{name}: byte {error.start} is not UTF-8; the text was read as Windows-1252.")
        return data.decode("cp1252", errors="replace")
