"""Exact and sampled equity."""
