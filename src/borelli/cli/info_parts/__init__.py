"""What ``borelli info`` shows, one file a kind of thing."""
