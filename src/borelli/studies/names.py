"""Names of the files of a study, and of what they may be matched by."""

from __future__ import annotations

from fnmatch import fnmatchcase

ALL = "*"
DESIGN = "study.json"
"""What was asked: subjects, conditions, trials. What became of it is derived from the folders."""
TRIALS, RUNNING, MODELS, MOTIONS, PARTS = "trials", "running", "models", "motions", "parts"
DATASET, MEANS, SUMMARY, PAGE = "dataset", "means", "summary.json", "study.html"
WIDE = "wide.csv"
"""One row a subject and condition."""
ERROR_ENDING = ".error.json"
KEY_DIGITS = 16
"""Of a content hash in the name of a folder: collisions among a billion trials are a matter of 1 in 40."""
EVERYBODY = "all subjects"
TOTAL = "total"
"""Name of the source that is the sum of all."""


def wanted(name: str, patterns: list[str]) -> bool:
    """Whether a name fits one of the patterns, in which ``*`` stands for anything."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
