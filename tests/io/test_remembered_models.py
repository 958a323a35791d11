"""A model is read once for several trials, and again as soon as its file says something else."""

import os
import warnings

import pytest

import borelli as bo
from borelli.io import load_model as loading
from borelli.io.load_model import READERS, load_model, remembered_models, shared_models


@pytest.fixture
def read(monkeypatch):
    """Paths in the order in which their files were read."""
    paths = []

    def reader(path):
        paths.append(os.fspath(path))
        warnings.warn(f"{path}: a wheel is not used", bo.BorelliWarning, stacklevel=2)
        return object()

    monkeypatch.setitem(READERS, ".osim", reader)
    monkeypatch.setattr(loading, "_own", type("Own", (), {})())
    return paths


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_the_same_file_is_read_once(tmp_path, read):
    path = tmp_path / "a.osim"
    path.write_text("one")
    with remembered_models():
        first = load_model(path)
    with remembered_models():
        assert load_model(path) is first and load_model(os.fspath(path)) is first
    assert len(read) == 1
    # Outside, whoever asks for a model has it for himself.
    assert load_model(path) is not first


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_other_content_of_the_same_size_and_age_is_read(tmp_path, read):
    path = tmp_path / "a.osim"
    path.write_text("one")
    before = path.stat()
    with remembered_models():
        first = load_model(path)
        path.write_text("two")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert load_model(path) is not first
    assert len(read) == 2


def test_what_was_warned_of_is_told_every_time_with_the_name_of_its_file(tmp_path, read):
    told = []
    for name in ("a.osim", "a.osim", "b.osim"):
        (tmp_path / name).write_text("one")
        with remembered_models(), pytest.warns(bo.BorelliWarning) as caught:
            load_model(tmp_path / name)
        told.append([str(each.message).rpartition("/")[2] for each in caught])
    assert told == [["a.osim: a wheel is not used"]] * 2 + [["b.osim: a wheel is not used"]]
    assert len(read) == 2


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_models_that_are_shared_already_stay_with_whoever_shares_them(tmp_path, read):
    path = tmp_path / "a.osim"
    path.write_text("one")
    kept = loading.OrderedDict()
    with shared_models(kept), remembered_models():
        first = load_model(path)
    assert [model for model, _ in kept.values()] == [first]
    with remembered_models():
        assert load_model(path) is not first


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_a_file_that_is_too_large_or_not_there_is_left_to_the_reader(tmp_path, read, monkeypatch):
    path = tmp_path / "a.osim"
    with remembered_models():
        load_model(path)
        path.write_text("one")
        monkeypatch.setattr(loading, "_LARGEST_SHARED", 2)
        assert load_model(path) is not load_model(path)
    assert len(read) == 3
