"""What files of text are made of, whatever they are about: rows of numbers, XML, TOML, names of other files."""
