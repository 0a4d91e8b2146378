"""Deals that agree with what was seen: counted exactly, and sampled."""
