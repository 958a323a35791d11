"""What a body is: frozen dataclasses, no files, no kernels."""
