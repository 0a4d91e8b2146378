"""`mazzo dealer` and `mazzo connect` from the command line."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from mazzo.agent import create
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.dealer import DealerMatch, DealerSeat, serve
from mazzo.holdem.dealer.server import Outcome
from mazzo.holdem.logs import read_hands


def run(*arguments: str) -> str:
    result = CliRunner().invoke(mazzo, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("old", [[], ["--old"]])
def test_a_match_between_our_agents_is_logged_and_can_be_read_again(tmp_path: Path, old: list[str]) -> None:
    log = tmp_path / "match.log"
    said = run(
        "dealer",
        "holdem-limit-3p",
        "--seats",
        "random",
        "call",
        "random",
        "--hands",
        "30",
        "--log",
        str(log),
        "--json",
        *old,
    )
    assert sum(json.loads(said)["score"].values()) == 0
    reader = read_hands(log, strict=True)
    assert sum(map(len, reader)) == 30
    first, *_, last = log.read_text().splitlines()
    assert first == "# name/game/hands/seed match holdem-limit-3p 30 0"
    assert last.startswith("SCORE:")
    assert last.endswith(":random#1|call|random#2")


def test_the_dealer_deals_the_reference_dealer_s_cards_on_request(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    seats = ("--seats", "call", "call", "call", "--hands", "2", "--seed", "42")
    run("dealer", "holdem-limit-3p", *seats, "--reference-deal", "--log", str(log))
    assert "7d3d|2hAc|5sKs/7s9s6h/4h/Ts" in log.read_text()


def test_the_client_command_plays_a_match() -> None:
    ready = threading.Event()
    seats = [DealerSeat("me", 0), DealerSeat("call", agent=create("call", AGENTS))]
    match = DealerMatch(PRESETS["holdem-limit-2p"], 20, 0, ["me", "call"])
    outcomes: list[Outcome] = []
    thread = threading.Thread(
        target=lambda: outcomes.append(asyncio.run(serve(match, seats, waiting=lambda seat: ready.set())))
    )
    thread.start()
    assert ready.wait(60)
    played = json.loads(run("connect", "127.0.0.1", str(seats[0].port), "--agent", "random", "--json"))
    thread.join(60)
    assert played["hands"] == 20
    assert outcomes[0].totals["me"] == played["net"]


def test_a_wrong_number_of_seats_is_refused() -> None:
    with pytest.raises(UnreadableError, match="seats 3 players, 2 were given"):
        run("dealer", "holdem-limit-3p", "--seats", "call", "call")
