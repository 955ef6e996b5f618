"""One question to a model server and its answer, within bounds and with errors of our own."""

import asyncio
import functools
import ssl
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

import httpx
import msgspec

from agents.backends.base import BackendError, BadAnswer, Refused, TooSlow, Unreachable


class Address:
    """An http(s) address without its name and password; one that cannot be used fails in ``at``."""

    def __init__(self, url: str, token: str = "", endings: tuple[str, ...] = ()) -> None:
        self._url = _read(url.strip(), endings)
        self._token_is_sane = all("!" <= letter <= "~" for letter in token.strip())
        self.auth: httpx.Auth | None = None
        if self._url is not None and self._url.userinfo:
            self.auth = httpx.BasicAuth(self._url.username, self._url.password)
            self._url = self._url.copy_with(userinfo=b"")
        if token.strip() and self._token_is_sane:
            self.auth = _Bearer(token.strip())

    def __repr__(self) -> str:
        host = self._url.host if self._url is not None else "unusable"
        return f"Address({host!r})"

    def at(self, path: str) -> httpx.URL:
        """Return the address of a path below this one; or raise Unreachable."""
        if self._url is None:
            raise Unreachable("bad-address")
        if not self._token_is_sane:
            raise Unreachable("bad-token")
        return _below(self._url, path)


class _Bearer(httpx.Auth):
    def __init__(self, token: str) -> None:
        self._header = f"Bearer {token}"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        request.headers["Authorization"] = self._header
        yield request


@functools.lru_cache
def _below(url: httpx.URL, path: str) -> httpx.URL:
    return url.copy_with(path=(url.path.rstrip("/") + path) or "/")


def _read(url: str, endings: tuple[str, ...]) -> httpx.URL | None:
    try:
        read = httpx.URL(url)
        is_port = read.port is None or 0 < read.port < 65_536
        usable = is_port and read.scheme in ("http", "https") and bool(read.host)
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return None
    path = read.path.rstrip("/")
    cut = next((path.removesuffix(end) for end in endings if path.endswith(end)), path)
    return read.copy_with(path=cut.rstrip("/") or "/") if usable else None


LONGEST_BODY = 256 * 1024
"""Bytes after decoding."""

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class BoundedBody:
    """Undoes the coding of a body (some proxies compress unasked), no further than its bound."""

    def __init__(self, coding: str = "") -> None:
        self._left = LONGEST_BODY
        self._decode = _decoder(coding.strip().lower())

    def decoded(self, raw: bytes) -> bytes:
        """Return the next bytes of the body; raises BadAnswer, "too-long" or "cut-off"."""
        try:
            data = self._decode(raw, self._left + 1)
        except zlib.error as error:
            raise BadAnswer("cut-off") from error
        if len(data) > self._left:
            raise BadAnswer("too-long")
        self._left -= len(data)
        return data


def _decoder(coding: str) -> Callable[[bytes, int], bytes]:
    if coding in ("", "identity"):
        return lambda raw, most: raw[:most]
    if coding in ("gzip", "x-gzip", "deflate"):
        return zlib.decompressobj(_GZIP_OR_ZLIB).decompress
    raise BadAnswer("not-the-protocol")


LONGEST_RETRY_AFTER_S = 86_400.0

_IN_OUR_WORDS: dict[type[BaseException], Callable[[], BackendError]] = {
    httpx.ConnectTimeout: lambda: TooSlow("connect-timeout", asked=False),
    httpx.PoolTimeout: lambda: TooSlow("pool-timeout", asked=False),
    httpx.TimeoutException: TooSlow,
    httpx.ConnectError: Unreachable,
    httpx.UnsupportedProtocol: lambda: Unreachable("bad-address"),
    httpx.LocalProtocolError: lambda: Unreachable("bad-address"),
    httpx.InvalidURL: lambda: Unreachable("bad-address"),
    httpx.TransportError: lambda: BadAnswer("cut-off"),
    httpx.HTTPError: lambda: BadAnswer("not-the-protocol"),
}

HTTPX_ERRORS = (httpx.HTTPError, httpx.InvalidURL)


