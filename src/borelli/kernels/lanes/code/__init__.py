"""Numbers and loops that write vector code, and how that code is compiled and kept."""
