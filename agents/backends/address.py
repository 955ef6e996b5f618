"""Where a model server is, read from a setting that a person typed."""

import functools
from collections.abc import Generator

import httpx

from agents.backends.base import Unreachable


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
