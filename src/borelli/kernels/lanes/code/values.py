"""Numbers that write code: lanes (vectors of instants), scalar integers and the arrays they index.

Each operator emits one LLVM instruction at the current position of its :class:`Emitter`. Exact zeros and
ones given as Python floats vanish while tracing, so that passing ``0.0`` for an absent offset specialises
the code with no further ado.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from llvmlite import ir

FLOAT = ir.DoubleType()
INTEGER = ir.IntType(64)
TABLE_INTEGER = ir.IntType(32)
_SHUFFLE_INDEX = ir.IntType(32)
# Contraction (fused multiply-add) and unsigned zeros are the only liberties: no reassociation, so that
# results do not depend on how instants are distributed over blocks and threads.
FLAGS = ("contract", "nsz")

Number: TypeAlias = "Lanes | float"


class Emitter:
    """Where instructions go, and how many instants one instruction handles.

    Parameters
    ----------
    builder : llvmlite.ir.IRBuilder
        Positioned where code shall be emitted.
    width : int
        Instants in one vector register.
    """

    def __init__(self, builder: Any, width: int) -> None:
        self.builder = builder
        self.width = width
        # A cell that collects angles too large for the polynomial; see sincos.py.
        self.largest_angle: Any = None
        self._constants: dict[tuple[str, int], Any] = {}

    def integer(self, value: int | Integer) -> Integer:
        """Return a constant integer (an Integer is passed through)."""
        return value if isinstance(value, Integer) else Integer(self, ir.Constant(INTEGER, value))

    def lanes(self, value: Number, width: int | None = None) -> Lanes:
        """Return a number as lanes: a Python float becomes the same constant in every lane."""
        if isinstance(value, Lanes):
            return value
        width, number = width or self.width, float(value)
        # By its text, in which 0.0 and -0.0 differ. A constant that is written often is turned to text once.
        key = (repr(number), width)
        if key not in self._constants:
            self._constants[key] = ir.Constant(ir.VectorType(FLOAT, width), [number] * width)
        return Lanes(self, self._constants[key], width)

    def cell(self, kind: Any) -> Any:
        """Return the address of a local variable of an IR type."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(kind)

    def spread(self, scalar: Any, width: int | None = None) -> Lanes:
        """Return a scalar IR value repeated in every lane."""
        width = width or self.width
        builder, empty = self.builder, ir.Constant(ir.VectorType(FLOAT, width), ir.Undefined)
        first = builder.insert_element(empty, scalar, ir.Constant(_SHUFFLE_INDEX, 0))
        zeros = ir.Constant(ir.VectorType(_SHUFFLE_INDEX, width), [0] * width)
        return Lanes(self, builder.shuffle_vector(first, empty, zeros), width)

    def shuffle(self, a: Any, b: Any, order: list[int]) -> Any:
        """Return the IR vector that picks lanes from the concatenation of two IR vectors."""
        return self.builder.shuffle_vector(
            a, b, ir.Constant(ir.VectorType(_SHUFFLE_INDEX, len(order)), order)
        )


