"""How sure an interval is, as a number and in words; all that makes or names an interval takes it from here."""

__all__ = ["CONFIDENCE", "INTERVAL", "LEVEL"]

CONFIDENCE = 0.95
"""The chance that an interval holds the true figure."""
LEVEL = f"{100 * CONFIDENCE:g} %"
"""In front of an interval, or over a column of them."""
INTERVAL = f"{LEVEL} interval"
"""The head of a column of intervals."""
