"""What an xml document is about: external loads, or the settings of a tool."""

from __future__ import annotations

import os
from pathlib import Path

from borelli.io.setups.external_loads import ExternalLoads, read_external_loads
from borelli.io.text.xml import read_xml
from borelli.records import dataclass


@dataclass(frozen=True)
class XmlSummary:
    """An xml document in short.

    Attributes
    ----------
    path : Path
    version : str
        Of the OpenSim document; empty where it has none.
    tag, name : str
        What it describes, such as ``"InverseDynamicsTool"``, and its name.
    n_elements : int
        How many elements it has, at any depth.
    settings : tuple of (str, str)
        Tag and text of every element at the first level; where it holds others, how many.
    loads : ExternalLoads or None
        Where it describes external loads.

    Examples
    --------
    >>> bo.summarize_xml(walk.loads).tag
    'ExternalLoads'
    """

    path: Path
    version: str
    tag: str
    name: str
    n_elements: int
    settings: tuple[tuple[str, str], ...]
    loads: ExternalLoads | None = None


def summarize_xml(path: str | os.PathLike[str]) -> XmlSummary:
    """Read what an xml document of OpenSim is about, without running it.

    Parameters
    ----------
    path : path
        External loads, or a setup of any tool.

    Examples
    --------
    >>> bo.summarize_xml(walk.loads).name
    'ground_forces'
    """
    root = read_xml(path)
    document = root.children[0] if root.tag == "OpenSimDocument" and root.children else root
    settings = tuple(
        (child.tag, child.text if not child.children else f"{len(child.children)} inside")
        for child in document
    )
    return XmlSummary(
        Path(path),
        root.attributes.get("Version", ""),
        document.tag,
        document.name,
        sum(1 for _ in document.walk()) - 1,
        settings,
        read_external_loads(path) if document.tag == "ExternalLoads" else None,
    )
