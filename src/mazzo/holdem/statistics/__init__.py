"""What players did, counted: tallies of a log and the figures made from them."""
