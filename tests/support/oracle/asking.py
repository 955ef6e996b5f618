"""Everything that can be asked of a site: each address with each id in it, each parameter swept."""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal
from urllib.parse import urlencode

from tests.pins.write import addresses, openapi
from tests.support.oracle.worlds import Ask, World

PLACEHOLDER = re.compile(r"<(?:\w+:)?(\w+)>|\{(\w+)\}")

NOT_ASKED = ("env/", "account/logout/", "step", "reset", "state", "mcp", "score", "language/")
"""Environments have episodes of their own, and are a surface of their own."""

SLOW = ("training/", "learn/handbook/", "evidence/", "voices/", "market/rewards/")
"""Pages of published runs and of texts: no game stands on them. The short sweep leaves them out."""

ELSEWHERE = ("rooms/", "account/", "bots/", "training/", "learn/", "voices/", "evidence/")
"""Where no game, puzzle or day of one visitor is looked up: a quick sweep leaves them out."""

Depth = Literal["few", "quick", "whole", "deep"]
"""``few``: only addresses with an id in them. ``quick``: and plain ones, where the own ids of a
surface mean something. ``whole``: every address, and those with an id as a part of a page too.
``deep``: in two languages and with every parameter as well."""

QUERIES: tuple[dict[str, str], ...] = (
    {"seq": "1"},
    {"seq": "3", "try": "1700"},
    {"audience": "replay", "debug": "1", "as": "buyer", "side": "buyer", "format": "json"},
    {"part": "better"},
    {"part": "coming", "until": "1"},
    {"after": "0", "before": "99", "lab": "1", "shock": "0"},
    {"first": "none", "mark": "x", "wall": "1", "game": "x"},
)
"""What an address with an object in it is asked with, besides nothing."""

PART: Mapping[str, str] = {"HX-Request": "true"}
IN_HINDI: Mapping[str, str] = {"Accept-Language": "hi"}
BOARD_ONLY: Mapping[str, str] = {"X-Part": "board"}

OTHER_VALUES = {
    "name": ("replays", "bazaar", "config.json"),
    "day": ("2026-11-24", "2026-11-25", "2026-11-26"),
    "kind": ("sell", "rps"),
    "case": ("scooter",),
    "verb": ("start",),
    "seq": ("2",),
    "step": ("before",),
    "arm": ("chat",),
    "folder": ("small",),
}
"""Values of placeholders that name no object of anybody."""


def patterns() -> list[str]:
    """Return every address of the site with its placeholders, as the resolver and the API have it.

    Read anew, so that a new address is asked without anybody's doing.
    """
    rows = [row.partition("  ")[0] for row in addresses().splitlines()]
    pages = [row for row in rows if not row.startswith("socket")]
    schema = json.loads(openapi())
    return sorted({*pages, *(path.lstrip("/") for path in schema["paths"])})


def names_in(pattern: str) -> list[str]:
    """Name the placeholders of an address."""
    return [one or two for one, two in PLACEHOLDER.findall(pattern)]


def filled(pattern: str, values: Sequence[str]) -> str:
    """Put values into the placeholders of an address."""
    left = iter(values)
    return "/" + PLACEHOLDER.sub(lambda _: next(left), pattern)


def places(world: World, depth: Depth) -> Iterator[tuple[str, bool]]:
    """Yield every address with every id in it, and whether there is one in it."""
    ids = tuple(dict.fromkeys(world.things.values()))
    for pattern in patterns():
        if pattern.startswith(NOT_ASKED) or (depth != "deep" and pattern.startswith(SLOW)):
            continue
        if depth in ("few", "quick") and pattern.startswith(ELSEWHERE):
            continue
        names = names_in(pattern)
        if not names and depth == "few":
            continue
        if not names:
            yield f"/{pattern}", False
            continue
        values = [OTHER_VALUES.get(name, ids) for name in names]
        for chosen in itertools.product(*values):
            yield filled(pattern, chosen), True


