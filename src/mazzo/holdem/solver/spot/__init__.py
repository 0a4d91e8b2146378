"""Spots: two ranges, a board, a pot and stacks after the flop, solved by regret minimisation over vectors of hands."""
