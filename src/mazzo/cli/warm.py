"""`mazzo warm`: compile ahead."""

from __future__ import annotations

import os

import click

from mazzo.cli.common import command, note, progress, quiet

__all__ = ["warm"]


@command("mazzo warm", "mazzo warm holdem blackjack", "mazzo warm learn --workers 1")
@click.argument("parts", nargs=-1, metavar="[PARTS]...")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="one per processor",
    help="Processes that compile at the same time.",
)
@click.option("--gently", is_flag=True, help="Give way to other work on this machine.")
@quiet
def warm(parts: tuple[str, ...], workers: int, gently: bool, quiet: bool) -> None:
    """Compile ahead what the usual commands need.

    Their first use then starts at once.
    PARTS: holdem, blackjack, tressette, learn, web; all of them if none is named. Interrupted, it resumes where it
    stopped when it is run again.
    """
    import signal

    from mazzo.warm import commands_of, mark_warm
    from mazzo.warm import warm as run

    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupted)  # whoever started us in the background ends us so

    rows = commands_of(parts)
    if gently and hasattr(os, "nice"):
        os.nice(10)
    with progress("compiling", len(rows), quiet) as advance:
        found = run(rows, workers, advance)
    for line in found.missing if not quiet else []:
        note(f"left out: {line}")
    if found.failed:
        raise click.ClickException("; ".join(found.failed))
    mark_warm(parts)
    if not quiet:
        note(f"ready: {found.done} commands have what they need compiled")
