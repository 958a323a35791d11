"""A public function that is given something of another kind says which argument, and what it should be."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli.argument_kinds import told_of_kinds
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.model import Body, Model, PinJoint

MODEL = Model(
    bodies=[Body("bob", 2.0, (0, -0.4, 0), (0.05, 0.05, 0.05))],
    joints=[PinJoint(name="swing", parent="ground", child="bob")],
)
TIME = np.arange(8) / 10
MOTION = bo.Motion(TIME, ("swing",), np.sin(TIME)[:, None])
LOAD = bo.Load("hand", "bob", force=np.ones((8, 3)), point=np.zeros((8, 3)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"model": "arm.osim"},
            "model of inverse_dynamics must be Model, not str 'arm.osim'(.|\n)*load_model",
        ),
        ({"model": Path("arm.osim")}, "must be Model, not .*Path 'arm.osim'(.|\n)*borelli.load_model reads"),
        ({"motion": None}, "motion of inverse_dynamics must be Motion, not None(.|\n)*borelli.load_motion"),
        ({"motion": MODEL}, "must be Motion, not a Model"),
        ({"loads": LOAD}, "loads of inverse_dynamics must be several Load, not a Load(.|\n)*into a list"),
        ({"loads": ["hand"]}, "must be several Load, not a list"),
        ({"loads": np.ones(3)}, "must be several Load, not a ndarray"),
        ({"threads": "two"}, "threads of inverse_dynamics must be int, not str 'two'"),
    ],
)
def test_what_is_of_another_kind_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message) as caught:
        bo.inverse_dynamics(**{"model": MODEL, "motion": MOTION, **given})
    assert caught.value.__cause__ is not None  # where it came out is not lost


def test_results_and_numbers_are_named_as_well() -> None:
    with pytest.raises(InvalidValueError, match="result of verdict must be a result, not a Model"):
        bo.verdict(MODEL)
    with pytest.raises(
        InvalidValueError, match="the tolerance of assembled constraints must be an array of numbers"
    ):
        bo.assemble(MODEL, MOTION, tolerance="small")
    with pytest.raises(
        InvalidValueError, match="the tolerance of assembled constraints must be more than zero"
    ):
        bo.assemble(MODEL, MOTION, tolerance=-1.0)
    with pytest.raises(UnknownNameError, match=r"'rigid' is not a strength(.|\n)*'rigid_tendon'"):
        bo.muscle_strength(MODEL, MOTION, strength="rigid")


def test_kinds_of_the_same_name_are_told_apart() -> None:
    with pytest.raises(InvalidValueError, match="motion of analyze must be Motion, not a Motion"):
        bo.planar.analyze(bo.library.reaching_arm(), MOTION)
    with pytest.raises(InvalidValueError, match="contacts of analyze must be several Contact, not a list"):
        bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach(), contacts=["hand"])


def test_choices_without_bound_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="threads must be at most 1024, but is 1000"):
        bo.paths(MODEL, MOTION, threads=10**400)
    with pytest.raises(InvalidValueError, match="rtol and atol must be more than zero, not 1e-09 and -1"):
        bo.simulate(MODEL, TIME, atol=-1.0)
    with pytest.raises(InvalidValueError, match=r"steps of a sweep must be 0 \(chosen\) to"):
        bo.sweep(MODEL, "swing", 0.0, 1.0, steps=-1)
    muscled = bo.load_model(bo.library.sample_walk(tmp_path / "walk").model)
    rest = bo.Motion.at_rest(muscled.coordinate_names, np.zeros((1, len(muscled.coordinates))))
    with pytest.raises(UnknownNameError, match=r"'soleus' is not a path of model(.|\n)*Where: +tensions"):
        bo.scene(muscled, rest, tensions={"soleus": np.ones(1)})


def test_errors_of_right_arguments_stay_what_they_are() -> None:
    def fails(model: Model, count: int = 1) -> None:
        raise KeyError("inside")

    fails.__annotations__ = {"model": "Model", "count": "int", "return": "None"}
    with pytest.raises(KeyError, match="inside"):
        told_of_kinds(fails)(MODEL, np.int64(3))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'motion'"):
        bo.inverse_dynamics(MODEL)


def test_another_class_that_has_what_is_needed_will_do() -> None:
    class Named:
        def __getattr__(self, name: str) -> Any:
            return getattr(MODEL, name)

    assert np.array_equal(bo.mass_centre(Named()), bo.mass_centre(MODEL))


def test_a_public_function_is_itself_wherever_it_goes() -> None:
    assert pickle.loads(pickle.dumps(bo.inverse_dynamics)) is bo.inverse_dynamics
    assert list(inspect.signature(bo.inverse_dynamics).parameters)[:2] == ["model", "motion"]
    assert inspect.getdoc(bo.inverse_dynamics)
