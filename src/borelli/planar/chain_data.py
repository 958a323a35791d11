"""A chain as plain data: what its file and the page of the playground hold of it."""

from __future__ import annotations

from typing import Any

from borelli.planar.chain import Chain


def chain_data(chain: Chain) -> dict[str, Any]:
    """Return gravity, base, links and the paths of muscles as numbers, texts, lists and dicts, in SI units."""
    base = chain.base
    return {
        "gravity": list(chain.gravity),
        "base": {
            "position": list(base.position),
            "mass": base.mass,
            "com": list(base.com),
            "floor": base.floor,
        },
        "links": [
            {
                "name": link.name,
                "joint": link.joint,
                "length": link.length,
                "mass": link.mass,
                "inertia": link.inertia,
                "com": list(link.com),
            }
            for link in chain.links
        ],
        "muscles": [
            {"name": muscle.name, "path": [[link, list(point)] for link, point in muscle.path]}
            for muscle in chain.muscles
        ],
    }
