"""Runs the command line by `python -m walkon`."""

from walkon.cli.main import main

main()
