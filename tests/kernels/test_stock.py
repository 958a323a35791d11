"""A stock of memory: what fits best comes first, the oldest goes first, and the garbage collector may add to it."""

from __future__ import annotations

from borelli.kernels.stock import Stock


class Piece:
    """Some memory."""


def exactly(kind: int):
    return lambda other: 0.0 if other == kind else None


def test_memory_comes_back_to_who_needs_its_kind() -> None:
    stock: Stock[int, Piece] = Stock(100, 10)
    five, seven = Piece(), Piece()
    stock.give_back(5, 1, five)
    stock.give_back(7, 1, seven)
    assert stock.take(exactly(6)) is None
    assert stock.take(exactly(7)) is seven
    assert stock.take(exactly(7)) is None
    assert stock.take(lambda kind: kind - 2.0) is five
    assert stock.n_bytes == 0


def test_the_least_waste_is_taken() -> None:
    stock: Stock[int, Piece] = Stock(100, 10)
    pieces = {size: Piece() for size in (9, 4, 6)}
    for size, piece in pieces.items():
        stock.give_back(size, 1, piece)
    assert stock.take(lambda size: size - 5.0 if size >= 5 else None) is pieces[6]


def test_the_oldest_go_beyond_the_limits() -> None:
    by_bytes: Stock[int, Piece] = Stock(10, 10)
    by_number: Stock[int, Piece] = Stock(1000, 2)
    for kind in range(4):
        by_bytes.give_back(kind, 4, Piece())
        by_number.give_back(kind, 4, Piece())
    for stock in (by_bytes, by_number):
        assert stock.n_bytes == 8
        assert stock.take(exactly(1)) is None
        assert stock.take(exactly(3)) is not None


def test_what_is_larger_than_the_limit_is_not_kept() -> None:
    stock: Stock[int, Piece] = Stock(10, 10)
    stock.give_back(1, 11, Piece())
    assert stock.n_bytes == 0


def test_memory_may_come_back_while_some_is_taken() -> None:
    """As when Python collects garbage there: with a lock the thread would wait for itself."""
    stock: Stock[int, Piece] = Stock(100, 2)
    first, late = Piece(), []

    def waste(kind: int) -> float | None:
        for _ in range(3):
            late.append(Piece())
            stock.give_back(8, 1, late[-1])
        return 0.0 if kind == 5 else None

    stock.give_back(5, 1, first)
    # The first piece went beyond the limit meanwhile.
    assert stock.take(waste) is None
    assert stock.take(exactly(8)) in late
