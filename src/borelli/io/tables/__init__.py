"""Tables over time, one file a format, and the tables that tools write."""
