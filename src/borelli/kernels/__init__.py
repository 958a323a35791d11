"""Tree algorithms over abstract numbers, and the back ends that run them."""
