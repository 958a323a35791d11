"""What each OpenSim tool means: its setup in, its tables out."""
