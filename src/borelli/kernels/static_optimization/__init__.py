"""Which muscles carry a load: separable convex programs, one small one at each instant."""
