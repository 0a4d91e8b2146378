"""What to bet: the compositions a shoe goes through, what they are worth, counting, staking, ruin."""
