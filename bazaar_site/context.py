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


class Place(msgspec.Struct, frozen=True):
    """An entry of the masthead; ``here``: the visitor is at or below it, ``exact``: at it."""

    name: str
    url: str
    here: bool
    exact: bool


def places(request: HttpRequest) -> dict[str, tuple[Place, ...]]:
    """List the places that this site serves (a site may run without one of its rooms)."""
    found = []
    for address, name in PLACES:
        try:
            url = reverse(address)
        except NoReverseMatch:
            continue
        found.append(Place(name, url, request.path.startswith(url), request.path == url))
    return {"places": tuple(found)}
