"""What inverse kinematics is made of: what is given, the fit, and its answer."""
