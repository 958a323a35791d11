"""Kernels written in plain Python, compiled by LLVM without Numba.

Kernels use little of the language: numbers, arrays, tuples, loops and calls of each other. That little is translated in
one pass, a hundred times as fast as by a compiler of everything, into one module of LLVM assembly in which calls
stay calls; LLVM optimises it once. What is outside this subset is left to Numba.

The way of a call: :mod:`arguments` finds the types, :mod:`kernel` looks for code of these types in the process and on
disk, :mod:`translate` writes it where there is none (with :mod:`statements`, :mod:`expressions`, :mod:`arrays`,
:mod:`whole_arrays` and :mod:`known_functions`).
"""
