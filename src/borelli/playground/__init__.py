"""A planar body to drag, as one page that needs no server: its loads follow, and where each part of them comes from."""
