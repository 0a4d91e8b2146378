import numpy as np
import pytest

from mazzo.agent import create, split_name
from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS, Hand, Observations, find_game
from mazzo.holdem import columns as c
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.chart import starting_class
from mazzo.holdem.agents.ignores_cards import Call
from mazzo.holdem.columns import kinds
from mazzo.holdem.match import HoldemMatch
from mazzo.lockstep import play_out
from mazzo.testing import check_holdem_agent

HOLDEM = ["holdem-limit-2p", "holdem-limit-3p", "holdem-nolimit-2p", "holdem-nolimit-6p"]
ANY_CARDS = ["random", "call", "raise", "fold", "random:free_fold=true", "random:size=most", "raise:size=pot"]


@pytest.mark.parametrize("game", [*HOLDEM, "kuhn-3p", "leduc-2p"])
@pytest.mark.parametrize("name", ANY_CARDS)
def test_agents_that_ignore_their_cards_conform_in_every_game(name: str, game: str) -> None:
    check_holdem_agent(lambda: create(name, AGENTS), find_game(game), deals=20)


@pytest.mark.parametrize("game", HOLDEM)
@pytest.mark.parametrize("name", ["chart", "rich"])
def test_agents_that_look_at_their_cards_conform(name: str, game: str) -> None:
    check_holdem_agent(lambda: create(name, AGENTS), find_game(game), deals=12)


@pytest.mark.parametrize("name", ["rich", "chart"])
def test_agents_say_why_they_cannot_play_a_game(name: str) -> None:
    assert "52 cards" in create(name, AGENTS).unsupported_reason(find_game("leduc-2p"))


