"""The coach who knows ranges: who stands for each player, what each play is worth, and what is called a mistake."""
