"""Numbers that are none, or of no body, are found wherever they stand in what is given or computed."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli.arrays import FARTHEST, all_plausible
from borelli.errors import InvalidValueError, UnsolvableError
from borelli.kernels.backend import LANES, NUMPY, using
from borelli.model import Body, CoordinateSpring, Model, PinJoint, SliderJoint

# More than the processor's vectors, blocks of kernels and pieces of threads.
N = 20_011
FIRST, MIDDLE, LAST = 0, N // 2 + 3, N - 1
PLACES = pytest.mark.parametrize("row", [FIRST, MIDDLE, LAST], ids=["first", "middle", "last"])
THREADS = pytest.mark.parametrize("threads", [1, 2])
BACK_ENDS = pytest.mark.parametrize("back_end", [LANES, NUMPY])


def arm(*forces: CoordinateSpring) -> Model:
    bodies = tuple(Body(name, 2.0, (0.1, 0.02, 0), (0.01, 0.02, 0.02)) for name in ("upper", "fore"))
    joints = (
        PinJoint(name="shoulder", parent="ground", child="upper"),
        SliderJoint(name="elbow", parent="upper", child="fore"),
    )
    return Model(name="arm", bodies=bodies, joints=joints, gravity=(0, -9.81, 0), forces=forces)


def given() -> dict[str, np.ndarray]:
    """Everything that inverse dynamics takes, by its name."""
    rng = np.random.default_rng(0)
    widths = {"q": 2, "u": 2, "udot": 2, "force": 3, "point": 3, "moment": 3}
    return {name: rng.normal(size=(N, width)) for name, width in widths.items()}


def asked(parts: dict[str, np.ndarray]) -> tuple[Model, bo.Motion, list[bo.Load]]:
    motion = bo.Motion(
        np.arange(N) * 0.01, ("shoulder", "elbow"), *(parts[name] for name in ("q", "u", "udot"))
    )
    return arm(), motion, [bo.Load("push", "fore", *(parts[name] for name in ("force", "point", "moment")))]


def forces_of(asking: tuple[Model, bo.Motion, list[bo.Load]], threads: int = 1, **how: Any) -> np.ndarray:
    return bo.inverse_dynamics(*asking, threads=threads, **how)["generalized_force"].values


INPUTS = pytest.mark.parametrize("name", given())


@INPUTS
@PLACES
@THREADS
def test_nan_makes_its_instant_unknown_and_no_other(name: str, row: int, threads: int) -> None:
    parts = given()
    known = forces_of(asked(parts))
    assert np.isfinite(known).all()
    asking = asked(parts)
    # After they were made: nothing that looks at a motion or a load when it is made has seen this.
    parts[name][row, -1] = np.nan
    if name == "point":
        with pytest.raises(InvalidValueError, match=f"NaN in row {row}, where its force is not zero"):
            forces_of(asking, threads)
        return
    with pytest.warns(UserWarning, match=r"1 of 20011 instants contain NaN"):
        found = forces_of(asking, threads)
    assert np.isnan(found[row]).all()
    assert np.array_equal(np.delete(found, row, 0), np.delete(known, row, 0))


@INPUTS
@PLACES
@THREADS
@pytest.mark.parametrize("number", [1e300, -3e12])
def test_numbers_of_no_body_are_refused(name: str, row: int, threads: int, number: float) -> None:
    parts = given()
    asking = asked(parts)
    parts[name][row, -1] = number
    with pytest.raises(InvalidValueError, match=r"no body reaches|no load on a body does"):
        forces_of(asking, threads)


@INPUTS
@PLACES
def test_infinity_is_unknown_in_a_motion_and_refused_in_a_load(name: str, row: int) -> None:
    parts = given()
    asking = asked(parts)
    parts[name][row, 0] = -np.inf
    if name in ("q", "u", "udot"):
        with pytest.warns(UserWarning, match="instants contain NaN"):
            assert np.isnan(forces_of(asking)[row]).all()
    else:
        with pytest.raises(InvalidValueError, match="infinite"):
            forces_of(asking)


@PLACES
@THREADS
@BACK_ENDS
def test_a_force_of_no_body_is_refused_wherever_it_arises(row: int, threads: int, back_end: str) -> None:
    parts = given()
    parts["udot"][row, 1] = 9e11
    with using(back_end), pytest.raises(UnsolvableError, match=rf"would be .* at {row * 0.01:g} s"):
        forces_of(asked(parts), threads)


@PLACES
@THREADS
def test_so_is_one_that_only_springs_make(row: int, threads: int) -> None:
    parts = given()
    parts["q"][row, 1] = 1e3
    _, motion, loads = asked(parts)
    springy = arm(CoordinateSpring(name="spring", coordinate="elbow", stiffness=1e10))
    assert np.isfinite(forces_of((springy, motion, loads), threads)).all()
    with pytest.raises(UnsolvableError, match=rf"coordinate 'elbow'\) at {row * 0.01:g} s"):
        forces_of((springy, motion, loads), threads, passive=True)


def laid_out(vectors: np.ndarray, how: str) -> np.ndarray:
    """Return equal numbers that lie otherwise in memory."""
    if how == "columns of a table":
        table = np.full((len(vectors), 11), np.nan)
        table[:, 4:7] = vectors
        return table[:, 4:7]
    if how == "backwards":
        return np.ascontiguousarray(vectors[::-1])[::-1]
    if how == "every other number":
        table = np.full((len(vectors), 6), np.nan)
        table[:, ::2] = vectors
        return table[:, ::2]
    if how == "between bytes":
        packed = np.zeros(len(vectors), dtype=np.dtype([("mark", "i1"), ("vector", "f8", 3)]))
        packed["vector"] = vectors
        return packed["vector"]
    return np.asfortranarray(vectors)


@pytest.mark.parametrize(
    "how", ["columns of a table", "backwards", "every other number", "between bytes", "fortran"]
)
@THREADS
def test_loads_may_lie_anyhow_in_memory(how: str, threads: int) -> None:
    parts = given()
    expected = forces_of(asked(parts))
    otherwise = {
        name: laid_out(part, how) if name in ("force", "point", "moment") else part
        for name, part in parts.items()
    }
    assert np.array_equal(forces_of(asked(otherwise), threads), expected)


@THREADS
def test_one_vector_stands_for_all_instants(threads: int) -> None:
    parts = given()
    for name in ("force", "point", "moment"):
        parts[name] = np.tile(parts[name][:1], (N, 1))
    model, motion, loads = asked(parts)
    constant = bo.Load("push", "fore", *(parts[name][0] for name in ("force", "point", "moment")))
    expected = forces_of((model, motion, loads))
    assert np.array_equal(forces_of((model, motion, [constant]), threads), expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1.1 * FARTHEST, -1.1 * FARTHEST])
@pytest.mark.parametrize("order", ["C", "F", "every other row"])
def test_no_piece_of_an_array_is_left_out(bad: float, order: str) -> None:
    values = np.zeros((100_003, 2), order="F" if order == "F" else "C")
    if order == "every other row":
        values = np.zeros((200_006, 2))[::2]
    assert all_plausible(values)
    # The borders of pieces, wherever they are by now, and around them.
    for row in [0, 1, 32_767, 32_768, 65_535, 65_536, 98_304, 100_001, 100_002]:
        for column in (0, 1):
            values[row, column] = bad
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert not all_plausible(values)
            values[row, column] = 0.0


def test_the_limit_itself_is_plausible() -> None:
    assert all_plausible(np.array([FARTHEST, -FARTHEST]))
    assert all_plausible(np.array([3.0]), 3.0)
    assert not all_plausible(np.array([3.1]), 3.0)
    assert all_plausible(np.zeros((0, 3)))


def test_one_row_for_all_instants_is_looked_at() -> None:
    assert all_plausible(np.broadcast_to(np.zeros(3), (50, 3)))
    assert not all_plausible(np.broadcast_to(np.array([0.0, np.nan, 0.0]), (50, 3)))


@INPUTS
def test_what_the_ground_bears_is_looked_at_too(name: str) -> None:
    parts = given()
    model, motion, loads = asked(parts)
    own = {each: part.copy() for each, part in parts.items()}
    borne = bo.Load("stand", "ground", own["force"], own["point"], own["moment"])
    assert np.array_equal(forces_of((model, motion, [*loads, borne])), forces_of((model, motion, loads)))
    if name in ("force", "moment"):
        own[name][MIDDLE, 1] = np.nan
        with pytest.warns(UserWarning, match="1 of 20011 instants contain NaN"):
            assert np.isnan(forces_of((model, motion, [*loads, borne]))[MIDDLE]).all()
    if name in ("force", "point", "moment"):
        own[name][MIDDLE, 1] = 1e300
        with pytest.raises(InvalidValueError, match="no load on a body does"):
            forces_of((model, motion, [*loads, borne]))


@THREADS
@BACK_ENDS
def test_unknown_instants_are_told_once_and_together(threads: int, back_end: str) -> None:
    """One in the motion, one in a load with its own times, which alone is looked at before the kernel runs."""
    parts = given()
    model, motion, loads = asked(parts)
    later = parts["moment"].copy()
    sampled = bo.Load("other", "upper", moment=later, time=motion.time + 0.001)
    parts["q"][FIRST + 7, 0] = later[MIDDLE, 2] = np.nan
    with using(back_end), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = forces_of((model, motion, [*loads, sampled]), threads)
    unknown = np.flatnonzero(np.isnan(found).any(axis=1))
    assert unknown.tolist() == [FIRST + 7, MIDDLE, MIDDLE + 1]
    assert [str(each.message)[:14] for each in told if "contain NaN" in str(each.message)] == [
        "3 of 20011 ins"
    ]


@pytest.mark.parametrize("name", ["u", "udot", "force", "point", "moment"])
@BACK_ENDS
def test_numbers_that_are_large_but_plausible_are_taken(name: str, back_end: str) -> None:
    """The kernel has one limit for all that is given, that of coordinates; speeds and loads may be larger."""
    parts = given()
    parts[name][MIDDLE] = 2e9 if name != "u" else 1e3
    with using(back_end):
        found = forces_of(asked(parts))
    assert np.isfinite(found).all()
    with using(NUMPY):
        np.testing.assert_allclose(found, forces_of(asked(parts)), rtol=1e-9, atol=1e-6)


def test_an_angle_of_no_body_is_refused_without_a_word_on_what_computes_it() -> None:
    parts = given()
    asking = asked(parts)
    parts["q"][LAST, 0] = 1e300
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InvalidValueError, match=r"'shoulder' is 1.0e\+300"):
            forces_of(asking)
