"""Built-in examples, from a model of the library to a folder with tables, pictures and a page."""
