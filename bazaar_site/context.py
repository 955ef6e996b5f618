"""What every page knows: the places of the site and which of them the visitor is at."""

from collections.abc import Iterable
from typing import Any

import msgspec
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from negotiation.sentences import sentences

say = sentences(__file__)

Inside = tuple[tuple[str, str | Promise], ...]

PLACES: tuple[tuple[str, str | Promise, Inside], ...] = (
    (
        "sell",
        pgettext_lazy("a place of the site", "Play"),
        (
            ("sell", say.lazy("sell")),
            ("buy", say.lazy("buy")),
            ("daily", say.lazy("daily_haggle")),
            ("cases", say.lazy("cases")),
            ("invite", say.lazy("with_a_friend")),
            ("arena", say.lazy("arena")),
            ("market", say.lazy("advanced_gpu_market")),
        ),
    ),
    ("puzzles", say.lazy("puzzles"), ()),
    ("replays", say.lazy("replays"), ()),
    (
        "learn",
        say.lazy("learn"),
        (
            ("learn", say.lazy("bargaining")),
            ("training", say.lazy("how_she_was_trained")),
            ("rooms", say.lazy("a_class_or_a_study")),
            ("bots", say.lazy("bring_a_bot")),
        ),
    ),
    (
        "evidence",
        say.lazy("about"),
        (
            ("evidence", say.lazy("evidence")),
            ("leaderboard", say.lazy("leaderboard")),
            ("sealed", say.lazy("what_is_sealed")),
            ("status", say.lazy("how_the_site_is")),
        ),
    ),
)
"""An address's name, its label, and what else lies there."""


class Place(msgspec.Struct, frozen=True):
    """A way to a part of the site; ``here``: the visitor is at or below it, ``exact``: at it."""

    key: str
    name: str | Promise
    url: str
    here: bool
    exact: bool
    inside: tuple["Place", ...] = ()


def places(request: HttpRequest) -> dict[str, Any]:
    """Return the places that this site serves (a site may run without one of its rooms).

    ``beside`` is the place whose parts stand above the page: only on the first page of a part,
    for a game wants the screen to itself.
    """
    served = [(key, name, inside) for key, name, inside in PLACES if _address(key)]
    addresses = [_address(key) for name, _label, inside in served for key in (name, *dict(inside))]
    # /learn/sealed/ lies below /learn/, and is another place.
    at = max(
        (one for one in addresses if one and request.path.startswith(one)), key=len, default=""
    )
    found = tuple(
        _place(request, at, key, name, (_place(request, at, *part) for part in inside))
        for key, name, inside in served
    )
    beside = [one for one in found if any(part.exact for part in one.inside)]
    return {"places": found, "beside": beside[0] if beside else None}


def _place(
    request: HttpRequest, at: str, key: str, name: str | Promise, inside: Iterable[Place] = ()
) -> Place:
    parts = tuple(part for part in inside if part.url)
    url = _address(key)
    here = (bool(url) and url == at) or any(part.here for part in parts)
    return Place(key, name, url, here, request.path == url, parts)


def _address(key: str) -> str:
    try:
        return reverse(key)
    except NoReverseMatch:
        return ""
