"""Does an answer change where only a sealed value does? Asked by measurement, not by reading.

A *surface* deals the same game in several worlds that differ in sealed values alone: the same
moment, the same luck, the same people, the same moves. In each world everybody who may not know
asks everything they can ask. Worlds whose public actions are the same must answer with the same
bytes; the promise itself (a salted digest) is the one thing that differs by right, and is left
out. What still differs is an oracle.
"""

import datetime as dt
import functools
import io
import logging
import random
import re
import secrets
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import msgspec
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client, override_settings

from arena.auction.web.game import AUCTION
from arena.gpu_market.web.game import MARKET
from negotiation import limits, ttl_cache
from negotiation.bargain.game import SALE
from negotiation.models import EventRow

NOT_ASKED = b"(not asked)"
NOON = dt.datetime(2026, 11, 25, 6, 30, tzinfo=dt.UTC)
"""Noon in India: the game of the day is sealed."""

DICE = random.Random()
"""What the site draws from while a world is played."""

Ask = tuple[str, str, str, Mapping[str, str], Any]
"""A method, an address, a person, headers, and a body for JSON or a form (None: none)."""


class World(msgspec.Struct):
    """One dealing, played as far as it is asked about.

    Attributes:
        people: browsers by name; "nobody" has no cookie yet.
        things: ids and keys that an asker may know, by name.
        public: what the engine lets everybody at the table see, as text.
        promises: digests of what is sealed, which differ by right.
        extra: other things that are told, by name: frames of sockets, observations.
    """

    people: dict[str, Client]
    things: dict[str, str]
    public: str
    promises: tuple[str, ...] = ()
    extra: dict[str, str] = {}


class Told(msgspec.Struct, frozen=True):
    """One answer: who asked what, and what came back."""

    ask: str
    answer: bytes


class Leak(msgspec.Struct, frozen=True):
    """An answer that tells two worlds apart: the ask, and where the bytes part."""

    surface: str
    ask: str
    one: str
    other: str

    def __str__(self) -> str:
        return f"{self.surface}: {self.ask}: {self.one!r} | {self.other!r}"


class Finding(msgspec.Struct):
    """What came of a surface.

    ``asks`` counts all answers, ``compared`` those that had another world to be compared with.
    """

    surface: str
    worlds: int = 0
    asks: int = 0
    compared: int = 0
    leaks: list[Leak] = []


@contextmanager
def same_luck(seed: int) -> Iterator[None]:
    """Let everything that is drawn be drawn alike: ids, keys, tokens, salts."""
    dice = DICE
    dice.seed(seed)
    drawn = {
        "choice": dice.choice,
        "randbelow": dice.randrange,
        "randbits": dice.getrandbits,
        "token_hex": lambda count=32: dice.randbytes(count).hex(),
        "token_bytes": lambda count=32: dice.randbytes(count),
        "token_urlsafe": lambda count=32: dice.randbytes(count).hex(),
    }
    with (
        mock.patch.multiple(secrets, _sysrand=dice, **drawn),
        mock.patch("negotiation.enqueue.enqueue", return_value=True),
    ):
        yield


def forget() -> None:
    """Forget what this process remembers of a world."""
    for keeper in (SALE.positions, AUCTION.positions, MARKET.positions):
        keeper.forget_all()
    ttl_cache.forget()
    limits.forget_settings()
    cache.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith(GAMES) and not name.startswith(OF_NO_GAME):
            for kept in list(vars(module).values()):
                if isinstance(kept, functools._lru_cache_wrapper):
                    kept.cache_clear()


GAMES = ("negotiation.bargain", "negotiation.games", "arena.", "replays.", "rooms")
OF_NO_GAME = (
    "replays.daily.drawing",
    "replays.puzzles",
    "replays.preview.canvas",
)
"""What is kept there follows from files alone. All else may be kept by a game's id, and the games
of two worlds have the same ids."""


@contextmanager
def a_world(seed: int = 7) -> Iterator[None]:
    """Everything that happens within happens at one moment, and leaves nothing behind."""
    plenty = dict.fromkeys(settings.LIMITS, "1000000/second")
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)  # most of what is asked is refused, and each refusal is logged
    try:
        with (
            override_settings(LIMITS=plenty),
            time_machine.travel(NOON, tick=False),
            same_luck(seed),
            transaction.atomic(),
        ):
            forget()
            _begin_to_count()
            try:
                yield
            finally:
                transaction.set_rollback(True)
    finally:
        logging.disable(before)
        forget()


