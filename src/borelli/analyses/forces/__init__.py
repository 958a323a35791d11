"""Which forces a motion needs, and where they come from."""
