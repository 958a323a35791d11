"""Steps: contacts of the feet, cycles between them, and the curves and bands of a gait laboratory."""
