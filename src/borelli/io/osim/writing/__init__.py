"""Parts of a model as OpenSim 4 writes them."""
