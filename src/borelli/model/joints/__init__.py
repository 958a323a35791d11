"""Joints and their coordinates: how one body is carried by another."""
