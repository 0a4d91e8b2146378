"""The command line: `mazzo COMMAND`. Commands are thin; each calls one library function."""

from __future__ import annotations

from mazzo.cli.app import main

__all__ = ["main"]
