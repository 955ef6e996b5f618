"""Asking a bot over one WebSocket: a question, then its answer, then the next."""

import asyncio
import contextlib
import socket
import ssl
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from training.bots.calling.addresses import Address
from training.bots.calling.errors import CallFailed, Code
from training.bots.calling.limits import CallLimits
from training.bots.calling.resolving import Resolver, callable_ip


class SocketLine:
    """A line to one bot; questions wait for each other. A broken one is opened again.

    The connection is made to the checked address before anything is said, so that no redirect
    and no proxy can lead elsewhere.
    """

    def __init__(self, address: Address, limits: CallLimits, resolver: Resolver) -> None:
        self._address = address
        self._limits = limits
        self._resolver = resolver
        self._ip = ""
        self._connection: ClientConnection | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Find out where the bot lives.

        Raises:
            CallFailed: there is no such host, or it is not public.
        """
        self._ip = await callable_ip(self._address, self._resolver, loopback=self._limits.loopback)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hang up."""
        await self._hang_up()

    async def ask(self, question: bytes) -> bytes:
        """Send a question as a text frame and give the next frame.

        Raises:
            CallFailed: with what went wrong; the next question opens the line anew.
        """
        async with self._turn:
            try:
                async with asyncio.timeout(self._limits.answer_s):
                    return await self._ask(question)
            except BaseException as wrong:
                # Whatever came too late must not answer the next question.
                await self._hang_up()
                if isinstance(wrong, TimeoutError):
                    raise CallFailed("timeout") from None
                raise

    async def _ask(self, question: bytes) -> bytes:
        if self._connection is None:
            self._connection = await self._connected()
        try:
            await self._connection.send(question.decode())
            answer = await self._connection.recv()
        except ConnectionClosed as closed:
            too_long = closed.sent is not None and closed.sent.code == 1009
            raise CallFailed("too-long" if too_long else "broken-answer") from None
        return answer.encode() if isinstance(answer, str) else answer

    async def _connected(self) -> ClientConnection:
        try:
            line = await self._socket()
            return await connect(
                self._address.text,
                sock=line,
                ssl=ssl.create_default_context() if self._address.is_secure else None,
                server_hostname=self._address.host if self._address.is_secure else None,
                compression=None,
                proxy=None,
                max_size=self._limits.answer_bytes,
                max_queue=1,
                open_timeout=self._limits.answer_s,
                close_timeout=1,
                user_agent_header="BazaarBATNA",
            )
        except ssl.SSLError:
            raise CallFailed("tls") from None
        except (InvalidStatus, ValueError) as wrong:
            raise CallFailed(_why_not_open(wrong)) from None
        except WebSocketException:
            raise CallFailed("broken-answer") from None
        except TimeoutError:
            raise  # a kind of OSError, and told apart by whoever asked
        except OSError:
            raise CallFailed("refused") from None

    async def _socket(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._ip else socket.AF_INET
        line = socket.socket(family, socket.SOCK_STREAM)
        line.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(line, (self._ip, self._address.port))
        except BaseException:
            line.close()
            raise
        return line

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                await connection.close()


def _why_not_open(wrong: Exception) -> Code:
    # With a socket of our own the library refuses a redirect with ValueError.
    cause = wrong if isinstance(wrong, InvalidStatus) else wrong.__cause__
    if isinstance(cause, InvalidStatus):
        return "redirect" if 300 <= cause.response.status_code < 400 else "status"
    return "broken-answer"
