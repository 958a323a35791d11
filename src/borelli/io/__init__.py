"""One file per format; formats of several parts, and what several formats need, are in folders.

The files beside the folders pick a reader by the name of a file, and make of what it reads what the library computes
with: models, motions, loads, markers, tables. No folder needs these files.
"""
