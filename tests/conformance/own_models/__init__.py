"""Small models that were made for these tests: OpenSim's numbers for them are stored in ``tests/fixtures/opensim``.

``leg`` moves in a plane and pushes on the ground; ``arm`` has a muscle over each kind of wrap surface; ``body``
floats, and has the joints, constraints and elements that the others lack. Sizes are those of people, but of nobody.
"""

from __future__ import annotations

from collections.abc import Callable

from borelli.model import Model
from tests.conformance.own_models.arm import arm
from tests.conformance.own_models.body import body
from tests.conformance.own_models.leg import leg

MODELS: dict[str, Callable[[], Model]] = {"leg": leg, "arm": arm, "body": body}
