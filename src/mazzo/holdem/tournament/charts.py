"""What tournaments look like: how the thresholds of those who learn drift."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mazzo.document import Chart, Series

__all__ = ["Track", "drift_chart"]

Track = Sequence[Sequence[float]]
"""The thresholds to raise and to fold of one player, tournament after tournament."""


def drift_chart(tracks: Iterable[tuple[str, Track]], caption: str = "", every: int = 1) -> Chart:
    """Both thresholds of each player who learns, after every tournament (or `every` so many)."""
    series = []
    for number, (name, track) in enumerate(tracks):
        label = name if len(name) < 24 else f"{name.partition(':')[0]} {number + 1}"
        played = [k * every for k in range(len(track))]
        for which in (0, 1):
            heights = [float(pair[which]) for pair in track]
            series.append(Series(label if which == 0 else "", played, heights, dashed=which == 1, ink=number))
    return Chart(
        "How the thresholds drift",
        "tournaments played",
        "utility: to raise (full), to fold (broken)",
        series,
        caption=caption,
    )