def everything(world: World, who: str, depth: Depth = "quick") -> list[Ask]:
    """Return all that one person asks: pages, parts, files, the API, lists, searches, posts."""
    asks: list[Ask] = []
    for place, has_id in places(world, depth):
        asks.append(("GET", place, who, {}, None))
        if not has_id or depth in ("few", "quick"):
            continue
        asks.append(("GET", place, who, PART, None))
        if depth == "deep":
            asks.append(("HEAD", place, who, {}, None))
            asks.append(("GET", place, who, IN_HINDI, None))
            asks += [("GET", f"{place}?{urlencode(one)}", who, {}, None) for one in QUERIES]
            asks += [("GET", place, who, BOARD_ONLY, None)]
        else:
            asks.append(("GET", f"{place}?{urlencode(QUERIES[1])}", who, {}, None))
    asks += _searches(world, who, deep=depth == "deep")
    asks += _tries(world, who)
    return asks


SEARCHED = ("/search/", "/replays/", "/api/replays/", "/sell/", "/api/listings/")


def _searches(world: World, who: str, *, deep: bool) -> list[Ask]:
    words = ("lamp", "1700", "1650", *tuple(world.things.values())[:2])
    asks: list[Ask] = []
    for word in words if deep else words[:2]:
        asked = urlencode({"q": word})
        asks += [("GET", f"{place}?{asked}", who, {}, None) for place in SEARCHED]
    sorts = ("newest", "price", "buyer", "seller", "rounds", "title")
    for sort in sorts if deep else ("seller",):
        for mine in ("0", "1"):
            asked = urlencode({"sort": sort, "mine": mine, "source": "person"})
            asks.append(("GET", f"/api/replays/?{asked}", who, {}, None))
            asks.append(("GET", f"/replays/?{asked}", who, {}, None))
    return asks


def _tries(world: World, who: str) -> list[Ask]:
    """Return what is posted: what-ifs, grades, links, rematches, files, before the end or not one's
    own. What is refused must be refused alike."""
    asks: list[Ask] = []
    for name, id_ in world.things.items():
        for seq, price in ((1, 1700), (2, 1650), (3, 100)):
            said = json.dumps({"seq": seq, "action": "offer", "price": price})
            asks.append(("POST", f"/api/replays/{id_}/fork/", who, {}, said))
            form = {"seq": str(seq), "action": "offer", "price": str(price)}
            asks.append(("POST", f"/replays/{id_}/fork/", who, {}, form))
        accepting = json.dumps({"seq": 2, "action": "accept"})
        asks.append(("POST", f"/api/replays/{id_}/fork/", who, {}, accepting))
        asks.append(("POST", f"/api/market/{id_}/fork/", who, {}, '{"seq":2,"action":{}}'))
        asks += [
            ("POST", place, who, headers, body)
            for place, body in (
                (f"/replays/{id_}/share/", {"public": "1"}),
                (f"/challenge/new/{id_}/", {}),
                (f"/challenge/{id_}/", {}),
                (f"/market/{id_}/what-if/", {"seq": "2", "choice": "0"}),
                (f"/arena/{id_}/seat/", {"index": "1"}),
                (f"/puzzles/{id_}/game/", {}),
                (f"/bots/{id_}/stop/", {}),
            )
            for headers in ({}, PART)
        ]
        for kind in ("sell", "buy"):
            asks.append(("POST", f"/{kind}/{id_}/again/", who, {}, {}))
            asks.append(("POST", f"/{kind}/{id_}/answers/", who, {}, {"self": "4"}))
            thumb = json.dumps({"seq": 2, "thumb": "up"})
            asks.append(("POST", f"/api/{kind}/{id_}/thumbs/", who, {}, thumb))
        asks.append(("POST", "/api/replays/import/", who, {}, _a_file(world, name)))
    asks.append(("POST", "/highlight", who, {}, '{"text":"what is your budget?"}'))
    return asks


def _a_file(world: World, name: str) -> str:
    """Write a file that claims to be a finished replay of a game that goes on, its promise too."""
    promise = world.promises[0] if world.promises else ""
    opened = {"kind": "opened", "actor": "seller", "price": 2000, "commitment": promise}
    ended = {"kind": "ended", "outcome": "walk", "by": "seller", "opened": {"budget": 1700}}
    log = [{"seq": 1, "event": opened}, {"seq": 2, "event": ended}]
    told = {"format": "bazaarbatna.replay/1", "id": world.things[name], "events": log}
    return json.dumps(told)
