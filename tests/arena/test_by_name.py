"""A match in one call: games and agents by name, and what is said of those that do not go together."""

from __future__ import annotations

import pytest

from mazzo import blackjack, holdem, tressette
from mazzo.arena import by_name
from mazzo.errors import MazzoError, UnreadableError
from mazzo.games import entries, find_rules


@pytest.mark.parametrize("first", [True, False])
def test_an_agent_of_another_game_is_refused_with_a_sentence(first: bool) -> None:
    one = blackjack.agent("basic")
    with pytest.raises(MazzoError, match=r"^basic is an agent of blackjack, it cannot play tressette$"):
        by_name.match("tressette", [one, "greedy"] if first else ["greedy", one], deals=10)
    with pytest.raises(MazzoError, match=r"^greedy is an agent of tressette, it cannot play holdem$"):
        by_name.match("holdem-limit-2p", [tressette.agent("greedy"), "call"], hands=10)
    with pytest.raises(MazzoError, match=r"^call is an agent of holdem, it cannot play blackjack$"):
        by_name.match("blackjack", [holdem.agent("call")], deals=10)


def test_a_deal_is_not_played_by_an_agent_of_another_game() -> None:
    with pytest.raises(MazzoError, match=r"^basic is an agent of blackjack, it cannot play tressette$"):
        tressette.Round().act(blackjack.agent("basic"))
    with pytest.raises(MazzoError, match=r"^basic is an agent of blackjack, it cannot play holdem$"):
        holdem.Hand("holdem-limit-2p").act(blackjack.agent("basic"))
    with pytest.raises(MazzoError, match=r"^greedy is an agent of tressette, it cannot play blackjack$"):
        blackjack.Round("strip", "8,8 v 6").act(tressette.agent("greedy"))


def test_wrong_options_and_games_of_a_match_are_named() -> None:
    with pytest.raises(UnreadableError, match="a match has no option 'handz'; did you mean 'hands'"):
        by_name.match("tressette", ["random", "random"], handz=3)
    with pytest.raises(UnreadableError, match="there is no game 'tresette'"):
        by_name.match("tresette", ["random", "random"])
    with pytest.raises(UnreadableError, match="there is no game 'hungarian'; did you mean 'blackjack-hungarian'"):
        by_name.match("hungarian", ["basic"], hands=10)


def test_options_of_a_match_that_would_have_no_effect_are_refused() -> None:
    with pytest.raises(UnreadableError, match="aivat_value='equity' says how aivat works: give aivat too"):
        by_name.match("holdem-limit-2p", ["call", "call"], hands=10, aivat_value="equity")
    for game, agents in (("blackjack", ["basic"]), ("holdem-limit-2p", ["call", "call"])):
        with pytest.raises(UnreadableError, match="no agent of this game sees all cards: leave out allow_cheats"):
            by_name.match(game, agents, hands=10, allow_cheats=True)


def test_every_listed_game_has_rules_and_a_match_of_one_agent_is_against_nobody() -> None:
    names = [game.name for entry in entries() for game in entry.games()]
    assert "blackjack-hungarian" in names
    assert all(find_rules(name) for name in names)
    result = by_name.match("blackjack-hungarian", ["random"], hands=20)
    assert str(result).startswith("random\n")


def test_a_match_takes_rules_as_it_takes_their_name() -> None:
    for name, agents in (("holdem-limit-2p", ["call", "raise"]), ("tressette-talk", ["greedy", "random"])):
        by_rules = by_name.match(find_rules(name)[1], agents, deals=6, seed=3)
        assert by_rules.standings == by_name.match(name, agents, deals=6, seed=3).standings
    hungarian = blackjack.rules("hungarian", decks=2)
    assert len(by_name.match(hungarian, ["basic", "random"], deals=5, seed=3).standings) == 2
    with pytest.raises(UnreadableError, match="there is no game 'int'"):
        by_name.match(7, ["call", "call"], deals=1)


def test_agents_in_one_text_are_asked_for_as_a_list() -> None:
    with pytest.raises(UnreadableError, match="name the agents in a list, one for each seat"):
        by_name.match("holdem-limit-2p", "call", deals=1)