class Lanes:
    """One scalar of the physics for several instants at once."""

    __slots__ = ("emitter", "ir", "width")

    def __init__(self, emitter: Emitter, value: Any, width: int) -> None:
        self.emitter = emitter
        self.ir = value
        self.width = width

    def _binary(self, operation: str, other: Number, swapped: bool = False) -> Lanes:
        mine, theirs = self.ir, self.emitter.lanes(other, self.width).ir
        if swapped:
            mine, theirs = theirs, mine
        emit = getattr(self.emitter.builder, operation)
        return Lanes(self.emitter, emit(mine, theirs, flags=FLAGS), self.width)

    def __add__(self, other: Number) -> Lanes:
        return self if _is(other, 0.0) else self._binary("fadd", other)

    __radd__ = __add__

    def __sub__(self, other: Number) -> Lanes:
        return self if _is(other, 0.0) else self._binary("fsub", other)

    def __rsub__(self, other: Number) -> Lanes:
        return -self if _is(other, 0.0) else self._binary("fsub", other, swapped=True)

    def __mul__(self, other: Number) -> Any:
        if _is(other, 0.0):
            return 0.0
        if _is(other, 1.0):
            return self
        return -self if _is(other, -1.0) else self._binary("fmul", other)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Lanes:
        if _is(other, 1.0):
            return self
        return self._binary("fdiv", other)

    def __rtruediv__(self, other: Number) -> Any:
        return 0.0 if _is(other, 0.0) else self._binary("fdiv", other, swapped=True)

    def __neg__(self) -> Lanes:
        return Lanes(self.emitter, self.emitter.builder.fneg(self.ir), self.width)

    def __pos__(self) -> Lanes:
        return self

    def _intrinsic(self, name: str, *others: Number) -> Lanes:
        operands = [self.ir, *(self.emitter.lanes(other, self.width).ir for other in others)]
        kind = self.ir.type
        module = self.emitter.builder.module
        full_name = f"{name}.v{self.width}f64"
        known = module.globals.get(full_name)
        function = known or ir.Function(module, ir.FunctionType(kind, [kind] * len(operands)), full_name)
        return Lanes(self.emitter, self.emitter.builder.call(function, operands), self.width)

    def sqrt(self) -> Lanes:
        """Return the square root, lane by lane."""
        return self._intrinsic("llvm.sqrt")

    def sin(self) -> Lanes:
        """Return the sine of an angle (rad), lane by lane."""
        # Loaded here: sines are written in the numbers of this module.
        from borelli.kernels.lanes.code.sincos import sine_and_cosine

        return sine_and_cosine(self)[0]

    def cos(self) -> Lanes:
        """Return the cosine of an angle (rad), lane by lane."""
        # Loaded here: sines are written in the numbers of this module.
        from borelli.kernels.lanes.code.sincos import sine_and_cosine

        return sine_and_cosine(self)[1]

    def absolute(self) -> Lanes:
        """Return the magnitude, lane by lane."""
        return self._intrinsic("llvm.fabs")

    def floor(self) -> Lanes:
        """Return the largest whole number not above, lane by lane."""
        return self._intrinsic("llvm.floor")

    def exceeds(self, other: Number) -> Any:
        """Return IR bits, one a lane: set where this number is larger (never where either is NaN)."""
        return self.emitter.builder.fcmp_ordered(">", self.ir, self.emitter.lanes(other, self.width).ir)

    def where(self, bits: Any, otherwise: Number) -> Lanes:
        """Return this number in the lanes whose bit is set (one bit: in all lanes), else the other one."""
        other = self.emitter.lanes(otherwise, self.width).ir
        return Lanes(self.emitter, self.emitter.builder.select(bits, self.ir, other), self.width)

    def at_least(self, other: Number) -> Lanes:
        """Return the larger of two numbers, lane by lane; ``other`` where either is NaN."""
        return self.where(self.exceeds(other), other)

    def at_most(self, other: Number) -> Lanes:
        """Return the smaller of two numbers, lane by lane; this one where either is NaN."""
        return self.emitter.lanes(other, self.width).where(self.exceeds(other), self)


def _is(number: object, value: float) -> bool:
    return isinstance(number, (int, float)) and number == value


class Integer:
    """A scalar integer known when the kernel runs: sizes, row numbers, offsets."""

    __slots__ = ("emitter", "ir")

    def __init__(self, emitter: Emitter, value: Any) -> None:
        self.emitter = emitter
        self.ir = value

    def _binary(self, operation: str, other: int | Integer) -> Integer:
        emit = getattr(self.emitter.builder, operation)
        return Integer(self.emitter, emit(self.ir, self.emitter.integer(other).ir))

    def __add__(self, other: int | Integer) -> Integer:
        return self if isinstance(other, int) and other == 0 else self._binary("add", other)

    __radd__ = __add__

    def __sub__(self, other: int | Integer) -> Integer:
        return self._binary("sub", other)

    def __mul__(self, other: int | Integer) -> Integer:
        return self if isinstance(other, int) and other == 1 else self._binary("mul", other)

    __rmul__ = __mul__

    def __floordiv__(self, other: int | Integer) -> Integer:
        return self._binary("sdiv", other)

    def __and__(self, other: int | Integer) -> Integer:
        return self._binary("and_", other)

    def compare(self, relation: str, other: int | Integer) -> Any:
        """Return the truth (an IR bit) of ``self <relation> other``; relation as in C."""
        return self.emitter.builder.icmp_signed(relation, self.ir, self.emitter.integer(other).ir)

    def at_most(self, other: int | Integer) -> Integer:
        """Return the smaller of two integers."""
        return self.where(self.compare("<", other), other)

    def where(self, bit: Any, otherwise: int | Integer) -> Integer:
        """Return this integer where the bit is set, else the other one."""
        return Integer(
            self.emitter, self.emitter.builder.select(bit, self.ir, self.emitter.integer(otherwise).ir)
        )


