"""What every page knows: the places of the site and which of them the visitor is at."""

import msgspec
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

PLACES: tuple[tuple[str, str], ...] = (
    ("sell", "Sell"),
    ("buy", "Buy"),
    ("arena", "Arena"),
    ("market", "Market"),
    ("replays", "Replays"),
    ("leaderboard", "Leaderboard"),
    ("training", "Training"),
)

MORE_PLACES: tuple[tuple[str, str], ...] = (
    ("daily", "Daily haggle"),
    ("evidence", "Evidence"),
    ("voices", "Voices"),
    ("bots", "Bring a bot"),
)
"""What stands at the foot of every page, and in the menu of a phone."""


class Place(msgspec.Struct, frozen=True):
    """An entry of the masthead; ``here``: the visitor is at or below it, ``exact``: at it."""

    name: str
    url: str
    here: bool
    exact: bool


def places(request: HttpRequest) -> dict[str, tuple[Place, ...]]:
    """List the places that this site serves (a site may run without one of its rooms)."""
    return {"places": _served(request, PLACES), "more_places": _served(request, MORE_PLACES)}


def _served(request: HttpRequest, wanted: tuple[tuple[str, str], ...]) -> tuple[Place, ...]:
    found = []
    for address, name in wanted:
        try:
            url = reverse(address)
        except NoReverseMatch:
            continue
        found.append(Place(name, url, request.path.startswith(url), request.path == url))
    return tuple(found)
