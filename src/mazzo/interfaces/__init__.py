"""Mazzo's games as environments of Gymnasium and PettingZoo, for those who bring their own learner.

`BlackjackEnv` is a Gymnasium environment, `HoldemEnv` and `TressetteEnv` are PettingZoo (AEC) environments. They hold
no rules: every action goes to the same engines that the rest of Mazzo plays on. They need `pip install 'mazzo[gym]'`.
"""

from __future__ import annotations

from mazzo.extras import said_how_to_install

with said_how_to_install():
    import gymnasium
    import pettingzoo  # noqa: F401  # asked for here so that what is missing is said in one place

from mazzo.interfaces.blackjack import BlackjackEnv
from mazzo.interfaces.holdem import HoldemEnv
from mazzo.interfaces.tressette import TressetteEnv

__all__ = ["BlackjackEnv", "HoldemEnv", "TressetteEnv"]

gymnasium.register(id="mazzo/Blackjack-v0", entry_point="mazzo.interfaces.blackjack:BlackjackEnv")
