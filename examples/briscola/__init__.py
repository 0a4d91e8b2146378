"""Briscola for two, as a game outside the package: the guide on extending names these files in order."""
