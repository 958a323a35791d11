"""LLVM assembly of one function, block by block, as text: the fastest way from Python to LLVM."""

from __future__ import annotations

import struct

from borelli.kernels.native.types import BOOL, FLOAT, Scalar


class Block:
    """Instructions without a jump, ended by one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []
        self.ended = False


class Code:
    """The blocks of a function; instructions go to the current one."""

    def __init__(self) -> None:
        self.makes_arrays = False
        """Whether there is memory to be given back at the end"""
        self._count = 0
        self._slots = Block("slots")
        self._blocks = [self._slots]
        self.exit = self.new_block()
        """Where the function ends, whatever happens"""
        self.may_fail = False
        """Whether there may be no memory for an array of its own, or of those that it calls"""
        self.block = self.start(self.new_block())

    def new_block(self) -> Block:
        """Return a block that instructions may jump to; it takes its place when it is started."""
        self._count += 1
        return Block(f"b{self._count}")

    def start(self, block: Block) -> Block:
        """Go on with a block."""
        self._blocks.append(block)
        self.block = block
        return block

    def value(self, instruction: str) -> str:
        """Add an instruction and return the register of its result."""
        self._count += 1
        name = f"%v{self._count}"
        self.do(f"{name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Add an instruction without a result; what nothing leads to is left out."""
        if not self.block.ended:
            self.block.lines.append(instruction)

    def jump(self, block: Block) -> None:
        """End the current block by going to another."""
        self.do(f"br label %{block.name}")
        self.block.ended = True

    def branch(self, condition: str, yes: Block, no: Block) -> None:
        """End the current block by going to one of two."""
        self.do(f"br i1 {condition}, label %{yes.name}, label %{no.name}")
        self.block.ended = True

    def leave_if(self, condition: str) -> None:
        """End the function where there was no memory; what it returns is then not looked at."""
        self.may_fail = True
        others = self.new_block()
        self.branch(condition, self.exit, others)
        self.start(others)

    def slot(self, register: str) -> str:
        """Return the address of a place for a register, for the whole function; LLVM makes a register of it."""
        self._count += 1
        name = f"%s{self._count}"
        self._slots.lines.append(f"{name} = alloca {register}")
        return name

    def on_entry(self, instruction: str) -> None:
        """Add an instruction before all others."""
        self._slots.lines.append(instruction)

    def text(self) -> str:
        """Return all blocks; one that nothing ends is never reached."""
        self._slots.lines.append(f"br label %{self._blocks[1].name}")
        self._slots.ended = True
        parts = []
        for block in self._blocks:
            lines = block.lines if block.ended else [*block.lines, "unreachable"]
            parts.append(f"{block.name}:\n  " + "\n  ".join(lines))
        return "\n".join(parts)


def literal(number: float | int | bool, kind: Scalar) -> str:
    """Write a number as LLVM does: every bit of a float."""
    if kind is FLOAT:
        return "0x" + struct.pack(">d", float(number)).hex().upper()
    if kind is BOOL:
        return "true" if number else "false"
    return str(int(number))
