"""What retraces Bodon's methods or approximates: nothing here is needed to play; the exact values are in `exact`."""
