"""One question to a bot, with tries and pauses; and the greeting that comes before all."""

import asyncio
import hmac
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, Self

import msgspec

from training.bots.calling.addresses import Address
from training.bots.calling.errors import CallFailed
from training.bots.calling.http_line import HttpLine
from training.bots.calling.limits import CallLimits
from training.bots.calling.resolving import Resolver, resolve
from training.bots.calling.socket_line import SocketLine
from training.bots.moves import Failed, KeptMove, read_answer

PAUSES_S = (0.2, 1.0)
"""Waits before the second and the third try of a question."""

Sleep = Callable[[float], Awaitable[None]]


class Line(Protocol):
    """Anything that carries a question to a bot and brings the answer back."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *ending: Any) -> None: ...

    async def ask(self, question: bytes) -> bytes:
        """Send a question and give the answer.

        Raises:
            CallFailed: there is none.
        """
        ...


def line_to(address: Address, limits: CallLimits, resolver: Resolver = resolve) -> Line:
    """Make the line that an address asks for."""
    kind = SocketLine if address.is_socket else HttpLine
    return kind(address, limits, resolver)


async def ask_move(
    line: Line, question: bytes, stop: asyncio.Event, sleep: Sleep = asyncio.sleep
) -> KeptMove | None:
    """Ask for a move, as often as is fair.

    Args:
        line: to the bot.
        question: what it is asked.
        stop: once set, there is no further try.
        sleep: waits between two tries.

    Returns:
        The action, or the reason why the last try failed; None when tries were left and ``stop``
        was set: then nothing is held against the bot.
    """
    for pause in (*PAUSES_S, None):
        try:
            return read_answer(await line.ask(question))
        except CallFailed as failed:
            if pause is None:
                return Failed(failed.code)
            if stop.is_set():
                return None
            await sleep(pause)
    raise AssertionError("the last try returns")


async def greet(line: Line) -> None:
    """Make sure that a bot lives at the other end, and not a bystander.

    Nobody is asked for hundreds of moves who has not said back what only the question told.

    Raises:
        CallFailed: the greeting was not returned.
    """
    word = secrets.token_hex(8)
    answer = await line.ask(json.dumps({"hello": word}).encode())
    try:
        said = msgspec.json.decode(answer, type=_Hello).hello
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CallFailed("no-hello") from None
    if not hmac.compare_digest(said.encode(), word.encode()):
        raise CallFailed("no-hello")


class _Hello(msgspec.Struct):
    hello: str
