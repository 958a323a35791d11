"""Paths over bodies and surfaces, compiled by Numba: what branches and searches.

Nothing here raises, prints or sees a name; outcomes are numbers.
"""
