"""Sensitivities: every derivative against differences of the analysis itself, and exact where a law gives it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from borelli import errors, planar
from tests.planar.golden import CASES, chain_of, loads_of, motion_of

INPUTS = CASES["planar_n3"]["inputs"]
CHAIN, LOADS = chain_of(INPUTS), loads_of(INPUTS)
ONE = motion_of(INPUTS)
MOTION = planar.Motion(
    [0.0, 0.1],
    np.concatenate([ONE.angle, ONE.angle + 0.3]),
    np.concatenate([ONE.velocity, -ONE.velocity]),
    np.concatenate([ONE.acceleration, ONE.acceleration + 1.0]),
    [[0.3, -0.2], [0.0, 0.5]],
)
TURNING = planar.Contact("turning", "link2", (0.1, 0.02), (8.0, -3.0), axes="link")


def shifted(name: str, by: float) -> tuple[planar.Chain, planar.Motion, dict]:
    """The problem with one parameter changed."""
    kind, _, owner = name.partition(":")
    chain, motion = CHAIN, MOTION
    loads = LOADS | {"contacts": (*LOADS["contacts"], TURNING)}
    axis = {"x": np.array([by, 0.0]), "y": np.array([0.0, by])}.get(kind[-1], np.zeros(2))
    if owner in CHAIN.link_names and kind in ("angle", "velocity", "acceleration"):
        values = {field: getattr(motion, field).copy() for field in ("angle", "velocity", "acceleration")}
        values[kind][:, CHAIN.link_names.index(owner)] += by
        motion = planar.Motion(motion.time, **values, base_acceleration=motion.base_acceleration)
    elif owner in CHAIN.link_names:
        field = "com" if kind.startswith("com") else kind
        links = tuple(
            dataclasses.replace(
                link,
                **{field: tuple(np.add(link.com, axis)) if field == "com" else getattr(link, field) + by},
            )
            if link.name == owner
            else link
            for link in chain.links
        )
        chain = dataclasses.replace(chain, links=links)
    elif kind.startswith("gravity"):
        chain = dataclasses.replace(chain, gravity=tuple(np.add(chain.gravity, axis)))
    elif kind.startswith(("force", "point")):
        field = kind[:-2]
        loads["contacts"] = tuple(
            dataclasses.replace(c, **{field: np.add(getattr(c, field), axis)}) if c.name == owner else c
            for c in loads["contacts"]
        )
    elif kind == "moment":
        loads["couples"] = tuple(
            dataclasses.replace(c, moment=c.moment + by) if c.name == owner else c for c in loads["couples"]
        )
    elif kind == "tension":
        loads["tensions"] = loads["tensions"] | {owner: loads["tensions"][owner] + by}
    else:
        muscle, number = owner[:-1].split("[")
        chain = dataclasses.replace(
            chain,
            muscles=tuple(_moved(m, int(number), axis) if m.name == muscle else m for m in chain.muscles),
        )
    return chain, motion, loads


def _moved(muscle: planar.Muscle, number: int, by: np.ndarray) -> planar.Muscle:
    path = [(link, tuple(np.add(p, by)) if k == number else p) for k, (link, p) in enumerate(muscle.path)]
    return planar.Muscle(muscle.name, tuple(path))


def run(name: str, by: float):
    chain, motion, loads = shifted(name, by)
    return planar.analyze(chain, motion, **loads)


FOUND = planar.sensitivities(CHAIN, MOTION, **(LOADS | {"contacts": (*LOADS["contacts"], TURNING)}))
PARAMETERS = [str(name) for name in FOUND.parameter.values]


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_derivative_is_the_slope_of_the_analysis(name):
    step = 1e-6
    for quantity in ("torque", "reaction"):
        slope = (run(name, step)[quantity] - run(name, -step)[quantity]) / (2 * step)
        found = FOUND[f"{quantity}_sensitivity"].sel(parameter=name)
        # Central differences: round-off of some 1e3 N over the step, and its square times the third derivative.
        np.testing.assert_allclose(found, slope, rtol=1e-6, atol=1e-6 * (1.0 + float(np.abs(slope).max())))


def test_all_kinds_of_parameters_are_there_and_matter():
    kinds = {name.partition(":")[0] for name in PARAMETERS}
    assert kinds == {
        "mass", "inertia", "length", "com_x", "com_y", "gravity_x", "gravity_y", "force_x", "force_y",
        "point_x", "point_y", "moment", "tension", "path_x", "path_y", "angle", "velocity", "acceleration",
    }  # fmt: skip
    for kind in kinds:
        rows = [name for name in PARAMETERS if name.startswith(f"{kind}:")]
        both = FOUND[["torque_sensitivity", "reaction_sensitivity"]].sel(parameter=rows)
        assert max(float(abs(part).max()) for part in both.data_vars.values()) > 1e-3, kind


def test_what_enters_linearly_gives_its_share_back():
    """Masses, forces, moments, tensions and accelerations: value times slope is the share of the analysis."""
    answer = planar.analyze(CHAIN, ONE, **LOADS)
    found = planar.sensitivities(CHAIN, ONE, **LOADS)
    for link in CHAIN.link_names:
        share = answer.torque_share.sel(source=f"acceleration:{link}")
        slope = found.torque_sensitivity.sel(parameter=f"acceleration:{link}")
        value = found.parameter_value.sel(parameter=f"acceleration:{link}")
        np.testing.assert_allclose(slope * value, share, rtol=1e-12, atol=1e-13)
    for muscle in CHAIN.muscle_names:
        share = answer.reaction_share.sel(source=f"muscle:{muscle}")
        slope = found.reaction_sensitivity.sel(parameter=f"tension:{muscle}")
        np.testing.assert_allclose(slope * LOADS["tensions"][muscle], share, rtol=1e-12, atol=1e-12)


def test_parameters_are_chosen_by_kind_or_by_name():
    some = planar.sensitivities(CHAIN, ONE, parameters=("mass", "length:link2"))
    assert list(some.parameter.values) == ["mass:link1", "mass:link2", "length:link2", "mass:link3"]
    assert list(some.parameter_unit.values) == ["kg", "kg", "m", "kg"]
    with pytest.raises(errors.UnknownNameError, match="'mas' is not a parameter") as told:
        planar.sensitivities(CHAIN, ONE, parameters=("mas",))
    assert "mass" in told.value.closest
