"""Sets of scale factors as OpenSim writes them; with all their digits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from borelli.io.text.markup import Lines, block, document, numbers, tag
from borelli.model import GROUND, Model
from borelli.results.on_disk.whole import atomic_writer


def write_scale_set(
    factors: Mapping[str, Any], model: Model, path: str | os.PathLike[str], version: int
) -> None:
    """Write the factors of ground and every body, then ones for every frame, which OpenSim lists and does not use."""
    rows = [_scale(factors.get(name, (1.0, 1.0, 1.0)), name) for name in (GROUND, *model.body_names)]
    rows += [_scale((1.0, 1.0, 1.0), frame.name.rpartition("/")[2]) for frame in model.frames]
    inside = block("ScaleSet", block("objects", *rows), ["<groups />"], called="ScaleSet")
    # The blank is OpenSim's.
    text = [*document(inside, version, '<?xml version="1.0" encoding="UTF-8" ?>'), ""]
    with atomic_writer(path) as stream:
        stream.write("\n".join(text).encode("utf-8"))


def _scale(three: Any, segment: str) -> Lines:
    return block(
        "Scale",
        tag("scales", " " + numbers(float(each) for each in three)),
        tag("segment", segment),
        tag("apply", "true"),
    )
