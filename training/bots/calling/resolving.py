"""From a host name to the one address that is called: looked at once, never looked up again."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable

from training.bots.calling.addresses import Address, is_callable
from training.bots.calling.errors import CallFailed

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Host name and port to numeric addresses, in order of preference."""

WITHIN_S = 5.0


async def resolve(host: str, port: int) -> list[str]:
    """Ask the system's resolver.

    Raises:
        OSError: there is no such host.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(place[4][0]) for place in found]


async def callable_ip(address: Address, resolver: Resolver, *, loopback: bool) -> str:
    """Give the numeric address to connect to.

    A name with even one address that is not public is refused: which of them a connection would
    take is nobody's choice but the name's owner's.

    Raises:
        CallFailed: the name is not found, or leads somewhere that is not public.
    """
    try:
        async with asyncio.timeout(WITHIN_S):
            found = await resolver(address.host, address.port)
    except TimeoutError:
        raise CallFailed("timeout") from None
    except (OSError, UnicodeError):
        raise CallFailed("unknown-host") from None
    if not found:
        raise CallFailed("unknown-host")
    for text in found:
        try:
            ip = ipaddress.ip_address(text)
        except ValueError:
            raise CallFailed("private-address") from None
        if not is_callable(ip, loopback=loopback):
            raise CallFailed("private-address")
    return found[0]
