"""Every word that people are shown at a table: sentences by key, one file per language."""
