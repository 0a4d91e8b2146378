"""A match in one call, its game and agents given by name or as objects: what `mazzo match` and `mazzo.match` do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from typing import Any

from mazzo.agent import Agent, Catalogue, create
from mazzo.arena.match import MatchResult, stream_match
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.games import Playable, find_contest

__all__ = ["Preparing", "agents_of", "match", "prepare_quietly", "stream"]

_OPTIONS = {p.name for p in signature(stream_match).parameters.values() if p.kind is p.KEYWORD_ONLY}
Preparing = Callable[[Agent[Any]], None]
"""What is done with an agent before it plays."""


def agents_of(given: Sequence[str | Agent[Any]], catalogue: Catalogue, allow_cheats: bool = False) -> list[Agent[Any]]:
    """Agents by name, or as they are; one that has no name is called by its class."""
    if isinstance(given, str):
        raise UnreadableError(f"name the agents in a list, one for each seat, not in one text: {given!r}")
    made = [create(one, catalogue, allow_cheats=allow_cheats) if isinstance(one, str) else one for one in given]
    for agent in made:
        agent.name = agent.name or type(agent).__name__.lower()
    if allow_cheats and not any(one.sees_all for one in made) and not any(one.sees_all for one in catalogue.values()):
        raise UnreadableError("no agent of this game sees all cards: leave out allow_cheats (--allow-cheats)")
    return made


def prepare_quietly(agent: Agent[Any]) -> None:
    """Prepare an agent, telling nobody how far it is."""
    agent.prepare(lambda share: None)


def stream(
    game: str | Playable | Any,
    agents: Sequence[str | Agent[Any]],
    *,
    hands: int | None = None,
    deals: int | None = None,
    seed: int = 0,
    allow_cheats: bool = False,
    rake: str | None = None,
    run_twice: bool = False,
    prepare: Preparing = prepare_quietly,
    **options: Any,
) -> Iterator[MatchResult]:
    """Play a match and give its standing again and again; arguments as for `match`.

    `prepare` is handed each agent before the match: what makes its first decision slow is made then.
    """
    contest, catalogue = find_contest(game)
    for unknown in sorted(options.keys() - _OPTIONS):
        known = {"hands", "deals", "seed", "allow_cheats", "rake", "run_twice", *_OPTIONS}
        raise UnreadableError(f"a match has no option {unknown!r}; {did_you_mean(unknown, known)}")
    if (hands is None) == (deals is None):
        raise UnreadableError("say how long the match is: give either hands or deals")
    if rake is not None or run_twice:
        contest = _in_a_room(contest, rake, run_twice)
    players = agents_of(agents, catalogue, allow_cheats)
    if hasattr(contest, "seating"):  # a game without opponents takes as many as there are
        contest = contest.seating(len(players))
    if len(players) != contest.seats:
        raise UnreadableError(
            f"{game if isinstance(game, str) else 'the game'} seats {contest.seats} agents, {len(players)} were given"
        )
    for player in players:
        prepare(player)
    plays = hands if hands is not None else (deals or 0) * contest.plays_per_deal
    return stream_match(contest, players, plays, seed, **options)


def _in_a_room(contest: Any, rake: str | None, run_twice: bool) -> Any:
    make = getattr(contest, "by_terms", None)
    if make is None:
        raise UnreadableError("a rake and second boards belong to games of Hold'em: leave out --rake and --run-twice")
    return make(rake, run_twice)


def match(
    game: str | Playable | Any,
    agents: Sequence[str | Agent[Any]],
    *,
    hands: int | None = None,
    deals: int | None = None,
    seed: int = 0,
    watch: Callable[[MatchResult], None] | None = None,
    **options: Any,
) -> MatchResult:
    """Let agents play each other: every deal in every seat, so that nobody has the better cards.

    Args:
        game: The name of a game (`mazzo games` lists them), its rules, or a game as the arena plays it.
        agents: As many as the game seats, each a name (`"rich"`, `"hero.mz"`, `"mybot.py"`) or an agent.
        hands: How many hands; or give `deals`, each of which is played once for every exchange of seats.
        deals: How many deals.
        seed: Same seed, same cards and same random choices, on any number of workers.
        watch: Is shown every standing on the way.
        **options: `workers`, `checkpoint`, `until_width`, `until_sign`, `aivat` and `aivat_value` of
            `mazzo.arena.match.stream_match`; `rake` (`"5%:3"`: at most three big blinds) and `run_twice` (who is all-in
            before the river is dealt two boards) at Hold'em; `allow_cheats` (agents that see all cards may play).
    """
    result: MatchResult | None = None
    for result in stream(game, agents, hands=hands, deals=deals, seed=seed, **options):
        if watch is not None:
            watch(result)
    assert result is not None  # a match has at least one deal
    return result
