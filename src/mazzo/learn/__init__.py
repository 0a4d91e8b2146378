"""Learning that knows no game: fitted Q-iteration, its evaluation, forests as arrays, bandits."""
