"""Passes over nodes, joints and speeds, and the kernels that are made of them."""
