"""One trial, from files to a saved result."""
