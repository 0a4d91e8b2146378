"""`python -m mazzo`."""

from mazzo.cli import main

main()
