"""Between a question and the kernels: unlabelled arrays about one prepared motion."""
