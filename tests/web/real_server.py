"""A real server on this machine, in a thread of this process, and clients that never wait for ever."""

from __future__ import annotations

import base64
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from mazzo.web.app import create_app
from mazzo.web.limits import Limits

SECONDS = 180.0
"""No wait is longer."""


class RealServer:
    """Where a server is, and what it holds."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self.app, self.port = app, port
        self.address = f"http://127.0.0.1:{port}"

    @property
    def hub(self) -> Any:
        return self.app.state.hub

    def raw(self, data: bytes, receive_buffer: int = 0) -> socket.socket:
        """A connection on which these bytes were sent."""
        line = socket.socket()
        line.settimeout(SECONDS)
        if receive_buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        line.connect(("127.0.0.1", self.port))
        line.sendall(data)
        return line

    def answer(self, data: bytes) -> bytes:
        """What comes back until the server closes or has said its headers."""
        with self.raw(data) as line:
            got = b""
            while b"\r\n\r\n" not in got:
                more = line.recv(65536)
                if not more:
                    break
                got += more
            return got

    def post(self, path: str, form: dict[str, str]) -> bytes:
        body = urlencode(form).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        return self.answer(head.encode() + body)

    def open_table(self, game: str, seats: list[str]) -> str:
        form = {"seats": str(len(seats)), "speed": "instant"}
        for k, who in enumerate(seats):
            form |= {f"seat{k}": who, f"name{k}": f"P{k}"}
        head = self.post(f"/new/{game}", form).decode()
        return next(line.split(" ", 1)[1].strip() for line in head.split("\r\n") if line.lower().startswith("location"))

    @contextmanager
    def browser(self) -> Iterator[ClientConnection]:
        """A browser's connection."""
        where = f"ws://127.0.0.1:{self.port}/ws"
        with connect(where, origin=Origin(self.address), max_size=None, open_timeout=SECONDS) as browser:
            yield browser

    @contextmanager
    def sitting(self, path: str) -> Iterator[ClientConnection]:
        """A browser that sits down or looks on."""
        _, _, table, *token = path.split("/")
        with self.browser() as browser:
            browser.send(json.dumps({"do": "sit", "table": table, "token": token[0] if token else ""}))
            yield browser

    def stuck_browser(self, path: str) -> socket.socket:
        """A browser that sits down and then never reads again."""
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: {self.address}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        line = self.raw(head.encode(), receive_buffer=4096)
        assert b"101" in line.recv(12)
        message = json.dumps({"do": "sit", "table": path.split("/")[2], "token": ""}).encode()
        line.sendall(bytes([0x81, 0x80 | len(message), 0, 0, 0, 0]) + message)  # a mask of zeros
        return line


def heard(browser: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next message of this kind."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        message: dict[str, Any] = json.loads(browser.recv(timeout=SECONDS))
        if wanted(message):
            return message
    raise AssertionError("nothing of this kind was heard")


def wait_until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


@contextmanager
def real_server(data: Path, limits: Limits | None = None) -> Iterator[RealServer]:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)  # so that a reader who stops is noticed soon
    listening.bind(("127.0.0.1", 0))
    app = create_app(data, limits)
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="critical", ws_max_size=64 * 1024, timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started, "the server did not start")
        yield RealServer(app, listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(SECONDS)
        listening.close()
