"""From kernels to one module of LLVM assembly: the function that Python calls, and all that it calls."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from borelli.kernels.native.expressions import Translated, python_function, result_type
from borelli.kernels.native.fingerprint import fingerprint
from borelli.kernels.native.known_functions import DECLARATIONS
from borelli.kernels.native.statements import RETURNED, Retyped, Statements
from borelli.kernels.native.types import Type, Unsupported, holds_arrays, registers, told
from borelli.kernels.native.values import Value, constant

ENTRY = "borelli_entry"
_MOST_TYPES = 50
"""Variables of a kernel that turn out to be of a wider type, such as a float that begins as 0: one a try."""

# Arrays that a kernel makes are listed in a chain of blocks, each of which begins with the address of the one before.
# After the chain's own address stands whether there was no memory for one of them: every function then ends at once.
_SCRATCH = """
declare ptr @calloc(i64, i64) nounwind
declare void @free(ptr) nounwind
define internal ptr @borelli_scratch(ptr %scratch, i64 %count, i64 %bytes) noinline nounwind {
  %items = mul nsw i64 %count, %bytes
  %size = add nsw i64 %items, 16
  %block = call ptr @calloc(i64 1, i64 %size)
  %none = icmp eq ptr %block, null
  br i1 %none, label %full, label %made
full:
  %failed = getelementptr inbounds i8, ptr %scratch, i64 8
  store i64 1, ptr %failed
  ret ptr null
made:
  %before = load ptr, ptr %scratch
  store ptr %before, ptr %block
  store ptr %block, ptr %scratch
  %array = getelementptr inbounds i8, ptr %block, i64 16
  ret ptr %array
}
define internal void @borelli_give_back(ptr %scratch, ptr %mark) noinline nounwind {
  br label %next
next:
  %block = load ptr, ptr %scratch
  %done = icmp eq ptr %block, %mark
  br i1 %done, label %end, label %one
one:
  %before = load ptr, ptr %block
  store ptr %before, ptr %scratch
  call void @free(ptr %block)
  br label %next
end:
  ret void
}
"""


class Part(NamedTuple):
    """A function that is compiled once for all kernels that call it.

    Attributes
    ----------
    symbol : str
        Its name for the linker, which tells function, types and all that it is made from.
    text : str
        LLVM assembly of it and of what it calls.
    declaration : str
        What a module says that calls it.
    made : Translated
    parts : tuple of Part
        Such functions that it calls in turn.
    """

    symbol: str
    text: str
    declaration: str
    made: Translated
    parts: tuple[Part, ...]


class Module:
    """Functions of one module, each for the types it is called with."""

    def __init__(self) -> None:
        self._functions: dict[tuple[Any, ...], Translated | None] = {}
        self.texts: list[str] = []
        self.parts: dict[str, Part] = {}
        """Functions that are compiled elsewhere"""

    def callee(self, function: Any, kinds: Sequence[Type]) -> Translated:
        """Return a function for these types; it is translated where it has not been."""
        plain = python_function(function)
        assert plain is not None
        key = (plain, *kinds)
        if key in self._functions:
            known = self._functions[key]
            if known is None:
                raise Unsupported(f"{plain.__name__} calls itself")
            return known
        if getattr(function, "is_shared", False) and self._functions:
            part = shared_part(function, tuple(kinds))
            self.texts.append(part.declaration)
            self.parts |= {each.symbol: each for each in (*part.parts, part)}
            self._functions[key] = part.made
            return part.made
        self._functions[key] = None
        name = f"{plain.__name__}.{len(self._functions)}"
        returns, text, may_fail = self._translated(plain, kinds, name, getattr(function, "is_inlined", False))
        self.texts.append(text)
        self._functions[key] = made = Translated(name, returns, may_fail)
        return made

    def _translated(
        self, plain: Callable[..., Any], kinds: Sequence[Type], name: str, is_inlined: bool
    ) -> tuple[Type | None, str, bool]:
        declared: dict[str, Type] = {}
        for _ in range(_MOST_TYPES):
            try:
                return _written(plain, kinds, name, is_inlined, self, declared)
            except Retyped as wider:
                declared[wider.name] = wider.kind
            except Unsupported as reason:
                told = str(reason)
                raise Unsupported(
                    told if " in " in told else f"{told}, in {plain.__module__}.{name}"
                ) from reason
        raise Unsupported(f"{plain.__name__}: types that grow without end")


def _written(
    plain: Callable[..., Any],
    kinds: Sequence[Type],
    name: str,
    is_inlined: bool,
    module: Module,
    declared: dict[str, Type],
) -> tuple[Type | None, str, bool]:
    """Write a function; return the type of what it returns, its text, and whether it may lack memory."""
    tree = syntax(plain)
    parameters = [argument.arg for argument in tree.args.args]
    if tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or len(parameters) != len(kinds):
        raise Unsupported(f"the parameters of {plain.__name__}")
    writer = Statements(plain, module, declared)
    writer.naturals = _naturals(tree)
    words = ["ptr %scratch"]
    for parameter, kind in zip(parameters, kinds, strict=True):
        own = [f"%{parameter}.{number}" for number in range(len(registers(kind)))]
        words += [f"{register} {leaf}" for register, leaf in zip(registers(kind), own, strict=True)]
        writer.assign(parameter, Value(kind, tuple(own)) if own else constant(None))
    writer.body(tree.body)
    if not writer.code.block.ended:
        writer.code.jump(writer.exit)
    writer.code.start(writer.exit)
    returns, slots = writer.variables.get(RETURNED, (None, []))
    if writer.code.makes_arrays and not (returns is not None and holds_arrays(returns)):
        mark = "%mark"
        writer.code.on_entry(f"{mark} = load ptr, ptr %scratch")
        writer.code.do(f"call void @borelli_give_back(ptr %scratch, ptr {mark})")
    own = [] if returns is None else registers(returns)
    _return(writer, own, slots)
    attributes = "alwaysinline nounwind" if is_inlined else "nounwind"
    head = f"define internal {result_type(own)} @{name}({', '.join(words)}) {attributes}"
    return returns, f"{head} {{\n{writer.code.text()}\n}}\n", writer.code.may_fail


@functools.cache
def shared_part(function: Any, kinds: tuple[Type, ...]) -> Part:
    """Translate a function that has a module of its own, and what it calls."""
    module = Module()
    made = module.callee(function, kinds)
    digest = hashlib.sha256(fingerprint(function.py_func) + ", ".join(map(told, kinds)).encode())
    symbol = f"borelli_{function.py_func.__name__}_{digest.hexdigest()[:24]}"
    # The function itself is written last, after all that it calls.
    text = (
        module.texts[-1].replace("define internal ", "define ", 1).replace(f"@{made.name}(", f"@{symbol}(", 1)
    )
    words = ", ".join(["ptr", *(register for kind in kinds for register in registers(kind))])
    own = [] if made.returns is None else registers(made.returns)
    return Part(
        symbol,
        "\n".join([DECLARATIONS, _SCRATCH, *module.texts[:-1], text]),
        f"declare {result_type(own)} @{symbol}({words}) nounwind\n",
        replace(made, name=symbol),
        tuple(module.parts.values()),
    )


def _return(writer: Statements, own: Sequence[str], slots: Sequence[str]) -> None:
    code = writer.code
    leaves = [code.value(f"load {register}, ptr {slot}") for register, slot in zip(own, slots, strict=True)]
    if len(own) < 2:
        code.do(f"ret {own[0]} {leaves[0]}" if own else "ret void")
    else:
        whole, result = result_type(own), "poison"
        for number, (register, leaf) in enumerate(zip(own, leaves, strict=True)):
            result = code.value(f"insertvalue {whole} {result}, {register} {leaf}, {number}")
        code.do(f"ret {whole} {result}")
    code.block.ended = True


@functools.cache
def syntax(plain: Callable[..., Any]) -> ast.FunctionDef:
    """Return the syntax tree of a function."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(plain))).body[0]
    except (OSError, SyntaxError) as error:
        raise Unsupported(f"{plain.__name__} without its source: {error}") from error
    if not isinstance(tree, ast.FunctionDef):
        raise Unsupported(f"{plain.__name__} is no plain function")
    return tree


