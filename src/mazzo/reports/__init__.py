"""Reports: what was measured, drawn and written so that a person enjoys reading it."""
