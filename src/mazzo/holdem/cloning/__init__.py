"""Cloning a player: data sets of its decisions, models that predict them, and how alike a clone plays."""
