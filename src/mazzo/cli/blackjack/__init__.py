"""The commands of blackjack."""
