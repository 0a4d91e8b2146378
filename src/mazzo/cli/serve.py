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
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any that is free.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; only this machine's.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A host name others reach this server by.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="The folder that keeps the tables.")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the browser.")
def serve(port: int, host: str, names: tuple[str, ...], data: Path | None, browser: bool) -> None:
    """Play, replay and study in the browser. Logs, models and reports are those of the working directory."""
    import socket
    import threading
    import webbrowser

    import uvicorn

    from mazzo.cli.play_holdem import data_directory
    from mazzo.web.app import create_app

    app = create_app(data or data_directory() / "web", names=names)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as wrong:
        raise click.ClickException(f"cannot listen on {host}:{port}: {wrong.strerror}; give another --port") from None
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{listening.getsockname()[1]}/"
    note(f"Mazzo is at {address} (Ctrl-C ends it; tables go on when it is started again)")
    if host not in ("127.0.0.1", "::1", "localhost"):
        note("Others on the network can reach it: whoever has a seat's link has the seat.")
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    config = uvicorn.Config(app, log_level="warning", ws_max_size=_LARGEST_MESSAGE, server_header=False,
                            timeout_graceful_shutdown=2)  # fmt: skip
    uvicorn.Server(config).run(sockets=[listening])
