"""How alike two players play: in matches of their own, and on the hands of a log."""
