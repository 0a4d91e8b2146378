"""Hands of poker rooms: text, amounts and cards, the hand as a room tells it, its replay and its accounts."""
