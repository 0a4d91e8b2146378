"""The commands of Hold'em."""
