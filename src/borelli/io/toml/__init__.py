"""Files of Borelli's own, written by hand: models, subjects and trials."""
