"""Exact expected values of every play, for any shoe and any rules, by counting."""
