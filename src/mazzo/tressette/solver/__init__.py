"""Open hands: what each card is worth when everyone sees all cards and plays perfectly."""
