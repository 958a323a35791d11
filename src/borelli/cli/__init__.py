"""The command line: one command a file; what several commands share, and the parts of large ones, are in folders."""
