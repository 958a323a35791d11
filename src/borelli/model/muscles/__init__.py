"""Muscles: one class a published model."""
