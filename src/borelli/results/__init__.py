"""Labelled tables, units, saving, and the shares of one number.

The files beside the folders answer questions about any result: what one number is made of, what each joint bears, how
far to trust it.
"""
