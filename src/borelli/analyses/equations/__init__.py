"""The equations of motion themselves: their matrices and their closed form."""
