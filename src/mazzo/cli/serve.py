"""`mazzo serve`: the table in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from mazzo.cli.common import command, note

__all__ = ["serve"]

_LARGEST_MESSAGE = 64 * 1024


@command(
    "mazzo serve",
    "mazzo serve --port 9000 --no-browser",
    "mazzo serve --host 0.0.0.0 --name table.example.org",
    "mazzo serve --models heroes --allow mybot.py",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port to listen on; 0: any free one."
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; the default serves this machine only."
)
@click.option("--name", "names", multiple=True, metavar="HOST", help="A host name others reach this server by.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="The folder that keeps the tables.")
@click.option(
    "--models",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder whose model files may be seated (default: the working directory).",
)
@click.option(
    "--allow",
    "programs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A Python file with an agent that may be seated; without this no program is run.",
)
@click.option(
    "--warm/--no-warm", default=True, show_default=True, help="Compile in the background what the tables need."
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the browser.")
def serve(
    port: int,
    host: str,
    names: tuple[str, ...],
    data: Path | None,
    models: Path | None,
    programs: tuple[Path, ...],
    warm: bool,
    browser: bool,
) -> None:
    """Play, replay and study in the browser. Logs, models and reports are those of the working directory."""
    import socket
    import threading
    import webbrowser

    import uvicorn

    from mazzo.folders import data_directory
    from mazzo.journal import take_folder
    from mazzo.warm import start_in_background, stop_background
    from mazzo.web.addresses import own_names, reached_at
    from mazzo.web.allowed import Allowed
    from mazzo.web.app import create_app

    folder = data or data_directory() / "web"
    held = take_folder(folder / "tables")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # a browser that comes before the rest is loaded waits, and is not turned away
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error.strerror}; give another --port") from None
    shown, port = "127.0.0.1" if host in ("0.0.0.0", "::") else host, listening.getsockname()[1]
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    others = reached_at(host, port, names)
    known = [*names, *own_names()] if others else names
    app = create_app(folder, names=known, allowed=Allowed(models, programs), addresses=others)
    note(f"Mazzo is at {address} (Ctrl-C stops it; tables are kept for the next start)")
    if others:
        note(f"Others on the network reach it at {' or '.join(others)}: whoever has a seat's link has the seat.")
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=_LARGEST_MESSAGE,
        ws_per_message_deflate=False,  # messages are short, and each connection's compressor takes memory and time
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    warming = start_in_background(["web"]) if warm else None
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        stop_background(warming)
        held.close()
