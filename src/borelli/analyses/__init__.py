"""The public questions, one file each: objects in, a labelled answer out."""
