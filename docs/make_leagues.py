"""Play the leagues and write docs/leagues.md: `make leagues`; with `--quick` a little of everything, nothing written.

What was played is kept in docs/leagues.jsonl, a line a command, so that nothing is played twice: an interrupted run
goes on, and where all is there only the page is written anew. A line that is removed is played again.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from mazzo.agent import create
from mazzo.cli.app import mazzo
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.utility import BEST_OF_THE_TEXT, FOUND_AGAINST_A_MIXTURE, FOUND_BY_SEARCH
from mazzo.registry import parameters

FOLDER = Path(__file__).parent
KEPT, PAGE = FOLDER / "leagues.jsonl", FOLDER / "leagues.md"
SEED = 20261  # of all that is played; the parameters of `solid` were chosen on other seeds
HANDS, SIX, LEAGUE, TOURNAMENTS = 160_000, 24_000, 6_000, 1_000
FEWER = 8  # against those who lose much, an eighth of the hands tells enough
LIMIT_HANDS, LIMIT_LEAGUE = 40_000, 10_000
DEPTHS = {"200": "", "100": "-100bb"}
TAG = "examples/tag.py"
TIGHT = "typical:played=.22,raised=.18,bets=.5,folds=.5"
LOOSE = "typical:played=.6,raised=.1,bets=.3,folds=.3"
SILLY = ["call", "fold", "raise", "random"]
SIZED = ["raise:size=pot", "raise:size=most"]
THINKING = [
    "chart", "patient", "patient:top=.25,bet=1", "rich", "reader", "utility", BEST_OF_THE_TEXT, FOUND_BY_SEARCH,
    FOUND_AGAINST_A_MIXTURE, "typical", TIGHT, LOOSE, "explorer",
]  # fmt: skip
OTHERS = [*SILLY, *SIZED, *THINKING, "chart:size=most", "rich:size=most", TAG]
AT_LIMIT = [*SILLY, *THINKING, "online"]
EASY = {*SILLY, *SIZED, "rich", BEST_OF_THE_TEXT, "rich:size=most", LOOSE}
KINDS = [
    "call", "raise", "random", "chart", "patient", "rich", BEST_OF_THE_TEXT, FOUND_AGAINST_A_MIXTURE, "typical", TAG,
]  # fmt: skip
MIXTURE = ["chart", "patient", "rich", BEST_OF_THE_TEXT, TAG]
LEAGUE_OF = ["solid", TAG, "chart", "patient", "rich", BEST_OF_THE_TEXT, "patient:top=.25,bet=1", "typical", "random"]
LIMIT_LEAGUE_OF = ["balanced", "chart", "patient", "rich", BEST_OF_THE_TEXT, "typical", "call", "raise", "random"]
TABLES = {
    "four of Aceituno's best": [BEST_OF_THE_TEXT] * 4,
    "the mixture of [adapt](adapt.md)": ["patient", "patient:top=.25,bet=1", "utility:mu=0", "utility:mu=0"],
    "four of `examples/tag.py`": [TAG] * 4,
}


def match(game: str, agents: list[str], hands: int) -> list[str]:
    """The words of a match."""
    return ["match", game, *agents, "--hands", str(hands), "--seed", str(SEED)]


def heads_up(depth: str, other: str) -> list[str]:
    """`solid` against one other."""
    return match(f"holdem-nolimit-2p{DEPTHS[depth]}", ["solid", other], HANDS // FEWER if other in EASY else HANDS)


def at_limit(other: str) -> list[str]:
    """`balanced` against one other."""
    return match("holdem-limit-2p", ["balanced", other], LIMIT_HANDS)


def six(depth: str, others: list[str]) -> list[str]:
    """`solid` at a table of six."""
    easy = others[0] in ("call", "raise")
    return match(f"holdem-nolimit-6p{DEPTHS[depth]}", ["solid", *others], SIX // 4 if easy else SIX)


def league(depth: str) -> list[str]:
    """Everybody against everybody."""
    words = ["league", f"holdem-nolimit-2p{DEPTHS[depth]}", *LEAGUE_OF]
    return [*words, "--hands", str(LEAGUE), "--seed", str(SEED)]


def limit_league() -> list[str]:
    """Everybody against everybody at limit."""
    return ["league", "holdem-limit-2p", *LIMIT_LEAGUE_OF, "--hands", str(LIMIT_LEAGUE), "--seed", str(SEED)]


def tournament(others: list[str]) -> list[str]:
    """Tournaments of five with 1,000 chips and blinds of 5 and 10."""
    return ["tournament", "--seats", ",".join(["solid", *others]), "--count", str(TOURNAMENTS), "--seed", str(SEED)]


def commands() -> Iterator[list[str]]:
    """All that is played."""
    yield from (at_limit(other) for other in AT_LIMIT)
    yield limit_league()
    for depth in DEPTHS:
        yield from (heads_up(depth, other) for other in OTHERS)
        yield from (six(depth, [kind] * 5) for kind in KINDS)
        yield six(depth, MIXTURE)
        yield league(depth)
    yield from (tournament(others) for others in TABLES.values())


def kept() -> dict[str, Any]:
    """What was played, by command."""
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    return {run["command"]: run["result"] for run in map(json.loads, lines)}


def play(words: list[str]) -> Any:
    """The result of a command, run in this process: what is compiled is loaded once."""
    with chdir(FOLDER.parent), redirect_stdout(StringIO()) as said:
        mazzo.main([*words, "--json", "--quiet"], standalone_mode=False)
    return _short(json.loads(said.getvalue()))


def _short(result: dict[str, Any]) -> dict[str, Any]:
    """What the page needs of a result."""
    if "pairings" in result:
        return {key: result[key] for key in ("agents", "pairings", "ratings")}
    if "seats" in result:
        return {
            "seats": [{key: seat[key] for key in ("name", "wins", "share", "ci95")} for seat in result["seats"][:1]]
        }
    return {"players": result["players"][:1], "hands": result["hands"]}


def shortened(words: list[str]) -> list[str]:
    """The same command with a two-hundredth of its length."""
    at = max(words.index(key) for key in ("--hands", "--count") if key in words) + 1
    return [*words[:at], str(max(12, int(words[at]) // 200)), *words[at + 1 :]]


def _row(name: str, words: list[str], found: dict[str, Any]) -> str:
    result = found.get(shlex.join(words))
    if result is None:
        return f"| `{name}` | not played yet | | |"
    one, hands = result["players"][0], result["hands"]
    low, high = one["ci95"]
    return f"| `{name}` | {one['bb_per_hand']:+.3f} | {low:+.3f} to {high:+.3f} | {hands:,} |"


def in_full(name: str) -> str:
    """An agent with all of its parameters, those that were not given too."""
    agent = create(name, AGENTS, FOLDER.parent)
    values = ((key, getattr(agent, p.name)) for key, p in parameters(type(agent)).items())
    return ":".join([name.split(":")[0], ",".join(f"{key}={value}" for key, value in values)]).rstrip(":")


def _league(words: list[str], found: dict[str, Any]) -> list[str]:
    result = found.get(shlex.join(words))
    if result is None:
        return ["Not played yet."]
    names = [one["name"] for one in sorted(result["ratings"], key=lambda one: -one["rating"])]
    rating = {one["name"]: one for one in result["ratings"]}
    won = {}
    for pairing in result["pairings"]:
        (a, b), mean = pairing["agents"], pairing["bb_per_hand"]
        half = (pairing["ci95"][1] - pairing["ci95"][0]) / 2
        won[a, b], won[b, a] = f"{mean:+.2f} ± {half:.2f}", f"{-mean:+.2f} ± {half:.2f}"
    letters = "ABCDEFGHIJKLMNOP"
    lines = [
        "| | agent | rating | 95 % | " + " | ".join(letters[k] for k in range(len(names))) + " |",
        "|---|---|---|---|" + "---|" * len(names),
    ]
    for k, name in enumerate(names):
        one = rating[name]
        cells = " | ".join(won.get((name, other), "") for other in names)
        low, high = one["ci95"]
        lines.append(f"| {letters[k]} | `{name}` | {one['rating']:+.2f} | {low:+.2f} to {high:+.2f} | {cells} |")
    return lines


_CELLS = (
    "Each cell is what the agent of the row wins from that of the column, bb/hand. The rating is the mean of "
    "the row, itself counted as zero, so it also counts how much an agent wins from the weakest:"
)


def _limit(found: dict[str, Any]) -> list[str]:
    head = ["| against | bb/hand | 95 % | hands |", "|---|---|---|---|"]
    return [
        "## Heads-up limit: `balanced`",
        "",
        "Every deal is played from both seats: `mazzo match holdem-limit-2p balanced AGENT --hands HANDS "
        f"--seed {SEED}`. How much can be won from it is in [Solving](solve.md#heads-up-limit-a-blueprint).",
        "",
        *head,
        *(_row(other, at_limit(other), found) for other in AT_LIMIT),
        "",
        f"Everybody against everybody, {LIMIT_LEAGUE:,} hands per pairing: `mazzo league holdem-limit-2p AGENTS "
        f"--hands {LIMIT_LEAGUE} --seed {SEED}`. {_CELLS}",
        "",
        *_league(limit_league(), found),
        "",
    ]


def _named() -> list[str]:
    """Everybody with all parameters."""
    names = dict.fromkeys(["solid", "balanced", *OTHERS, *AT_LIMIT, *(n for table in TABLES.values() for n in table)])
    return ["| name above | with all parameters |", "|---|---|", *(f"| `{n}` | `{in_full(n)}` |" for n in names)]


def _against(depth: str, found: dict[str, Any]) -> list[str]:
    head = ["| against | bb/hand | 95 % | hands |", "|---|---|---|---|"]
    alone = [*head, *(_row(other, heads_up(depth, other), found) for other in OTHERS)]
    table = ["| with | bb/hand | 95 % | hands |", "|---|---|---|---|"]
    table += [_row(f"five of {kind}", six(depth, [kind] * 5), found) for kind in KINDS]
    table.append(_row(f"{', '.join(MIXTURE)}", six(depth, MIXTURE), found))
    return [
        f"## Heads-up, {depth} big blinds",
        "",
        f"Every deal is played from both seats: `mazzo match "
        f"holdem-nolimit-2p{DEPTHS[depth]} solid AGENT --hands HANDS --seed {SEED}`.",
        "",
        *alone,
        "",
        f"Everybody against everybody, {LEAGUE:,} hands per pairing: `mazzo league holdem-nolimit-2p{DEPTHS[depth]} "
        f"AGENTS --hands {LEAGUE} --seed {SEED}`. Agents that learn are left out, as the command does. {_CELLS}",
        "",
        *_league(league(depth), found),
        "",
        f"## Six-handed, {depth} big blinds",
        "",
        f"One `solid` and five others, every deal played from all six seats: `mazzo match "
        f"holdem-nolimit-6p{DEPTHS[depth]} solid AGENTS --hands HANDS --seed {SEED}`.",
        "",
        *table,
        "",
    ]


def page(found: dict[str, Any]) -> str:
    """The page."""
    tournaments = ["| with | wins | 95 % |", "|---|---|---|"]
    for name, others in TABLES.items():
        result = found.get(shlex.join(tournament(others)))
        seat = result["seats"][0] if result else None
        figures = (
            "not played yet | " if seat is None else "{:.1%} | {:.1%} to {:.1%}".format(seat["share"], *seat["ci95"])
        )
        tournaments.append(f"| {name} | {figures} |")
    lines = [
        "# Leagues: how `balanced` and `solid` do against all others",
        "",
        "How much [`balanced`](solve.md#heads-up-limit-a-blueprint) (heads-up limit) and [`solid`](solid.md) "
        "(no-limit) win from every other agent, in big blinds per hand (bb/hand); a plus means that they win.",
        "",
        "Made by `make leagues` (`docs/make_leagues.py`); the results are in "
        "[leagues.jsonl](leagues.jsonl), each with its command. Intervals are of 95 %, over deals. `solid` plays as it "
        "is, without `seconds` and `knows`. All parameters are [below](#players). The parameters of "
        f"`solid` were chosen while it played some of these opponents on deals of other seeds than {SEED}; after "
        "a first run on this one only the share of bluffs on the river was changed, for a solver's ratio.",
        "",
        *_limit(found),
        *(line for depth in DEPTHS for line in _against(depth, found)),
        "## Tournaments",
        "",
        f"Five players, 1,000 chips, blinds 5 and 10, {TOURNAMENTS:,} tournaments: `mazzo tournament --seats "
        f"solid,AGENTS --count {TOURNAMENTS} --seed {SEED}`. Par is 20 %.",
        "",
        *tournaments,
        "",
        "## Players",
        "",
        *_named(),
        "",
        "Left out: agents made of a log or a model file (`casebase`, `clone`, `hero`, `replayer`, `solved`, `spot`), "
        "which are as good as that, and `recorder`, which is another agent.",
        "",
    ]
    return "\n".join(lines)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(quick: bool) -> None:
    """Play what is missing, then write the page; in the quick form play a little of everything and write nothing."""
    todo, found = list(commands()), kept()
    missing = todo if quick else [words for words in todo if shlex.join(words) not in found]
    _say(f"{len(missing)} of {len(todo)} commands to play")
    for words in missing:
        _say(f"mazzo {shlex.join(shortened(words) if quick else words)}")
        result = play(shortened(words) if quick else words)
        if not quick:
            found[shlex.join(words)] = result
            with KEPT.open("a") as file:
                file.write(json.dumps({"command": shlex.join(words), "result": result}) + "\n")
    if not quick:
        PAGE.write_text(page(found))


if __name__ == "__main__":
    main("--quick" in sys.argv[1:])
