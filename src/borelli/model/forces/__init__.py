"""Forces other than muscles: springs, ligaments, actuators, formulas, contact."""