def test_names_carry_parameters() -> None:
    assert split_name("utility:mu=.02,size=pot") == ("utility", {"mu": ".02", "size": "pot"})
    assert split_name("clone:rich.mz") == ("clone", {"model": "rich.mz"})
    agent = create("random:fold=.2,raise=.3,free_fold=yes", AGENTS)
    assert (agent.fold, agent.raise_, agent.free_fold) == (0.2, 0.3, True)  # type: ignore[attr-defined]
    assert agent.name == "random:fold=.2,raise=.3,free_fold=yes"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("rnadom", "did you mean 'random'"),
        ("random:flod=.2", "did you mean 'fold'"),
        ("random:fold=lots", "a number, got 'lots'"),
        ("random:fold", "name=value"),
        ("random:fold=.1,fold=.2", "duplicate parameter"),
        ("random:free_fold=perhaps", "true or false"),
        ("random:fold=-1", "must be 0 or more"),
        ("random:fold=nan", "must be 0 or more"),
        ("raise:size=hugh", "no raise size"),
        ("rich:samples=0", "samples"),
    ],
)
def test_wrong_names_are_explained(name: str, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        create(name, AGENTS)


def test_random_folds_calls_and_raises_as_often_as_it_says() -> None:
    hand = Hand(find_game("holdem-limit-2p"), seed=1)
    seen = hand.observe()
    many = seen[np.zeros(200_000, np.int64)]
    object.__setattr__(many, "rng_key", np.random.default_rng(5).integers(0, 2**64, 200_000, np.uint64))
    counts = np.bincount(kinds(create("random", AGENTS).decide(many))) / 200_000
    assert counts == pytest.approx([0.1, 0.5, 0.4], abs=0.005)


def play(name: str, cards: str, betting: str, game: str = "holdem-limit-2p") -> str:
    """What an agent does after some betting."""
    hand = Hand(find_game(game), cards)
    for action in betting:
        if action != "/":
            hand.act(action)
    return create(name, AGENTS).explain(hand.observe()).action


@pytest.mark.parametrize(
    ("cards", "betting", "action"),
    [
        ("2c3d AsAh 4h5s9d Tc Jc", "", "r"),
        ("AsAh 2c3d 4h5s9d Tc Jc", "r", "r"),
        ("AsAh 2c3d 4h5s9d Tc Jc", "rrr", "c"),  # the cap is reached
        ("2c3d 7h2s 4h5s9d Tc Jc", "", "f"),
        ("7h2s 2c3d 4h5s9d Tc Jc", "c", "c"),
        ("7h2s 2c3d 4h5s9d Tc Jc", "r", "f"),
        ("8h8s 2c3d 4h5s9d Tc Jc", "r", "c"),
        ("Ah9c 2c3d 4h5s9d Tc Jc", "c", "c"),
        ("9h9s 2c3d 4h5s9d Tc Jc", "cc/", "r"),  # a set bets
        ("Ah9s 2c3d 4h5s9d Tc Jc", "cc/", "r"),  # so does top pair
        ("Ah9s 2c3d 4h5s9d Tc Jc", "cc/rrr", "c"),  # and calls when it has raised once
        ("Ah5c 2c3d 4h5s9d Tc Jc", "cc/cc/", "c"),  # a lower pair checks the turn
        ("7h6h Ac3d 4h5h9d Tc Jc", "cc/", "r"),  # a draw of many outs bets
        ("Qh2s Ac3d 4h5s9d Tc Jc", "cc/", "c"),
        ("Qh2s Ac3d 4h5s9d Tc Jc", "cc/cr", "f"),
        ("2c3d KhQh 4h5s9d Tc Jc", "rc/c", "r"),  # nothing, but it raised before the flop
    ],
)
def test_chart_plays_by_its_rules(cards: str, betting: str, action: str) -> None:
    assert play("chart", cards, betting) == action


def test_charts_starting_hands_are_169_and_in_their_classes() -> None:
    ranks = "AKQJT98765432"
    counts = [0] * 5
    for i, high in enumerate(ranks):
        for j, low in enumerate(ranks):
            hand = high + low + ("s" if i < j else "o" if i > j else "")
            counts[starting_class(hand)] += 1
    assert sum(counts) == 169
    assert counts == [5, 8, 26, 26, 104]


def test_rich_takes_an_equity_of_exactly_one_half_as_no_more_than_its_share() -> None:
    # The board is a royal flush: every showdown is a tie, so the equity is exactly 1/2 heads-up and 1/3 against two.
    assert play("rich", "2c3d 4h5s AsKsQs Js Ts", "cc/cc/cc/") == "c"
    assert play("rich", "2c3d 4h5c 6d7d AsKsQs Js Ts", "ccc/ccc/ccc/", "holdem-limit-3p") == "c"


def test_rich_raises_with_more_than_its_share_and_folds_when_the_pot_does_not_pay() -> None:
    assert play("rich", "2c3d AsAh 4h5s9d Tc Jc", "") == "r"
    assert play("rich", "AsAh 2c3d 4h5s9d Tc Jc", "rrr") == "c"
    assert play("rich", "7h2c AsAh KdQs9d Tc Jc", "cc/cr") == "f"


def test_a_subclass_that_decides_otherwise_is_not_played_by_the_compiled_code_it_would_inherit() -> None:
    class Raises(Call):
        def decide(self, observations: Observations) -> np.ndarray:
            return np.where(observations.can_raise, observations.raise_low, c.CALL)

    assert Call.kernel == "mixture"
    assert Raises.kernel == ""
    table = HoldemMatch(PRESETS["holdem-limit-2p"]).table(range(3), 1)
    play_out(table, [Raises(), Raises()])
    assert (table.state[:, c.POT] == 2 * (40 + 40 + 80 + 80)).all()


@pytest.mark.parametrize("name", ["call", "fold", "raise", "random", "random:raise=0", "random:fold=.2,free_fold=true"])
@pytest.mark.parametrize("played", ["", "r", "rrr", "c"])
def test_the_chances_that_an_agent_blind_to_its_cards_explains_are_chances_of_what_it_plays(
    name: str, played: str
) -> None:
    hand = Hand("holdem-limit-2p", seed=3)
    for action in played:
        hand.act(action)
    said = create(name, AGENTS).explain(hand.observe())
    chances = {option.action: option.value for option in said.options if option.value is not None}
    assert sum(chances.values()) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert chances[{"f": "fold", "c": "call", "r": "raise"}[said.action]] > 0
