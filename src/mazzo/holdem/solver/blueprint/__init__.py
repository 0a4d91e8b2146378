"""A blueprint of heads-up limit Hold'em: its whole betting, with hands that are played alike in buckets."""
