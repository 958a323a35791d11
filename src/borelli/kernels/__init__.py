"""Arrays in, arrays and status codes out: what computes, and nothing that has a name."""
