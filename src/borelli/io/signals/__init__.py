"""Rows as recorded, made fit for computing: units, gaps, filters, splines, coupled coordinates."""
