"""Where tests find data: small files that come with them (`data/SOURCES.md` says whence)."""

from __future__ import annotations

import gzip
from pathlib import Path

DATA = Path(__file__).parent / "data"
MATCHES = ("2p_limit", "3p_limit", "2p_nolimit", "6p_nolimit", "leduc")
"""Matches of random players on the reference dealer: `acpc_*.log` begins and `acpc_*_end.log` ends each."""


def transcript(match: str) -> list[str]:
    """The first 2,000 lines that the reference dealer exchanged with the players of a match."""
    return gzip.decompress((DATA / f"acpc_{match}.transcript.txt.gz").read_bytes()).decode().splitlines()
