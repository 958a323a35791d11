"""Which motion forces cause."""
