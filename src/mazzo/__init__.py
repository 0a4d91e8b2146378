"""Mazzo: find, learn, measure, explain and play strategies for card games."""

__version__ = "0.1.0"
