"""Functions of coordinates or of time: formulas, polynomials, splines through data points, users' expressions."""
