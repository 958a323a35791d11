"""The choice of a back end: asked for by name, automatic, and with a reason where it falls back."""

from __future__ import annotations

import builtins

import pytest

from borelli.kernels import backend


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Forget earlier choices before and after."""
    monkeypatch.delenv("BORELLI_BACKEND", raising=False)
    backend._lanes.cache_clear()
    yield
    backend._lanes.cache_clear()


def test_lanes_are_the_automatic_choice_where_llvm_runs():
    chosen, reason = backend.choose()
    assert (chosen.name, reason) == ("lanes", None)


@pytest.mark.parametrize("name", ["numpy", " NumPy "])
def test_the_environment_names_the_back_end(monkeypatch, name):
    monkeypatch.setenv("BORELLI_BACKEND", name)
    chosen, reason = backend.choose()
    assert (chosen.name, reason) == ("numpy", None)


def test_a_with_block_overrides_the_environment(monkeypatch):
    monkeypatch.setenv("BORELLI_BACKEND", "numpy")
    with backend.using("lanes"):
        assert backend.choose().backend.name == "lanes"
        with backend.using("numpy"):
            assert backend.choose().backend.name == "numpy"
        with backend.using(threads=3):
            assert (backend.requested(), backend.threads()) == ("lanes", 3)
        assert backend.threads() == 1
    assert backend.choose().backend.name == "numpy"


def test_a_with_block_ends_even_by_an_error():
    with pytest.raises(ZeroDivisionError), backend.using("numpy"):
        _ = 1 / 0
    assert backend.requested() == "auto"


def test_without_llvm_numpy_takes_over_and_the_reason_is_told(monkeypatch):
    real = builtins.__import__

    def no_driver(name, *args, **kwargs):
        if name == "borelli.kernels.lanes.driver":
            raise ImportError("No module named 'llvmlite'")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_driver)
    chosen, reason = backend.choose()
    assert chosen.name == "numpy"
    assert reason == "ImportError: No module named 'llvmlite'"


def test_a_compiler_that_fails_hands_over_to_numpy(monkeypatch, tmp_path):
    from borelli.kernels.lanes.code import compile

    def broken(assembly):
        raise RuntimeError("cannot allocate executable memory")

    monkeypatch.setenv("BORELLI_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compile, "object_code", broken)
    chosen, reason = backend.choose()
    assert chosen.name == "numpy"
    assert reason == "RuntimeError: cannot allocate executable memory"


def test_code_that_computes_nonsense_hands_over_to_numpy(monkeypatch):
    from borelli.kernels.lanes.code import compile

    monkeypatch.setattr(compile.LoadedKernel, "__call__", lambda self, *arguments: 0)
    chosen, reason = backend.choose()
    assert chosen.name == "numpy"
    assert reason is not None
    assert "wrong" in reason
