"""Best responses and equilibria."""
