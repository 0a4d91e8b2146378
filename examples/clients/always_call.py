"""The smallest client of the competition's protocol: it always calls. It needs nothing of Mazzo.

python examples/clients/always_call.py localhost 20001
"""

import contextlib
import socket
import sys


def play(host: str, port: int) -> None:
    """Play until the dealer hangs up."""
    with socket.create_connection((host, port)) as connection, connection.makefile(newline="\n") as lines:
        connection.sendall(b"VERSION:2.0.0\r\n")
        with contextlib.suppress(ConnectionError):  # the dealer may hang up while the last answer is on its way
            for line in lines:
                state = line.strip()
                if state.startswith("MATCHSTATE:"):
                    # Decide here: f folds, c calls or checks, r raises, r300 raises to 300. The dealer ignores answers
                    # out of turn, so this client need not follow whose turn it is.
                    connection.sendall(f"{state}:c\r\n".encode())


if __name__ == "__main__":
    play(sys.argv[1], int(sys.argv[2]))
