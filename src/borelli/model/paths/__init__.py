"""Paths of muscles, ligaments and springs, and the surfaces that they slide over."""
