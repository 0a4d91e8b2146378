"""The names and addresses under which other machines reach this one, for invitations."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from contextlib import suppress

__all__ = ["own_addresses", "own_names", "reached_at"]

_ANY = ("0.0.0.0", "::", "")
_ADDRESS_OF_INTERFACE = 0x8915  # Linux: SIOCGIFADDR


def own_names() -> list[str]:
    """What this machine is called: its host name, the name with its domain, and the name in a home network."""
    name = socket.gethostname().lower()
    with suppress(OSError):
        return list(dict.fromkeys(n for n in (name, socket.getfqdn().lower(), _local(name)) if _is_name(n)))
    return [name] if _is_name(name) else []


def _local(name: str) -> str:
    return f"{name.partition('.')[0]}.local"


def _is_name(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return bool(name.strip(".")) and name.partition(".")[0] != "localhost" and not name.endswith(".arpa")
    return False


def own_addresses() -> list[str]:
    """The addresses of this machine's interfaces that another machine can reach, IPv4 first."""
    found = [*_of_interfaces(), *_of_names(), *_towards("192.0.2.1", socket.AF_INET)]
    found += _towards("2001:db8::1", socket.AF_INET6)
    usable = []
    for text in dict.fromkeys(found):
        address = ipaddress.ip_address(text)
        if not (address.is_loopback or address.is_link_local or address.is_unspecified):
            usable.append(address)
    return [str(address) for address in sorted(usable, key=lambda a: a.version)]


def _of_interfaces() -> list[str]:
    try:
        import fcntl

        interfaces = socket.if_nameindex()
    except (ImportError, OSError):  # Windows: its own name stands for all of its addresses
        return []
    out = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in interfaces:
            with suppress(OSError):  # an interface without an address, or another system than Linux
                answer = fcntl.ioctl(asked.fileno(), _ADDRESS_OF_INTERFACE, name.encode()[:15].ljust(256, b"\0"))
                out.append(socket.inet_ntoa(answer[20:24]))
    return out


def _of_names() -> list[str]:
    with suppress(OSError):
        return [str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(socket.gethostname(), None)]
    return []


def _towards(other: str, family: socket.AddressFamily) -> list[str]:
    """The address this machine would speak from; nothing is sent."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
        asked.connect((other, 9))
        return [str(asked.getsockname()[0]).partition("%")[0]]
    return []


def reached_at(host: str, port: int, names: Iterable[str] = ()) -> list[str]:
    """Where a server that listens on `host` is reached from other machines; empty if only from this one.

    Args:
        host: The address it listens on; `0.0.0.0` and `::` stand for every interface.
        port: The port.
        names: Host names that were given, which come first.
    """
    with suppress(ValueError):
        if host == "localhost" or ipaddress.ip_address(host).is_loopback:
            return []
    addresses = [host]
    if host in _ANY:
        addresses = [a for a in own_addresses() if host != "0.0.0.0" or ":" not in a]
    all_ = dict.fromkeys([*names, *addresses, *own_names()])
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}" for name in all_]
