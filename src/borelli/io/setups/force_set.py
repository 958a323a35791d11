"""OpenSim's force-set files: forces that a tool adds to a model, such as reserves and residuals."""

from __future__ import annotations

import os

from borelli.errors import FileFormatError
from borelli.io.setups.setup_options import version_of
from borelli.io.text.xml import Element, read_xml

EXPECTED = "an OpenSim force set (.xml)"
# Before version 1.9 forces were actuators.
_TAGS = ("ForceSet", "ActuatorSet")


def read_force_set(path: str | os.PathLike[str]) -> tuple[Element, int]:
    """Return the set of a force-set file, and the version of its document.

    Raises
    ------
    FileFormatError
        If the file holds no force set.
    """
    root = read_xml(path, EXPECTED)
    holders = [root] if root.tag in _TAGS else [each for tag in _TAGS for each in root.all(tag)]
    if not holders:
        raise FileFormatError("The file holds no <ForceSet>.", where=root.where)
    return holders[0], version_of(root)
