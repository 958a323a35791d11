"""What ``borelli planar`` shows and writes."""
