"""Names become indices, functions become tables."""
