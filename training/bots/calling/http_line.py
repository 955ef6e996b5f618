"""Asking a bot over HTTP: one POST per question, to the very address that was checked."""

import asyncio
import ssl
from types import TracebackType
from typing import Self

import httpx

from training.bots.calling.addresses import Address
from training.bots.calling.errors import CallFailed, Code
from training.bots.calling.limits import CallLimits
from training.bots.calling.resolving import Resolver, callable_ip

HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    # A compressed answer could unpack to anything.
    "Accept-Encoding": "identity",
    "User-Agent": "BazaarBATNA",
}


class HttpLine:
    """A line to one bot; several questions may be under way at once.

    The name is resolved when the line opens and not again: a host that changes its address to a
    private one in between is never followed there. TLS is verified for the name all the same.
    """

    def __init__(self, address: Address, limits: CallLimits, resolver: Resolver) -> None:
        self._address = address
        self._limits = limits
        self._resolver = resolver
        self._url = ""
        # No proxy, netrc or certificate of the environment takes part.
        self._client = httpx.AsyncClient(
            verify=ssl.create_default_context(),
            trust_env=False,
            follow_redirects=False,
            timeout=limits.answer_s,
            limits=httpx.Limits(max_connections=limits.at_once),
        )

    async def __aenter__(self) -> Self:
        """Find out where the bot lives.

        Raises:
            CallFailed: there is no such host, or it is not public.
        """
        address = self._address
        try:
            ip = await callable_ip(address, self._resolver, loopback=self._limits.loopback)
        except CallFailed:
            await self._client.aclose()
            raise
        host = f"[{ip}]" if ":" in ip else ip
        self._url = f"{address.scheme}://{host}:{address.port}{address.path}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hang up."""
        await self._client.aclose()

    async def ask(self, question: bytes) -> bytes:
        """Send a question and give the answer.

        Raises:
            CallFailed: with what went wrong.
        """
        try:
            async with asyncio.timeout(self._limits.answer_s):
                return await self._ask(question)
        except (TimeoutError, httpx.TimeoutException):
            raise CallFailed("timeout") from None
        except httpx.ConnectError as wrong:
            raise CallFailed(_why_not_connected(wrong)) from None
        except httpx.HTTPError:
            raise CallFailed("broken-answer") from None

    async def _ask(self, question: bytes) -> bytes:
        headers = {**HEADERS, "Host": self._address.authority}
        # The certificate is checked against this name, not against the numeric address.
        named = {"sni_hostname": self._address.host} if self._address.is_secure else {}
        async with self._client.stream(
            "POST", self._url, content=question, headers=headers, extensions=named
        ) as response:
            _check_head(response)
            return await self._body(response)

    async def _body(self, response: httpx.Response) -> bytes:
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > self._limits.answer_bytes:
                raise CallFailed("too-long")
        return bytes(body)


def _check_head(response: httpx.Response) -> None:
    if response.is_redirect or 300 <= response.status_code < 400:
        raise CallFailed("redirect")
    if response.status_code != 200:
        raise CallFailed("status")
    if response.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise CallFailed("compressed")


def _why_not_connected(wrong: httpx.ConnectError) -> Code:
    cause: BaseException | None = wrong
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return "tls"
        cause = cause.__cause__ or cause.__context__
    return "refused"
