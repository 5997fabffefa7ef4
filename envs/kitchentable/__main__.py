"""`python -m kitchentable`: the command line."""

from kitchentable.cli import main

if __name__ == "__main__":
    main()