FIRST_ID = 1_000_000
"""Beyond every row that is there before a world begins."""


def _begin_to_count() -> None:
    """Number rows alike in every world: PostgreSQL's sequences do not go back with a rollback."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "select setval(oid, %s, false) from pg_class where relkind = 'S'", [FIRST_ID]
            )


def public_log(*game_ids: str) -> str:
    """Write what was done in games, as everybody at the table sees it: never what is promised."""
    rows = EventRow.objects.filter(game__in=game_ids).order_by("game", "seq")
    lines = [f"{row.game_id} {row.seq} {row.kind} {bytes(row.payload).decode()}" for row in rows]
    return re.sub(r'"commitment":"[0-9a-f]+"', '"commitment":""', "\n".join(lines))


Deal = Callable[[Any], World]
Asks = Callable[[World], Sequence[Ask]]


def measure(surface: str, variants: Sequence[Any], deal: Deal, asks: Asks) -> Finding:
    """Deal a surface once for each variant of what is sealed, ask, and compare."""
    found = Finding(surface)
    groups: dict[str, tuple[str, dict[str, bytes]]] = {}
    for variant in variants:
        with a_world():
            world = deal(variant)
            answers = told(world, asks(world))
        found.worlds += 1
        found.asks += len(answers)
        if world.public not in groups:
            groups[world.public] = (repr(variant), answers)
            continue
        _, first = groups[world.public]
        found.compared += len(answers)
        found.leaks += _differences(surface, first, answers)
    return found


def told(world: World, asks: Sequence[Ask]) -> dict[str, bytes]:
    """Ask everything of a world, one after the other; gives the answers by what was asked."""
    answers = {f"told {name}": text.encode() for name, text in world.extra.items()}
    put = {promise.encode(): b"PROMISE" for promise in world.promises}
    for method, path, who, headers, body in asks:
        client = world.people[who]
        name = f"{who} {method} {path} {dict(headers) or ''} {body if body else ''}".strip()
        DICE.seed(name)  # an answer that draws more, or less, must not make the next one differ
        answers[name] = send(client, method, path, headers, body)
    return {plain(name.encode(), put).decode(): plain(text, put) for name, text in answers.items()}


TOKEN = re.compile(rb"(csrftoken=|X-CSRFToken[^\w]+|csrfmiddlewaretoken[^\w]+value[^\w]+)\w{32,64}")
"""Drawn, and sometimes drawn anew: nothing follows from it."""


def plain(text: bytes, put: Mapping[bytes, bytes]) -> bytes:
    """Leave out what differs by right: tokens, and what ``put`` names."""
    for promise, word in put.items():
        text = text.replace(promise, word)
    return TOKEN.sub(rb"\1TOKEN", text)


def send(
    client: Client, method: str, path: str, headers: Mapping[str, str], body: Any = None
) -> bytes:
    """Ask, and write the whole answer down: status, headers, cookies, content."""
    return written(ask(client, method, path, headers, body))


def ask(
    client: Client, method: str, path: str, headers: Mapping[str, str], body: Any = None
) -> Any:
    """Ask, and give the answer."""
    more: dict[str, Any] = {"headers": headers}
    if isinstance(body, str):
        more |= {"data": body, "content_type": "application/json"}
    elif body is not None:
        more["data"] = body
    if body is None:
        return client.generic(method, path, **more)
    return getattr(client, method.lower())(path, **more)


def written(answer: Any) -> bytes:
    """Write a whole answer down: status, headers, cookies, content."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if content and answer.headers.get("Content-Type") == "application/zip":
        content = _unpacked(content)
    lines = [f"{answer.status_code}", *(f"{k}: {v}" for k, v in sorted(answer.headers.items()))]
    lines += [str(cookie) for _, cookie in sorted(answer.cookies.items())]
    return "\n".join(lines).encode() + b"\n\n" + bytes(content)


def _unpacked(packed: bytes) -> bytes:
    # When its files were made stands in a zip, and that is of no world.
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        return b"\n".join(name.encode() + b"\n" + files.read(name) for name in files.namelist())


def _differences(surface: str, one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[Leak]:
    leaks = []
    for name in one.keys() | other.keys():
        a, b = one.get(name, NOT_ASKED), other.get(name, NOT_ASKED)
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
            leaks.append(Leak(surface, name, _around(a, at), _around(b, at)))
    return sorted(leaks, key=lambda leak: leak.ask)


def _around(text: bytes, at: int) -> str:
    return text[max(0, at - 60) : at + 40].decode("utf-8", "replace")
