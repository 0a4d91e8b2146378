"""Gymnasium's and PettingZoo's own checks, and that what the environments pay is what the engines pay."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import reload
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers

from mazzo.agent import create
from mazzo.blackjack.agents import AGENTS as BLACKJACK_AGENTS
from mazzo.blackjack.round import Round as BlackjackRound
from mazzo.blackjack.rules import named_rules
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import Hand, find_game
from mazzo.holdem.agents import AGENTS as HOLDEM_AGENTS
from mazzo.holdem.match import HoldemMatch
from mazzo.interfaces import BlackjackEnv, HoldemEnv, TressetteEnv
from mazzo.interfaces.blackjack import ACTIONS
from mazzo.interfaces.table import TableEnv
from mazzo.tressette.agents import AGENTS as TRESSETTE_AGENTS
from mazzo.tressette.round import Round as TressetteRound

TABLES: dict[str, Callable[..., TableEnv]] = {
    "leduc": partial(HoldemEnv, "leduc-2p"),
    "limit": partial(HoldemEnv, "holdem-limit-2p", rotate=True),
    "limit of ten": partial(HoldemEnv, "holdem-limit-10p"),
    "no limit": partial(HoldemEnv, "holdem-nolimit-6p"),
    "every raise": partial(HoldemEnv, "holdem-nolimit-2p", every_raise=True),
    "tressette": TressetteEnv,
    "tressette with signals": partial(TressetteEnv, talk=True, named=True),
}
EVERY_TABLE = pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
# Said of every environment whose observation is a dictionary with a mask, but for PettingZoo's own, listed by name.
KNOWN = [
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
]


def play_at_random(env: TableEnv, seed: int) -> dict[str, float]:
    """One deal by chance among what the masks allow; what everybody got."""
    rng, rewards = np.random.default_rng(seed), {}
    for name in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        assert not truncated
        if terminated:
            rewards[name] = float(reward)
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return rewards


@EVERY_TABLE
@pytest.mark.filterwarnings(*KNOWN)
def test_tables_pass_pettingzoos_api_test(make: Callable[..., TableEnv], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(make(), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


@EVERY_TABLE
def test_tables_pass_pettingzoos_seed_test(make: Callable[..., TableEnv]) -> None:
    seed_test(make, num_cycles=40)


@EVERY_TABLE
def test_tables_pass_pettingzoos_render_test(make: Callable[..., TableEnv]) -> None:
    render_test(make)


@pytest.mark.parametrize("rules", ["strip", "hungarian", "h17", "european"])
@pytest.mark.parametrize("through", [False, True])
def test_blackjack_passes_gymnasiums_check(rules: str, through: bool) -> None:
    check_env(gymnasium.make("mazzo/Blackjack-v0", rules=rules, through=through, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("name", ["holdem-limit-2p", "holdem-nolimit-3p", "holdem-limit-6p", "leduc-2p", "kuhn-3p"])
def test_holdem_pays_what_the_engine_pays_for_the_hand_that_was_played(name: str) -> None:
    env = HoldemEnv(name, rotate=True)
    env.reset(seed=7)
    for number in range(20):
        rewards = play_at_random(env, number)
        again = Hand.parse(env.hand.line(), env.game)
        expected = [again.payoffs[env.position(k)] / env.game.big_blind for k in range(env.game.players)]
        assert list(rewards.values()) == expected
        env.reset()


def test_tressette_pays_what_the_engine_counts_for_the_round_that_was_played() -> None:
    env = TressetteEnv(talk=True)
    env.reset(seed=7)
    for number in range(10):
        rewards = play_at_random(env, number)
        ours, theirs = TressetteRound.parse(env.round.text()).points
        assert list(rewards.values()) == [ours - theirs, theirs - ours] * 2
        env.reset()


@pytest.mark.parametrize("rules", ["strip", "hungarian"])
def test_blackjack_pays_what_the_engine_pays_for_the_same_plays(rules: str) -> None:
    env = BlackjackEnv(rules, strict=True)
    rng = np.random.default_rng(1)
    env.reset(seed=3)
    for _ in range(300):
        plays, over, reward = [], False, 0.0
        while not over:
            chosen = int(rng.choice(np.flatnonzero(env.action_mask())))
            plays.append(ACTIONS[chosen])
            _, reward, over, _, _ = env.step(np.int64(chosen))
        assert env.game is not None
        engine = BlackjackRound(rules, shoe=env.game.before, key=env.game.key)
        for play in plays:
            if not engine.over:
                engine.act("leave" if play == "pass" else play)
        assert engine.payoffs == (reward,)
        env.reset()


def test_agents_at_the_holdem_environment_win_what_they_win_in_a_match_on_the_same_deals() -> None:
    names, deals = ["chart", "call"], 12
    game = find_game("holdem-limit-2p")
    agents = [create(name, HOLDEM_AGENTS) for name in names]
    won = np.zeros((deals, 2))
    for turned in (0, 1):
        env = HoldemEnv(game)
        env.reset(seed=5)
        for deal in range(deals):
            while env._to_act() is not None:
                env.let_play(agents[(env.hand.actor or 0) ^ turned])
            results = list(env.rewards.values())
            won[deal] += results[::-1] if turned else results
            env.reset()
    assert won / 2 == pytest.approx(HoldemMatch(game).play(agents, range(deals), 5)[0])


def test_agents_of_mazzo_play_at_every_table() -> None:
    blackjack = BlackjackEnv("hungarian")
    blackjack.reset(seed=1)
    over = False
    while not over:
        over = blackjack.let_play(create("random", BLACKJACK_AGENTS))[2]
    tressette = TressetteEnv()
    tressette.reset(seed=1)
    while not tressette.round.over:
        tressette.let_play(create("greedy", TRESSETTE_AGENTS))
    assert sum(tressette.rewards.values()) == 0


@EVERY_TABLE
def test_what_a_seat_observes_does_not_change_with_the_cards_it_cannot_see(make: Callable[..., TableEnv]) -> None:
    env = make()
    env.reset(seed=11)
    name = env.agent_selection
    player = env.possible_agents.index(name)
    before, more = env.observe(name), env.infos[name]
    if isinstance(env, HoldemEnv):
        own = env.position(player) * env.game.hole_cards
        cards = env.hand._table.cards[0]
        hidden = [k for k in range(len(cards)) if not own <= k < own + env.game.hole_cards]
        cards[hidden] = np.roll(cards[hidden], 1)
    else:
        assert isinstance(env, TressetteEnv)
        others = [seat for seat in range(4) if seat != player]
        for held in (env.round.row.hands, env.round.row.dealt):
            held[0, others] = held[0, np.roll(others, 1)]
    after = env.observe(name)
    assert (before["observation"] == after["observation"]).all()
    assert (before["action_mask"] == after["action_mask"]).all()
    assert str(more) == str(env._more(player))


def test_the_mask_of_blackjack_does_not_tell_what_the_dealer_has_under_an_ace() -> None:
    env, masks = BlackjackEnv("strip"), set()
    env.reset(seed=1)
    for _ in range(2000):
        seen, _ = env.reset()
        assert env.game is not None
        if env.game.upcard == 0 and not env.game.hands[0].natural:
            masks.add(
                (
                    env.game.shoe_after.counts[9] < 96 - sum(c == 9 for c in env.game.hands[0].cards),
                    tuple(seen["action_mask"]),
                )
            )
    assert {natural for natural, _ in masks} == {True, False}
    assert len({mask for _, mask in masks}) == 1


def test_a_shoe_played_through_is_what_the_rounds_left_and_a_seed_opens_a_fresh_one() -> None:
    env = BlackjackEnv("strip", through=True)
    env.reset(seed=1)
    assert env.game is not None
    before = env.game.before.cards
    while env.action_mask().any():
        env.let_play(create("random", BLACKJACK_AGENTS))
    used = before - env.game.shoe_after.cards
    assert used >= 4
    env.reset()
    assert env.game.before.cards == before - used
    env.reset(seed=2)
    assert env.game.before.cards == before


def test_illegal_actions_are_refused_with_the_reason() -> None:
    holdem = HoldemEnv("holdem-limit-2p")
    holdem.reset(seed=1)
    holdem.step(1)
    with pytest.raises(IllegalError, match="checking is free"):
        holdem.step(0)
    tressette = TressetteEnv()
    tressette.reset(seed=1)
    absent = next(card for card in range(40) if not tressette.observe("player_0")["action_mask"][card])
    with pytest.raises(IllegalError, match="does not hold"):
        tressette.step(absent)
    blackjack = BlackjackEnv("strip", strict=True)
    blackjack.reset(seed=1)
    with pytest.raises(IllegalError, match="not allowed"):
        blackjack.step(np.int64(np.flatnonzero(blackjack.action_mask() == 0)[0]))


def test_pettingzoos_wrappers_fit_around_a_table() -> None:
    env: Any = wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(HoldemEnv(), illegal_reward=-1))
    env.reset(seed=1)
    env.step(1)
    env.step(0)  # a fold where checking is free
    assert all(env.terminations.values())


def test_an_infinite_shoe_is_refused() -> None:
    with pytest.raises(UnreadableError, match="real decks"):
        BlackjackEnv(named_rules("strip", {"decks": "infinite"}))


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import mazzo.interfaces

    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=r"pip install 'mazzo\[gym\]'"):
        reload(mazzo.interfaces)