class Doubles:
    """A flat array of doubles in memory."""

    __slots__ = ("emitter", "pointer")

    def __init__(self, emitter: Emitter, pointer: Any) -> None:
        self.emitter = emitter
        self.pointer = pointer

    def where(self, bit: Any, otherwise: Doubles) -> Doubles:
        """Return this array if the bit is set, else the other one."""
        return Doubles(self.emitter, self.emitter.builder.select(bit, self.pointer, otherwise.pointer))

    def address(self, index: int | Integer) -> Any:
        """Return the IR address of an element."""
        return self.emitter.builder.gep(self.pointer, [self.emitter.integer(index).ir])

    def scalar(self, index: int | Integer) -> Any:
        """Return one element as a scalar IR value."""
        return self.emitter.builder.load(self.address(index))

    def whole(self, index: int | Integer) -> Integer:
        """Return the whole number of 64 bits that lies in the place of an element."""
        place = self.emitter.builder.bitcast(self.address(index), INTEGER.as_pointer())
        return Integer(self.emitter, self.emitter.builder.load(place))

    def array(self, index: int | Integer) -> Doubles:
        """Return the array whose address lies in the place of an element."""
        pointer = self.emitter.builder.inttoptr(self.whole(index).ir, FLOAT.as_pointer())
        return Doubles(self.emitter, pointer)

    def spread(self, index: int | Integer, width: int | None = None) -> Lanes:
        """Return one element repeated in every lane."""
        return self.emitter.spread(self.scalar(index), width)

    def load(self, index: int | Integer, width: int | None = None) -> Lanes:
        """Return consecutive elements as lanes."""
        width = width or self.emitter.width
        builder = self.emitter.builder
        place = builder.bitcast(self.address(index), ir.VectorType(FLOAT, width).as_pointer())
        return Lanes(self.emitter, builder.load(place, align=8), width)

    def store(self, index: int | Integer, value: Number) -> None:
        """Write lanes to consecutive elements."""
        builder, lanes = self.emitter.builder, self.emitter.lanes(value)
        place = builder.bitcast(self.address(index), ir.VectorType(FLOAT, lanes.width).as_pointer())
        builder.store(lanes.ir, place, align=8)

    def stream(self, index: int | Integer, value: Lanes) -> None:
        """Write lanes past the caches; the place must be aligned to the whole vector."""
        builder = self.emitter.builder
        place = builder.bitcast(self.address(index), value.ir.type.as_pointer())
        store = builder.store(value.ir, place, align=8 * value.width)
        store.set_metadata("nontemporal", builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)]))

    def prefetch(self, index: int | Integer) -> None:
        """Have the line of an element brought into the caches; it need not be part of the array."""
        module, builder = self.emitter.builder.module, self.emitter.builder
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = module.globals.get("llvm.prefetch.p0") or ir.Function(module, kind, "llvm.prefetch.p0")
        # To be read, into the second cache (the first is full of rows), as data.
        builder.call(function, [builder.bitcast(self.address(index), byte), number(0), number(2), number(1)])

    def store_scalar(self, index: int | Integer, value: Any) -> None:
        """Write one scalar IR value."""
        self.emitter.builder.store(value, self.address(index))


class Integers:
    """A flat array of the integers of tables, in memory."""

    __slots__ = ("emitter", "pointer")

    def __init__(self, emitter: Emitter, pointer: Any) -> None:
        self.emitter = emitter
        self.pointer = pointer

    def __getitem__(self, index: int | Integer) -> Integer:
        emitter = self.emitter
        place = emitter.builder.gep(self.pointer, [emitter.integer(index).ir])
        return Integer(emitter, emitter.builder.sext(emitter.builder.load(place), INTEGER))
