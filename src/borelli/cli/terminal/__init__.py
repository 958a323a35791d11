"""How commands talk to a terminal: text shown as it is, warnings, bars, words of the command line."""
