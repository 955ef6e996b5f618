"""A robot: it reads every page of the site, and all that pages lead to by reading."""

import collections
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin, urlsplit

import msgspec
from django.db import connection
from django.test import Client
from django.urls import Resolver404, resolve

LEADS = {"a": "href", "link": "href", "img": "src", "iframe": "src", "script": "src"}
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
Ways = Sequence[tuple[str, Mapping[str, str]]]
WAYS: Ways = (
    ("GET", {"Accept-Language": "en"}),
    ("GET", {"Accept-Language": "hi"}),
    ("GET", {"HX-Request": "true"}),
    ("HEAD", {}),
    ("OPTIONS", {}),
)


class Leads(HTMLParser):
    """Collects ``found``: the addresses of the same site that a page leads to, without fragments.

    A form that gets leads to itself as it stands, and once more for each choice it offers.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._page = page
        self._action: str | None = None
        self._given: dict[str, str] = {}
        self._choices: set[tuple[str, str]] = set()
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name in (LEADS.get(tag, ""), "hx-get"):
            if name in given:
                self._add(given[name])
        if tag == "form" and given.get("method", "get").lower() == "get":
            self._action, self._given, self._choices = given.get("action", ""), {}, set()
        if self._action is not None:
            self._field(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag != "form" or self._action is None:
            return
        self._add(f"{self._action}?{urlencode(self._given)}")
        for name, value in self._choices:
            self._add(f"{self._action}?{urlencode(self._given | {name: value})}")
        self._action = None

    def _field(self, tag: str, given: dict[str, str]) -> None:
        if tag == "select":
            self._select = given.get("name", "")
        name = self._select if tag == "option" else given.get("name", "")
        if not name or tag not in ("input", "option", "button"):
            return
        value = given.get("value", "")
        self._choices.add((name, value or "lamp"))
        if tag == "input" and given.get("type") not in ("radio", "checkbox"):
            self._given[name] = value

    def _add(self, lead: str) -> None:
        place = urldefrag(urljoin(self._page, lead)).url
        parts = urlsplit(place)
        if not parts.scheme and not parts.netloc and parts.path.startswith("/"):
            self.found.add(place)


class Crawl(msgspec.Struct):
    """What a robot saw.

    Attributes:
        pages: how many addresses it asked for.
        routes: the patterns of those.
        answered: how often came which status.
        wrote: by pattern, the tables that were written while one of its addresses was asked for.
    """

    pages: int = 0
    routes: set[str] = set()
    answered: collections.Counter[int] = collections.Counter()
    wrote: dict[str, set[str]] = {}


def crawl(
    starts: Iterable[str],
    browser: Client,
    *,
    most_alike: int,
    is_robot: bool = True,
    ways: Ways = WAYS,
) -> Crawl:
    """Ask for every address of ``starts``, and for what they lead to; a robot keeps no cookie.

    Each is asked for in all ``ways``. Of the addresses of one pattern with the same parameters
    ``most_alike`` are read, besides those of ``starts``.
    """
    seen, alike = Crawl(), collections.Counter[tuple[str, tuple[str, ...]]]()
    queue = collections.deque(dict.fromkeys(starts))
    known, first = set(queue), set(queue)
    kept = {name: one.value for name, one in browser.cookies.items()}
    while queue:
        place = queue.popleft()
        parts = urlsplit(place)
        route, names = route_of(parts.path), {name for name, _ in parse_qsl(parts.query)}
        kind = (route, tuple(sorted(names)))
        alike[kind] += 1
        if alike[kind] > most_alike and place not in first:
            continue
        seen.pages += 1
        seen.routes.add(route)
        for method, headers in ways:
            browser.cookies.clear()
            if not is_robot:
                browser.cookies.load(kept)
            with writing(lambda table, at=route: seen.wrote.setdefault(at, set()).add(table)):
                answer: Any = browser.generic(method, place, headers=dict(headers))
                told = b"".join(answer.streaming_content) if answer.streaming else answer.content
            seen.answered[answer.status_code] += 1
            for lead in sorted(_leads(place, method, answer, told) - known):
                known.add(lead)
                queue.append(lead)
    return seen


def route_of(path: str) -> str:
    """Return the pattern that an address belongs to; "" where there is none."""
    try:
        return resolve(path).route
    except Resolver404:
        return ""


def _leads(place: str, method: str, answer: Any, told: bytes) -> set[str]:
    if answer.status_code in (301, 302):
        reader = Leads(place)
        reader.feed(f'<a href="{answer.headers["Location"]}">')
        return reader.found
    if method != "GET" or not answer.headers.get("Content-Type", "").startswith("text/html"):
        return set()
    reader = Leads(place)
    reader.feed(told.decode())
    return reader.found


@contextmanager
def writing(note: Callable[[str], object]) -> Iterator[None]:
    """Note each table that is written meanwhile, on this thread's connection."""

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        words = sql.split(maxsplit=3)
        if words and words[0].upper() in WRITES:
            note(words[1 if words[0].upper() == "UPDATE" else 2].strip('"'))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield


def row_counts() -> dict[str, int]:
    """Count the rows of every table there is."""
    with connection.cursor() as cursor:
        found = {}
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"select count(*) from {connection.ops.quote_name(name)}")
            found[name] = int(cursor.fetchone()[0])
    return found
