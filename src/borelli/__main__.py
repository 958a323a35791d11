"""``python -m borelli``: the command line where scripts are not on the search path."""

from borelli.cli.main import main

if __name__ == "__main__":
    main()
