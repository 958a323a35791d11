"""The fast back end: node functions traced into LLVM vector code over blocks of instants.

A *lane number* looks like a float to the code that computes with it, but its operators write vector
instructions. Running a node function once on lane numbers therefore compiles it. The machine code works on
blocks of instants held as rows (one row per scalar, one column per instant), knows no particular model (trees
are tables of integers and floats), and is kept on disk between processes.

What writes code is in :mod:`~borelli.kernels.lanes.code`, what a kernel reads in :mod:`~borelli.kernels.lanes.tables`,
what it does in :mod:`~borelli.kernels.lanes.passes`; :mod:`~borelli.kernels.lanes.driver` asks the questions.
"""
