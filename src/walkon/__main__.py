"""`python -m walkon` is `walkon`."""

from walkon.cli.main import main

main()
