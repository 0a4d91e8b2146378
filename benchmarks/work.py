"""Seeded work through the command line: what `against_revision` times and compares between two revisions."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["INPUTS", "WORK", "Work"]


@dataclass(frozen=True)
class Work:
    """One command of `mazzo`, run in a folder that holds what the commands before it wrote there."""

    line: str
    what: str = ""
    """A name for the table of speeds; work without one is only compared."""
    writes: tuple[str, ...] = ()
    """Files it writes that must be the same byte for byte; models are judged by what they play instead."""

    @property
    def words(self) -> list[str]:
        """The command as arguments."""
        return shlex.split(self.line)

    @property
    def made(self) -> list[str]:
        """The files it writes, for later work to read."""
        return [file for option, file in pairwise(self.words) if option in ("-o", "--to", "--log")]


INPUTS = (
    "generate holdem-limit-2p random random --hands 60000 --seed 1 -o random.log --quiet",
    "generate holdem-limit-2p random chart --hands 6000 --seed 5 -o few.log --quiet",
    "generate holdem-limit-3p rich random call --hands 1500 --seed 2 -o three.log --quiet",
    "generate holdem-nolimit-6p rich chart random random call raise --hands 3000 --seed 3 -o six.log --quiet",
)
"""Logs that both revisions are given; the newer one writes them."""

_KNOWN = "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d"
_OPEN = "south 3d 4c; east 2d 5c; north Ad 6c; west 10d 7c; lead south"

WORK = (
    Work("games", "starting the program"),
    Work("match holdem-limit-2p random random --hands 3000000 --seed 1 --json", "two random players, limit"),
    Work("match holdem-limit-2p rich chart --hands 60000 --seed 1 --json", "rich v chart, limit"),
    Work("match holdem-nolimit-6p rich chart random random call raise --hands 12000 --seed 1 --json", "six, no-limit"),
    Work("match holdem-nolimit-2p rich patient --hands 4000 --seed 2 --json"),
    Work("match holdem-nolimit-3p utility utility+ reader --hands 900 --seed 2 --json"),
    Work("match leduc-2p random:raise=.8 call --hands 2000 --seed 1 --log leduc.log --json", writes=("leduc.log",)),
    Work("match kuhn-3p random call raise --hands 3000 --seed 1 --json"),
    Work("match tressette decision greedy --deals 1500 --seed 1 --json", "tressette, decision v greedy"),
    Work("match tressette sampler:samples=4 belief --deals 4 --seed 1 --json"),
    Work("match tressette-talk decision-improved random --deals 20 --seed 1 --json"),
    Work("generate holdem-limit-2p chart random --hands 500 --seed 4 -o chart.log --json", writes=("chart.log",)),
    Work("generate holdem-nolimit-3p rich random call --hands 300 --seed 4 -o no.log --json", writes=("no.log",)),
    Work("equity 7h7c --opponents 5 --samples 6000000 --seed 1 --json", "equity, sampled"),
    Work("equity AsKd --board 7h8h2c --opponents 2 --json", "equity, exact, two opponents"),
    Work("equity AhKh --against QQ+,AKs,T9s:0.5 --json"),
    Work("equity AsAh --json"),
    Work("explain rich 'MATCHSTATE:1:0:cc/r:|Ac2h/8h4h2s' --game holdem-limit-2p --json"),
    Work("explain chart 'STATE:0:r:AsKd|7h7c' --game holdem-limit-2p --json"),
    Work("hands random.log --stats --json", "hands read, with figures"),
    Work("hands three.log --analyse --json"),
    Work("hands six.log --to six.phhs --json", writes=("six.phhs",)),
    Work("hands six.phhs --to again.log --json", writes=("again.log",)),
    Work("hands six.log --street river --pot 20 --list"),
    Work("learn random.log -o hero.mz --trees 20 --iterations 4 --seed 1 --json", "learning a hero, extra-trees"),
    Work("learn few.log -o boosted.mz --regressor boosted --trees 10 --iterations 3 --evaluate --seed 1 --json"),
    Work("learn few.log -o pot.mz --attributes stage,turn,pv,pot --trees 10 --reward chips --iterations 3 --json"),
    Work("match holdem-limit-2p hero.mz random --hands 60000 --seed 1 --json", "a hero's match"),
    Work("match holdem-limit-2p boosted.mz pot.mz --hands 4000 --seed 1 --json"),
    Work("describe three.log --hero rich -o rows --to csv --json", "decisions described", ("rows",)),
    Work("describe six.log --hero chart -o six --to arff --list all --json", writes=("six",)),
    Work("clone three.log --hero rich -o rich.mz --model tree --folds 3 --seed 1 --json", "cloning a player"),
    Work("clone three.log --hero rich -o rules.mz --model rules --list simplified --folds 0 --json"),
    Work("read rich.mz --json"),
    Work("match holdem-limit-3p rich.mz rules.mz call --hands 900 --seed 1 --json"),
    Work("compare rich rich.mz --against random call --hands 900 --seed 1 --json"),
    Work("tournament --seats 'utility*5' --count 600 --seed 1 --json", "tournaments of utility"),
    Work("tournament --seats rich,chart,random,call --blinds 5/10,10/20 --level-hands 20 --count 20 --seed 1 --json"),
    Work("blackjack ev --rules hungarian --json", "blackjack, exact value"),
    Work("blackjack ev --method total --json"),
    Work("blackjack ev --method infinite --set decks=8 --states --json"),
    Work("blackjack hand 8,8 v 10 --rules h17 --json"),
    Work("blackjack chart --rules strip --json"),
    Work("blackjack simulate --rules hungarian --rounds 30000000 --seed 1 --json", "blackjack, simulation"),
    Work("blackjack simulate --through --rounds 2000000 --seed 1 --json", "blackjack, shoes played through"),
    Work("blackjack simulate --strategy bodon --rules european --rounds 300000 --seed 2 --json"),
    Work("blackjack learn --rules hungarian --rounds 3000000 --every 1000000 --seed 1 --json", "blackjack, Q-learning"),
    Work("blackjack count --count omega-2 --json"),
    Work("blackjack shoes --rules hungarian --shoes 400 --exact 40 --seed 1 --json"),
    Work("blackjack rules --rules european"),
    Work("tressette solve --seed 7 --json", "tressette, an open deal solved"),
    Work(f"tressette solve '{_OPEN}' --json"),
    Work(f"tressette know '{_KNOWN}' --json"),
)
