"""Statements of Python as LLVM assembly."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from borelli.kernels.native import arrays
from borelli.kernels.native.code import Block
from borelli.kernels.native.expressions import Calls, Expressions
from borelli.kernels.native.types import (
    INT,
    ArrayType,
    KnownType,
    TupleType,
    Type,
    Unsupported,
    registers,
    told,
    unified,
)
from borelli.kernels.native.values import Value, arithmetic, cast, constant, items_of, shape
from borelli.kernels.native.whole_arrays import scattered

RETURNED = "return"
"""The name under which the type of what a function returns is kept: no variable can have it."""


class Retyped(Exception):
    """A name holds a wider type than the first value it got: the function is written anew with that type."""

    def __init__(self, name: str, kind: Type) -> None:
        super().__init__(name)
        self.name, self.kind = name, kind


class Statements(Expressions):
    """Writes the body of one function.

    Parameters
    ----------
    function : callable
    calls : Calls
    declared : mapping of str to Type
        Types of names that are known to hold more than their first value.
    """

    def __init__(self, function: Callable[..., Any], calls: Calls, declared: Mapping[str, Type]) -> None:
        super().__init__(function, calls)
        self._declared = declared
        self._loops: list[tuple[Block, Block]] = []
        self.exit = self.code.exit

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """Write statements; what follows a jump is never reached."""
        for statement in statements:
            if self.code.block.ended:
                return
            writer: Callable[[Any], None] | None = getattr(
                self, f"_{type(statement).__name__.lower()}_", None
            )
            if writer is None:
                raise Unsupported(f"{type(statement).__name__} in line {statement.lineno}")
            writer(statement)

    # Assignments

    def assign(self, name: str, value: Value) -> None:
        """Give a name a value; the name ``_`` is for what nobody reads, of any type."""
        if name == "_":
            return
        if isinstance(value.kind, KnownType):
            if name in self.variables or (name in self.known and self.known[name] != value):
                raise Unsupported(f"{name!r} is a number here and something else there")
            self.known[name] = value
            return
        if name in self.known:
            raise Unsupported(f"{name!r} is a number here and something else there")
        if name not in self.variables:
            kind = unified(self._declared.get(name, value.kind), value.kind)
            if kind != self._declared.get(name, kind):
                raise Retyped(name, kind)
            self.variables[name] = (kind, [self.code.slot(register) for register in registers(kind)])
        kind, slots = self.variables[name]
        wider = unified(kind, value.kind)
        if wider != kind:
            raise Retyped(name, wider)
        self.put(slots, cast(self.code, value, kind))

    def _assign_(self, node: ast.Assign) -> None:
        if (
            len(node.targets) == 1
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Tuple)
        ):
            values = self._all(node.value.elts)
            if len(values) != len(node.targets[0].elts):
                raise Unsupported("a tuple with another number of names")
            for target, value in zip(node.targets[0].elts, values, strict=True):
                self._set(target, value)
            return
        value = self.value(node.value)
        for target in node.targets:
            self._set(target, value)

    def _annassign_(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._set(node.target, self.value(node.value))

    def _set(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        elif isinstance(target, ast.Tuple):
            items = self._unpacked(value)
            if len(items) != len(target.elts):
                raise Unsupported("a tuple with another number of names")
            for own, item in zip(target.elts, items, strict=True):
                self._set(own, item)
        elif isinstance(target, ast.Subscript):
            array, places = self.value(target.value), self.places(target.slice)
            if places is not None:
                scattered(self.code, array, places, value)
            else:
                arrays.fill(self.code, self.view(array, target.slice), value)
        else:
            raise Unsupported(f"assignment to {type(target).__name__}")

    def _unpacked(self, value: Value) -> list[Value]:
        if not isinstance(value.kind, TupleType):
            raise Unsupported(f"items of {told(value.kind)}")
        return items_of(value)

    def _augassign_(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            before = self.value(ast.Name(node.target.id, ast.Load(), lineno=node.lineno))
            self.assign(node.target.id, arithmetic(self.code, node.op, before, self.value(node.value)))
            return
        if not isinstance(node.target, ast.Subscript):
            raise Unsupported(f"assignment to {type(node.target).__name__}")
        place = self.view(self.value(node.target.value), node.target.slice)
        assert isinstance(place.kind, ArrayType)
        change = self.value(node.value)
        if not place.kind.ndim:
            arrays.store(
                self.code, place, arithmetic(self.code, node.op, arrays.load(self.code, place), change)
            )
            return
        if place.kind.ndim > 1:
            raise Unsupported("changes of whole arrays of several dimensions")

        def each(at: Value) -> None:
            item = arrays.part(self.code, place, [at])
            own = change
            if isinstance(change.kind, ArrayType):
                own = arrays.load(self.code, arrays.part(self.code, change, [at]))
            arrays.store(self.code, item, arithmetic(self.code, node.op, arrays.load(self.code, item), own))

        arrays.loop(self.code, shape(place)[0], each)

    # Control

    def _expr_(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _pass_(self, node: ast.Pass) -> None:
        pass

    def _if_(self, node: ast.If) -> None:
        test = self.condition(node.test)
        if test.is_constant:
            self.body(node.body if test.constant else node.orelse)
            return
        yes, no, after = self.code.new_block(), self.code.new_block(), self.code.new_block()
        self.code.branch(test.leaf, yes, no)
        reached = False
        for block, statements in ((yes, node.body), (no, node.orelse)):
            self.code.start(block)
            self.body(statements)
            reached = reached or not self.code.block.ended
            if not self.code.block.ended:
                self.code.jump(after)
        if reached:
            self.code.start(after)

    def _loop(self, test: Callable[[], Value], body: Sequence[ast.stmt], step: Callable[[], None]) -> None:
        begin, inside, following, after = (self.code.new_block() for _ in range(4))
        self.code.jump(begin)
        self.code.start(begin)
        condition = test()
        if condition.is_constant and condition.constant:
            self.code.jump(inside)
        else:
            self.code.branch(condition.leaf, inside, after)
        self.code.start(inside)
        self._turn(body, following, after)
        step()
        self.code.jump(begin)
        self.code.start(after)

    def _turn(self, body: Sequence[ast.stmt], following: Block, after: Block) -> None:
        """One turn of a loop, of which ``continue`` goes to ``following`` and ``break`` to ``after``."""
        self._loops.append((following, after))
        self.body(body)
        self._loops.pop()
        if not self.code.block.ended:
            self.code.jump(following)
        self.code.start(following)

    def _while_(self, node: ast.While) -> None:
        if node.orelse:
            raise Unsupported("else after a loop")
        self._loop(lambda: self.condition(node.test), node.body, lambda: None)

    def _for_(self, node: ast.For) -> None:
        if node.orelse:
            raise Unsupported("else after a loop")
        if isinstance(node.iter, ast.Call) and self.value(node.iter.func).constant is range:
            self._for_range(node, self._all(node.iter.args))
            return
        of = self.value(node.iter)
        if isinstance(of.kind, TupleType):
            items = items_of(of)
            self._count(
                constant(0),
                constant(len(items)),
                1,
                node.body,
                lambda at: self._set(node.target, self.item_at(items, at)),
            )
        elif isinstance(of.kind, ArrayType) and of.kind.ndim:

            def item(at: Value) -> None:
                view = arrays.part(self.code, of, [at])
                assert isinstance(view.kind, ArrayType)
                self._set(node.target, view if view.kind.ndim else arrays.load(self.code, view))

            self._count(constant(0), Value(INT, (shape(of)[0],)), 1, node.body, item)
        else:
            raise Unsupported(f"a loop over {told(of.kind)}")

    def _for_range(self, node: ast.For, limits: Sequence[Value]) -> None:
        start, stop = (constant(0), limits[0]) if len(limits) == 1 else limits[:2]
        step = limits[2] if len(limits) > 2 else constant(1)
        if not step.is_constant or not step.constant:
            raise Unsupported("a step that is no constant")
        start, stop = cast(self.code, start, INT), cast(self.code, stop, INT)
        self._count(start, stop, step.constant, node.body, lambda at: self._set(node.target, at))

    def _count(
        self,
        start: Value,
        stop: Value,
        step: int,
        body: Sequence[ast.stmt],
        begin: Callable[[Value], None],
    ) -> None:
        """Count from start to before stop; ``begin`` gets the number of each turn."""
        counter = self.code.slot("i64")
        self.code.do(f"store i64 {start.leaf}, ptr {counter}")
        inside, following, after, check = (self.code.new_block() for _ in range(4))
        self.code.jump(check)
        self.code.start(check)
        at = self.code.value(f"load i64, ptr {counter}")
        test = "slt" if step > 0 else "sgt"
        self.code.branch(self.code.value(f"icmp {test} i64 {at}, {stop.leaf}"), inside, after)
        self.code.start(inside)
        begin(Value(INT, (at,), natural=start.natural and step > 0))
        self._turn(body, following, after)
        more = self.code.value(f"add nsw i64 {self.code.value(f'load i64, ptr {counter}')}, {step}")
        self.code.do(f"store i64 {more}, ptr {counter}")
        self.code.jump(check)
        self.code.start(after)

    def _break_(self, node: ast.Break) -> None:
        self.code.jump(self._loops[-1][1])

    def _continue_(self, node: ast.Continue) -> None:
        self.code.jump(self._loops[-1][0])

    def _return_(self, node: ast.Return) -> None:
        value = constant(None) if node.value is None else self.value(node.value)
        if not isinstance(value.kind, KnownType):
            self.assign(RETURNED, value)
        self.code.jump(self.exit)
