"""Addresses that strangers give: what is read, what is refused, what counts as public.

A host is either a name with a dot in it or an address in its ordinary spelling; every shorter,
longer, octal or hexadecimal way to write an address is refused before anybody resolves it.
"""

import ipaddress
import re
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from training.bots.calling.errors import BadAddress

Scheme = Literal["http", "https", "ws", "wss"]
Ip = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST = 300
"""Characters of an address."""

USUAL_PORTS: dict[str, int] = {"http": 80, "ws": 80, "https": 443, "wss": 443}
FIRST_FREE_PORT = 1024
SERVICE_PORTS = frozenset(
    {1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984}
    | {5985, 6000, 6379, 6443, 6667, 8086, 9042, 9092, 9200, 9300, 10250, 11211, 27017}
)
"""Ports where databases and the like listen: a bot has no business there, a prank has."""

PRIVATE_SUFFIXES = (
    *("local", "localhost", "internal", "intranet", "lan", "home", "corp", "private"),
    *("arpa", "onion", "test", "invalid", "example", "svc"),
)
"""Last labels of names that lead nowhere public."""

_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMERIC = re.compile(r"\d+|0x[0-9a-f]*")

_NOT_PUBLIC_4 = tuple(
    ipaddress.ip_network(block)
    for block in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24"),
        *("192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # answers the machines of one cloud about themselves
    )
)
_PUBLIC_6 = ipaddress.ip_network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    ipaddress.ip_network(block)
    for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
"""Tunnels are in here too: what they wrap would be another address."""


class Address(msgspec.Struct, frozen=True):
    """A checked address; ``path`` begins with a slash and holds the query."""

    scheme: Scheme
    host: str
    port: int
    path: str

    @property
    def is_secure(self) -> bool:
        """TLS is spoken."""
        return self.scheme in ("https", "wss")

    @property
    def is_socket(self) -> bool:
        """A WebSocket, no plain HTTP."""
        return self.scheme in ("ws", "wss")

    @property
    def authority(self) -> str:
        """Host and port as the Host header names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == USUAL_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def text(self) -> str:
        """The address as one writes it."""
        return f"{self.scheme}://{self.authority}{self.path}"


def read_address(text: str, *, loopback: bool = False) -> Address:
    """Read an address of a bot.

    Args:
        text: what its owner wrote.
        loopback: 127.0.0.1, ::1 and localhost are allowed (development and tests).

    Raises:
        BadAddress: it cannot be called, with what would be right.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadAddress(f"An address has at most {LONGEST} characters.")
    if not text.isascii() or not text.isprintable() or re.search(r"[\s\\]", text):
        raise BadAddress("An address is written in plain ASCII, without spaces or backslashes.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadAddress("This is no address. Write https://bot.your-site.org/move.") from None
    scheme = parts.scheme.lower()
    if scheme not in USUAL_PORTS or not parts.hostname:
        raise BadAddress("An address begins with http://, https://, ws:// or wss:// and a host.")
    if "@" in parts.netloc:
        raise BadAddress("An address carries no user name and no password.")
    if "#" in text:
        raise BadAddress("An address has no part after #.")
    host = _checked_host(parts.hostname.lower().rstrip("."), loopback=loopback)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(
        scheme=msgspec.convert(scheme, Scheme),
        host=host,
        port=_checked_port(USUAL_PORTS[scheme] if port is None else port),
        path=path,
    )


def is_public(ip: Ip) -> bool:
    """Tell whether an address belongs to the public internet.

    >>> is_public(ipaddress.ip_address("93.184.215.14"))
    True
    >>> is_public(ipaddress.ip_address("::ffff:127.0.0.1"))
    False
    """
    if ip.version == 4:
        return not any(ip in block for block in _NOT_PUBLIC_4)
    if ip.scope_id is not None:
        return False
    return ip in _PUBLIC_6 and not any(ip in block for block in _NOT_PUBLIC_6)


def is_callable(ip: Ip, *, loopback: bool) -> bool:
    """Tell whether a bot may live at an address."""
    return is_public(ip) or (loopback and str(ip) in ("127.0.0.1", "::1"))


def _checked_port(port: int) -> int:
    if port in USUAL_PORTS.values() or (port >= FIRST_FREE_PORT and port not in SERVICE_PORTS):
        return port
    raise BadAddress("A bot listens on port 80, 443 or above 1023, and on no database's port.")


def _checked_host(host: str, *, loopback: bool) -> str:
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return _checked_name(host, loopback=loopback)
    if not is_callable(ip, loopback=loopback):
        raise BadAddress("This address is not on the public internet, so we do not call it.")
    return str(ip)


def _checked_name(host: str, *, loopback: bool) -> str:
    if loopback and host == "localhost":
        return host
    labels = host.split(".")
    if _NUMERIC.fullmatch(labels[-1]):
        raise BadAddress("Write a numeric address as four decimal numbers, like 203.0.113.7.")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise BadAddress("This host name has characters or lengths that no host name has.")
    if len(labels) == 1 or labels[-1] in PRIVATE_SUFFIXES:
        raise BadAddress("This name is not on the public internet, so we do not call it.")
    return host