def _naturals(tree: ast.FunctionDef) -> frozenset[str]:
    """Return the names that hold nothing but numbers counted upwards from zero or a positive constant."""
    counted: set[str] = set()
    other = {argument.arg for argument in tree.args.args}
    counters: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and _counts_up(node.iter):
            counted.add(node.target.id)
            counters.add(id(node.target))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in counters:
            other.add(node.id)
    return frozenset(counted - other)


def _counts_up(iterable: ast.expr) -> bool:
    if not (
        isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and iterable.func.id == "range"
    ):
        return False
    words = iterable.args
    numbers = [word.value if isinstance(word, ast.Constant) else None for word in words]
    start = 0 if len(words) == 1 else numbers[0]
    upwards = len(words) < 3 or (isinstance(numbers[2], int) and numbers[2] > 0)
    return upwards and isinstance(start, int) and start >= 0


def module_text(function: Any, kinds: Sequence[Type]) -> tuple[str, Type | None, tuple[Part, ...]]:
    """Translate a kernel and all that it calls.

    Returns
    -------
    str
        LLVM assembly. Its function :data:`ENTRY` takes the address of the arguments, 8 bytes for each register, and
        that of memory for the results. It returns 0, or 1 where there was no memory for an array: nothing is then in
        the results.
    Type or None
        What the kernel returns.
    tuple of Part
        What has to be linked with it.

    Raises
    ------
    Unsupported
        If anything in it is not translated.
    """
    module = Module()
    callee = module.callee(function, kinds)
    returns = callee.returns
    if returns is not None and holds_arrays(returns):
        raise Unsupported("a kernel that returns an array to Python")
    lines, words = (
        ["%scratch = alloca {ptr, i64}", "store {ptr, i64} zeroinitializer, ptr %scratch"],
        ["ptr %scratch"],
    )
    for number, register in enumerate(one for kind in kinds for one in registers(kind)):
        memory = "i64" if register == "i1" else register
        lines.append(f"%p{number} = getelementptr inbounds i64, ptr %given, i64 {number}")
        lines.append(f"%a{number} = load {memory}, ptr %p{number}")
        if register == "i1":
            lines.append(f"%c{number} = icmp ne i64 %a{number}, 0")
        words.append(f"{register} %{'c' if register == 'i1' else 'a'}{number}")
    own = [] if returns is None else registers(returns)
    call = f"call {result_type(own)} @{callee.name}({', '.join(words)})"
    lines.append(f"%result = {call}" if own else call)
    for number, register in enumerate(own):
        leaf = "%result"
        if len(own) > 1:
            leaf = f"%r{number}"
            lines.append(f"{leaf} = extractvalue {result_type(own)} %result, {number}")
        if register == "i1":
            lines.append(f"%z{number} = zext i1 {leaf} to i64")
            register, leaf = "i64", f"%z{number}"
        lines.append(f"%q{number} = getelementptr inbounds i64, ptr %answer, i64 {number}")
        lines.append(f"store {register} {leaf}, ptr %q{number}")
    lines += [
        "call void @borelli_give_back(ptr %scratch, ptr null)",
        "%place = getelementptr inbounds i8, ptr %scratch, i64 8",
        "%failed = load i64, ptr %place",
        "ret i64 %failed",
    ]
    entry = f"define i64 @{ENTRY}(ptr %given, ptr %answer) nounwind {{\n  " + "\n  ".join(lines) + "\n}\n"
    text = "\n".join([DECLARATIONS, _SCRATCH, *module.texts, entry])
    return text, returns, tuple(module.parts.values())
