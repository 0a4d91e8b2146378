"""Counting: systems of tags, effects of removal, index plays, a drill."""
