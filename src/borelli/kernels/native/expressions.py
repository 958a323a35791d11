"""Expressions of Python as LLVM assembly."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from borelli.kernels.native import arrays, whole_arrays
from borelli.kernels.native.arrays import Index, Slice
from borelli.kernels.native.code import Block, Code
from borelli.kernels.native.known_functions import FUNCTIONS, method
from borelli.kernels.native.types import (
    BOOL,
    FLOAT,
    INT,
    ArrayType,
    TupleType,
    Type,
    Unsupported,
    holds_arrays,
    registers,
    told,
    unified,
)
from borelli.kernels.native.values import (
    Value,
    arithmetic,
    cast,
    chosen,
    compared,
    constant,
    items_of,
    shape,
    truth,
    tuple_of,
)
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class Translated:
    """A function of the module, for one choice of types."""

    name: str
    returns: Type | None
    may_fail: bool
    """Whether there may be no memory for an array that it makes"""


class Calls(Protocol):
    """Where a function finds those that it calls."""

    def callee(self, function: Any, kinds: Sequence[Type]) -> Translated:
        """Return the function for these types; it is translated where it has not been."""
        ...


def python_function(thing: Any) -> Callable[..., Any] | None:
    """Return the plain function of a kernel; None for anything else."""
    return getattr(thing, "py_func", None)


class Expressions:
    """Writes expressions of one function into its code.

    Parameters
    ----------
    function : callable
        The plain function, whose globals give names their meaning.
    calls : Calls
    """

    def __init__(self, function: Callable[..., Any], calls: Calls) -> None:
        self.code = Code()
        self.calls = calls
        self.variables: dict[str, tuple[Type, list[str]]] = {}
        self.known: dict[str, Value] = {}
        """Names that stand for something without registers, such as None"""
        self.naturals: frozenset[str] = frozenset()
        self._names: Mapping[str, Any] = function.__globals__
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self._cells = {name: cell.cell_contents for name, cell in cells}

    def value(self, node: ast.expr) -> Value:
        """Write an expression."""
        writer: Callable[[Any], Value] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if writer is None:
            raise Unsupported(f"{type(node).__name__} in line {node.lineno}")
        return writer(node)

    def condition(self, node: ast.expr) -> Value:
        """Write an expression of which only its truth matters."""
        value = self.value(node)
        return value if value.is_constant else truth(self.code, value)

    # Names and constants

    def _constant(self, node: ast.Constant) -> Value:
        return constant(node.value)

    def _name(self, node: ast.Name) -> Value:
        name = node.id
        if name in self.variables:
            kind, slots = self.variables[name]
            leaves = tuple(
                self.code.value(f"load {register}, ptr {slot}")
                for register, slot in zip(registers(kind), slots, strict=True)
            )
            return Value(kind, leaves, natural=name in self.naturals)
        if name in self.known:
            return self.known[name]
        for names in (self._cells, self._names, vars(builtins)):
            if name in names:
                return constant(names[name])
        raise Unsupported(f"name {name!r} in line {node.lineno}")

    def _attribute(self, node: ast.Attribute) -> Value:
        of = self.value(node.value)
        if isinstance(of.kind, TupleType):
            fields: tuple[str, ...] = getattr(of.kind.of, "_fields", ())
            if node.attr in fields:
                return items_of(of)[fields.index(node.attr)]
        elif isinstance(of.kind, ArrayType):
            if node.attr == "shape":
                return tuple_of([Value(INT, (extent,), natural=True) for extent in shape(of)])
            if node.attr == "size":
                return arrays.size(self.code, of)
            if node.attr == "ndim":
                return constant(of.kind.ndim)
        elif of.is_constant and hasattr(of.constant, node.attr):
            return constant(getattr(of.constant, node.attr))
        raise Unsupported(f"attribute {node.attr!r} of {told(of.kind)}")

    def _tuple(self, node: ast.Tuple) -> Value:
        return tuple_of(self._all(node.elts))

    def _all(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Write several expressions; ``*x`` stands for the items of x."""
        values: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values += items_of(self.value(node.value))
            else:
                values.append(self.value(node))
        return values

    # Operators

    def _binop(self, node: ast.BinOp) -> Value:
        left = self.value(node.left)
        return arithmetic(self.code, node.op, left, self.value(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            what = self.condition(node.operand)
            if what.is_constant:
                return constant(not what.constant)
            return Value(BOOL, (self.code.value(f"xor i1 {what.leaf}, true"),))
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            if value.is_constant:
                return constant(-value.constant)
            if value.kind is FLOAT:
                return Value(FLOAT, (self.code.value(f"fneg double {value.leaf}"),))
            return arithmetic(self.code, ast.Sub(), constant(0), value)
        if isinstance(node.op, ast.UAdd):
            return value
        raise Unsupported(f"{type(node.op).__name__} in line {node.lineno}")

    def _compare(self, node: ast.Compare) -> Value:
        left, result, done = self.value(node.left), None, None
        place = self.code.slot("i1") if len(node.ops) > 1 else ""
        for number, (operator, other) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if number:
                # As with "and": the next comparison only where all before it hold.
                done = done or self.code.new_block()
                further = self.code.new_block()
                assert result is not None
                self.code.do(f"store i1 {result.leaf}, ptr {place}")
                self.code.branch(result.leaf, further, done)
                self.code.start(further)
            right = self.value(other)
            result = self._compared(operator, left, right)
            left = right
        assert result is not None
        if done is None:
            return result
        self.code.do(f"store i1 {result.leaf}, ptr {place}")
        self.code.jump(done)
        self.code.start(done)
        return Value(BOOL, (self.code.value(f"load i1, ptr {place}"),))

    def _compared(self, operator: ast.cmpop, left: Value, right: Value) -> Value:
        if isinstance(operator, ast.Is | ast.IsNot):
            if not right.is_none:
                raise Unsupported("'is' with anything but None")
            return constant(left.is_none == isinstance(operator, ast.Is))
        if isinstance(operator, ast.In | ast.NotIn):
            found = "false"
            for item in items_of(right):
                same = compared(self.code, ast.Eq(), left, item)
                found = self.code.value(f"or i1 {found}, {same.leaf}")
            if isinstance(operator, ast.NotIn):
                found = self.code.value(f"xor i1 {found}, true")
            return Value(BOOL, (found,))
        if isinstance(left.kind, ArrayType):
            return whole_arrays.mapped(
                self.code, left, BOOL, lambda item: compared(self.code, operator, item, right)
            )
        return compared(self.code, operator, left, right)

    def _boolop(self, node: ast.BoolOp) -> Value:
        decides = isinstance(node.op, ast.Or)
        place, done, computed = self.code.slot("i1"), self.code.new_block(), False
        for operand in node.values:
            value = self.condition(operand)
            if value.is_constant:
                if bool(value.constant) != decides:
                    continue
                if not computed:
                    return constant(decides)
            self.code.do(
                f"store i1 {constant(decides).leaf if value.is_constant else value.leaf}, ptr {place}"
            )
            if value.is_constant:
                break
            computed, further = True, self.code.new_block()
            self.code.branch(value.leaf, *((done, further) if decides else (further, done)))
            self.code.start(further)
        if not computed:
            return constant(not decides)
        self.code.jump(done)
        self.code.start(done)
        return Value(BOOL, (self.code.value(f"load i1, ptr {place}"),))

    def _ifexp(self, node: ast.IfExp) -> Value:
        test = self.condition(node.test)
        if test.is_constant:
            return self.value(node.body if test.constant else node.orelse)
        yes, no, after = self.code.new_block(), self.code.new_block(), self.code.new_block()
        self.code.branch(test.leaf, yes, no)
        ends: list[tuple[Value, Block]] = []
        for block, own in ((yes, node.body), (no, node.orelse)):
            self.code.start(block)
            ends.append((self.value(own), self.code.block))
        kind = unified(ends[0][0].kind, ends[1][0].kind)
        slots = [self.code.slot(register) for register in registers(kind)]
        for value, block in ends:
            self.code.block = block
            self.put(slots, cast(self.code, value, kind))
            self.code.jump(after)
        self.code.start(after)
        leaves = tuple(
            self.code.value(f"load {register}, ptr {slot}")
            for register, slot in zip(registers(kind), slots, strict=True)
        )
        return Value(kind, leaves, natural=all(value.natural for value, _ in ends))

    def put(self, slots: Sequence[str], value: Value) -> None:
        """Store the registers of a value."""
        for register, leaf, slot in zip(registers(value.kind), value.leaves, slots, strict=True):
            self.code.do(f"store {register} {leaf}, ptr {slot}")

    # Items and parts

    def _subscript(self, node: ast.Subscript) -> Value:
        of = self.value(node.value)
        if isinstance(of.kind, TupleType):
            return self._item(of, node.slice)
        places = self.places(node.slice)
        if places is not None:
            return whole_arrays.gathered(self.code, of, places)
        view = self.view(of, node.slice)
        assert isinstance(view.kind, ArrayType)
        return view if view.kind.ndim else arrays.load(self.code, view)

    def view(self, array: Value, brackets: ast.expr) -> Value:
        """Return what the brackets choose of an array, not yet read."""
        nodes = brackets.elts if isinstance(brackets, ast.Tuple) else [brackets]
        indices: list[Index] = []
        for node in nodes:
            if isinstance(node, ast.Slice):
                if node.step is not None:
                    raise Unsupported("slices with a step")
                start, stop = (None if end is None else self.value(end) for end in (node.lower, node.upper))
                indices.append(Slice(start, stop))
            else:
                indices.append(self.value(node))
        return arrays.part(self.code, array, indices)

    def places(self, brackets: ast.expr) -> Value | None:
        """Return the list of places between brackets that are the name of one."""
        if not isinstance(brackets, ast.Name):
            return None
        kind = self.variables[brackets.id][0] if brackets.id in self.variables else None
        return self.value(brackets) if isinstance(kind, ArrayType) else None

    def _item(self, of: Value, brackets: ast.expr) -> Value:
        """Return an item of a tuple."""
        items = items_of(of)
        if isinstance(brackets, ast.Slice):
            ends = [
                None if end is None else self.value(end).constant for end in (brackets.lower, brackets.upper)
            ]
            return tuple_of(items[slice(*ends)])
        index = self.value(brackets)
        if index.is_constant:
            return items[index.constant]
        return self.item_at(items, index)

    def item_at(self, items: Sequence[Value], index: Value) -> Value:
        """Return the item at a place that is known only when the code runs; all are of one type."""
        kind = items[0].kind
        for item in items[1:]:
            kind = unified(kind, item.kind)
        found = cast(self.code, items[-1], kind)
        for number in range(len(items) - 2, -1, -1):
            here = self.code.value(f"icmp eq i64 {index.leaf}, {number}")
            found = chosen(self.code, here, cast(self.code, items[number], kind), found)
        return Value(kind, found.leaves)

    # Calls

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            of = self.value(node.func.value)
            if isinstance(of.kind, ArrayType):
                return method(self.code, of, node.func.attr, self._all(node.args))
        what = self.value(node.func)
        if not what.is_constant:
            raise Unsupported(f"a call in line {node.lineno}")
        function = what.constant
        given = self._all(node.args)
        named = {word.arg: self.value(word.value) for word in node.keywords if word.arg}
        if len(named) < len(node.keywords):
            raise Unsupported("** in a call")
        if isinstance(function, type) and hasattr(function, "_fields"):
            return tuple_of(in_order(given, named, function._fields, {}), function)
        plain = python_function(function)
        if plain is not None:
            return self._called(function, plain, given, named)
        if function in FUNCTIONS:
            return FUNCTIONS[function](self.code, [*given, *named.values()])
        raise Unsupported(f"a call of {getattr(function, '__name__', function)!r}")

    def _called(
        self, function: Any, plain: Callable[..., Any], given: list[Value], named: dict[str, Value]
    ) -> Value:
        names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
        last = plain.__defaults__ or ()
        defaults = dict(zip(names[len(names) - len(last) :], last, strict=True))
        arguments = in_order(given, named, names, defaults)
        callee = self.calls.callee(function, [argument.kind for argument in arguments])
        words = ["ptr %scratch"] + [
            f"{register} {leaf}"
            for argument in arguments
            for register, leaf in zip(registers(argument.kind), argument.leaves, strict=True)
        ]
        returns = callee.returns
        own = [] if returns is None else registers(returns)
        call = f"call {result_type(own)} @{callee.name}({', '.join(words)})"
        if returns is None or not own:
            self.code.do(call)
            self._leave_if_failed(callee)
            return constant(None)
        self.code.makes_arrays = self.code.makes_arrays or holds_arrays(returns)
        result = self.code.value(call)
        self._leave_if_failed(callee)
        if len(own) == 1:
            return Value(returns, (result,))
        whole = result_type(own)
        leaves = tuple(self.code.value(f"extractvalue {whole} {result}, {k}") for k in range(len(own)))
        return Value(returns, leaves)

    def _leave_if_failed(self, callee: Translated) -> None:
        if callee.may_fail:
            place = self.code.value("getelementptr inbounds i8, ptr %scratch, i64 8")
            self.code.leave_if(self.code.value(f"icmp ne i64 {self.code.value(f'load i64, ptr {place}')}, 0"))


def result_type(own: Sequence[str]) -> str:
    """Return the LLVM type in which a function gives back registers."""
    return "void" if not own else own[0] if len(own) == 1 else "{" + ", ".join(own) + "}"


def in_order(
    given: Sequence[Value], named: Mapping[str, Value], names: Sequence[str], defaults: Mapping[str, Any]
) -> list[Value]:
    """Return arguments in the order of a function's parameters."""
    found = dict(zip(names, given, strict=False)) | dict(named)
    if len(given) > len(names) or len(found) != len(given) + len(named) or not set(found) <= set(names):
        raise Unsupported("a call with arguments that do not fit")
    missing = [name for name in names if name not in found and name not in defaults]
    if missing:
        raise Unsupported(f"a call without {', '.join(missing)}")
    return [found[name] if name in found else constant(defaults[name]) for name in names]
