"""A model becomes that of a subject: what each of its parts does when bodies change their size."""
