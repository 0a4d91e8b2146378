"""Matches, their statistics, and the workers that play them."""