def in_our_words(error: BaseException) -> BackendError:
    """Translate an error of httpx.

    >>> in_our_words(httpx.ConnectTimeout("")).code
    'connect-timeout'
    >>> in_our_words(httpx.ReadError("")).code
    'cut-off'
    """
    known = next(kind for kind in type(error).__mro__ if kind in _IN_OUR_WORDS)
    return _IN_OUR_WORDS[known]()


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Read a Retry-After header, seconds or a date; nonsense is None.

    >>> retry_after_s("7", datetime.now(UTC))
    7.0
    """
    if not value:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        seconds = float(value)
    else:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (aware - now).total_seconds()
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)


NewClient = Callable[[], httpx.AsyncClient]

_open_lives: set[AsyncGenerator[httpx.AsyncClient]] = set()
"""Keeps the life of each client from being collected before its loop has ended."""


@functools.cache
def trusted_roots() -> ssl.SSLContext:
    """Read the certificates of the known authorities once per process."""
    return httpx.create_ssl_context(trust_env=False)


class _Pools:
    """Gives each event loop a client of its own, which ends with the loop's async generators."""

    def __init__(self, new_client: NewClient) -> None:
        self._new_client = new_client
        self._clients: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}
        self._lives: dict[asyncio.AbstractEventLoop, AsyncGenerator[httpx.AsyncClient]] = {}

    async def client(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._forget_ended_loops()
            self._lives[loop] = life = self._life(loop)
            self._clients[loop] = await anext(life)
        return self._clients[loop]

    async def close(self) -> None:
        here = asyncio.get_running_loop()
        for loop in list(self._lives):
            if loop is here:
                await self._end(loop)
            elif loop.is_running():
                asyncio.run_coroutine_threadsafe(self._end(loop), loop)

    async def _life(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[httpx.AsyncClient]:
        life = self._lives[loop]
        _open_lives.add(life)
        async with self._new_client() as client:
            try:
                yield client
            finally:
                self._clients.pop(loop, None)
                self._lives.pop(loop, None)
                _open_lives.discard(life)

    async def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        life = self._lives.get(loop)
        if life is not None:
            await life.aclose()

    def _forget_ended_loops(self) -> None:
        for loop, life in list(self._lives.items()):
            if loop.is_closed():
                self._clients.pop(loop, None)
                self._lives.pop(loop, None)
                _open_lives.discard(life)


CONNECT_TIMEOUT_S = 2.0
"""Seconds for a connection, and for a free place in the pool."""

MOST_CONNECTIONS = 64
KEPT_CONNECTIONS = 16
KEPT_FOR_S = 30.0

LINGER_S = 0.1
"""Seconds to wait for a body to end after the answer has; then the connection can be kept."""

Feed = Callable[[bytes], bool]


class Reply:
    """What a server answers: a status, and a body that is read once."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code

    @property
    def is_stream(self) -> bool:
        """Whether the body says that it is a stream of events."""
        kind: str = self._response.headers.get("Content-Type", "")
        return kind.partition(";")[0].strip().lower() == "text/event-stream"

    async def read(self, feed: Feed) -> None:
        """Feed the body until the answer in it is complete, or the body ends."""
        body = BoundedBody(self._response.headers.get("Content-Encoding", ""))
        raw = cast("AsyncGenerator[bytes]", self._response.aiter_raw())
        async with aclosing(raw) as pieces:
            async for piece in pieces:
                if feed(body.decoded(piece)):
                    await _see_the_end(pieces)
                    return

    async def whole(self) -> bytes:
        """Read all of the body."""
        body = bytearray()

        def keep(data: bytes) -> bool:
            body.extend(data)
            return False

        await self.read(keep)
        return bytes(body)

    def refusal(self) -> Refused:
        """Say what a status other than success means."""
        header = self._response.headers.get("Retry-After")
        return Refused(self.status, retry_after_s(header, datetime.now(UTC)))


class Exchange:
    """The time of one call of one or more requests; ``asked`` once one begins to be sent."""

    def __init__(self, client: httpx.AsyncClient, address: Address, timeout_s: float) -> None:
        self._client = client
        self._address = address
        self._phases = httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S, pool=CONNECT_TIMEOUT_S)
        self.asked = False

    @asynccontextmanager
    async def reply(self, method: str, path: str, payload: Any = None) -> AsyncIterator[Reply]:
        """Send a request; leaving the block early drops the connection. Raises BackendError."""
        content = msgspec.json.encode(payload) if payload is not None else None
        headers = {"Content-Type": "application/json"} if content is not None else {}
        request = self._client.build_request(
            method,
            self._address.at(path),
            content=content,
            headers=headers,
            timeout=self._phases,
            extensions={"trace": self._watch},
        )
        try:
            response = await self._client.send(request, stream=True, auth=self._address.auth)
            try:
                yield Reply(response)
            finally:
                await response.aclose()
        except HTTPX_ERRORS as error:
            raise in_our_words(error) from error

    async def _watch(self, event: str, _details: object) -> None:
        if event.endswith("send_request_headers.started"):
            self.asked = True


class HttpClient:
    """Asks one server: pooled connections, no retry, no redirects, no proxies.

    ``socket`` is the path of a Unix socket, where the server listens on one.
    """

    def __init__(
        self, address: Address, *, socket: str | None = None, most: int = MOST_CONNECTIONS
    ) -> None:
        self.address = address
        self._socket = socket
        self._most = most
        self._pools = _Pools(self._new_client)

    @asynccontextmanager
    async def exchange(self, timeout_s: float) -> AsyncIterator[Exchange]:
        """Open a call that may take ``timeout_s`` seconds in all; raises TooSlow."""
        client = await self._pools.client()
        exchange = Exchange(client, self.address, timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                yield exchange
        except TimeoutError as error:
            raise TooSlow(asked=exchange.asked) from error

    async def close(self) -> None:
        """Close all connections."""
        await self._pools.close()

    def _new_client(self) -> httpx.AsyncClient:
        limits = httpx.Limits(
            max_connections=self._most,
            max_keepalive_connections=KEPT_CONNECTIONS,
            keepalive_expiry=KEPT_FOR_S,
        )
        return httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(
                verify=trusted_roots(), limits=limits, uds=self._socket, trust_env=False
            ),
            headers={"Accept-Encoding": "identity", "User-Agent": "BazaarBATNA"},
            follow_redirects=False,
            trust_env=False,
        )


async def _see_the_end(pieces: AsyncIterator[bytes]) -> None:
    with suppress(TimeoutError, *HTTPX_ERRORS):
        async with asyncio.timeout(LINGER_S):
            async for _ in pieces:
                pass
