"""Tressette: rules, exact counting, knowledge with reasons, agents and matches."""

from __future__ import annotations

from mazzo.tressette.round import Round, View

__all__ = ["Round", "View"]
