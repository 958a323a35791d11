"""What the user hears about the back end: one warning, one line while compiling, one error."""

from __future__ import annotations

import dataclasses
import threading
import time
import warnings

import pytest

import borelli as bo
from borelli import notice
from borelli.compiled.compile import compile_model
from borelli.errors import BorelliWarning, UnknownNameError
from borelli.kernels import backend
from borelli.kernels.backend import LeftToNumpy
from borelli.mechanics import engine as module
from borelli.mechanics.engine import engine
from borelli.model import Body, Coordinate, Model, PinJoint
from borelli.notice import compilation_notice


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.delenv("BORELLI_BACKEND", raising=False)
    module._warn_once.cache_clear()
    module._warn_of_fallback.cache_clear()


def test_the_fast_back_end_is_chosen_silently():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert engine().name == "lanes"


def test_the_fall_back_warns_once_with_its_reason(monkeypatch):
    monkeypatch.setattr(backend, "_lanes", lambda width: (None, "OSError: no LLVM here"))
    with pytest.warns(BorelliWarning, match=r"cannot be compiled here \(OSError: no LLVM here\)") as caught:
        assert engine().name == "numpy"
        assert engine().name == "numpy"
    assert len(caught) == 1


def test_asking_for_numpy_is_silent(monkeypatch):
    monkeypatch.setenv("BORELLI_BACKEND", "numpy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert engine().name == "numpy"


def test_an_unknown_back_end_is_named_with_the_nearest(monkeypatch):
    monkeypatch.setenv("BORELLI_BACKEND", "lane")
    with pytest.raises(UnknownNameError) as caught:
        engine()
    assert str(caught.value) == (
        "'lane' is not a back end.\n"
        "  Where:   environment variable BORELLI_BACKEND\n"
        "  Closest: 'lanes'\n"
        "  Remedy:  use one of: 'auto', 'lanes', 'numpy'"
    )


def test_a_long_compilation_is_announced_on_the_error_stream(monkeypatch, capsys):
    monkeypatch.setattr(notice, "_PATIENCE_S", 0.01)
    monkeypatch.setattr(notice, "_shown", threading.Event())
    monkeypatch.setattr(notice, "_wording", [notice._ONCE])
    with compilation_notice("mass_matrix"):
        time.sleep(0.2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "borelli: preparing kernels for this processor, once …\n"


def test_a_short_compilation_is_silent(capsys):
    with compilation_notice("mass_matrix"):
        pass
    time.sleep(0.01)
    assert capsys.readouterr().err == ""


def test_the_engine_announces_compilations(monkeypatch, tmp_path):
    from borelli.kernels.lanes.code.compile import Kernel, load_kernel

    names = []
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(module, "compilation_notice", lambda name: names.append(name) or backend.using())
    engine()
    load_kernel(Kernel("nothing", {}, lambda emitter: None), notice=backend.compilation)
    assert names == ["nothing"]


def wheel():
    joint = PinJoint(name="axle", parent="ground", child="wheel", coordinates=(Coordinate("spin"),))
    return Model(name="cart", bodies=[Body("wheel", 1.0, (0, 0.1, 0), (1.0, 1.0, 1.0))], joints=[joint])


def test_what_numpy_has_to_do_is_told_once_with_the_name_of_the_coordinate():
    model = wheel()
    motion = bo.Motion([0.0, 1.0], ("spin",), [[0.0], [1e7]], [[1.0], [1.0]], [[0.0], [0.0]])
    with pytest.warns(BorelliWarning) as caught:
        bo.inverse_dynamics(model, motion)
        bo.inverse_dynamics(model, motion)
        bo.joint_reactions(model, motion)
    assert [str(warning.message) for warning in caught] == [
        "The fast kernels have no code for an angle beyond 600,000 rad (model 'cart', coordinate 'spin'): NumPy "
        "computes the same numbers more slowly. Set BORELLI_BACKEND=numpy to accept this silently."
    ]


def test_a_mechanism_that_no_model_remembers_is_told_without_names():
    mechanism = compile_model(wheel()).mechanism
    stranger = dataclasses.replace(mechanism, mobilizers=(*mechanism.mobilizers,) * 2)
    with pytest.warns(BorelliWarning, match=r"a joint with 4 translation axes \(a mechanism\)"):
        module.tell_what_is_left_to_numpy(LeftToNumpy(stranger, "a joint with 4 translation axes", (0,)))
